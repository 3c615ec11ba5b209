"""Cleanup: propose to take back what the thread did, do what a person decides, and end or go on.

Room: laws. Rules of this file:
- Nothing is dropped without confirmation; nothing is touched that the thread did not create or
  change, or that others have touched since (`cleanup.conflicts`).
- Before the proposal the account is looked at, and once more before each statement.
- Compensation runs in the reverse order of what it takes back, so that a policy is detached before
  it is dropped, and stops at its first failure.
- What is left as it is, is named with the reason.
Spec: Compensation and Rollback.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skills_nb.engine import error_diagnosis, ledger
from skills_nb.engine.approvals.repeated_statements import keys_to_keep
from skills_nb.engine.cleanup.conflicts import Verdict, examine_entry
from skills_nb.engine.ledger.after_images import AfterImages
from skills_nb.engine.ledger.thread_touches import touches
from skills_nb.engine.pauses import CLEANUP_OPTIONS, REDOING_OPTIONS
from skills_nb.engine.statements.failures import MOST_LOST
from skills_nb.engine.steps import undo
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Record, RunStatement
from skills_nb.model.library import Library
from skills_nb.model.state import AbortState, StatementRecord, ThreadState
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import changes_of

_STOPPED = "cleanup came to a stop before it"


def next_cleanup_effect(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Return the next effect of a cleanup; none where the thread goes on and nothing stands."""
    abort = state.abort
    assert abort is not None, "called while cleaning up"
    if abort.decision == "keep":
        return _ended(state, abort, "kept")
    standing = _in_scope(state, library, abort, standing_entries(state, library))
    if abort.decision == "cleanup":
        return _cleaning(state, abort, standing)
    if standing:
        since_seq = max(abort.since_seq, abort.reviewed_seq)
        return propose_cleanup(state, standing, since_seq=since_seq, abort=abort)
    return () if abort.then == "go_on" else _ended(state, abort, "nothing_to_clean")


def standing_entries(state: ThreadState, library: Library) -> tuple[ledger.Entry, ...]:
    """Return what stands and matters, newest first: of all phases of a chain, finished ones too."""
    return tuple(
        entry
        for entry in reversed(ledger.entries(state, library))
        if entry.compensation or entry.beyond
    )


def propose_cleanup(
    state: ThreadState,
    standing: Sequence[ledger.Entry],
    *,
    since_seq: int,
    abort: AbortState | None = None,
) -> tuple[Effect, ...]:
    """Return the looks that a proposal needs, then the proposal.

    Args:
        state: the thread.
        standing: what may be taken back, newest first.
        since_seq: looks from before this event are out of date.
        abort: the cleanup under way; None where one is asked for after the end.
    """
    survey = _surveyed(state, standing, since_seq)
    looks = [look for _, verdict in survey for look in verdict.looks]
    if looks:
        return tuple(dict.fromkeys(looks))
    if abort is not None and all(verdict.why or not e.compensation for e, verdict in survey):
        return _nothing_possible(state, abort, survey)
    return (Record((_proposal(state, survey, abort),)),)


def _surveyed(
    state: ThreadState, standing: Sequence[ledger.Entry], since_seq: int
) -> list[tuple[ledger.Entry, Verdict]]:
    """Examine everything at once, each as if what comes before it had been taken back."""
    seen = AfterImages.of(state)
    ours: set[str] = set()
    found: list[tuple[ledger.Entry, Verdict]] = []
    for entry in standing:
        verdict = Verdict()
        if entry.compensation:
            verdict = examine_entry(state, entry, seen, since_seq, frozenset(ours))
        if entry.compensation and not verdict.why:
            ours |= _names(state, entry)
        found.append((entry, verdict))
    return found


def _names(state: ThreadState, entry: ledger.Entry) -> set[str]:
    """Return what an entry is about, by name: its mark is gone once it is taken back."""
    refs = [touch.ref for touch in touches(state, entry.record)]
    return {render_name(ref.name[:-1] if ref.type == "column" else ref.name) for ref in refs}


def _nothing_possible(
    state: ThreadState, abort: AbortState, survey: Sequence[tuple[ledger.Entry, Verdict]]
) -> tuple[Effect, ...]:
    """Say what stays as it is, where there is nothing to decide; once."""
    if abort.executed:
        return _ended(state, abort, abort.outcome)
    told = ev.CleanupExecuted(
        left_alone=_left_alone(state, survey), not_restorable=_not_restorable(survey)
    )
    return (Record((told,)),)


def _proposal(
    state: ThreadState,
    survey: Sequence[tuple[ledger.Entry, Verdict]],
    abort: AbortState | None,
) -> ev.CleanupProposed:
    """Return the offer to take back what stands, newest first."""
    possible = [entry for entry, verdict in survey if entry.compensation and not verdict.why]
    is_detailed = abort is not None and abort.detailed
    goes_on = abort is not None and abort.then == "go_on"
    offered = REDOING_OPTIONS if goes_on else CLEANUP_OPTIONS
    options = [o for o in offered if not (is_detailed and o.id == "review")]
    return ev.CleanupProposed(
        orphaned_objects=list(_orphans(state, possible)),
        compensation_actions=[sql for entry in possible for sql in entry.compensation],
        options=options,
        left_alone=_left_alone(state, survey),
        not_restorable=_but_for_gone(_not_restorable(survey), _drops(state, possible)),
    )


def _drops(state: ThreadState, entries: Sequence[ledger.Entry]) -> set[str]:
    """Return what is dropped to take entries back, by name."""
    return {
        change.target.fqn
        for entry in entries
        for sql in entry.compensation
        for change in changes_of(sql, *ledger.where_of(state, entry.record))
        if change.action == "drop"
    }


def _but_for_gone(found: Sequence[ev.Untouched], gone: Iterable[str]) -> list[ev.Untouched]:
    """Leave out what goes with the object that it is about: nothing of it is left to restore."""
    starts = tuple(f"{name}{mark}" for name in gone for mark in (".", " ("))
    return [one for one in found if not one.fqn.startswith(starts)]


def _orphans(state: ThreadState, standing: Sequence[ledger.Entry]) -> Iterator[ev.OrphanedObject]:
    for entry in standing:
        change = entry.changes[0] if entry.changes else None
        yield ev.OrphanedObject(
            type=change.target.type if change else "statement",
            name=change.target.fqn if change else entry.record.sql[:80],
            created_in_step=_place(state, entry.record),
            compensation="; ".join(entry.compensation),
        )


def _place(state: ThreadState, record: StatementRecord) -> str:
    """Return a statement's step; in a chain with its phase before it, as `1.3`."""
    if state.chain is None:
        return record.step
    runs = (phase.run for phase in state.chain.completed)
    # What was given up in a phase began behind the phases that were finished by then.
    phase = 1 + sum(run is not None and run.started_seq < record.run_seq for run in runs)
    return f"{phase}.{record.step}"


def _left_alone(
    state: ThreadState, survey: Sequence[tuple[ledger.Entry, Verdict]]
) -> list[ev.Untouched]:
    """Name what stays: what somebody touched, and what the same statement changed with it."""
    found = {v.fqn: ev.Untouched(fqn=v.fqn, why=v.why) for _, v in survey if v.why}
    for entry, verdict in survey:
        for touch in touches(state, entry.record) if verdict.why else ():
            if not touch.ref.facet or touch.ref.facet.startswith("parameter "):
                why = f"the statement that changed it changed {verdict.fqn}, too"
                found.setdefault(touch.ref.fqn, ev.Untouched(fqn=touch.ref.fqn, why=why))
    return list(found.values())


def _not_restorable(survey: Sequence[tuple[ledger.Entry, Verdict]]) -> list[ev.Untouched]:
    found = {
        one.fqn: ev.Untouched(fqn=one.fqn, why=one.why)
        for entry, verdict in survey
        for one in (*entry.beyond, *verdict.notes)
    }
    return list(found.values())


def _in_scope(
    state: ThreadState, library: Library, abort: AbortState, standing: Sequence[ledger.Entry]
) -> tuple[ledger.Entry, ...]:
    """Return what a cleanup is about: all that stands, or what some steps did before it.

    What steps that are done again want just as it is, is none of it.
    """
    if abort.steps is None:
        return tuple(standing)
    run_seq = state.run.started_seq if state.run is not None else 0
    found = tuple(
        entry
        for entry in standing
        if entry.record.step in abort.steps
        and entry.record.run_seq == run_seq
        and entry.record.seq <= abort.since_seq
    )
    kept = keys_to_keep(state, library, [entry.record for entry in reversed(found)])
    return tuple(entry for entry in found if entry.record.key not in kept)


# ---- doing it


@dataclass(frozen=True, slots=True)
class _Turn:
    """What follows for one entry of a cleanup that was approved."""

    effects: tuple[Effect, ...] = ()
    is_stuck: bool = False
    """Whether the account refused it, so that nothing after it is done."""
    is_new: bool = False
    """Whether it could be done by now, and was not proposed."""
    alone: Verdict | None = None


def _cleaning(
    state: ThreadState, abort: AbortState, standing: Sequence[ledger.Entry]
) -> tuple[Effect, ...]:
    seen = AfterImages.of(state)
    survey: list[tuple[ledger.Entry, Verdict]] = []
    stuck: ledger.Entry | None = None
    has_more = False
    for entry in standing:
        if not entry.compensation:
            survey.append((entry, Verdict()))
            continue
        if stuck is not None:
            survey.append((entry, Verdict((), _subject(entry), _STOPPED)))
            continue
        turn = _turn(state, abort, entry, seen)
        if turn.effects:
            return turn.effects
        if turn.is_stuck:
            stuck = entry
            continue
        has_more |= turn.is_new
        survey.append((entry, turn.alone or Verdict()))
    if has_more and stuck is None:
        # What was in its way is gone by now; it was not shown yet, so it is asked about.
        return (Record((_proposal(state, survey, abort),)),)
    if not abort.executed:
        return (Record((_executed(state, abort, survey, stuck),)),)
    return _ended(state, abort, abort.outcome or "cleaned")


def _turn(state: ThreadState, abort: AbortState, entry: ledger.Entry, seen: AfterImages) -> _Turn:
    tries = [r for r in _compensations(state, abort) if r.undoes == entry.record.key]
    if not any(record.status == "completed" for record in tries):
        # Once its first statement has run, the rest of it is no longer a question.
        verdict = examine_entry(state, entry, seen, _floor(state, abort, entry))
        if verdict.looks:
            return _Turn(verdict.looks)
        if verdict.why:
            return _Turn(alone=verdict)
        if not set(entry.compensation) <= set(abort.approved):
            return _Turn(is_new=True, alone=verdict)
    following = _undoing(state, entry, tries)
    return _Turn((following,)) if following is not None else _Turn(is_stuck=True)


def _floor(state: ThreadState, abort: AbortState, entry: ledger.Entry) -> int:
    """Return the event behind which the account has to be looked at for an entry.

    What is taken back before it changes what is there; what is taken back after it does not.
    """
    undone = {r.key: r.seq for r in state.statements}
    ends = [
        record.end_seq
        for record in _compensations(state, abort)
        if record.status == "completed" and undone.get(record.undoes or "", 0) > entry.record.seq
    ]
    return max([abort.decided_seq, *ends])


def _compensations(state: ThreadState, abort: AbortState) -> list[StatementRecord]:
    return [
        record
        for record in state.statements
        if record.kind == "compensation" and record.seq > abort.proposed_seq
    ]


def _undoing(
    state: ThreadState, entry: ledger.Entry, tries: Sequence[StatementRecord]
) -> RunStatement | None:
    """Return the next attempt at taking an entry back, or None when there were enough."""
    mine = [record for record in tries if record.sql == entry.compensation[0]]
    errors = [record.error for record in mine if record.error is not None]
    delay_s = 0.0
    if errors:
        found = error_diagnosis.diagnose(errors[-1], (), (), {})
        if len(errors) > found.retries:
            return None
        delay_s = found.delay_before(len(errors) + 1)
    if sum(record.status == "lost" for record in mine) >= MOST_LOST:
        return None
    return replace(undo(state, entry), attempt=len(mine) + 1, delay_s=delay_s)


def _executed(
    state: ThreadState,
    abort: AbortState,
    survey: Sequence[tuple[ledger.Entry, Verdict]],
    stuck: ledger.Entry | None,
) -> ev.CleanupExecuted:
    done = [r for r in state.statements if _is_undone(r, abort.began_seq)]
    stuck_key = stuck.record.key if stuck is not None else None
    restored = {
        touch.ref.fqn
        for record in state.statements
        if record.key in {r.undoes for r in done} - {stuck_key}
        for touch in touches(state, record)
        if touch.ref.facet != "privileges"
    }
    names = _names_again(state, done)
    alone = [_called(one, names) for one in _left_alone(state, survey)]
    beyond = [_called(one, names) for one in _not_restorable(survey)]
    gone = [
        change.target.fqn
        for record in done
        for change in ledger.changes_by(state, record)
        if change.action == "drop"
    ]
    return ev.CleanupExecuted(
        cleaned=[record.sql for record in done],
        failed=[stuck.compensation[0]] if stuck is not None else [],
        restored=sorted(restored - {one.fqn for one in alone}),
        left_alone=alone,
        not_restorable=_but_for_gone(_with_those(abort.not_restorable, beyond), gone),
    )


def _names_again(state: ThreadState, done: Sequence[StatementRecord]) -> dict[str, str]:
    """Return what is called by its former name again, by the name that the thread had given it."""
    return {
        change.target.fqn: change.detail["to"]
        for record in done
        for change in ledger.changes_by(state, record)
        if change.detail is not None and change.detail.get("action") == "rename"
    }


def _called(one: ev.Untouched, names: Mapping[str, str]) -> ev.Untouched:
    return ev.Untouched(fqn=names.get(one.fqn, one.fqn), why=one.why)


def _is_undone(record: StatementRecord, since_seq: int) -> bool:
    is_taking_back = record.kind == "compensation" and record.status == "completed"
    return is_taking_back and record.seq > since_seq


def _with_those(*lists: Sequence[ev.Untouched]) -> list[ev.Untouched]:
    """Return what several lists name, each once."""
    return list({one.fqn: one for found in lists for one in found}.values())


def _subject(entry: ledger.Entry) -> str:
    return entry.changes[0].target.fqn if entry.changes else entry.compensation[0]


def _ended(state: ThreadState, abort: AbortState, outcome: str) -> tuple[Effect, ...]:
    ended = ev.ThreadAborted(reason=abort.reason, at_step=abort.at_step, cleanup_status=outcome)
    return (Record((ended,)),)
