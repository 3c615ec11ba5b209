"""What each event does to the state: the transition table.

Room: laws. One small function per event type, gathered in `HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.engine import answers, chain, pauses, plans
from skills_nb.engine.checks import must_confirm
from skills_nb.model import events as ev
from skills_nb.model.state import (
    ON_SAMPLES,
    AbortState,
    Fact,
    PlanState,
    PlaybookRun,
    RouteState,
    StatementRecord,
    StepState,
    ThreadState,
)


def _same(state: ThreadState, event: ev.Event) -> ThreadState:
    return state


def _thread_started(state: ThreadState, event: ev.ThreadStarted) -> ThreadState:
    return replace(state, goal=event.goal, library_version=event.library_version)


def _thread_taken_over(state: ThreadState, event: ev.ThreadTakenOver) -> ThreadState:
    return replace(state, epoch=event.epoch)


def _routed(state: ThreadState, event: ev.Routed) -> ThreadState:
    route = RouteState(
        event.router, event.target, event.mode, event.confidence, tuple(event.alternatives)
    )
    # A phase of a chain keeps its words itself.
    sought = "" if state.chain is not None else state.reroute or ""
    free = replace(state, reroute=None, is_rerouted=False, pause=None)
    if _is_gone_on_with(state, route):
        return free
    free = replace(free, plan=None, sought=sought)
    if state.chain is not None:
        return chain.routed(free, route)
    return replace(free.without_run(), route=route)


def _is_gone_on_with(state: ThreadState, route: RouteState) -> bool:
    """Return whether a person chose what is being done already."""
    phases = state.chain.phases if state.chain is not None else ()
    is_open = any(phase.route is None for phase in phases)
    if is_open or state.route is None or state.run is None or state.run.completed:
        return False
    return state.route.target == route.target


def _rerouted(state: ThreadState, event: ev.Rerouted) -> ThreadState:
    told = replace(state, reroute=event.reason, is_rerouted=True)
    if event.from_ not in _targets(state):
        return told
    tried = tuple(dict.fromkeys((*state.tried, event.from_)))
    told = replace(told, tried=tried)
    if state.chain is not None:
        told = chain.given_up(told, event)
    is_current = state.route is not None and state.route.target == event.from_
    return replace(told.without_run(), route=None) if is_current else told


def _targets(state: ThreadState) -> set[str | None]:
    """Return what a re-routing can give up; a change of the domains gives up nothing."""
    phases = state.chain.phases if state.chain is not None else ()
    routes = [state.route, *(phase.route for phase in phases if phase.status != "completed")]
    return {route.target for route in routes if route is not None}


def _routing_ambiguous(state: ThreadState, event: ev.RoutingAmbiguous) -> ThreadState:
    asked = replace(state, reroute=None, is_rerouted=False)
    return pauses.opened(asked, pauses.of_ambiguity(event))


def _playbook_started(state: ThreadState, event: ev.PlaybookStarted) -> ThreadState:
    run = PlaybookRun(
        playbook=event.playbook,
        mode=event.mode,
        started_seq=state.seq,
        inputs=dict(event.inputs),
        context=event.account_context,
        plan=state.plan,
    )
    return replace(state.without_run(), run=run, plan=None, sought="")


def _input_gathered(state: ThreadState, event: ev.InputGathered) -> ThreadState:
    drafted = plans.plan_from(event.value) if event.name == plans.PLAN_INPUT else None
    if drafted is not None:
        return _plan_drafted(state, drafted)
    if state.run is None:
        if event.name == "dry_run":
            return replace(state, dry_run=bool(event.value), samples=event.value == ON_SAMPLES)
        return replace(state, given={**state.given, event.name: event.value})
    inputs = {**state.run.inputs, event.name: event.value}
    return replace(state, run=replace(state.run, inputs=inputs))


def _plan_drafted(state: ThreadState, plan: PlanState) -> ThreadState:
    """Take a plan in; one that replaces another keeps what was approved letter by letter."""
    free = replace(state, pause=None)
    before = state.guided_plan
    if before is not None:
        plan = replace(plan, first=before.first, approved=before.approved)
    following = free.with_plan(plan)
    # What the new plan touches was not looked at yet.
    is_begun = following.run is not None and following.run.plan is plan
    return _in_run(following, probed=False) if is_begun else following


def _environment_probed(state: ThreadState, event: ev.EnvironmentProbed) -> ThreadState:
    return replace(state, facts=(*state.facts, Fact.of(event, state.seq)))


def _probes_executed(state: ThreadState, event: ev.ProbesExecuted) -> ThreadState:
    # Probes that need a person are done with when the person has answered, not before.
    return _in_run(
        state,
        probed=not event.blocked and not must_confirm(event),
        probed_seq=state.seq,
        blocked=event.blocked,
        warnings=tuple(event.warnings),
    )


def _probe_checkpoint(state: ThreadState, event: ev.ProbeCheckpoint) -> ThreadState:
    return pauses.opened(state, pauses.of_probes(event))


def _step_started(state: ThreadState, event: ev.StepStarted) -> ThreadState:
    before = _step(state, event.step)
    return _with_step(
        state,
        replace(
            before,
            status="running",
            cycle=before.cycle + 1,
            started_seq=state.seq,
            failed_seq=0,
            failures=(),
        ),
    )


def _step_completed(state: ThreadState, event: ev.StepCompleted) -> ThreadState:
    done = replace(
        _step(state, event.step),
        status="done",
        ended_seq=state.seq,
        result=dict(event.result),
        created=tuple(event.created_objects),
        failures=(),
        failed_seq=0,
    )
    return _with_step(state, done)


def _step_failed(state: ThreadState, event: ev.StepFailed) -> ThreadState:
    before = _step(state, event.step)
    return _with_step(
        state, replace(before, failures=(*before.failures, event.error), failed_seq=state.seq)
    )


def _step_skipped(state: ThreadState, event: ev.StepSkipped) -> ThreadState:
    before = _step(state, event.step)
    skipped = replace(before, status="skipped", reason=event.reason, ended_seq=state.seq)
    return _with_step(state, skipped)


def _checkpoint_reached(state: ThreadState, event: ev.CheckpointReached) -> ThreadState:
    before = _step(state, event.after_step)
    shown = _with_step(state, replace(before, presented=before.presented + 1))
    paused = pauses.opened(shown, pauses.of_checkpoint(shown, event))
    return _in_run(paused, warnings=())


def _error_escalated(state: ThreadState, event: ev.ErrorEscalated) -> ThreadState:
    return pauses.opened(state, pauses.of_error(state, event))


def _cleanup_proposed(state: ThreadState, event: ev.CleanupProposed) -> ThreadState:
    abort = state.abort or AbortState(reason="cleanup asked for after the end")
    proposed = replace(
        abort,
        decision="proposed",
        proposed_seq=state.seq,
        orphans=tuple(event.orphaned_objects),
        executed=False,
    )
    return pauses.opened(replace(state, abort=proposed), pauses.of_cleanup(event))


def _cleanup_executed(state: ThreadState, event: ev.CleanupExecuted) -> ThreadState:
    abort = state.abort or AbortState(reason="cleanup")
    outcome = "partial" if event.failed else "cleaned"
    done = replace(state, abort=replace(abort, executed=True, outcome=outcome))
    return replace(done, abort=None) if state.is_over else done


def _playbook_completed(state: ThreadState, event: ev.PlaybookCompleted) -> ThreadState:
    return _in_run(replace(state, summary=event.summary), completed=True)


def _thread_completed(state: ThreadState, event: ev.ThreadCompleted) -> ThreadState:
    return replace(state, status="completed", summary=event.summary or state.summary, pause=None)


def _thread_aborted(state: ThreadState, event: ev.ThreadAborted) -> ThreadState:
    return replace(state, status="failed", failure=event.reason, pause=None, abort=None)


def _validation_error(state: ThreadState, event: ev.ValidationError) -> ThreadState:
    return replace(state, status="failed", failure=f"{event.check}: {event.message}", pause=None)


def _staleness_warning(state: ThreadState, event: ev.StalenessWarning) -> ThreadState:
    return pauses.opened(state, pauses.of_staleness(event))


def _plan_proposed(state: ThreadState, event: ev.PlanProposed) -> ThreadState:
    steps = tuple(event.steps)
    plan = state.guided_plan or PlanState(event.goal, steps)
    proposed = replace(plan, proposed=steps, first=plans.merged(steps, plan.first), refusal="")
    return pauses.opened(state.with_plan(proposed), pauses.of_plan(event))


def _plan_rejected(state: ThreadState, event: ev.PlanRejected) -> ThreadState:
    plan = state.guided_plan or PlanState(state.goal, ())
    rejected = state.with_plan(replace(plan, refusal=event.reason))
    return pauses.opened(rejected, pauses.of_rejection(event))


def _plan_approved(state: ThreadState, event: ev.PlanApproved) -> ThreadState:
    """Let the plan be done; a step that was done otherwise is done again."""
    plan = state.guided_plan
    assert plan is not None, "refusal() lets no approval through without a plan"
    approved = plans.merged(plan.approved, plan.proposed)
    following = state.with_plan(replace(plan, approved=approved, is_accepted=False))
    if following.run is None:
        return following
    before = {step.step: step.sql for step in plan.approved}
    for step in plan.proposed:
        found = _step(following, step.step)
        if found.status != "pending" and before.get(step.step, step.sql) != step.sql:
            following = _with_step(following, replace(found, status="pending"))
    return following


def _step_planned(state: ThreadState, event: ev.StepPlanned) -> ThreadState:
    run = _run(state)
    kept = tuple(planned for planned in run.planned if planned.step != event.step)
    return _in_run(state, planned=(*kept, event))


def _dry_run_summary(state: ThreadState, event: ev.DryRunSummary) -> ThreadState:
    return _in_run(pauses.opened(state, pauses.of_dry_run(event)), summary=event)


def _statement_started(state: ThreadState, event: ev.StatementStarted) -> ThreadState:
    record = StatementRecord(
        key=event.effect_key or f"{state.thread_id}:{state.seq}",
        seq=state.seq,
        step=event.step,
        ordinal=event.ordinal,
        attempt=event.attempt,
        sql=event.sql,
        kind=event.kind,
        role=event.role,
        run_seq=state.run.started_seq if state.run is not None else 0,
    )
    return replace(state, statements=(*state.statements, record))


def _statement_submitted(state: ThreadState, event: ev.StatementSubmitted) -> ThreadState:
    return _last_statement(state, query_id=event.query_id)


def _statement_completed(state: ThreadState, event: ev.StatementCompleted) -> ThreadState:
    query_id = event.query_id or state.statements[-1].query_id
    return _last_statement(
        state,
        status="completed",
        end_seq=state.seq,
        query_id=query_id,
        row_count=event.row_count,
        recovered=event.recovered,
    )


def _statement_failed(state: ThreadState, event: ev.StatementFailed) -> ThreadState:
    return _last_statement(state, status="failed", end_seq=state.seq, error=event.error)


def _statement_lost(state: ThreadState, event: ev.StatementLost) -> ThreadState:
    return _last_statement(state, status="lost", end_seq=state.seq)


def _last_statement(state: ThreadState, **changes: Any) -> ThreadState:
    last = replace(state.statements[-1], **changes)
    return replace(state, statements=(*state.statements[:-1], last))


def _run(state: ThreadState) -> PlaybookRun:
    assert state.run is not None, "refusal() lets no playbook event through without a playbook"
    return state.run


def _in_run(state: ThreadState, **changes: Any) -> ThreadState:
    return replace(state, run=replace(_run(state), **changes))


def _step(state: ThreadState, step_id: str) -> StepState:
    return _run(state).step(step_id)


def _with_step(state: ThreadState, step: StepState) -> ThreadState:
    return _in_run(state, steps={**_run(state).steps, step.id: step})


HANDLERS: Mapping[type, Callable[[ThreadState, Any], ThreadState]] = {
    ev.ThreadStarted: _thread_started,
    ev.ThreadTakenOver: _thread_taken_over,
    ev.Routed: _routed,
    ev.Rerouted: _rerouted,
    ev.RoutingAmbiguous: _routing_ambiguous,
    ev.PlaybookStarted: _playbook_started,
    ev.InputGathered: _input_gathered,
    ev.EnvironmentProbed: _environment_probed,
    ev.ProbesExecuted: _probes_executed,
    ev.ProbeCheckpoint: _probe_checkpoint,
    ev.StepStarted: _step_started,
    ev.StepCompleted: _step_completed,
    ev.StepFailed: _step_failed,
    ev.StepSkipped: _step_skipped,
    ev.CheckpointReached: _checkpoint_reached,
    ev.HumanResponse: answers.applied,
    ev.ErrorEscalated: _error_escalated,
    ev.CleanupProposed: _cleanup_proposed,
    ev.CleanupExecuted: _cleanup_executed,
    ev.PlaybookCompleted: _playbook_completed,
    ev.ThreadCompleted: _thread_completed,
    ev.ThreadAborted: _thread_aborted,
    ev.ValidationError: _validation_error,
    ev.StalenessWarning: _staleness_warning,
    ev.PlanProposed: _plan_proposed,
    ev.PlanRejected: _plan_rejected,
    ev.StepPlanned: _step_planned,
    ev.DryRunSummary: _dry_run_summary,
    ev.StatementStarted: _statement_started,
    ev.StatementSubmitted: _statement_submitted,
    ev.StatementCompleted: _statement_completed,
    ev.StatementFailed: _statement_failed,
    ev.StatementLost: _statement_lost,
    ev.ChainStarted: chain.chain_started,
    ev.PhaseStarted: chain.phase_started,
    ev.PhaseCompleted: chain.phase_completed,
    ev.ContextMapped: chain.context_mapped,
    ev.PhaseSummary: _same,
    ev.PlanApproved: _plan_approved,
    ev.ModelAnswered: _same,
}
