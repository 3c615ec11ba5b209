"""What each event does to the state: the transition table.

Room: laws. One small function per event type, gathered in `HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.engine import pauses
from skills_nb.engine.approvals.agreements import place_of, without_agreements
from skills_nb.engine.chains import chain_events
from skills_nb.engine.changed_inputs.redo_plan import begin_again
from skills_nb.engine.guided import plan_documents
from skills_nb.engine.session import places
from skills_nb.engine.transitions import answers, probe_events, routing_events
from skills_nb.model import events as ev
from skills_nb.model.state import (
    ON_SAMPLES,
    AbortState,
    Agreement,
    PlanState,
    PlaybookRun,
    StatementRecord,
    StepState,
    ThreadState,
)

_TAKEN_BACK_FIRST = (
    "What was made before stands: `cleanup` takes it back first, `keep` leaves it in place."
)


def _same(state: ThreadState, event: ev.Event) -> ThreadState:
    return state


def _thread_started(state: ThreadState, event: ev.ThreadStarted) -> ThreadState:
    return replace(state, goal=event.goal, library_version=event.library_version)


def _thread_taken_over(state: ThreadState, event: ev.ThreadTakenOver) -> ThreadState:
    run = state.run
    waited = replace(run, waited_seq=state.seq) if run is not None else None
    return replace(state, epoch=event.epoch, run=waited)


def _playbook_started(state: ThreadState, event: ev.PlaybookStarted) -> ThreadState:
    run = PlaybookRun(
        playbook=event.playbook,
        mode=event.mode,
        started_seq=state.seq,
        inputs=dict(event.inputs),
        context=event.account_context,
        plan=state.plan,
        agreed=_rehearsed(state, event),
    )
    return replace(state.without_run(), run=run, plan=None, sought="")


def _rehearsed(state: ThreadState, event: ev.PlaybookStarted) -> Mapping[str, Agreement]:
    """Return what an approved dry run said of the steps of the playbook that begins."""
    number = state.chain.number if state.chain is not None else 0
    known = state.rehearsed.get(place_of(number, event.playbook), {})
    return known if event.mode == "live" else {}


def _input_gathered(state: ThreadState, event: ev.InputGathered) -> ThreadState:
    drafted = (
        plan_documents.plan_from(event.value) if event.name == plan_documents.PLAN_INPUT else None
    )
    if drafted is not None:
        is_persons = event.actor.startswith("human:")
        return _plan_drafted(state, replace(drafted, is_persons=is_persons))
    if state.run is None:
        if event.name == "dry_run":
            return replace(state, dry_run=bool(event.value), samples=event.value == ON_SAMPLES)
        return replace(state, given={**state.given, event.name: event.value})
    inputs = {**state.run.inputs, event.name: event.value}
    given = state.run.inferred - {event.name}
    is_asked = event.actor != "engine"
    inferred = given if is_asked else given | {event.name}
    waited = state.seq if is_asked else state.run.waited_seq
    run = replace(state.run, inputs=inputs, inferred=inferred, waited_seq=waited)
    return replace(state, run=run)


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


def _step_started(state: ThreadState, event: ev.StepStarted) -> ThreadState:
    before = _step(state, event.step)
    # A cleanup that was to come before it, and had nothing to take back, is behind it now.
    is_over = state.abort is not None and state.abort.then == "go_on"
    return _with_step(
        replace(state, abort=None) if is_over else state,
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
        modified=tuple(event.modified_objects),
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
    shown = state
    if event.before_step is None:
        before = _step(state, event.after_step)
        shown = _with_step(state, replace(before, presented=before.presented + 1))
    paused = pauses.open_pause(shown, pauses.of_checkpoint(shown, event))
    return _in_run(paused, warnings=())


def _error_escalated(state: ThreadState, event: ev.ErrorEscalated) -> ThreadState:
    return pauses.open_pause(state, pauses.of_error(state, event))


def _cleanup_proposed(state: ThreadState, event: ev.CleanupProposed) -> ThreadState:
    abort = state.abort or AbortState(reason="cleanup asked for after the end")
    proposed = replace(
        abort,
        decision="proposed",
        proposed_seq=state.seq,
        began_seq=abort.began_seq if abort.decision == "cleanup" else state.seq,
        approved=tuple(event.compensation_actions),
        orphans=tuple(event.orphaned_objects),
        left_alone=tuple(event.left_alone),
        not_restorable=tuple(event.not_restorable),
        executed=False,
    )
    pause = pauses.of_cleanup(event)
    if abort.then == "go_on":
        left = f"This could not be taken back: {'; '.join(abort.failed)}." if abort.failed else ""
        told = " ".join(part for part in (abort.reason, left, _TAKEN_BACK_FIRST) if part)
        pause = replace(pause, present=told)
    return pauses.open_pause(replace(state, abort=proposed), pause)


def _cleanup_executed(state: ThreadState, event: ev.CleanupExecuted) -> ThreadState:
    abort = state.abort or AbortState(reason="cleanup")
    is_whole = not (event.failed or event.left_alone or event.not_restorable)
    if event.failed and abort.then == "go_on":
        # What should have gone first stands: a person decides again, and sees what is left.
        left = replace(abort, decision="undecided", failed=tuple(event.failed), since_seq=state.seq)
        return replace(state, abort=left, aftermath=event)
    ended = replace(abort, executed=True, outcome="cleaned" if is_whole else "partial")
    done = replace(state, abort=ended, aftermath=event)
    return replace(done, abort=None) if state.is_over or abort.then == "go_on" else done


def _playbook_completed(state: ThreadState, event: ev.PlaybookCompleted) -> ThreadState:
    return _in_run(replace(state, summary=event.summary), completed=True)


def _thread_completed(state: ThreadState, event: ev.ThreadCompleted) -> ThreadState:
    return replace(state, status="completed", summary=event.summary or state.summary, pause=None)


def _thread_aborted(state: ThreadState, event: ev.ThreadAborted) -> ThreadState:
    return replace(state, status="failed", failure=event.reason, pause=None, abort=None)


def _validation_error(state: ThreadState, event: ev.ValidationError) -> ThreadState:
    return replace(state, status="failed", failure=f"{event.check}: {event.message}", pause=None)


def _staleness_warning(state: ThreadState, event: ev.StalenessWarning) -> ThreadState:
    return pauses.open_pause(state, pauses.of_staleness(event))


def _plan_proposed(state: ThreadState, event: ev.PlanProposed) -> ThreadState:
    steps = tuple(event.steps)
    plan = state.guided_plan or PlanState(event.goal, steps)
    first = plan_documents.merge_steps(steps, plan.first)
    proposed = replace(plan, proposed=steps, first=first, refusal="", redoing=event.redoing)
    return pauses.open_pause(state.with_plan(proposed), pauses.of_plan(event))


def _plan_rejected(state: ThreadState, event: ev.PlanRejected) -> ThreadState:
    plan = state.guided_plan or PlanState(state.goal, ())
    rejected = state.with_plan(replace(plan, refusal=event.reason))
    return pauses.open_pause(rejected, pauses.of_rejection(event))


def _plan_approved(state: ThreadState, event: ev.PlanApproved) -> ThreadState:
    """Let the plan be done; a step that was done otherwise is done again."""
    plan = state.guided_plan
    assert plan is not None, "refusal() lets no approval through without a plan"
    # Part by part, what was approved before goes on holding; a whole plan holds for itself.
    before_it = plan.approved if plan.is_broken_down else ()
    approved = plan_documents.merge_steps(before_it, plan.proposed)
    following = state.with_plan(replace(plan, approved=approved, is_accepted=False))
    if following.run is None:
        return following
    settled = without_agreements(following.run, [step.step for step in plan.proposed])
    following = replace(following, run=settled)
    if event.redoing is not None:
        return begin_again(following, settled, event.redoing)
    # A thread from before it was worked out what depends on a step.
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
    return _in_run(pauses.open_pause(state, pauses.of_dry_run(event)), summary=event)


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
        place=places.place_in(state.run),
        undoes=event.undoes,
    )
    return replace(state, statements=(*state.statements, record))


def _statement_submitted(state: ThreadState, event: ev.StatementSubmitted) -> ThreadState:
    return _last_statement(state, query_id=event.query_id)


def _statement_completed(state: ThreadState, event: ev.StatementCompleted) -> ThreadState:
    query_id = event.query_id or state.statements[-1].query_id
    run = state.run
    if run is not None:
        run = places.moved_by(run, state.statements[-1])
    return _last_statement(
        replace(state, run=run),
        status="completed",
        end_seq=state.seq,
        query_id=query_id,
        row_count=event.row_count,
        row_counts=event.row_counts,
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
    ev.Routed: routing_events.routed,
    ev.Rerouted: routing_events.rerouted,
    ev.RoutingAmbiguous: routing_events.routing_ambiguous,
    ev.PlaybookStarted: _playbook_started,
    ev.InputGathered: _input_gathered,
    ev.EnvironmentProbed: probe_events.environment_probed,
    ev.ProbesExecuted: probe_events.probes_executed,
    ev.ProbeCheckpoint: probe_events.probe_checkpoint,
    ev.StepStarted: _step_started,
    ev.StepCompleted: _step_completed,
    ev.StepFailed: _step_failed,
    ev.StepSkipped: _step_skipped,
    ev.CheckpointReached: _checkpoint_reached,
    ev.HumanResponse: answers.apply_answer,
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
    ev.ChainStarted: chain_events.chain_started,
    ev.PhaseStarted: chain_events.phase_started,
    ev.PhaseCompleted: chain_events.phase_completed,
    ev.ContextMapped: chain_events.context_mapped,
    ev.PhaseSummary: _same,
    ev.PlanApproved: _plan_approved,
    ev.ModelAnswered: _same,
}
