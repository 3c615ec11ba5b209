"""What an answer does to the state, by the kind of pause it answers.

Room: laws. `engine.respond` validates answers; this file only applies recorded ones.
Spec: Checkpoints; Compensation and Rollback; FORMATS, Options by pause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from skills_nb.engine.chain import started_over
from skills_nb.engine.pauses import PLAN_AGAIN
from skills_nb.engine.plans import edited
from skills_nb.model.events import HumanResponse
from skills_nb.model.state import AbortState, Pause, PlaybookRun, StepState, ThreadState

SKIPPED = "skipped by a person after an error"
"""Reason of a step that was given up at its error."""


def applied(state: ThreadState, event: HumanResponse) -> ThreadState:
    """Return the state after somebody answered the open pause, or an input question."""
    pause = state.pause
    name = pause.at if pause else (event.at or "input")
    free = replace(state, pause=None, answered={**state.answered, name: event.choice})
    if event.choice == "abort":
        return _aborted(free, event, pause)
    if event.choice in ("different-approach", "none-of-these"):
        return replace(free, reroute=_new_goal(state, event))
    return free if pause is None else _answered(state, free, pause, event)


def _answered(
    state: ThreadState, free: ThreadState, pause: Pause, event: HumanResponse
) -> ThreadState:
    match pause.kind:
        case "checkpoint":
            return _at_checkpoint(free, pause, event)
        case "probe_checkpoint":
            return _at_probes(free, event)
        case "error_escalated":
            return _at_error(free, pause, event)
        case "dry_run_summary":
            return state if event.choice == "export_plan" else _at_dry_run(free, event)
        case "cleanup_proposed":
            return _at_cleanup(free, event)
        case "staleness_warning":
            return state if event.choice == "check_docs" else free
        case "plan_proposed":
            return _at_plan(free, event)
        case "plan_rejected":
            return state if event.choice == "request_playbook" else _at_rejection(free, event)
        case "routing_ambiguous" | "input_question":
            return free
        case _:
            assert_never(pause.kind)


def _at_checkpoint(state: ThreadState, pause: Pause, event: HumanResponse) -> ThreadState:
    step = _run(state).step(pause.step or "")
    if event.values:
        return _with_step(_with_inputs(state, event), replace(step, status="pending"))
    remaining = _run(state).approve_remaining or event.choice == "approve_remaining"
    approved = _with_step(state, replace(step, status="approved"))
    return replace(approved, run=replace(_run(approved), approve_remaining=remaining))


def _at_probes(state: ThreadState, event: HumanResponse) -> ThreadState:
    if event.choice == PLAN_AGAIN:
        return _at_dry_run(state, event)
    if not event.values:
        return replace(state, run=replace(_run(state), warnings=(), probed=True))
    changed = _with_inputs(state, event)
    return replace(changed, run=replace(_run(changed), probed=False, blocked=False))


def _at_error(state: ThreadState, pause: Pause, event: HumanResponse) -> ThreadState:
    if state.run is None:
        return state
    changed = _with_inputs(state, event)
    if pause.step is None:
        return replace(changed, run=replace(_run(changed), probed=False, blocked=False))
    step = _run(changed).step(pause.step)
    if event.choice == "skip" and state.open_statement is None:
        skipped = replace(step, status="skipped", reason=SKIPPED, ended_seq=state.seq)
        return _with_step(changed, skipped)
    again = replace(step, retry_from_seq=state.seq, failed_seq=0, failures=())
    if event.values:
        again = replace(again, status="pending")
    return _with_step(changed, again)


def _at_dry_run(state: ThreadState, event: HumanResponse) -> ThreadState:
    following = replace(state, dry_run=event.choice != "execute")
    if state.chain is not None:
        return started_over(following, event.values)
    run = _run(_with_inputs(state, event))
    return replace(following.without_run(), given=run.inputs, plan=run.plan)


def _at_plan(state: ThreadState, event: HumanResponse) -> ThreadState:
    if event.values and state.run is not None:
        return _with_inputs(state, event)
    return _with_plan(state, is_accepted=event.choice == "approve")


def _at_rejection(state: ThreadState, event: HumanResponse) -> ThreadState:
    if event.choice == "proceed_anyway":
        return _with_plan(state, is_risk_accepted=True)
    if event.comment:
        return replace(state.without_run(), plan=None, sought=event.comment)
    return _with_plan(state, is_broken_down=True)


def _at_cleanup(state: ThreadState, event: HumanResponse) -> ThreadState:
    abort = state.abort or AbortState(reason="cleanup")
    match event.choice:
        case "cleanup":
            return replace(state, abort=replace(abort, decision="cleanup"))
        case "keep":
            kept = replace(state, abort=replace(abort, decision="keep"))
            return replace(kept, abort=None) if state.is_over else kept
        case _:
            return replace(state, abort=replace(abort, decision="undecided", detailed=True))


def _aborted(state: ThreadState, event: HumanResponse, pause: Pause | None) -> ThreadState:
    reason = event.comment or "stopped by a person"
    step = pause.step if pause else None
    return replace(state, abort=AbortState(reason=reason, at_step=step))


def _new_goal(state: ThreadState, event: HumanResponse) -> str:
    return event.comment or str(event.values.get("goal") or state.goal)


def _with_inputs(state: ThreadState, event: HumanResponse) -> ThreadState:
    run = _run(state)
    if run.plan is None:
        return replace(state, run=replace(run, inputs={**run.inputs, **event.values}))
    own = {spec.name for spec in run.plan.inputs}
    inputs = {**run.inputs, **{name: event.values[name] for name in own & event.values.keys()}}
    plan = edited(run.plan, event.values)
    # What the plan touches now was not looked at yet.
    return replace(state, run=replace(run, inputs=inputs, plan=plan, probed=False))


def _with_plan(state: ThreadState, **changes: Any) -> ThreadState:
    plan = state.guided_plan
    return state.with_plan(replace(plan, **changes)) if plan is not None else state


def _with_step(state: ThreadState, step: StepState) -> ThreadState:
    run = _run(state)
    return replace(state, run=replace(run, steps={**run.steps, step.id: step}))


def _run(state: ThreadState) -> PlaybookRun:
    assert state.run is not None, "this pause belongs to a playbook"
    return state.run
