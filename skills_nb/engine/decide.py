"""What a thread asks of the world next.

Room: laws. Rules of this file:
- `decide` is total: every state that `fold` can reach has an answer.
- It never looks at anything but the state and the library.
- One kind of work at a time; after each event the conductor asks again.
Spec: Agent Traversal; ARCHITECTURE, The reducer.
"""

from __future__ import annotations

from skills_nb.engine import steps
from skills_nb.engine.approvals.statements_ahead import foresee_steps
from skills_nb.engine.chains import phases
from skills_nb.engine.chains.chain_events import NOT_A_TARGET
from skills_nb.engine.chains.phase_handover import known_inputs
from skills_nb.engine.cleanup.cleanup_effects import next_cleanup_effect
from skills_nb.engine.guided import plan_proposal
from skills_nb.engine.inputs.secrecy import is_told
from skills_nb.engine.inputs.typed_inputs import unmet
from skills_nb.engine.ledger import after_images
from skills_nb.engine.planning.missing_inputs import ask, gather_input
from skills_nb.engine.planning.template_names import bound_names
from skills_nb.engine.probes import declared_probes, drift
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
from skills_nb.model.state import Fact, Pause, PlaybookRun, RouteState, ThreadState
from skills_nb.sql.conditions import is_never_met

INFO_WAIT_S = 3.0
"""How long an `info` checkpoint waits for somebody to intervene. Spec: Checkpoint severity."""


def decide(state: ThreadState, library: Library) -> tuple[Effect, ...]:
    """Return the next effects, in order; empty when the thread is over."""
    if state.pause is not None:
        return _at_pause(state, state.pause)
    if state.open_statement is not None:
        return (Reconcile(state.open_statement, steps.verification(state, library)),)
    if not state.is_over or state.abort is not None:
        looks = after_images.missing_looks(state)
        if looks:
            return looks
    if state.abort is not None and (effects := next_cleanup_effect(state, library)):
        return effects
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
    if pause.kind != "checkpoint" or pause.severity == "critical" or pause.is_before:
        return (Await(pause),)
    is_open = state.run is not None and state.run.approve_remaining and not pause.needs_person
    if pause.severity == "review" and is_open:
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
        not_meant = tuple(dict.fromkeys((*state.tried, *state.turned_down)))
        return (ResolveIntent(state.reroute, _left_for_it(state), not_meant),)
    between = phases.advance_chain(state, library)
    if between:
        return between
    if state.route is None:
        return (ResolveIntent(state.goal),)
    if state.chain is not None and state.route.mode == "reference":
        return (Record((phases.close_phase(state, library),)),)
    if state.route.mode != "playbook" or state.route.target is None:
        return _guided(state, state.route, library)
    name = state.route.target.removeprefix("playbooks/")
    if state.run is None:
        given = known_inputs(state, library)
        return (StartPlaybook(name, "dry_run" if state.dry_run else "live", given),)
    return _in_playbook(state, library.playbook(name), state.run, library)


def _left_for_it(state: ThreadState) -> str | None:
    """Return what a re-routing leaves; None where that was said already."""
    if state.is_rerouted:
        return None
    target = state.route.target if state.route is not None else None
    return target or NOT_A_TARGET


def _guided(state: ThreadState, route: RouteState, library: Library) -> tuple[Effect, ...]:
    """Go through a plan as through a playbook, once it is made and approved."""
    run = state.run
    if run is None or run.plan is None:
        phase = state.chain.current if state.chain is not None else None
        words = state.sought or state.goal
        if phase is not None and not state.sought:
            words = phase.part or phase.words
        return plan_proposal.enter_guided_mode(state, route, words, known_inputs(state, library))
    return _in_playbook(state, plan_proposal.book_to_probe(run, run.plan, library), run, library)


def _in_playbook(
    state: ThreadState, playbook: Playbook, run: PlaybookRun, library: Library
) -> tuple[Effect, ...]:
    return (
        gather_input(state, playbook, "before_start")
        or _probing_safely(state, playbook, run)
        or plan_proposal.propose_plan(state, run, library)
        or _rehearsing(state, playbook, run)
        or steps.next_step_effects(state, playbook, run, library)
        or _completing(playbook, run, state, library)
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
    if run.probed or _is_on_predictions(state, run):
        return ()
    names = bound_names(state, playbook)
    since = max(run.started_seq, run.probed_seq)
    queries = declared_probes.queries_of(playbook, names)
    fresh = [fact for fact in state.facts if fact.seq > since]
    found: dict[str, Fact] = {}
    missing: dict[Probe, None] = {}
    roles = declared_probes.roles_of(playbook, names)
    for probe_id, query in queries.items():
        as_it = [fact for fact in fresh if fact.role == roles[probe_id]]
        told = next((fact for fact in reversed(as_it) if is_told(fact.query, query)), None)
        if told is None:
            missing.setdefault(Probe(query, roles[probe_id]))
        else:
            found[probe_id] = told
    unseen = drift.survey_again(state, run, since)
    if missing or unseen:
        return (*missing, *unseen)
    role = run.context.current_role if run.context is not None else ""
    judged = declared_probes.judge_probes(playbook, found, names, role)
    event, options = drift.judge_drift(state, run, since, judged)
    if event.blocked:
        return (Record((event, _blocked(event))),)
    if declared_probes.must_confirm(event):
        coming = list(foresee_steps(state, run, playbook, after=None))
        asked = ev.ProbeCheckpoint(warnings=event.warnings, options=options, foreseen=coming)
        return (Record((event, asked)),)
    return (Record((event,)),)


def _is_on_predictions(state: ThreadState, run: PlaybookRun) -> bool:
    """Return whether a dry run builds on what is not there yet: its probes are rehearsed, too."""
    before = state.chain.completed if state.chain is not None else ()
    return run.mode == "dry_run" and any(phase.is_predicted for phase in before)


def _blocked(event: ev.ProbesExecuted) -> ev.ErrorEscalated:
    # One refusal may have met several probes.
    reasons = dict.fromkeys(r["message"] for r in event.results if r["outcome"] == "block")
    reasons.pop("", None)
    return ev.ErrorEscalated(
        error=" ".join(reasons),
        context={"category": "blocked", "recovery_hint": "Change what the probe found, then retry"},
    )


def _rehearsing(state: ThreadState, playbook: Playbook, run: PlaybookRun) -> tuple[Effect, ...]:
    if run.mode != "dry_run":
        return ()
    if run.summary is not None:
        return (Record((run.summary.model_copy(update={"seq": 0, "timestamp": ""}),)),)
    for step in playbook.steps:
        if step.when is not None and is_never_met(step.when, run.inputs):
            continue
        for spec in unmet(playbook, run.inputs, f"step_{step.id}"):
            must_ask = spec.required and not (spec.has_default or spec.infer_from or spec.choices)
            if must_ask:
                return ask(state, playbook, run, spec)
    return (Rehearse(playbook.name),)


def _completing(
    playbook: Playbook, run: PlaybookRun, state: ThreadState, library: Library
) -> tuple[Effect, ...]:
    if run.completed and state.chain is not None:
        return (Record((phases.close_phase(state, library),)),)
    if run.completed:
        return (Record((ev.ThreadCompleted(summary=state.summary),)),)
    made = steps.made_by(state, run)
    summary = steps.summary_line(state, playbook, run)
    done = ev.PlaybookCompleted(playbook=playbook.name, summary=summary, created_objects=made)
    return (Record((done,)),)
