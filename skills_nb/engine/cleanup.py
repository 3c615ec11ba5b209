"""Abort: propose to take back what the thread did, do what a person decides, and end.

Room: laws. Nothing is dropped without confirmation, nothing is touched that the thread did not
create or change. Compensation runs in the reverse order of what it takes back, so that a policy
is detached before it is dropped.
Spec: Compensation and Rollback.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from skills_nb.engine import ledger, recovery
from skills_nb.engine.failing import MOST_LOST
from skills_nb.engine.pauses import CLEANUP_OPTIONS
from skills_nb.engine.steps import undo
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Record, RunStatement
from skills_nb.model.library import Library
from skills_nb.model.state import AbortState, ThreadState


def cleaning(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Return the next effect of an abort."""
    abort = state.abort
    assert abort is not None, "called while aborting"
    standing = standing_entries(state, library)
    match abort.decision:
        case "undecided" if standing:
            return (Record((proposal(standing, detailed=abort.detailed),)),)
        case "undecided":
            return _ended(state, abort, "nothing_to_clean")
        case "keep":
            return _ended(state, abort, "kept")
        case "proposed":
            return (Record((proposal(standing, detailed=abort.detailed),)),)
        case "cleanup":
            return _cleaning(state, abort, standing)


def standing_entries(state: ThreadState, library: Library) -> tuple[ledger.Entry, ...]:
    """Return what can be taken back, newest first.

    What fails or is stopped leaves the finished phases of its chain whole; they can be taken back
    when the thread is over.
    """
    phases = state.chain.completed if state.chain is not None and not state.is_over else ()
    whole = {phase.run.started_seq for phase in phases if phase.run is not None}
    return tuple(
        entry
        for entry in reversed(ledger.entries(state, library))
        if entry.compensation and entry.record.run_seq not in whole
    )


def proposal(standing: Sequence[ledger.Entry], *, detailed: bool = False) -> ev.CleanupProposed:
    """Return the offer to take back what stands, newest first."""
    options = [o for o in CLEANUP_OPTIONS if not (detailed and o.id == "review")]
    return ev.CleanupProposed(
        orphaned_objects=list(_orphans(standing)),
        compensation_actions=[sql for entry in standing for sql in entry.compensation],
        options=options,
    )


def _orphans(standing: Sequence[ledger.Entry]) -> Iterator[ev.OrphanedObject]:
    for entry in standing:
        change = entry.changes[0] if entry.changes else None
        yield ev.OrphanedObject(
            type=change.target.type if change else "statement",
            name=change.target.fqn if change else entry.record.sql[:80],
            created_in_step=entry.record.step,
            compensation="; ".join(entry.compensation),
        )


def _cleaning(
    state: ThreadState, abort: AbortState, standing: Sequence[ledger.Entry]
) -> tuple[Effect, ...]:
    following = next((found for e in standing if (found := _undoing(state, abort, e))), None)
    if following is not None:
        return (following,)
    if not abort.executed:
        executed = ev.CleanupExecuted(
            cleaned=_cleaned(state, abort), failed=[_named(entry) for entry in standing]
        )
        return (Record((executed,)),)
    return _ended(state, abort, abort.outcome or "cleaned")


def _undoing(state: ThreadState, abort: AbortState, entry: ledger.Entry) -> RunStatement | None:
    """Return the next attempt at taking an entry back, or None when there were enough."""
    sql = entry.compensation[0]
    tries = [
        record
        for record in state.statements
        if record.kind == "compensation"
        and (record.step, record.ordinal) == (entry.record.step, entry.record.ordinal)
        and record.sql == sql
        and record.seq > abort.proposed_seq
    ]
    errors = [record.error for record in tries if record.error is not None]
    delay_s = 0.0
    if errors:
        found = recovery.diagnose(errors[-1], (), (), {})
        if len(errors) > found.retries:
            return None
        delay_s = found.delay_before(len(errors) + 1)
    if sum(record.status == "lost" for record in tries) >= MOST_LOST:
        return None
    return replace(undo(state, entry), attempt=len(tries) + 1, delay_s=delay_s)


def _cleaned(state: ThreadState, abort: AbortState) -> list[str]:
    return [
        record.sql
        for record in state.statements
        if record.kind == "compensation"
        and record.status == "completed"
        and record.seq > abort.proposed_seq
    ]


def _named(entry: ledger.Entry) -> str:
    return entry.compensation[0]


def _ended(state: ThreadState, abort: AbortState, outcome: str) -> tuple[Effect, ...]:
    ended = ev.ThreadAborted(reason=abort.reason, at_step=abort.at_step, cleanup_status=outcome)
    return (Record((ended,)),)
