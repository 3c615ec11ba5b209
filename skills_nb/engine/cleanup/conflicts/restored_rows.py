"""Rows that would be put back are still the thread's.

Room: laws.
"""

from __future__ import annotations

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.verdicts import Case, Verdict, leave_alone
from skills_nb.engine.ledger.thread_touches import touches
from skills_nb.model.state import Fact
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.time_travel_restore import HIDING, comparison, policies


def object_to_rows(case: Case, ref: ObjectRef) -> Verdict | None:
    """Object where the rows are not those that the thread left, or cannot be seen."""
    hiding = case.now(policies(ref), case.record.role)
    if _is_written_later(case, ref) or _comes_back(case, ref):
        return None
    compared = case.now(comparison(ref, case.record.query_id), case.record.role)
    if compared is None or hiding is None:
        return None
    if any(row.get("POLICY_KIND") in HIDING for row in hiding.rows):
        return leave_alone(
            ref,
            "policies hide some of its values, and putting its rows back would put back what they "
            f"show; an owner who sees all can read them {_before(case)}",
        )
    return _of_counts(case, ref, compared)


def _before(case: Case) -> str:
    return f"BEFORE(STATEMENT => '{case.record.query_id}')"


def _is_written_later(case: Case, ref: ObjectRef) -> bool:
    """Return whether the thread wrote there again and that is taken back before this."""
    return case.ours is not None and any(
        touch.is_written and touch.ref == ref
        for record in case.state.statements
        if record.seq > case.record.seq and record.status == "completed"
        for touch in touches(case.state, record)
    )


def _comes_back(case: Case, ref: ObjectRef) -> bool:
    """Return whether the thread dropped a table, so that its rows can be seen when it is back."""
    return case.ours is not None and any(
        change.action == "drop" and change.target.name == ref.name[: len(change.target.name)]
        for record in case.state.statements
        if record.seq > case.record.seq and record.status == "completed"
        for change in ledger.changes_by(case.state, record)
    )


def _of_counts(case: Case, ref: ObjectRef, compared: Fact) -> Verdict | None:
    told = {row.get("MOMENT"): row for row in compared.rows}
    if compared.error is not None or told.keys() != {"now", "then"}:
        return leave_alone(ref, "its rows can't be compared with those that this thread left")
    now, then = told["now"], told["then"]
    if now["HASH"] == then["HASH"] and now["ROW_COUNT"] == then["ROW_COUNT"]:
        return None
    more = int(now["ROW_COUNT"]) - int(then["ROW_COUNT"])
    if not more:
        return leave_alone(ref, "another session changed rows of it")
    count = f"{abs(more):,} {'row' if abs(more) == 1 else 'rows'}"
    return leave_alone(
        ref, f"another session changed it: {count} {'more' if more > 0 else 'fewer'}"
    )
