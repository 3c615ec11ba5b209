"""The first interpreter of effects: it does them, one event at a time.

Room: work. Each event is yielded as soon as it is true; the conductor appends it before it asks
for the next, so an intent is on disk before its statement is sent. Errors of the account become
events here and never pass.
Source: THREADS, Crash window of a statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from skills_nb.engine.error_diagnosis import category_of
from skills_nb.engine.guided.plan_documents import draft_book
from skills_nb.engine.inputs.typed_inputs import initial_inputs
from skills_nb.engine.planning.step_results import shows_effect
from skills_nb.errors import SqlError
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
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.ports import Fate, Ports
from skills_nb.runtime.environment_reads import read
from skills_nb.runtime.intent_resolution import resolve_intent
from skills_nb.runtime.plan_drafting import drafts
from skills_nb.runtime.preview import preview
from skills_nb.runtime.rehearsal.survey import survey_again
from skills_nb.runtime.secret_inputs import unsendable
from skills_nb.runtime.start_objections import objections
from skills_nb.sql.classify import may_run_others, may_take_long

SETTLE_S = 1.0
"""How long after a miss the history is asked again before a statement counts as absent."""
POLL_S = 1.0
"""How often a running statement is asked about."""

_LOST_ERRNOS = frozenset({390111, 390112, 390114, 390195})
"""The session is gone, as the server says it."""
_CONNECTION = "08"
"""Beginning of the states of connection exceptions. Source: the SQL standard's class 08."""
_CLIENT_ERRNOS = range(250_000, 300_000)
"""The connector's own numbers: the way to the account is broken (290000 + HTTP status, too)."""


def perform(
    effect: Effect, state: ThreadState, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Do one effect and yield the events that it amounts to.

    An effect that only waits yields nothing.
    """
    match effect:
        case Record():
            yield from effect.events
        case ResolveIntent():
            yield from resolve_intent(effect, state, library, ports)
        case DraftPlan():
            yield from drafts(effect, state, library, ports)
        case StartPlaybook():
            yield from _start(effect, state, library, ports)
        case Probe():
            why = unsendable(effect.query, state, ports.secrets)
            yield why or read(ports.session, effect.query, effect.role)
        case BeginStep():
            yield _begin(effect, ports)
        case RunStatement():
            why = unsendable(effect.sql, state, ports.secrets)
            yield from (why,) if why is not None else _run(effect, ports)
        case Reconcile():
            yield from _reconcile(effect, ports)
        case Rehearse():
            yield from preview(state, library, ports)
        case Survey():
            yield survey_again(effect.scope, ports)
        case Await():
            return
        case _:
            assert_never(effect)


def _start(
    effect: StartPlaybook, state: ThreadState, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    plan = state.plan
    playbook = (
        library.playbook(effect.playbook)
        if plan is None
        else draft_book(effect.playbook, plan, library)
    )
    objection = next(objections(playbook, state.thread_id, library, ports), None)
    if objection is not None:
        yield objection
        return
    context = ports.session.context()
    given, goal = effect.given, state.goal
    if plan is not None:
        given, goal = _given_to_plan(given, playbook, state), plan.goal
    inputs = initial_inputs(playbook, goal, given, context)
    yield ev.PlaybookStarted(
        playbook=playbook.name, inputs=inputs, account_context=context, mode=effect.mode
    )


def _given_to_plan(
    given: Mapping[str, Any], playbook: Playbook, state: ThreadState
) -> Mapping[str, Any]:
    """Leave out what was given for a target that was given up since."""
    if not state.tried:
        return given
    return {name: value for name, value in given.items() if playbook.input(name) is not None}


def _begin(effect: BeginStep, ports: Ports) -> ev.Event:
    context = ports.session.context()
    expected = effect.expected
    if expected is not None and not context.is_same_account(expected):
        return ev.ErrorEscalated(
            step=effect.step,
            error=f"connected to account {context.account_locator}, "
            f"but this thread works on {expected.account_locator}",
            context={
                "category": "wrong_account",
                "recovery_hint": "connect to the right account, then retry",
            },
        )
    return ev.StepStarted(step=effect.step, primitive=effect.primitive, account_context=context)


def _run(effect: RunStatement, ports: Ports) -> Iterator[ev.Event]:
    if effect.delay_s:
        ports.clock.sleep(effect.delay_s)
    yield ev.StatementStarted(
        step=effect.step,
        ordinal=effect.ordinal,
        attempt=effect.attempt,
        sql=effect.sql,
        kind=effect.kind,
        role=effect.role,
        effect_key=effect.key,
        undoes=effect.undoes,
    )
    try:
        if may_take_long(effect.sql):
            query_id = ports.session.submit(effect.sql, role=effect.role, tag=effect.key)
            yield ev.StatementSubmitted(effect_key=effect.key, query_id=query_id)
            outcome = ports.session.outcome(query_id)
        else:
            outcome = ports.session.execute(effect.sql, role=effect.role, tag=effect.key)
    except SqlError as problem:
        if _is_lost(problem):
            # Not a failure: the account may have run it. The open intent is reconciled next.
            return
        yield ev.StatementFailed(
            effect_key=effect.key,
            error=ev.StatementError(
                text=problem.message, errno=problem.errno, sqlstate=problem.sqlstate
            ),
        )
        return
    yield ev.StatementCompleted(
        effect_key=effect.key,
        query_id=outcome.query_id,
        row_count=outcome.row_count,
        row_counts=dict(outcome.row_counts),
        duration_s=round(outcome.duration_s, 3),
    )


def _is_lost(problem: SqlError) -> bool:
    """Return whether nobody knows what became of the statement."""
    if problem.errno is None:
        if problem.sqlstate:
            # The account's own states are an answer, those of a connection are none.
            return problem.sqlstate.startswith(_CONNECTION)
        return category_of(ev.StatementError(text=problem.message)).name == "transient"
    return problem.errno in _LOST_ERRNOS or problem.errno in _CLIENT_ERRNOS


def _reconcile(effect: Reconcile, ports: Ports) -> Iterator[ev.Event]:
    """Find out what became of an open statement. Source: THREADS, the five answers."""
    record = effect.statement
    fate = _settled_fate(effect, ports)
    match fate.status:
        case "succeeded":
            yield ev.StatementCompleted(
                effect_key=record.key,
                query_id=fate.query_id,
                row_count=fate.row_count,
                duration_s=round(fate.duration_s, 3),
                recovered=True,
            )
        case "failed":
            yield ev.StatementFailed(
                effect_key=record.key,
                error=ev.StatementError(text=fate.error, errno=fate.errno, sqlstate=fate.sqlstate),
            )
        case "absent" if fate.error and record.kind == "once":
            # A history was out of reach, so that not being in the others proves nothing.
            yield from _unknown(effect, ports)
        case "absent":
            yield ev.StatementLost(effect_key=record.key)
        case "running" | "unknown":
            yield from _unknown(effect, ports)
        case _:
            assert_never(fate.status)


def _settled_fate(effect: Reconcile, ports: Ports) -> Fate:
    record = effect.statement
    fate = _fate(record, ports)
    while fate.status == "running":
        ports.clock.sleep(POLL_S)
        fate = _fate(record, ports)
    if fate.status == "absent" and record.kind == "once":
        ports.clock.sleep(SETTLE_S)
        fate = _fate(record, ports)
    return fate


def _fate(record: StatementRecord, ports: Ports) -> Fate:
    return ports.session.fate(record.key, query_id=record.query_id or None, sql=record.sql)


def _unknown(effect: Reconcile, ports: Ports) -> Iterator[ev.Event]:
    record = effect.statement
    if record.kind != "once":
        yield ev.StatementLost(effect_key=record.key)
        return
    if effect.verify is not None and not may_run_others(record.sql):
        # Of what runs others a probe would see a part, and take it for the whole.
        found = read(ports.session, effect.verify, record.role)
        yield found
        rows = found.result.get("rows")
        if rows is not None:
            yield (
                ev.StatementCompleted(effect_key=record.key, recovered=True)
                if shows_effect(rows)
                else ev.StatementLost(effect_key=record.key)
            )
            return
    yield ev.ErrorEscalated(
        step=record.step,
        error="it cannot be told whether this statement ran: " + record.sql,
        context={
            "category": "unknown",
            "recovery_hint": "look at the account: `retry` sends it again, `skip` takes it as done",
            "sql": record.sql,
        },
    )
