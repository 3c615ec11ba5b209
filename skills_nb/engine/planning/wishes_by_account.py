"""Wishes that are known by what the account holds: values to change, procedures to schedule.

Room: laws. Spec: Principles > Lazy context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.engine.planning.changed_tables import CHANGE_VALUES, tables_changed
from skills_nb.engine.planning.scheduled_procedures import SCHEDULES, schedules_procedure
from skills_nb.model.state import Fact


@dataclass(frozen=True, slots=True)
class Look:
    """Something that has to be looked up first."""

    query: str
    """Read-only."""


def wanted_of_own(goal: str, facts: Sequence[Fact]) -> Look | str:
    """Return words that lead where a goal is served, what to look up first, or nothing.

    Args:
        goal: a person's words.
        facts: what was looked up so far.
    """
    changed = tables_changed(goal, facts)
    scheduled = False if changed else schedules_procedure(goal, facts)
    look = next((one for one in (changed, scheduled) if isinstance(one, str)), None)
    if look is not None:
        return Look(look)
    return CHANGE_VALUES if changed else SCHEDULES if scheduled else ""
