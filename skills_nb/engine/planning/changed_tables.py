"""Tables in which a goal wants values changed: what has to be looked up to know them, then them.

Room: laws. `set status to closed` is about values only where a table that is named has a column
STATUS, as `set the retention to 7 days` is not; where none is named, columns tell the table.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skills_nb.engine.inputs.questions import columns_query, fact_of
from skills_nb.engine.inputs.wording.named_choices import spoken_key
from skills_nb.engine.inputs.wording.said_changes import (
    change_said,
    may_change,
    value_marked,
    value_swapped,
)
from skills_nb.engine.planning.changed_values import column_changed
from skills_nb.engine.planning.said_tables import tables_by_columns, tables_by_name
from skills_nb.engine.planning.wanted_rows import columns_holding
from skills_nb.model.state import Fact
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.names_in_text import object_names
from skills_nb.sql.templates import Name

CHANGE_VALUES = "update rows of a table"
"""Words that lead where values are changed."""
_WHOLE = 3
_MOST_DESCRIBED = 5


def tables_changed(goal: str, facts: Sequence[Fact]) -> str | tuple[str, ...]:
    """Return the query that has to be asked next, or the tables in which values are to change.

    Args:
        goal: a person's words.
        facts: what was looked up so far.
    """
    if not may_change(goal):
        return ()
    named = _named(goal, facts)
    if isinstance(named, str):
        return named
    tables = named or tables_by_columns(goal, facts)
    if isinstance(tables, str):
        return tables
    queries = [columns_query(Name(split_name(one))) for one in tables[:_MOST_DESCRIBED]]
    if (left := next((one for one in queries if fact_of(one, facts) is None), None)) is not None:
        return left
    columns = [_columns(one, facts) for one in queries]
    held = zip(tables, columns, strict=False)
    told = tuple(table for table, own in held if change_said(goal, own) or _marks(goal, own))
    return told or _of_value(goal, named, columns, facts)


def _named(goal: str, facts: Sequence[Fact]) -> str | tuple[str, ...]:
    full = tuple(".".join(one.parts) for one in object_names(goal) if len(one.parts) == _WHOLE)
    return full or tables_by_name(goal, facts)


def _columns(query: str, facts: Iterable[Fact]) -> tuple[str, ...]:
    found = fact_of(query, facts)
    rows = found.rows if found is not None and found.error is None else ()
    return tuple(render_name((str(row["name"]),)) for row in rows if "name" in row)


def _marks(goal: str, columns: Sequence[str]) -> bool:
    return value_marked(goal) is not None and bool(column_changed(goal, columns))


def _of_value(
    goal: str, tables: Sequence[str], columns: Sequence[Sequence[str]], facts: Sequence[Fact]
) -> str | tuple[str, ...]:
    """Return the tables that hold the value which goes, or marks rows, or how to ask for them."""
    said = value_swapped(goal) or value_marked(goal)
    names = {spoken_key(split_name(one)[-1]) for own in (tables, *columns) for one in own}
    if said is None or spoken_key(said.former) in names:
        return ()
    held = []
    for table in tables[:_MOST_DESCRIBED]:
        found = columns_holding(said.former or said.value, Name(split_name(table)), facts)
        if isinstance(found, str):
            return found
        held += [table] if found else []
    return tuple(held)
