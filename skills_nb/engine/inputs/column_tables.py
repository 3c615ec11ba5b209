"""Tables that a goal means without their name, by the columns that it names.

Room: laws. `average salary per team` is about the one table that has both, and `total weight per
voyage` about the one with weights, though another is called VOYAGES. Where several hold what is
said, a person chooses among them.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from skills_nb.engine.inputs.wording.named_choices import (
    GROUPING,
    RANKED,
    UNITS,
    WHICH,
    as_one,
    mentions,
    named_among,
    short_key,
    spoken_key,
    spoken_names,
    word_roots,
)
from skills_nb.engine.inputs.wording.plain_words import PLAIN
from skills_nb.model.state import Fact
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.tokens import literal

_MOST = 500
_FORMER = re.compile(r"(?<![^\W_])former(?![^\W_])", re.IGNORECASE)
_FORMER_END = re.compile(r"_FORMER(?:_\d+)?$", re.IGNORECASE)
"""What the name of a table ends in that a plan keeps the former rows in."""
_PLAIN = word_roots(" ".join(PLAIN))
_SAID_COLUMN = (
    "REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(LOWER(\"column_name\"), '[[:punct:][:space:]]+', '_'), "
    f"'(_({'|'.join(sorted(UNITS))}))?_?$', ''), '_', '')"
)
"""A column's name as it is said, as one word, without the unit at its end."""


def columns_said_query(goal: str) -> str | None:
    """Return the query that lists the columns that a goal may name, with their tables."""
    said = [name for name in spoken_names(goal) if name not in _PLAIN]
    if not said:
        return None
    forms = {as_one(form) for name in said for form in _forms(name)}
    listed = ", ".join(map(literal, sorted(forms)))
    return (
        'SHOW COLUMNS IN ACCOUNT ->> SELECT "database_name", "schema_name", "table_name", '
        '"column_name" FROM $1 WHERE "schema_name" <> \'INFORMATION_SCHEMA\''
        " AND \"database_name\" NOT IN ('', 'SNOWFLAKE', 'SNOWFLAKE_SAMPLE_DATA')"
        f" AND {_SAID_COLUMN} IN ({listed}) ORDER BY 1, 2, 3, 4 LIMIT {_MOST}"
    )


def tables_of_columns(goal: str, found: Fact) -> tuple[str, ...]:
    """Return the tables that hold all columns that a goal names; where none does, the nearest.

    The nearest are those that hold most of them.
    """
    held = {table: frozenset(_keys(goal, columns)) for table, columns in _by_table(found).items()}
    most = max(map(len, held.values()), default=0)
    nearest = tuple(table for table, keys in held.items() if keys and len(keys) == most)
    return nearest if _FORMER.search(goal) else without_former(nearest)


def without_former(tables: Sequence[str]) -> tuple[str, ...]:
    """Return tables without those that hold the former rows of another one of them.

    A deduplication leaves `SALES_FORMER` beside `SALES`, with the same columns.
    """
    names = {split_name(table) for table in tables}
    return tuple(table for table in tables if not _is_former(split_name(table), names))


def _is_former(parts: Sequence[str], names: Container[tuple[str, ...]]) -> bool:
    *place, last = parts
    stem = _FORMER_END.sub("", last)
    return stem != last and (*place, stem) in names


def with_table_of_columns(goal: str, found: Fact) -> tuple[str, str] | None:
    """Return a goal with the one table that holds its columns behind the first, and that table.

    None where several tables hold them, or none does.
    """
    tables = tables_of_columns(goal, found)
    if len(tables) != 1:
        return None
    columns = _by_table(found)[tables[0]]
    named = {_key_said(goal, one): one for one in named_among(goal, columns)}
    start, end, _ = next(mentions(goal, named), (0, 0, ""))
    if not end:
        return None
    if WHICH.search(goal[:start]) is not None and RANKED.search(goal) is None:
        # `which invoices are open` asks for the rows that have them.
        return f"{goal[:start]}{tables[0]}{goal[end:]}", tables[0]
    end += goal[end : end + 1] == '"'
    return f"{goal[:end]} of {tables[0]}{goal[end:]}", tables[0]


def said_of_columns(table: str) -> str:
    """Return the sentence that says why a plan reads a table that nobody named."""
    return f"Of the tables that you can see, only {table} has what you name."


def is_only_grouped(goal: str, table: str) -> bool:
    """Tell whether a table's name is said for a column each time: `per voyage`, `which shipper`."""
    ranked = RANKED.search(goal) is not None
    said = [start for start, _, _ in mentions(goal, {spoken_key(split_name(table)[-1]): table})]
    return bool(said) and all(
        GROUPING.search(goal[:at]) or (ranked and WHICH.search(goal[:at])) for at in said
    )


def says_long_column(goal: str, found: Fact) -> bool:
    """Tell whether a goal names a column by a name that no other word could be: `passport no`."""
    every = [one for columns in _by_table(found).values() for one in columns]
    return any("_" in _key_said(goal, one) for one in named_among(goal, every))


def _by_table(found: Fact) -> Mapping[str, Sequence[str]]:
    tables: dict[str, list[str]] = {}
    for row in found.rows:
        table = (str(row[part]) for part in ("database_name", "schema_name", "table_name"))
        column = render_name((str(row["column_name"]),))
        tables.setdefault(render_name(tuple(table)), []).append(column)
    return tables


def _keys(goal: str, columns: Iterable[str]) -> Iterator[str]:
    keys = (_key_said(goal, one) for one in named_among(goal, columns))
    return (key for key in keys if key not in _PLAIN)


def _key_said(goal: str, column: str) -> str:
    name = split_name(column)[-1]
    spoken = set(map(as_one, spoken_names(goal)))
    return spoken_key(name) if as_one(spoken_key(name)) in spoken else short_key(name)


def _forms(name: str) -> Iterator[str]:
    """Yield what a name of `spoken_names` may be in a column's name: singular and plural."""
    yield name
    yield f"{name}s"
    if name.endswith("y"):
        yield f"{name[:-1]}ies"
    if name.endswith(("s", "x", "ch", "sh")):
        yield f"{name}es"
