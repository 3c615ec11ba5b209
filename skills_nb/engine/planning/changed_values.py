"""Which column a plan changes, what goes into it, and which words then say which rows.

Room: laws. Where a goal says only a value that goes, or that rows are marked so, the columns that
hold the value are looked up; of several a person chooses.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.engine.inputs.wording.named_choices import spoken_key
from skills_nb.engine.inputs.wording.said_changes import (
    CHANGED,
    ChangeSaid,
    change_said,
    is_no_value,
    value_marked,
    value_swapped,
)
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.templates import Name


def value_looked_for(goal: str, columns: Sequence[str]) -> str:
    """Return the value by which the column that changes is known, where no name says it."""
    said = None if change_said(goal, columns) else value_swapped(goal) or value_marked(goal)
    return (said.former or said.value) if said is not None else ""


def column_changed(goal: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the column that a goal changes by its name, or marks by it: `mark it as valid`."""
    said = change_said(goal, columns)
    if said is not None:
        return (said.column,)
    return tuple(one for one in columns if _is_marked(goal, split_name(one)[-1]))


def new_value_said(goal: str, bound: Mapping[str, Any]) -> str | None:
    """Return what a goal puts into the column that an input holds."""
    column = bound.get(CHANGED)
    if not isinstance(column, Name):
        return None
    said = _said(goal, column)
    if said is None:
        return None
    if _is_marked(goal, column.name):
        return "TRUE"
    return "NULL" if is_no_value(said.value) else said.value


def rows_of_change(goal: str, bound: Mapping[str, Any]) -> str:
    """Return a goal without the change that it asks for: what says which rows are meant."""
    column = bound.get(CHANGED)
    said = _said(goal, column) if isinstance(column, Name) else None
    if said is None or not isinstance(column, Name):
        return goal
    if said.column or not said.former:
        return said.rows
    called = " ".join(spoken_key(column.name).split("_"))
    return f"where {called} is {said.former} ; {said.rows.replace(said.former, ' ', 1)}"


def _said(goal: str, column: Name) -> ChangeSaid | None:
    return change_said(goal, (column.fqn,)) or value_swapped(goal) or value_marked(goal)


def _is_marked(goal: str, column: str) -> bool:
    said = value_marked(goal)
    return said is not None and spoken_key(said.value) == spoken_key(column)
