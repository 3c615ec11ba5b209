"""What a thread asks of the world next.

Room: laws. Rules of this file:
- `decide` is total: every state that `fold` can reach has an answer.
- It never looks at anything but the state and the library.
- One kind of work at a time; after each event the conductor asks again.
Spec: Agent Traversal; ARCHITECTURE, The reducer.
"""

from __future__ import annotations

from skills_nb.engine import checks, steps
from skills_nb.engine.cleanup import cleaning
from skills_nb.engine.gathering import ask, gathering
from skills_nb.engine.inputs import unmet
from skills_nb.engine.names import bound_names
from skills_nb.engine.pauses import PROBE_OPTIONS
from skills_nb.engine.secrecy import is_told
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import (
    Await,
    Effect,
    Probe,
    Reconcile,
    Record,
    Rehearse,
    ResolveIntent,
    StartPlaybook,
)
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.model.state import Fact, Pause, PlaybookRun, ThreadState

INFO_WAIT_S = 3.0
"""How long an `info` checkpoint waits for somebody to intervene. Spec: Checkpoint severity."""


def decide(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Return the next effects, in order; empty when the thread is over."""
    if state.pause is not None:
        return _at_pause(state, state.pause)
    if state.open_statement is not None:
        return (Reconcile(state.open_statement, steps.verification(state, library)),)
    if state.abort is not None:
        return cleaning(state, library)
    if state.is_over:
        return ()
    return _going_on(state, library)


def pause_of(state: ThreadState, library: Library) -> Pause | None:
    """Return what the thread waits for, also where that follows from the state alone."""
    for effect in decide(state, library):
        if isinstance(effect, Await):
            return effect.pause
    return None


def _at_pause(state: ThreadState, pause: Pause) -> tuple[Effect, ...]:
    if pause.kind != "checkpoint" or pause.severity == "critical":
        return (Await(pause),)
    if pause.severity == "review" and state.run is not None and state.run.approve_remaining:
        answer = ev.HumanResponse(
            choice="approve",
            at=pause.at,
            checkpoint_after_step=pause.step,
            actor="approve_remaining",
        )
        return (Record((answer,)),)
    return (Await(pause, INFO_WAIT_S if pause.severity == "info" else None),)


def _going_on(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    if state.reroute is not None:
        source = state.route.target if state.route else None
        return (ResolveIntent(state.reroute, source or "nothing", state.tried),)
    if state.route is None:
        return (ResolveIntent(state.goal),)
    if state.route.mode != "playbook" or state.route.target is None:
        return (Record((_no_plan(state),)),)
    name = state.route.target.removeprefix("playbooks/")
    if state.run is None:
        return (StartPlaybook(name, "dry_run" if state.dry_run else "live", state.given),)
    return _in_playbook(state, library.playbook(name), state.run, library)


def _no_plan(state: ThreadState) -> ev.ErrorEscalated:
    target = state.route.target if state.route else None
    return ev.ErrorEscalated(
        error=f"no playbook covers '{state.goal}'; the nearest skill is {target}",
        context={
            "category": "unknown",
            "recovery_hint": f"read it with `show {target}`, or say the goal differently",
        },
    )


def _in_playbook(
    state: ThreadState, playbook: Playbook, run: PlaybookRun, library: Library
) -> tuple[Effect, ...]:
    return (
        gathering(state, playbook, "before_start")
        or _probing_safely(state, playbook, run)
        or _rehearsing(state, playbook, run)
        or steps.stepping(state, playbook, run, library)
        or _completing(playbook, run, state)
    )


def _probing_safely(state: ThreadState, playbook: Playbook, run: PlaybookRun) -> tuple[Effect, ...]:
    try:
        return _probing(state, playbook, run)
    except UsageError as problem:
        # The inputs do not fit what the probes ask or compare: a person can change them.
        escalated = ev.ErrorEscalated(
            error=f"the playbook's probes cannot be planned: {problem.message}",
            context={"category": "syntax", "recovery_hint": problem.hint or "Change its inputs"},
        )
        return (Record((escalated,)),)


def _probing(state: ThreadState, playbook: Playbook, run: PlaybookRun) -> tuple[Effect, ...]:
    if run.probed:
        return ()
    names = bound_names(state, playbook)
    since = max(run.started_seq, run.probed_seq)
    queries = {probe.id: checks.query_of(probe, names) for probe in playbook.probes}
    fresh = [fact for fact in state.facts if fact.seq > since]
    found: dict[str, Fact] = {}
    missing: dict[str, None] = {}
    for probe_id, query in queries.items():
        told = next((fact for fact in reversed(fresh) if is_told(fact.query, query)), None)
        if told is None:
            missing.setdefault(query)
        else:
            found[probe_id] = told
    if missing:
        return tuple(Probe(query) for query in missing)
    event, must_confirm = checks.judged(playbook, found, names)
    if event.blocked:
        return (Record((event, _blocked(event))),)
    if must_confirm:
        asked = ev.ProbeCheckpoint(warnings=event.warnings, options=list(PROBE_OPTIONS))
        return (Record((event, asked)),)
    return (Record((event,)),)


def _blocked(event: ev.ProbesExecuted) -> ev.ErrorEscalated:
    reasons = [r["message"] for r in event.results if r["outcome"] == "block"]
    return ev.ErrorEscalated(
        error=" ".join(reasons),
        context={"category": "blocked", "recovery_hint": "Change what the probe found, then retry"},
    )


def _rehearsing(state: ThreadState, playbook: Playbook, run: PlaybookRun) -> tuple[Effect, ...]:
    if run.mode != "dry_run" or run.summary is not None:
        return ()
    for step in playbook.steps:
        for spec in unmet(playbook, run.inputs, f"step_{step.id}"):
            must_ask = spec.required and not (spec.has_default or spec.infer_from or spec.choices)
            if must_ask:
                return ask(state, playbook, run, spec)
    return (Rehearse(playbook.name),)


def _completing(playbook: Playbook, run: PlaybookRun, state: ThreadState) -> tuple[Effect, ...]:
    if run.completed:
        return (Record((ev.ThreadCompleted(summary=state.summary),)),)
    made = [made for step in run.steps.values() for made in step.created]
    summary = steps.summarised(playbook, run)
    done = ev.PlaybookCompleted(playbook=playbook.name, summary=summary, created_objects=made)
    return (Record((done,)),)
