"""One event at a time becomes state; an event that cannot happen now is refused.

Room: laws. Rules of this file:
- `evolve` is total over every event that `refusal` lets through, and changes nothing otherwise.
- The tables are the law: `HANDLERS` says what an event does, `refusal` when it may happen.
- What an event means never depends on the library, so an old thread folds the same for ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from skills_nb.engine.chains.chain_events import refusal_in_chain
from skills_nb.engine.transitions.event_handlers import HANDLERS
from skills_nb.errors import ThreadError
from skills_nb.model import events as ev
from skills_nb.model.state import Pause, ThreadState, ThreadStatus

STORY_LENGTH = 6

_OUTCOMES = (ev.StatementCompleted, ev.StatementFailed, ev.StatementLost)
_WHILE_OPEN = (
    *_OUTCOMES,
    ev.StatementSubmitted,
    ev.ThreadTakenOver,
    ev.ErrorEscalated,
    # What became of an open statement may be told by its step's own verification.
    ev.EnvironmentProbed,
)
_WHEN_OVER = (
    ev.CleanupProposed,
    ev.CleanupExecuted,
    ev.HumanResponse,
    ev.StatementStarted,
    ev.EnvironmentProbed,
    ev.ThreadTakenOver,
    ev.PhaseSummary,
    ev.ModelAnswered,
    *_OUTCOMES,
    ev.StatementSubmitted,
)
_IN_A_PLAYBOOK = (
    ev.ProbesExecuted,
    ev.ProbeCheckpoint,
    ev.StepStarted,
    ev.StepCompleted,
    ev.StepFailed,
    ev.StepSkipped,
    ev.CheckpointReached,
    ev.PlaybookCompleted,
    ev.StepPlanned,
    ev.DryRunSummary,
)
_IN_A_CHAIN = (ev.ChainStarted, ev.PhaseStarted, ev.PhaseCompleted, ev.ContextMapped)
_BY_HAND = (
    ev.StepStarted,
    ev.StepCompleted,
    ev.StepFailed,
    ev.StatementStarted,
    ev.ErrorEscalated,
)
_OF_A_RUNNING_STEP = (ev.StepCompleted, ev.StepFailed)
_NOT_DONE = ("pending", "running")
_WHILE_PAUSED = (
    ev.HumanResponse,
    ev.ThreadTakenOver,
    ev.EnvironmentProbed,
    ev.InputGathered,
    ev.Routed,
    ev.StepSkipped,
    ev.ModelAnswered,
    ev.PhaseSummary,
    ev.StatementSubmitted,
    *_OUTCOMES,
)


def fold(events: Iterable[ev.Event], state: ThreadState | None = None) -> ThreadState:
    """Return the state that the events amount to, continuing from `state` if given.

    Raises:
        ThreadError: an event is not legal where it stands.
    """
    return reduce(evolve, events, state or ThreadState())


def evolve(state: ThreadState, event: ev.Event) -> ThreadState:
    """Return the state after one more event.

    Raises:
        ThreadError: the event is not legal now; carries its story, and the state is unchanged.
    """
    problem = refusal(state, event)
    if problem is not None:
        raise ThreadError(
            f"event '{event.type}' is not legal now: {problem}",
            event=event.type,
            status=state.status,
            story=state.story,
        )
    return apply_event(state, event)


def apply_event(state: ThreadState, event: ev.Event) -> ThreadState:
    """Return the state after an event that is known to be legal, such as one in the store.

    A numbered event takes its own place, so that a view with gaps folds too.
    """
    placed = state.after(
        seq=event.seq or state.seq + 1,
        updated_at=event.timestamp or state.updated_at,
        story=(*state.story[1 - STORY_LENGTH :], event.type),
    )
    return _with_status(HANDLERS[type(event)](placed, event))


def refusal(state: ThreadState, event: ev.Event) -> str | None:
    """Return why the event cannot happen now, or None when it can."""
    if event.seq not in (0, state.seq + 1):
        return f"its seq is {event.seq}, the thread stands at {state.seq}"
    if isinstance(event, ev.ThreadStarted) != (state.seq == 0):
        return "a thread starts once, with thread_started"
    if state.is_over and not isinstance(event, _WHEN_OVER):
        return f"the thread is {state.status}"
    return _refusal_by_statement(state, event) or _refusal_by_pause(state, event)


def _refusal_by_statement(state: ThreadState, event: ev.Event) -> str | None:
    current = state.open_statement
    if current is None:
        if isinstance(event, (*_OUTCOMES, ev.StatementSubmitted)):
            return "no statement is open"
        return None
    if isinstance(event, (*_OUTCOMES, ev.StatementSubmitted)) and event.effect_key != current.key:
        return f"the open statement is {current.key}, not {event.effect_key}"
    if isinstance(event, _WHILE_OPEN) or (
        state.pause is not None and isinstance(event, _WHILE_PAUSED)
    ):
        return None
    return f"statement {current.key} is open"


def _refusal_by_pause(state: ThreadState, event: ev.Event) -> str | None:
    is_answered_first = not isinstance(event, _WHILE_PAUSED)
    if state.pause is not None and is_answered_first and not _is_by_hand(state.pause, event):
        return f"the thread waits at {state.pause.at}"
    if isinstance(event, ev.HumanResponse):
        return _refusal_of_answer(state, event)
    if isinstance(event, _IN_A_PLAYBOOK):
        return _refusal_in_playbook(state, event)
    if isinstance(event, ev.PlanApproved):
        return _refusal_of_approval(state)
    if isinstance(event, _IN_A_CHAIN):
        return refusal_in_chain(state, event)
    if isinstance(event, ev.CleanupProposed | ev.CleanupExecuted) and state.abort is None:
        return None if state.is_over else "nothing is being aborted"
    return None


def _is_by_hand(pause: Pause, event: ev.Event) -> bool:
    """Return whether a person adds a sub-step to the step that waits: `3b` at `3`."""
    if not isinstance(event, _BY_HAND) or pause.step is None or event.step is None:
        return False
    return event.step.startswith(pause.step) and event.step.removeprefix(pause.step).isalpha()


def _refusal_of_answer(state: ThreadState, event: ev.HumanResponse) -> str | None:
    pause = state.pause
    if pause is None:
        is_question = (event.at or "").startswith("input:")
        return None if is_question else "nothing waits for an answer"
    if event.at is not None and event.at != pause.at:
        return f"the thread waits at {pause.at}, not at {event.at}"
    option = pause.option(event.choice)
    if option is None:
        return f"'{event.choice}' is not an option at {pause.at}"
    if option.requires_confirmation and not event.confirmed:
        return f"'{event.choice}' at {pause.at} needs its phrase typed"
    return None


def _refusal_in_playbook(state: ThreadState, event: ev.Event) -> str | None:
    if state.run is None or state.run.completed:
        return "no playbook is running"
    if isinstance(event, _OF_A_RUNNING_STEP):
        step = state.run.step(event.step)
        return None if step.status == "running" else f"step {event.step} is {step.status}"
    if isinstance(event, ev.CheckpointReached) and event.before_step is not None:
        step = state.run.step(event.before_step)
        return None if step.status in _NOT_DONE else f"step {step.id} is {step.status}"
    if isinstance(event, ev.CheckpointReached):
        step = state.run.step(event.after_step)
        return None if step.status == "done" else f"step {event.after_step} is {step.status}"
    return None


def _refusal_of_approval(state: ThreadState) -> str | None:
    plan = state.guided_plan
    return None if plan is not None and plan.is_accepted else "nobody approved a plan"


def _with_status(state: ThreadState) -> ThreadState:
    if state.is_over:
        return state
    status: ThreadStatus = "paused" if state.pause is not None else "running"
    return state if state.status == status else replace(state, status=status)
