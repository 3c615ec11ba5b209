"""A model is asked where a person would be, and what it says is held to the person's own words.

Room: work. Rules of this file:
- A model answers two kinds of question only: which of the offered targets is meant, and what an
  input is. A target is one of the offered; an input is a value that the person's words hold, or one
  of a closed set. So no name, comment, row or page that a model reads can widen what is executed.
- At every other pause its choice is a suggestion on record; the pause waits as it did.
- A secret is never asked of a model. Each pause is put to a model once, also by later processes.
Source: ARCHITECTURE, What must stay true; FORMATS, Threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from skills_nb.engine.chains.phase_handover import find_requirement
from skills_nb.engine.context_window import window
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.respond import Answer, respond
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Pause, ThreadState
from skills_nb.ports import FieldRequest, ModelReply, Resolver

SURE = 0.7
"""How sure a model must say it is, where it says so, for its target to be taken."""
_NOBODYS = frozenset({"abort", "different-approach", "none-of-these", "other"})
"""Options that no model takes for anybody."""
_CHOSEN_AT = frozenset({"routing_ambiguous", "checkpoint", "probe_checkpoint", "error_escalated"})
"""Pauses whose options a model is told."""
_CLOSED = frozenset({"choice", "boolean"})


def consult_model(
    state: ThreadState,
    pause: Pause,
    events: Sequence[ev.Event],
    library: Library,
    resolver: Resolver,
) -> tuple[ev.Event, ...]:
    """Return what a model says at a pause, and what follows where it may answer.

    Args:
        state: the thread, which waits.
        pause: what it waits for.
        events: the thread's events, oldest first.
        library: its skills.
        resolver: the model.
    """
    if _was_asked(pause, events):
        return ()
    told = window(state, events, pause).text
    if pause.kind == "input_question":
        return tuple(_input(state, pause, events, library, resolver, told))
    if pause.kind in _CHOSEN_AT:
        return tuple(_choice(state, pause, library, resolver, told))
    return ()


def on_record(joint: str, resolver: Resolver, said: ModelReply | None) -> ev.ModelAnswered:
    """Return the event that tells what a model said, be it nothing."""
    if said is None:
        return ev.ModelAnswered(joint=joint, model=resolver.name)
    return ev.ModelAnswered(
        joint=joint,
        model=resolver.name,
        answer=dict(said.document),
        confidence=said.confidence,
        cost=dict(said.cost),
    )


def _was_asked(pause: Pause, events: Sequence[ev.Event]) -> bool:
    return any(
        isinstance(event, ev.ModelAnswered) and event.joint == pause.at and event.seq > pause.seq
        for event in events
    )


def _choice(
    state: ThreadState, pause: Pause, library: Library, resolver: Resolver, told: str
) -> Iterator[ev.Event]:
    options = {option.id: option.description or option.id for option in pause.options}
    said = resolver.choose(told, options)
    yield on_record(pause.at, resolver, said)
    if pause.kind != "routing_ambiguous" or said is None:
        return
    choice = said.document.get("choice")
    is_sure = said.confidence is None or said.confidence >= SURE
    if choice in options and choice not in _NOBODYS and is_sure:
        yield from _answered(state, library, Answer(str(choice), pause.at), resolver)


def _input(
    state: ThreadState,
    pause: Pause,
    events: Sequence[ev.Event],
    library: Library,
    resolver: Resolver,
    told: str,
) -> Iterator[ev.Event]:
    name = pause.at.removeprefix("input:")
    spec = _spec(state, library, name)
    if spec is None or spec.secret:
        return
    offered = tuple(o.id for o in pause.options if o.id not in _NOBODYS)
    closed = offered if spec.type in _CLOSED else ()
    said = resolver.fill(told, [FieldRequest(name, spec.type, spec.description, closed)])
    yield on_record(pause.at, resolver, said)
    value = said.document.get(name) if said is not None else None
    if value is None or not _may_be_taken(value, closed, _words(state, events)):
        return
    yield from _answered(state, library, Answer("other", pause.at, values={name: value}), resolver)


def _spec(state: ThreadState, library: Library, name: str) -> InputSpec | None:
    asked = find_requirement(state, library, name)
    if asked is not None or state.run is None:
        return asked
    playbook = playbook_of(state.run, library)
    return playbook.input(name) if playbook is not None else None


def _may_be_taken(value: Any, closed: Sequence[str], words: str) -> bool:
    """Return whether a value is one of a closed set, or stands in the person's own words."""
    if closed:
        return str(value) in closed
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(
        str(one).strip() and str(one).strip().lower() in words for one in values
    )


def _words(state: ThreadState, events: Sequence[ev.Event]) -> str:
    """Return all that people said on a thread, in small letters."""
    comments = [
        event.comment or ""
        for event in events
        if isinstance(event, ev.HumanResponse) and event.actor.startswith("human:")
    ]
    return "\n".join((state.goal, *comments)).lower()


def _answered(
    state: ThreadState, library: Library, answer: Answer, resolver: Resolver
) -> Iterator[ev.Event]:
    """Yield what an answer of a model leads to; its slip is nobody's mistake."""
    signed = replace(answer, actor=f"model:{resolver.name}")
    try:
        yield from respond(state, library, signed)
    except (UsageError, ThreadError):
        # A person is asked, as without a model; what it said is on record.
        return
