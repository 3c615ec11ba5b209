"""What comes back by UNDROP is what went.

Room: laws.
"""

from __future__ import annotations

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.verdicts import Case, Verdict, leave_alone
from skills_nb.sql.objects import ObjectRef, changes_of, probe_for
from skills_nb.sql.objects.time_travel_restore import dropped_versions


def find_returning(case: Case) -> list[ObjectRef]:
    """Return what the inverse undrops."""
    return [
        change.target
        for sql in case.entry.compensation
        if sql.startswith("UNDROP ")
        for change in changes_of(sql, *ledger.where_of(case.state, case.record))
    ]


def object_to_return(case: Case, ref: ObjectRef) -> Verdict | None:
    """Look whether UNDROP would bring back what the thread has dropped, and not a later one."""
    query = dropped_versions(ref)
    if query is None:
        return None
    fact = case.now(query, case.record.role)
    if fact is None or fact.error is not None:
        return None
    before = ledger.fact_before(case.state, probe_for(ref), case.record.seq)
    dropped = sorted(
        (str(row["dropped_on"]), row.get("created_on"))
        for row in fact.rows
        if row.get("dropped_on") and row.get("name") == ref.name[-1]
    )
    if not dropped:
        return leave_alone(ref, "nothing is kept of it any more")
    was = before.rows[0].get("created_on") if before is not None and before.rows else None
    if was is not None and dropped[-1][1] != was:
        return leave_alone(ref, "another one of that name was dropped since")
    return None
