"""Columns by which the rows of two tables belong together: those that both call alike.

Room: laws. What is called alike is offered, and taken where it is the only one; a person says what
belongs together where the names do not.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.engine.inputs.questions import columns_query, fact_of
from skills_nb.engine.inputs.wording.named_choices import as_one, spoken_key
from skills_nb.model.state import ThreadState
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.templates import Name


def query_of_other(name: str, known: Mapping[str, Any], state: ThreadState) -> str | None:
    """Return the query that describes the other table, where a key is not known without it."""
    other = known.get("other")
    if name != "key" or not isinstance(other, Name):
        return None
    query = columns_query(other)
    return query if fact_of(query, state.facts) is None else None


def matching_columns(
    name: str, columns: Sequence[str], known: Mapping[str, Any], state: ThreadState
) -> tuple[str, ...]:
    """Return the columns that are called like one of the other table, or like its key.

    Args:
        name: the input: `key`, or `other_key` once the key is known.
        columns: those of the table that the input is about, as SQL.
        known: what the inputs hold, by name.
        state: what was looked up.
    """
    key, other = known.get("key"), known.get("other")
    if name == "other_key" and isinstance(key, Name):
        alike = {_called(key.name)}
    elif name == "key" and isinstance(other, Name):
        found = fact_of(columns_query(other), state.facts)
        alike = {_called(str(row.get("name", ""))) for row in found.rows} if found else set()
    else:
        return ()
    return tuple(one for one in columns if _called(split_name(one)[-1]) in alike)


def _called(name: str) -> str:
    return as_one(spoken_key(name))
