"""Threads as YAML: out in the specification's form, and in again as a new thread.

Room: commands. A thread that is read in is a copy: its statements keep their outcomes and get keys
of the new thread, so a copy with a statement of unknown outcome is refused; nobody could find that
statement in the query history under its new key.
Spec: Threads; Events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skills_nb.commands.exports.readable_yaml import readable_yaml
from skills_nb.engine.evolve import fold
from skills_nb.errors import SkillsError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from skills_nb.runtime.conductor import Conductor

_STEP = frozenset({"step", "after_step", "at_step", "checkpoint_after_step", "created_in_step"})
_STEPS = frozenset({"steps_completed", "steps_skipped"})
_ENVELOPE = {"v": 1, "actor": "engine", "effect_key": None}
"""Fields that are left out where they say nothing; `id` always is, a copy has its own."""
_OPTIONS = frozenset({"options", "clarification_options"})


def to_yaml(thread_id: str, status: str, events: Iterable[ev.Event]) -> str:
    """Return a thread as YAML: `thread_id`, `status`, `events`, whole step numbers unquoted."""
    document = {
        "thread_id": thread_id,
        "status": status,
        "events": [_outward(ev.dump(event)) for event in events],
    }
    return readable_yaml(document)


def from_yaml(text: str) -> tuple[ev.Event, ...]:
    """Return the events of a thread in YAML, numbered anew and not yet anybody's.

    A thread that begins with its playbook, as in the specification's examples, is given the two
    events that stand before it.

    Raises:
        UsageError: the text is no thread, an event in it cannot happen where it stands, or its
            last statement has no outcome.
    """
    documents = [_inward(number, one) for number, one in enumerate(_documents(text), 1)]
    keys = _new_keys(documents)
    events = [_event(number, one, keys) for number, one in enumerate(documents, 1)]
    whole = (*_begun(events), *events)
    placed = tuple(_placed(event, number) for number, event in enumerate(whole, 1))
    _check(placed)
    return placed


def import_thread(conductor: Conductor, text: str, thread_id: str | None = None) -> str:
    """Keep a thread in YAML as a new thread and return its id; nothing is executed.

    Raises:
        UsageError: as `from_yaml`.
        ConflictError: a thread of that id exists.
    """
    return conductor.restore(from_yaml(text), thread_id)


# ---- out


def _outward(document: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        name: _numbered(value, name)
        for name, value in document.items()
        if name != "id" and (name not in _ENVELOPE or value != _ENVELOPE[name])
    }
    return {"type": kept.pop("type"), **{k: v for k, v in kept.items() if v is not None}}


def _numbered(value: Any, key: str) -> Any:
    """Return a value with the step ids in it as the numbers they look like."""
    if isinstance(value, Mapping):
        return {name: _numbered(member, str(name)) for name, member in value.items()}
    if key in _OPTIONS and isinstance(value, list):
        return [{name: said for name, said in option.items() if said} for option in value]
    if isinstance(value, list | tuple):
        member_key = "step" if key in _STEPS else ""
        return [_numbered(member, member_key) for member in value]
    is_whole = key in _STEP and isinstance(value, str) and value.isdecimal()
    return int(value) if is_whole and str(int(value)) == value else value


# ---- in


def _documents(text: str) -> Sequence[Any]:
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise UsageError(f"this is not YAML: {' '.join(str(problem).split())}") from problem
    except RecursionError as problem:
        raise UsageError("this is no thread: it is nested too deep") from problem
    except ValueError as problem:  # a number of thousands of digits, a date that is none
        raise UsageError(f"this is no thread: {problem}") from problem
    events = found.get("events") if isinstance(found, Mapping) else found
    if not isinstance(events, list) or not events:
        raise UsageError(
            "this is not a thread: a mapping with a list of `events` is needed",
            hint="export one with: show THREAD --yaml",
        )
    return events


def _inward(number: int, document: Any) -> dict[str, Any]:
    if not isinstance(document, Mapping) or not isinstance(document.get("type"), str):
        raise UsageError(f"event {number} has no type")
    return {str(name): _lettered(value, str(name)) for name, value in document.items()}


def _lettered(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _lettered(member, str(name)) for name, member in value.items()}
    if isinstance(value, list):
        return [_lettered(member, "step" if key in _STEPS else "") for member in value]
    is_step = key in _STEP and isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_step else value


def _new_keys(documents: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    """Return each old effect key with the place of the event that made it."""
    return {
        str(one["effect_key"]): number
        for number, one in enumerate(documents, 1)
        if one["type"] == "statement_started" and one.get("effect_key")
    }


def _event(number: int, document: dict[str, Any], keys: Mapping[str, int]) -> ev.Event:
    own = {**document, "seq": 0, "id": ""}
    key = document.get("effect_key")
    if key is not None:
        own["effect_key"] = f":{keys.get(str(key), 0)}"
    try:
        return ev.load(own)
    except SkillsError as problem:
        raise UsageError(f"event {number}: {problem.message}") from problem


def _begun(events: Sequence[ev.Event]) -> tuple[ev.Event, ...]:
    first = events[0]
    if not isinstance(first, ev.PlaybookStarted):
        return ()
    target = f"playbooks/{first.playbook}"
    return (
        ev.ThreadStarted(goal=target, timestamp=first.timestamp),
        ev.Routed(router="", target=target, mode="playbook", timestamp=first.timestamp),
    )


def _placed(event: ev.Event, number: int) -> ev.Event:
    return event.model_copy(update={"seq": number})


def _check(events: Sequence[ev.Event]) -> None:
    try:
        state = fold(events, ThreadState())
    except SkillsError as problem:
        raise UsageError(f"this thread cannot have happened: {problem.message}") from problem
    if state.open_statement is not None:
        raise UsageError(
            "the outcome of this thread's last statement is not known",
            hint="resume the thread where it is, then export it again",
        )
