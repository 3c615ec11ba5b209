"""The second interpreter of the same effects: it explains them on a shadow account.

Room: work. The playbook is decided step by step exactly as in a live run, on a state that is kept
in memory; only `step_planned` and `dry_run_summary` are yielded, and what was really read as
`environment_probed`. Until something is planned to change, reads go to the real account, because
reading is all they do; after that they go to the shadow, which knows the planned changes.
A later phase of a chain is rehearsed behind the ones before it, which are done again on its shadow;
what they would make is what it works on, and each phase but the last ends in a `phase_completed`
whose outputs say that they are predicted.
Spec: Dry-Run Mode; ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from skills_nb.engine import ledger
from skills_nb.engine.decide import decide
from skills_nb.engine.planning.playbook_outputs import outputs_of
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.probes.drift import BASIS
from skills_nb.engine.steps import NOT_PLANNED
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import (
    Await,
    BeginStep,
    DraftPlan,
    Effect,
    Probe,
    Reconcile,
    Record,
    Rehearse,
    ResolveIntent,
    RunStatement,
    StartPlaybook,
    Survey,
)
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.model.state import Pause, ThreadState
from skills_nb.model.state.grown import Grown
from skills_nb.ports import SOMEBODY, Ports
from skills_nb.runtime.rehearsal.confiding_shadow import ConfidingShadow
from skills_nb.runtime.rehearsal.dry_run_events import step_planned, summary
from skills_nb.runtime.rehearsal.estimates import computes, estimates_of
from skills_nb.runtime.rehearsal.long_steps import do_step_at_once, long_step
from skills_nb.runtime.rehearsal.rehearsal_reads import read_for_rehearsal
from skills_nb.runtime.rehearsal.rehearsed_thread import RehearsedThread
from skills_nb.runtime.rehearsal.row_impact import KnownRows
from skills_nb.runtime.rehearsal.survey import databases, scope_of, survey_scope
from skills_nb.runtime.rehearsal.trial import here_in, try_statement

_MOST_NAMED = 5


def preview(state: ThreadState, library: Library, ports: Ports) -> Iterator[ev.Event]:
    """Yield what every step would do, then the whole impact; the account is not changed.

    Raises:
        UsageError: no rehearsal is possible with this session.
    """
    if ports.rehearsal is None or state.run is None:
        raise UsageError("this session cannot rehearse", hint="run without --dry-run")
    stages = [*_before(state), state]
    scope, context = databases(stages), state.run.context
    shadow = ConfidingShadow(ports.rehearsal.shadow(ports.session, scope), ports.secrets)
    go = RehearsedThread(state, shadow, estimates=estimates_of(ports.session, context, scope))
    go.rows = KnownRows(ports.session, shadow)
    go.unmade.update(shadow.missing)
    if shadow.missing:
        go.remark(f"rehearsed without {_some(shadow.missing)}, which cannot be rehearsed with")
    try:
        for stage in stages[:-1]:
            for _ in _rehearse(stage, go, library, ports):
                # Told when the phase was planned; here only its shadow is wanted.
                pass
        yield from _rehearse(state, go, library, ports)
        chain = state.chain
        if chain is None or chain.number == len(chain.phases):
            told = summary(go)
            surveyed = survey_scope(shadow, scope_of(stages, told), with_pictures=True)
            yield surveyed
            if ports.show_rows is not None:
                access = surveyed.result.get("access", ())
                key = (state.thread_id, state.run.started_seq)
                ports.show_rows(key, shadow.seen_rows(access))
            yield told
        else:
            yield _predicted(chain.phases[chain.number - 1].domain, go, library)
    finally:
        go.shadow.close()


def _some(names: Sequence[str]) -> str:
    """Return a few names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _before(state: ThreadState) -> list[ThreadState]:
    """Return the thread as it stood in each phase that this dry run went through already."""
    done = state.chain.completed if state.chain is not None else ()
    return [replace(state, run=one.run, route=one.route) for one in done if one.is_predicted]


def _rehearse(
    stage: ThreadState, go: RehearsedThread, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Go through one playbook on the shadow, outside of its chain, as it would be done."""
    run = stage.run
    assert run is not None, "what is rehearsed is a playbook"
    playbook = playbook_of(run, library) or library.playbook(run.playbook)
    fresh = replace(run, mode="live", steps={}, planned=(), summary=None, agreed={})
    # An earlier dry run is compared with when its plan is done, not when it is made anew.
    facts = Grown([fact for fact in stage.facts if fact.query != BASIS])
    go.state = replace(stage, run=fresh, chain=None, pause=None, facts=facts)
    go.is_stuck = False
    go.guessed.clear()
    go.probes_compute |= any(computes(probe.query) for probe in playbook.probes)
    while not _is_through(go):
        at_once = long_step(go, playbook, library)
        if at_once is not None:
            yield from do_step_at_once(at_once, go, ports)
            continue
        for effect in decide(go.state, library):
            yield from _explain(effect, go, playbook, library, ports)


def _is_through(go: RehearsedThread) -> bool:
    state = go.state
    is_left = state.abort is not None or state.reroute is not None
    return go.is_stuck or state.is_over or is_left


def _predicted(domain: str, go: RehearsedThread, library: Library) -> ev.PhaseCompleted:
    run = go.state.run
    outputs = outputs_of(go.state, playbook_of(run, library))
    return ev.PhaseCompleted(domain=domain, outputs={**outputs, "predicted": True})


def _explain(
    effect: Effect, go: RehearsedThread, playbook: Playbook, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    match effect:
        case Record():
            yield from _record(effect, go, playbook)
        case Probe():
            yield from _look(effect, go, ports)
        case BeginStep():
            begun = playbook.step(effect.step)
            assert begun is not None, "only steps of the playbook are decided on"
            go.begin(begun)
            go.take(ev.StepStarted(step=effect.step, primitive=effect.primitive))
        case RunStatement():
            _try_out(effect, go, playbook, library)
        case Await():
            yield from _assume(effect.pause, go, playbook)
        case ResolveIntent() | DraftPlan() | StartPlaybook() | Reconcile() | Rehearse() | Survey():
            raise UsageError(f"a dry run cannot rehearse {type(effect).__name__}")
        case _:
            assert_never(effect)


def _record(effect: Record, go: RehearsedThread, playbook: Playbook) -> Iterator[ev.Event]:
    for event in effect.events:
        if isinstance(event, ev.StepCompleted):
            yield step_planned(event.step, event.created_objects, go, playbook)
        elif isinstance(event, ev.StepSkipped):
            go.remark(f"skipped: {event.reason}")
            yield step_planned(event.step, [], go, playbook)
        go.take(event)


def _look(effect: Probe, go: RehearsedThread, ports: Ports) -> Iterator[ev.Event]:
    event, is_of_account = read_for_rehearsal(
        effect.query, effect.role, go, ports, is_one_of_many=False
    )
    go.take(event)
    if is_of_account:
        yield event


def _try_out(
    effect: RunStatement, go: RehearsedThread, playbook: Playbook, library: Library
) -> None:
    """Run a planned statement on the shadow; remark an error that it meets, and plan on."""
    key = effect.key
    go.take(
        ev.StatementStarted(
            step=effect.step,
            ordinal=effect.ordinal,
            attempt=effect.attempt,
            sql=effect.sql,
            kind=effect.kind,
            role=effect.role,
            effect_key=key,
        )
    )
    changes = ledger.changes_by(go.state, go.state.statements[-1])
    try_statement(effect.sql, effect.role, changes, go, here_in(go, effect.step, playbook, library))
    # What is there already stays as it is: the account itself still tells all about it.
    go.has_changes = go.has_changes or not _changes_nothing(go)
    go.take(ev.StatementCompleted(effect_key=key))


def _assume(pause: Pause, go: RehearsedThread, playbook: Playbook) -> Iterator[ev.Event]:
    """Go past a pause as the plan assumes, and say so."""
    if pause.kind == "input_question":
        name = pause.at.removeprefix("input:")
        value = pause.options[0].id
        go.remark(f"assumes {name} = {value}")
        go.take(ev.InputGathered(name=name, value=value))
    elif pause.kind == "error_escalated" and pause.step is None:
        yield from _stuck(pause, go, playbook)
    elif pause.kind == "error_escalated" and pause.step is not None:
        reason = pause.present.splitlines()[0]
        if go.stopped_at and NOT_PLANNED in reason:
            # The run ends before; what is missing here is what the failed step would have found.
            go.remark(f"needs what step {go.stopped_at} would have found")
        else:
            go.remark_refusal(reason)
        go.state = replace(go.state, pause=None)
        yield step_planned(pause.step, [], go, playbook)
        go.take(ev.StepSkipped(step=pause.step, reason="it would fail"))
    else:
        # What only a person lets through is let through here: otherwise it would be asked for ever.
        answer = ev.HumanResponse(choice="approve", at=pause.at, confirmed=True, actor=SOMEBODY)
        go.take(answer)


def _changes_nothing(go: RehearsedThread) -> bool:
    """Return whether a statement only makes, where missing, what the account has."""
    state = go.state
    record = state.statements[-1]
    before = ledger.prior(state, record)
    found = ledger.changes_by(state, record)
    return bool(found) and all(
        change.action == "create" and not change.replaces and before[change.target.fqn]["exists"]
        for change in found
    )


def _stuck(pause: Pause, go: RehearsedThread, playbook: Playbook) -> Iterator[ev.Event]:
    """Name the steps of a phase that looks for what only exists when it is made for real."""
    reason = pause.present.splitlines()[0]
    for step in playbook.steps:
        go.remark(f"cannot be rehearsed before the phases ahead of it ran: {reason}")
        yield step_planned(step.id, [], go, playbook)
    go.is_stuck = True
