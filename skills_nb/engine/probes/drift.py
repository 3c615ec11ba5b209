"""What changed in the account between a dry run and the run that follows it.

Room: laws. Rules of this file:
- A plan is compared once, before anything is sent: afterwards the account differs by our own work.
- What was found and what is found are facts of the thread, so any process comes to one answer.
Source: ARCHITECTURE, Dry run; Spec: Dry-Run Mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.engine.pauses import DRIFT_OPTIONS, PROBE_OPTIONS
from skills_nb.model import events as ev
from skills_nb.model.effects import Survey
from skills_nb.model.state import Fact, PlaybookRun, ThreadState

BASIS = "What the dry run rests on"
"""Stands for a query in the fact that keeps it: `{scope, objects: {object: {property: value}}}`."""
_MOST_TOLD = 40


def basis_of(state: ThreadState, run: PlaybookRun) -> Fact | None:
    """Return what the dry run found that this run follows, where nothing was sent since."""
    if run.mode != "live":
        return None
    found = (f for f in reversed(state.facts) if f.query == BASIS and f.seq < run.started_seq)
    basis = next(found, None)
    if basis is None or any(record.seq > basis.seq for record in state.statements):
        return None
    return None if any(past.started_seq > basis.seq for past in state.past_runs) else basis


def foretold_by(state: ThreadState) -> Mapping[str, Any] | None:
    """Return what the newest dry run recorded of its plan; None where there was none."""
    found = next((fact for fact in reversed(state.facts) if fact.query == BASIS), None)
    return found.result if found is not None and found.error is None else None


def survey_again(state: ThreadState, run: PlaybookRun, since: int) -> tuple[Survey, ...]:
    """Return the effect that reads again what a dry run rests on, where that is due."""
    basis = basis_of(state, run)
    if basis is None or _now(state, since) is not None:
        return ()
    return (Survey(tuple(basis.result.get("scope", ()))),)


def judge_drift(
    state: ThreadState, run: PlaybookRun, since: int, probes: ev.ProbesExecuted
) -> tuple[ev.ProbesExecuted, list[ev.Option]]:
    """Return the probes' event with what changed since the dry run, and what can be done about it.

    Args:
        state: the thread.
        run: its playbook.
        since: the event after which it was read again.
        probes: what the playbook's own probes came to.
    """
    basis, now = basis_of(state, run), _now(state, since)
    if basis is None or now is None:
        return probes, list(PROBE_OPTIONS)
    changes = _changes(basis, now)
    if not changes:
        return probes, list(PROBE_OPTIONS)
    told = [f"Since the dry run: {change}" for change in changes[:_MOST_TOLD]]
    if len(changes) > _MOST_TOLD:
        told.append(f"Since the dry run: {len(changes) - _MOST_TOLD} more changes")
    result = {"id": "drift", "outcome": "confirm", "message": "", "row_count": len(changes)}
    update = {"results": [*probes.results, result], "warnings": [*probes.warnings, *told]}
    return probes.model_copy(update=update), list(DRIFT_OPTIONS)


def _now(state: ThreadState, since: int) -> Fact | None:
    found = (fact for fact in reversed(state.facts) if fact.query == BASIS and fact.seq > since)
    return next(found, None)


def _changes(basis: Fact, now: Fact) -> list[str]:
    if now.error is not None:
        return [f"the account cannot be compared with it: {now.error.text}"]
    return list(differences(basis.result.get("objects", {}), now.result.get("objects", {})))


def differences(
    before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield one line for each property that differs, and for each object that came or went."""
    for name in sorted(before.keys() | now.keys()):
        if name not in before:
            yield f"{name} is new"
        elif name not in now:
            yield f"{name} is gone"
        else:
            yield from (f"{name}, {change}" for change in _turns(before[name], now[name]))


def _turns(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for fact in sorted(before.keys() | now.keys()):
        was, is_now = before.get(fact), now.get(fact)
        if was == is_now:
            continue
        word = fact.replace("_", " ")
        if isinstance(was or [], list) and isinstance(is_now or [], list):
            yield f"{word}: {_exchanged(was or [], is_now or [])}"
        else:
            yield f"{word}: was {_said(was)}, is {_said(is_now)}"


def _exchanged(was: list[Any], is_now: list[Any]) -> str:
    lost = [f"without {one}" for one in was if one not in is_now]
    won = [f"with {one}" for one in is_now if one not in was]
    return ", ".join([*lost, *won]) or "in another order"


def _said(value: Any) -> str:
    return "nothing" if value is None else str(value)
