"""What would be dropped or renamed away holds nothing of others, and nothing rests on it.

Room: laws.
"""

from __future__ import annotations

from typing import Literal

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.dropped_copies import is_copy, object_to_copy
from skills_nb.engine.cleanup.conflicts.verdicts import (
    Case,
    Verdict,
    leave_alone,
    name_others,
    name_some,
)
from skills_nb.sql.objects import ObjectRef, changes_of
from skills_nb.sql.objects.dependents import inside, resting_on


def find_going(case: Case, action: Literal["drop", "alter"]) -> list[ObjectRef]:
    """Return what the inverse drops, or renames away, with its name as it is now."""
    found: dict[ObjectRef, None] = {}
    for sql in case.entry.compensation:
        for change in changes_of(sql, *ledger.where_of(case.state, case.record)):
            is_meant = change.action == action and (action == "drop" or _is_rename(change.detail))
            if is_meant and not change.target.facet and change.target.type != "column":
                found.setdefault(change.target)
    return list(found)


def _is_rename(detail: object) -> bool:
    return isinstance(detail, dict) and detail.get("action") == "rename"


def object_to_rename(case: Case, ref: ObjectRef) -> Verdict | None:
    """Object where something of others rests on what would be renamed away."""
    there_before = _resting_before(case)
    resting = [
        name
        for name in name_others(case, ref, resting_on(ref), is_sure=False) or ()
        if name not in there_before
    ]
    return leave_alone(ref, f"{name_some(resting)} depends on it") if resting else None


def _resting_before(case: Case) -> set[str]:
    """Return what rested on an object before the thread renamed it."""
    found: set[str] = set()
    for change in case.entry.changes:
        for one in ledger.dependants_before(change):
            fact = ledger.fact_before(case.state, one.query, case.record.seq)
            rows = fact.rows if fact is not None and fact.error is None else []
            found |= {name for row in rows if (name := one.name(row))}
    return found


def object_to_drop(case: Case, ref: ObjectRef) -> Verdict | None:
    """Object where what would be dropped holds, or carries, something of others."""
    if is_copy(case, ref):
        return object_to_copy(case, ref) or object_to_rename(case, ref)
    held = name_others(case, ref, inside(ref), is_sure=True)
    if held is None:
        return leave_alone(ref, "what lies in it can't be seen")
    if held:
        return leave_alone(ref, f"it holds {name_some(held)}")
    return object_to_rename(case, ref)
