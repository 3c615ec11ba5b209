"""What an answer does to the state, by the kind of pause it answers.

Room: laws. `engine.respond` validates answers; this file only applies recorded ones.
Spec: Checkpoints; Compensation and Rollback; FORMATS, Options by pause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from skills_nb.engine.approvals.agreements import agreements_at, agreements_of_dry_run
from skills_nb.engine.chains.chain_events import start_over
from skills_nb.engine.changed_inputs.redo_plan import begin_again
from skills_nb.engine.guided.plan_documents import edit_plan
from skills_nb.engine.pauses import PLAN_AGAIN, SKIPPED
from skills_nb.model.events import HumanResponse
from skills_nb.model.state import AbortState, Pause, PlaybookRun, StepState, ThreadState

BY_ITSELF = frozenset({"timer", "approve_remaining"})
"""Actors of answers that nobody gave at their pause."""


def apply_answer(state: ThreadState, event: HumanResponse) -> ThreadState:
    """Return the state after somebody answered the open pause, or an input question."""
    pause = state.pause
    name = pause.at if pause else (event.at or "input")
    free = replace(
        state,
        pause=None,
        answered={**state.answered, name: event.choice},
        passed=_passed(state, pause, event),
        run=_behind_a_wait(state, event),
    )
    if event.choice == "abort":
        return _aborted(free, event, pause)
    if event.choice in ("different-approach", "none-of-these"):
        turned_down = _turned_down(state, pause, event)
        return replace(free, reroute=_new_goal(state, pause, event), turned_down=turned_down)
    if pause is None:
        return free
    return _told(_answered(state, free, pause, event), pause, event)


def _behind_a_wait(state: ThreadState, event: HumanResponse) -> PlaybookRun | None:
    """Return the run as it goes on: while somebody thought about it, others may have worked."""
    if state.run is None or event.actor in BY_ITSELF:
        return state.run
    return replace(state.run, waited_seq=state.seq)


def _told(state: ThreadState, pause: Pause, event: HumanResponse) -> ThreadState:
    """Say no longer what a change brought about, once all of that was gone through."""
    run = state.run
    is_same = event.redoing is not None or pause.kind in ("cleanup_proposed", "input_question")
    if run is None or run.redoing is None or is_same:
        return state
    # What others did is news at one pause: at the next, an answer lies in between.
    is_of_inputs = bool(run.redoing.changed)
    is_open = any(run.step(one).status in ("pending", "running") for one in run.redoing.steps)
    if is_of_inputs and is_open:
        return state
    return replace(state, run=replace(run, redoing=None))


def _passed(
    state: ThreadState, pause: Pause | None, event: HumanResponse
) -> tuple[tuple[str, str], ...]:
    """Return what went on by itself, as a person who comes back has to be shown it."""
    if event.actor not in BY_ITSELF:
        return ()
    is_step = pause is not None and pause.kind == "checkpoint"
    told = ((pause.step or "", pause.present),) if pause is not None and is_step else ()
    return (*state.passed, *told)


def _answered(
    state: ThreadState, free: ThreadState, pause: Pause, event: HumanResponse
) -> ThreadState:
    match pause.kind:
        case "checkpoint":
            return _at_checkpoint(free, pause, event)
        case "probe_checkpoint":
            return _at_probes(free, pause, event)
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
    if event.values and event.redoing is not None:
        return _changed(state, event)
    if event.values:
        # A thread from before it was worked out what depends on an input.
        return _with_step(_with_inputs(state, event), replace(step, status="pending"))
    agreed = agreements_at(state, _run(state), pause, event)
    state = replace(state, run=replace(_run(state), agreed=agreed))
    if pause.is_before:
        return _with_step(state, replace(step, answered_seq=state.seq))
    remaining = _run(state).approve_remaining or event.choice == "approve_remaining"
    approved = _with_step(state, replace(step, status="approved"))
    return replace(approved, run=replace(_run(approved), approve_remaining=remaining))


def _at_probes(state: ThreadState, pause: Pause, event: HumanResponse) -> ThreadState:
    if event.choice == PLAN_AGAIN:
        return _at_dry_run(state, event)
    if not event.values:
        agreed = agreements_at(state, _run(state), pause, event)
        return replace(state, run=replace(_run(state), warnings=(), probed=True, agreed=agreed))
    changed = _changed(state, event)
    return replace(changed, run=replace(_run(changed), probed=False, blocked=False))


def _at_error(state: ThreadState, pause: Pause, event: HumanResponse) -> ThreadState:
    if state.run is None:
        return state
    changed = _changed(state, event)
    if pause.step is None:
        return replace(changed, run=replace(_run(changed), probed=False, blocked=False))
    step = _run(changed).step(pause.step)
    if event.choice == "skip" and state.open_statement is None:
        skipped = replace(step, status="skipped", reason=SKIPPED, ended_seq=state.seq)
        return _with_step(changed, skipped)
    again = replace(step, retry_from_seq=state.seq, failed_seq=0, failures=())
    if event.values and event.redoing is None:
        again = replace(again, status="pending")
    return _with_step(changed, again)


def _at_dry_run(state: ThreadState, event: HumanResponse) -> ThreadState:
    is_executed = event.choice == "execute"
    rehearsed = agreements_of_dry_run(state) if is_executed else {}
    following = replace(state, dry_run=not is_executed, rehearsed=rehearsed)
    if state.chain is not None:
        return start_over(following, event.values)
    run = _run(_with_inputs(state, event))
    return replace(following.without_run(), given=run.inputs, plan=run.plan)


def _at_plan(state: ThreadState, event: HumanResponse) -> ThreadState:
    if event.values and state.run is not None:
        return _changed(state, event)
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
            decided = replace(abort, decision="cleanup", decided_seq=state.seq)
            return replace(state, abort=decided)
        case "keep":
            kept = replace(state, abort=replace(abort, decision="keep"))
            return replace(kept, abort=None) if state.is_over or abort.then == "go_on" else kept
        case _:
            asked = replace(abort, decision="undecided", detailed=True, reviewed_seq=state.seq)
            return replace(state, abort=asked)


def _aborted(state: ThreadState, event: HumanResponse, pause: Pause | None) -> ThreadState:
    reason = event.comment or "stopped by a person"
    step = pause.step if pause else None
    return replace(state, abort=AbortState(reason=reason, at_step=step, since_seq=state.seq))


def _new_goal(state: ThreadState, pause: Pause | None, event: HumanResponse) -> str:
    is_asked = pause is not None and pause.kind == "routing_ambiguous"
    last = state.questioned if is_asked and state.questioned else state.goal
    return event.comment or str(event.values.get("goal") or last)


def _turned_down(state: ThreadState, pause: Pause | None, event: HumanResponse) -> tuple[str, ...]:
    """Return what is not meant by the words that are routed next; other words begin anew."""
    if pause is None or event.comment or event.values.get("goal"):
        return ()
    here = state.route.target if state.route is not None else None
    if pause.kind == "routing_ambiguous":
        offered = [str(one.sets["target"]) for one in pause.options if "target" in one.sets]
        refused = [target for target in offered if target != here]
    else:
        # What no plan could be made for leads nowhere a second time.
        has_no_plan = pause.kind == "error_escalated" and pause.step is None and state.run is None
        refused = [here] if has_no_plan and here is not None else []
    return tuple(dict.fromkeys((*state.turned_down, *refused)))


def _changed(state: ThreadState, event: HumanResponse) -> ThreadState:
    """Return the state with other inputs, and with the steps open that they open again."""
    changed = _with_inputs(state, event)
    if event.redoing is None:
        return changed
    return begin_again(changed, _run(state), event.redoing)


def _with_inputs(state: ThreadState, event: HumanResponse) -> ThreadState:
    run = _run(state)
    inferred = run.inferred - event.values.keys()
    if run.plan is None:
        inputs = {**run.inputs, **event.values}
        return replace(state, run=replace(run, inputs=inputs, inferred=inferred))
    own = {spec.name for spec in run.plan.inputs}
    inputs = {**run.inputs, **{name: event.values[name] for name in own & event.values.keys()}}
    plan = edit_plan(run.plan, event.values)
    # What the plan touches now was not looked at yet.
    run = replace(run, inputs=inputs, inferred=inferred, plan=plan, probed=False)
    return replace(state, run=run)


def _with_plan(state: ThreadState, **changes: Any) -> ThreadState:
    plan = state.guided_plan
    return state.with_plan(replace(plan, **changes)) if plan is not None else state


def _with_step(state: ThreadState, step: StepState) -> ThreadState:
    run = _run(state)
    return replace(state, run=replace(run, steps={**run.steps, step.id: step}))


def _run(state: ThreadState) -> PlaybookRun:
    assert state.run is not None, "this pause belongs to a playbook"
    return state.run
