"""Tables that a goal means, by their names or by their columns, once the account was asked.

Room: laws. A text is the read-only query that has to be asked first.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.engine.inputs.column_tables import columns_said_query, tables_of_columns
from skills_nb.engine.inputs.questions import fact_of, listed_tables, tables_query
from skills_nb.engine.inputs.wording.named_choices import tables_named
from skills_nb.model.state import Fact


def tables_by_name(goal: str, facts: Sequence[Fact]) -> str | tuple[str, ...]:
    """Return the tables that a goal names by one word, or the query that lists them."""
    query = tables_query(goal)
    if query is None:
        return ()
    found = fact_of(query, facts)
    if found is None:
        return query
    return tables_named(goal, listed_tables(found)) if found.error is None else ()


def tables_by_columns(goal: str, facts: Sequence[Fact]) -> str | tuple[str, ...]:
    """Return the tables that hold the columns which a goal names, or the query that tells them."""
    query = columns_said_query(goal)
    if query is None:
        return ()
    found = fact_of(query, facts)
    if found is None:
        return query
    return tables_of_columns(goal, found) if found.error is None else ()
