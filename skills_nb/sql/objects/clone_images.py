"""What a copied schema or database holds: queries that answer the same while nobody works in it.

Room: sql. A copy arrives full, so that what others put into it cannot be told by its being there.
Asked right behind the CLONE and once more before it is dropped, these queries tell: rows, columns,
definitions, privileges, everything that lies in it, and whatever elsewhere reads it.
A change that nobody made (the account's own upkeep moves LAST_ALTERED) counts as one, too.
Source: Snowflake manual, "CREATE <object> … CLONE", "TABLES view", "OBJECT_PRIVILEGES view",
"GET_DDL".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects.dependents import DependentQuery, inside, named_object
from skills_nb.sql.objects.object_comparison import is_of_itself
from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.objects.prior_state import cell_of
from skills_nb.sql.tokens import literal

Row = Mapping[str, Any]

MOST_SHOWN = 10_000
"""So many rows a SHOW answers at most: there may be more."""
_MARK = "AS IMAGE_OF"
_NEWEST, _AT = "CHANGED_LAST", "CHANGED_AT"
_READERS = ("DYNAMIC TABLES", "TASKS", "PIPES", "STREAMS")
_TEXTS = ("view_definition", "text", "definition", "table_name")


@dataclass(frozen=True, slots=True)
class ImageQuery:
    """A query whose one row differs once somebody has worked in a copy."""

    query: str
    """A read-only statement."""
    said: str
    """What became of it where the answer is another one."""


def images_of(ref: ObjectRef) -> tuple[ImageQuery, ...]:
    """Return the queries for rows and columns, for privileges, and for definitions in a copy."""
    return (
        *_used(ref),
        ImageQuery(_definitions(ref), "another session changed a definition in it"),
    )


def images_after_grants(ref: ObjectRef) -> tuple[str, ...]:
    """Return what of the images may differ once privileges in a copy were granted or revoked."""
    return tuple(one.query for one in _used(ref))


def _used(ref: ObjectRef) -> tuple[ImageQuery, ...]:
    return (
        ImageQuery(_relations(ref), "tables or views in it have changed since"),
        ImageQuery(_privileges(ref), "another session changed who may use what is in it"),
    )


def inventory_of(ref: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the queries for everything that lies in a copy, a row each."""
    return inside(ref)


def readers_of_copy(ref: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the queries for what lies elsewhere and reads something in a copy."""
    return tuple(_readers(ref))


def is_image(query: str) -> bool:
    """Return whether a query is one of those that tell what a copy holds."""
    return _MARK in query or _INVENTORY.match(query) is not None


_INVENTORY = re.compile(
    r"SHOW (?!PARAMETERS|GRANTS|FUTURE)[A-Z ]+? IN (SCHEMA|DATABASE|ACCOUNT)\b", re.IGNORECASE
)


def changed_last(then: Sequence[Row], now: Sequence[Row]) -> str | None:
    """Return the table or view that was changed last between two answers about tables."""
    before, after = (cell_of(rows[0], _AT) if rows else None for rows in (then, now))
    return cell_of(now[0], _NEWEST) if after is not None and after != before else None


def changed_objects(
    query: DependentQuery, then: Sequence[Row], now: Sequence[Row]
) -> Iterator[tuple[str, str]]:
    """Yield what differs between two lists of what lies in a copy: its name, and what became of it.

    What became of it is `new`, `gone`, `replaced`, or the columns of SHOW that differ.
    """
    before, after = _by_key(query, then), _by_key(query, now)
    for key in [*after, *(key for key in before if key not in after)]:
        told = _difference(before.get(key), after.get(key))
        if told is not None:
            yield key[0], told


def _by_key(query: DependentQuery, rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
    """Return rows by name and arguments: overloads share a name."""
    found = ((query.name(row), cell_of(row, "arguments") or "", row) for row in rows)
    return {(name, arguments): row for name, arguments, row in found if name is not None}


def _difference(before: Row | None, after: Row | None) -> str | None:
    if before is None or after is None:
        return "new" if before is None else "gone"
    if cell_of(before, "created_on") != cell_of(after, "created_on"):
        return "replaced"
    columns = [
        name.lower().replace("_", " ")
        for name in {**before, **after}
        if not is_of_itself(name) and before.get(name) != after.get(name)
    ]
    return ", ".join(columns[:3]) or None


def holds_files(row: Row) -> bool:
    """Return whether a row of SHOW STAGES is about files in the account: nothing compares those."""
    return any(str(name).lower() == "url" for name in row) and cell_of(row, "url") is None


# ---- the queries


def _relations(ref: ObjectRef) -> str:
    """Ask for all tables, views and columns in one row, and for what was changed last."""
    tables = "TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_OWNER, ROW_COUNT, CREATED, LAST_ALTERED"
    columns = (
        "TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, DATA_TYPE, IS_NULLABLE, "
        "COLUMN_DEFAULT, COMMENT"
    )
    # All of a copy may be of one moment: then the name decides, the same one each time.
    instant = "DATE_PART(EPOCH_MICROSECOND, LAST_ALTERED)"
    moment = f"{instant} || TABLE_SCHEMA || '.' || TABLE_NAME"
    return (
        f"SELECT {_of(ref)}, COUNT(*) AS RELATIONS, HASH_AGG({tables}) AS HASH, "
        f"MAX_BY(TABLE_SCHEMA || '.' || TABLE_NAME, {moment}) AS {_NEWEST}, "
        f"MAX({instant}) AS {_AT}, "
        f"(SELECT HASH_AGG({columns}) FROM {_view(ref, 'COLUMNS')} "
        f"WHERE {_within(ref, 'TABLE_SCHEMA')}) AS COLUMN_HASH "
        f"FROM {_view(ref, 'TABLES')} WHERE {_within(ref, 'TABLE_SCHEMA')}"
    )


def _privileges(ref: ObjectRef) -> str:
    told = (
        "GRANTOR, GRANTEE, GRANTED_TO, OBJECT_SCHEMA, OBJECT_NAME, OBJECT_TYPE, PRIVILEGE_TYPE, "
        "IS_GRANTABLE"
    )
    return (
        f"SELECT {_of(ref)}, COUNT(*) AS GRANTS, HASH_AGG({told}) AS HASH "
        f"FROM {_view(ref, 'OBJECT_PRIVILEGES')} "
        f"WHERE {_within(ref, 'OBJECT_SCHEMA', is_whole=True)}"
    )


def _definitions(ref: ObjectRef) -> str:
    """Ask for what SHOW leaves out: bodies of routines and policies, tags and policies in use."""
    name = literal(render_name(ref.name))
    return f"SELECT {_of(ref)}, SHA2(GET_DDL({literal(ref.kind)}, {name}, TRUE)) AS HASH"


def _of(ref: ObjectRef) -> str:
    return f"{literal(render_name(ref.name))} {_MARK}"


def _view(ref: ObjectRef, view: str) -> str:
    return render_name((ref.name[0], "INFORMATION_SCHEMA", view))


def _within(ref: ObjectRef, column: str, *, is_whole: bool = False) -> str:
    """Write the condition for what lies in a copy; the system's own views are nobody's."""
    if ref.type == "schema":
        return f"{column} = {literal(ref.name[-1])}"
    return "TRUE" if is_whole else f"{column} <> 'INFORMATION_SCHEMA'"


def _readers(ref: ObjectRef) -> Iterator[DependentQuery]:
    where = "ACCOUNT" if ref.type == "database" else f"DATABASE {quote(ref.name[0])}"
    name = _reading(ref)
    yield DependentQuery(_dependencies(ref), _dependant(ref))
    for kind in ("VIEWS", *_READERS):
        yield DependentQuery(f"SHOW {kind} IN {where}", name)


def _dependencies(ref: ObjectRef) -> str:
    columns = ("REFERENCED_DATABASE", "REFERENCED_SCHEMA")
    where = " AND ".join(
        f"{column} = {literal(part)}" for column, part in zip(columns, ref.name, strict=False)
    )
    return (
        f"SELECT {_of(ref)}, REFERENCING_DATABASE AS DATABASE_NAME, REFERENCING_SCHEMA AS "
        "SCHEMA_NAME, REFERENCING_OBJECT_NAME AS NAME "
        f"FROM SNOWFLAKE.ACCOUNT_USAGE.OBJECT_DEPENDENCIES WHERE {where}"
    )


def _dependant(ref: ObjectRef) -> Callable[[Row], str | None]:
    return lambda row: None if _lies_in(ref, row) else named_object(row)


def _reading(ref: ObjectRef) -> Callable[[Row], str | None]:
    """Return what reads the rows about objects elsewhere whose text names the copy before a dot."""
    written = re.escape(ref.name[-1].replace('"', '""'))
    mentions = re.compile(rf'(?<![\w$])"?{written}"?\s*\.', re.IGNORECASE)

    def name(row: Row) -> str | None:
        texts = (cell_of(row, column) or "" for column in _TEXTS)
        is_reader = not _lies_in(ref, row) and any(map(mentions.search, texts))
        return named_object(row) if is_reader else None

    return name


def _lies_in(ref: ObjectRef, row: Row) -> bool:
    place = (cell_of(row, "database_name"), cell_of(row, "schema_name"))
    return place[: len(ref.name)] == ref.name
