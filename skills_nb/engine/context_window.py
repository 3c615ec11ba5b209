"""The context window: what a model needs of a thread to go on, and no more.

Room: laws. Rules of this file:
- An approved step is one line; what it read and sent stays on the thread.
- An error that was overcome is not told.
- What people said in words of their own is told, as long as there is room.
- The last events are told in full, whatever they are.
- The text never exceeds its budget: what matters less is left out first, and the text says so.
Spec: Context System > Context Window Management.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.model import events as ev
from skills_nb.model.state import Pause, PlaybookRun, StepState, ThreadState
from skills_nb.sql.objects.losses import Losses, standing_of
from skills_nb.visible import visible_page

BUDGET = 2000
"""Tokens that a window may take, unless told otherwise."""
IN_FULL = 3
"""How many of the last events are told in full."""

_CHARACTERS_A_TOKEN = 4
_LONGEST_VALUE = 160
_LONGEST_EVENT = 1600
_CUT = "…"
_FAILURES = (ev.StepFailed, ev.StatementFailed, ev.ErrorEscalated)


@dataclass(frozen=True, slots=True)
class Window:
    """A view of a thread that is made to be read by a model."""

    text: str
    """What the model reads."""
    tokens: int
    """Estimated: a token for every four characters."""
    left_out: int
    """How many parts did not fit."""


@dataclass(frozen=True, slots=True)
class _Part:
    weight: int
    """What is heavier is put in first."""
    text: str


def window(
    state: ThreadState,
    events: Sequence[ev.Event],
    pause: Pause | None = None,
    budget: int = BUDGET,
) -> Window:
    """Return the window on a thread.

    Args:
        state: the fold of the events.
        events: the thread, or what compaction left of it, oldest first.
        pause: what the thread waits for, also where that follows from the state alone.
        budget: how many tokens the text may take.
    """
    parts = list(_parts(state, events, pause or state.pause))
    room = budget * _CHARACTERS_A_TOKEN
    chosen = _chosen(parts, room)
    lines = [part.text for part in chosen]
    if len(chosen) < len(parts):
        chosen = _chosen(parts, room - len(_missing(len(parts))) - 1)
        lines = [*(part.text for part in chosen), _missing(len(parts) - len(chosen))]
    # A model reads what a person would see: nothing that is hidden tells it anything.
    text = visible_page("\n".join(lines))[:room]
    return Window(text, -(-len(text) // _CHARACTERS_A_TOKEN), len(parts) - len(chosen))


def _missing(count: int) -> str:
    return f"({count} parts of this thread did not fit; the thread has them.)"


def _chosen(parts: Sequence[_Part], room: int) -> list[_Part]:
    """Return the heaviest parts that fit, in their own order."""
    heaviest = sorted(range(len(parts)), key=lambda place: (-parts[place].weight, place))
    taken: list[int] = []
    for place in heaviest:
        size = len(parts[place].text) + 1
        if size <= room:
            taken.append(place)
            room -= size
    return [parts[place] for place in sorted(taken)]


def _parts(state: ThreadState, events: Sequence[ev.Event], pause: Pause | None) -> Iterator[_Part]:
    yield _Part(100, f"Goal: {_short(state.goal)}")
    yield _Part(99, f"Thread {state.thread_id} is {_standing(state, pause)}.")
    yield from _finished_phases(events)
    yield from _comments(events)
    if state.run is not None:
        yield from _playbook(state.run, Losses(state))
    yield from _troubles(state, events)
    if pause is not None:
        yield from _waiting(pause)
    yield from _last(state, events)


def _standing(state: ThreadState, pause: Pause | None) -> str:
    status = "paused" if pause is not None and not state.is_over else state.status
    where = f" at '{pause.at}'" if pause is not None else ""
    why = f": {_short(state.failure)}" if state.failure else ""
    return status + where + why


def _finished_phases(events: Iterable[ev.Event]) -> Iterator[_Part]:
    newest = {event.phase: event for event in events if isinstance(event, ev.PhaseSummary)}
    for phase, summed in newest.items():
        if summed.status == "completed":
            made = f", giving {_value(summed.outputs)}" if summed.outputs else ""
            yield _Part(60, f"Phase {phase} ({summed.domain}) is completed{made}.")


def _comments(events: Iterable[ev.Event]) -> Iterator[_Part]:
    """Tell what people said in words of their own; the newest weighs most."""
    said = [e for e in events if isinstance(e, ev.HumanResponse) and (e.comment or "").strip()]
    for age, event in enumerate(reversed(said)):
        who = event.actor.removeprefix("human:")
        where = f" at '{event.at}'" if event.at else ""
        words = f"{who} chose {event.choice}{where} and said: {_short(event.comment or '')}"
        yield _Part(92 - min(age, 5), words)


def _playbook(run: PlaybookRun, losses: Losses) -> Iterator[_Part]:
    mode = " as a dry run" if run.mode == "dry_run" else ""
    yield _Part(90, f"Playbook {run.playbook}{mode}, inputs {_value(dict(run.inputs))}.")
    for warning in run.warnings:
        yield _Part(70, f"Warning: {_short(warning)}")
    for age, step in enumerate(reversed(list(run.steps.values()))):
        yield _Part(58 - min(age, 50), _step(step, losses))


def _step(step: StepState, losses: Losses) -> str:
    if step.status == "skipped":
        return f"Step {step.id} was skipped: {_short(step.reason)}"
    told = [f"Step {step.id} is {step.status}"]
    told += [f"{name} = {_value(value)}" for name, value in step.result.items()]
    made = standing_of(losses, step.created, step.started_seq)
    if made:
        told.append("created " + _clipped(", ".join(one.fqn or one.name for one in made)))
    return "; ".join(told)


def _troubles(state: ThreadState, events: Iterable[ev.Event]) -> Iterator[_Part]:
    """Tell the errors that are still open, once each, oldest first."""
    told: dict[str, None] = {}
    for event in events:
        if isinstance(event, ev.StepFailed) and not _is_overcome(state, event):
            told.setdefault(f"Step {event.step} failed ({event.error_category}): {event.error}")
    for line in told:
        yield _Part(85, _clipped(line, 2 * _LONGEST_VALUE))


def _is_overcome(state: ThreadState, event: ev.Event) -> bool:
    """Return whether an error's step has since been done, or was started again."""
    if not isinstance(event, _FAILURES) or state.run is None:
        return False
    if isinstance(event, ev.StatementFailed):
        return _has_succeeded_since(state, event)
    if event.seq <= state.run.started_seq:
        return True
    step = state.run.step(event.step) if event.step is not None else None
    if step is None:
        return not state.run.blocked
    return step.status in ("done", "approved", "skipped") or event.seq < step.started_seq


def _has_succeeded_since(state: ThreadState, event: ev.StatementFailed) -> bool:
    failed = next((r for r in state.statements if r.key == event.effect_key), None)
    return failed is not None and any(
        r.sql == failed.sql and r.seq > failed.seq and r.status == "completed"
        for r in state.statements
    )


def _waiting(pause: Pause) -> Iterator[_Part]:
    yield _Part(96, f"It waits for an answer to: {_clipped(pause.present, 4 * _LONGEST_VALUE)}")
    options = ", ".join(option.id for option in pause.options)
    yield _Part(95, f"Options: {_clipped(options, 4 * _LONGEST_VALUE)}")


def _last(state: ThreadState, events: Sequence[ev.Event]) -> Iterator[_Part]:
    shown = [event for event in events if not _is_overcome(state, event)][-IN_FULL:]
    for age, event in enumerate(reversed(shown)):
        yield _Part(94 - age, _clipped(_in_full(event), _LONGEST_EVENT))


def _in_full(event: ev.Event) -> str:
    document = ev.dump(event)
    number, kind = document.pop("seq"), document.pop("type")
    said = {name: value for name, value in document.items() if name not in ("id", "v") and value}
    return f"Event {number}, {kind}: {json.dumps(said, ensure_ascii=False)}"


def _value(value: Any) -> str:
    return _clipped(json.dumps(value, ensure_ascii=False, default=str))


def _short(text: str) -> str:
    return _clipped(" ".join(text.split()), 2 * _LONGEST_VALUE)


def _clipped(text: str, longest: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= longest else text[: longest - 1] + _CUT
