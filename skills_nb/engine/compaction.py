"""Compaction: which events of a thread still matter, and the event that sums up the others.

Room: laws. Rules of this file:
- The store keeps every event; compaction makes a view of them, and an archive keeps the rest.
- Whatever `decide` may look at is preserved, so the view is gone on with as the whole thread is.
- Beyond that, what the specification preserves: the last events, every pause with its answer,
  every error, the step at work, and the summaries of what is finished.
Spec: Thread Compaction; ARCHITECTURE, The reducer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skills_nb.engine import foreseen_grounds, ledger, own_looks
from skills_nb.engine.evolve import apply_event, fold
from skills_nb.engine.inputs.questions import DISCOVERY
from skills_nb.engine.planning.playbook_outputs import outputs_of
from skills_nb.engine.probes.drift import BASIS
from skills_nb.engine.second_looks import compared_since
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.model.state import PlaybookRun, StepState, ThreadState

EVERY = 50
"""After how many events a thread is compacted, unless told otherwise."""
RECENT = 10
"""How many of the last events are kept whatever they are."""

_GOES_WITH_ITS_STEP = (ev.StepStarted, ev.StatementSubmitted, ev.ModelAnswered, ev.StepPlanned)
_COUNTED = ("done", "approved")


def view(events: Sequence[ev.Event], thread_id: str) -> tuple[ev.Event, ...]:
    """Return what is left of a thread after its last `phase_summary`; all of it without one."""
    summaries = [event.seq for event in events if isinstance(event, ev.PhaseSummary)]
    if not summaries:
        return tuple(events)
    return (*events_to_keep(events[: summaries[-1]], thread_id), *events[summaries[-1] :])


def events_to_keep(events: Sequence[ev.Event], thread_id: str) -> tuple[ev.Event, ...]:
    """Return the events of a thread that a compaction now would leave in its view, in order."""
    state = fold(events, ThreadState(thread_id=thread_id))
    needed = _facts_needed(state)
    compared = compared_since(state)
    at_work = min(_at_work_since(events, state), len(events) - RECENT + 1)
    return tuple(
        event for event in events if event.seq >= at_work or _matters(event, needed, compared)
    )


def fold_view(events: Iterable[ev.Event], thread_id: str) -> ThreadState:
    """Return the state that a view amounts to: what `decide` sees in it is as in the whole."""
    state = ThreadState(thread_id=thread_id)
    for event in events:
        state = apply_event(state, event)
    return state


def stretch(events: Sequence[ev.Event]) -> tuple[ev.Event, ...]:
    """Return the events that no archive holds yet: those from the last summary on."""
    last = max((e.seq for e in events if isinstance(e, ev.PhaseSummary)), default=1)
    return tuple(events[last - 1 :])


def summary(
    state: ThreadState, events: Sequence[ev.Event], library: Library, archive_reference: str
) -> ev.PhaseSummary:
    """Return the event that sums up the domain phase that the thread is in or has finished."""
    run = state.run
    steps = list(run.steps.values()) if run is not None else []
    began = run.started_seq if run is not None else 0
    here = [event for event in events if event.seq > began]
    return ev.PhaseSummary(
        phase=_phase(events),
        domain=_domain(state, library),
        status=_status(state, run),
        inputs=dict(run.inputs) if run is not None else {},
        outputs=outputs_of(state, _playbook(state, library)),
        steps_completed=[step.id for step in steps if step.status in _COUNTED],
        steps_skipped=[step.id for step in steps if step.status == "skipped"],
        errors_recovered=_recovered(here, steps),
        checkpoints_passed=sum(_is_passed(event) for event in here),
        archive_reference=archive_reference,
    )


# ---- what is preserved


def _at_work_since(events: Sequence[ev.Event], state: ThreadState) -> int:
    """Return the first event of the step at work, of its first cycle; past the end without one."""
    run = state.run
    if run is None:
        return 1
    if run.completed:
        return len(events) + 1
    newest = max(run.steps.values(), key=lambda step: step.started_seq, default=None)
    if newest is None or newest.started_seq == 0:
        return run.started_seq
    waiting = state.pause.step if state.pause is not None else None
    # Beside a step that waits there may be sub-steps that a person added later.
    at_work = {newest.id, waiting}
    return next(
        event.seq
        for event in events[run.started_seq :]
        if isinstance(event, ev.StepStarted) and event.step in at_work
    )


def _matters(event: ev.Event, needed: frozenset[int], compared: int) -> bool:
    if isinstance(event, ev.EnvironmentProbed):
        return event.seq in needed
    if isinstance(event, ev.StepStarted):
        return event.seq > compared
    if isinstance(event, ev.StepPlanned):
        # What a dry run said of a step is what its approval holds for.
        return event.foreseen is not None
    return not isinstance(event, _GOES_WITH_ITS_STEP)


def _facts_needed(state: ThreadState) -> frozenset[int]:
    """Return the facts that compensation rests on, and the last answer to each discovery.

    What a dry run rests on is compared when its plan is done, so the last of these is kept, too;
    so is the last answer to each question that a second look compares.
    """
    kept = {*DISCOVERY.values(), BASIS}
    last = {fact.query: fact.seq for fact in state.facts if fact.query in kept}
    since = compared_since(state)
    compared = {(fact.query, fact.role): fact.seq for fact in state.facts if fact.seq > since}
    kept_seqs = frozenset((*last.values(), *compared.values()))
    kept_seqs |= own_looks.evidence(state) | foreseen_grounds.evidence(state)
    return ledger.evidence(state) | kept_seqs | _looked_at_for_cleanup(state)


def _looked_at_for_cleanup(state: ThreadState) -> frozenset[int]:
    """Return what the cleanup under way has looked at, on which its next statement rests."""
    abort = state.abort
    if abort is None:
        return frozenset()
    since = abort.since_seq or abort.proposed_seq
    return frozenset(fact.seq for fact in state.facts if fact.seq > since)


# ---- what is summed up


def _phase(events: Sequence[ev.Event]) -> int:
    """Return the number of the domain phase; playbooks count where there is no chain."""
    numbers = [event.phase_number for event in events if isinstance(event, ev.PhaseStarted)]
    if numbers:
        return numbers[-1]
    live = [e for e in events if isinstance(e, ev.PlaybookStarted) and e.mode == "live"]
    return max(1, len(live))


def _domain(state: ThreadState, library: Library) -> str:
    phases = state.chain.phases if state.chain is not None else ()
    entered = [phase.domain for phase in phases if phase.status != "pending"]
    playbook = _playbook(state, library)
    if entered:
        return entered[-1]
    if playbook is not None:
        return playbook.domain
    return state.route.router.removeprefix("routers/") if state.route is not None else ""


def _playbook(state: ThreadState, library: Library) -> Playbook | None:
    return library.playbooks.get(state.run.playbook) if state.run is not None else None


def _status(state: ThreadState, run: PlaybookRun | None) -> str:
    return "completed" if run is not None and run.completed else state.status


def _recovered(events: Iterable[ev.Event], steps: Iterable[StepState]) -> int:
    done = {step.id for step in steps if step.status in _COUNTED}
    return sum(isinstance(event, ev.StepFailed) and event.step in done for event in events)


def _is_passed(event: ev.Event) -> bool:
    if not isinstance(event, ev.HumanResponse) or event.checkpoint_after_step is None:
        return False
    return event.choice in ("approve", "approve_remaining")
