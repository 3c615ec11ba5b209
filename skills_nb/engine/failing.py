"""What follows when a step's statement or read was refused.

Room: laws. An error is said once, then repaired and retried as often as its category allows, then
put before a person. Spec: Error Handling.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skills_nb.engine import ledger, recovery
from skills_nb.engine.here import Here, escalation, next_key
from skills_nb.engine.planning import Planned, StepPlan
from skills_nb.engine.replacing import is_harmless, replacement_of
from skills_nb.engine.secrecy import REDACTED, is_told
from skills_nb.engine.sending import diagnosed, is_answered_by, send
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Probe, Record, RunStatement
from skills_nb.model.state import Fact, StatementRecord
from skills_nb.sql.classify import Kind
from skills_nb.sql.identifiers import render_name

MOST_LOST = 4
"""So many attempts in a row that did not arrive are put before a person: one, and three retries."""


@dataclass(frozen=True, slots=True)
class _Failure:
    error: ev.StatementError
    seq: int
    sql: str
    role: str | None
    attempts: int
    record: StatementRecord | None = None
    """The attempt that failed; None for a read."""


def failing(here: Here, plan: StepPlan) -> tuple[Effect, ...]:
    """Say what the newest failure is, then repair it, retry it, or ask a person."""
    if _is_lost_again_and_again(here):
        return (Record((_unreachable(here),)),)
    failure = _newest_failure(here, plan)
    if failure is None:
        return ()
    refused = _planned(plan, failure)
    diagnosis = diagnosed(here, failure.error, refused.iteration if refused else 0)
    text = recovery.described(failure.error)
    if here.at.failed_seq < failure.seq:
        failed = ev.StepFailed(
            step=here.step.id,
            error=text,
            error_category=diagnosis.category,
            recovery_hint=diagnosis.hint,
        )
        return (Record((failed,)),)
    again = _trying_again(here, refused, failure, diagnosis)
    if again:
        return again
    context = {
        "category": diagnosis.category,
        "recovery_hint": diagnosis.hint,
        "sql": failure.sql,
        "attempts": failure.attempts,
        "skippable": here.step.optional,
    }
    return (Record((escalation(here, text, context),)),)


def _is_lost_again_and_again(here: Here) -> bool:
    """Return whether the last attempts at a statement all got lost: the way is broken."""
    since = max(here.at.started_seq, here.at.retry_from_seq)
    mine = [r for r in here.state.statements if r.step == here.step.id and r.seq > since]
    last = mine[-MOST_LOST:]
    return len(last) == MOST_LOST and all(r.status == "lost" and r.sql == last[0].sql for r in last)


def _unreachable(here: Here) -> ev.ErrorEscalated:
    text = f"{MOST_LOST} attempts at a statement got lost on the way to the account"
    context = {"category": "transient", "recovery_hint": "Check the connection, then retry"}
    return escalation(here, text, context)


def _newest_failure(here: Here, plan: StepPlan) -> _Failure | None:
    since = max(here.at.started_seq, here.at.retry_from_seq)
    record = next((r for r in reversed(here.state.statements) if r.step == here.step.id), None)
    if record is not None and record.error is not None and record.end_seq > since:
        tries = [
            r
            for r in here.state.statements
            if r.sql == record.sql and r.error is not None and r.seq > since
        ]
        return _Failure(record.error, record.end_seq, record.sql, record.role, len(tries), record)
    return _failed_read(here, plan, since)


def _failed_read(here: Here, plan: StepPlan, since: int) -> _Failure | None:
    for fact in reversed(here.state.facts):
        if fact.seq <= since:
            return None
        if not _is_read_by(plan, fact):
            continue
        if fact.error is None:
            return None
        tries = [
            f
            for f in here.state.facts
            if f.seq > since and f.query == fact.query and f.role == fact.role and f.error
        ]
        return _Failure(fact.error, fact.seq, fact.query, fact.role, len(tries))
    return None


def _is_read_by(plan: StepPlan, fact: Fact) -> bool:
    if (fact.query, fact.role) in plan.keys:
        return True
    return REDACTED in fact.query and any(
        role == fact.role and is_told(fact.query, sql) for sql, role in plan.keys
    )


def _trying_again(
    here: Here, planned: Planned | None, failure: _Failure, diagnosis: recovery.Diagnosis
) -> tuple[Effect, ...]:
    """Return what may overcome the failure without a person; empty when nothing may."""
    instead = replacement_of(planned.sql) if planned is not None else None
    if diagnosis.category == "object_exists" and planned is not None and instead is not None:
        return _replacing(here, replace(planned, sql=instead, kind=Kind.REPEATABLE))
    if failure.attempts > diagnosis.retries:
        return ()
    repair = _repair(here, failure, diagnosis)
    if repair is not None:
        return (repair,)
    if failure.record is not None and failure.record.kind in ("recovery", "compensation"):
        return (_again(here, failure.record, diagnosis.delay_before(failure.attempts + 1)),)
    if planned is None:
        return ()
    return send(here, planned) if failure.record else (Probe(planned.sql, planned.role),)


def _planned(plan: StepPlan, failure: _Failure) -> Planned | None:
    """Return the planned statement that failed; what is recorded of it may have gaps."""
    if failure.record is not None and failure.record.kind in ("recovery", "compensation"):
        return None
    statements = (*plan.statements, *plan.verifications)
    return next((one for one in statements if is_answered_by(one, failure.sql, failure.role)), None)


def _replacing(here: Here, planned: Planned) -> tuple[Effect, ...]:
    """Send CREATE OR REPLACE where that destroys nothing; look at what stands there first."""
    since = here.at.started_seq
    missing = ledger.missing_probes(here.state, planned.sql, planned.role, since)
    if missing or is_harmless(here.state, planned.sql):
        return send(here, planned)
    return ()


def _again(here: Here, record: StatementRecord, delay_s: float) -> RunStatement:
    return RunStatement(
        step=record.step,
        ordinal=record.ordinal,
        attempt=record.attempt + 1,
        sql=record.sql,
        kind=record.kind,
        role=record.role,
        key=next_key(here.state),
        delay_s=delay_s,
    )


def _repair(here: Here, failure: _Failure, diagnosis: recovery.Diagnosis) -> RunStatement | None:
    warehouse = here.run.context.current_warehouse if here.run.context else None
    if diagnosis.category != "resource" or warehouse is None:
        return None
    sql = f"ALTER WAREHOUSE {render_name((warehouse,))} RESUME IF SUSPENDED"
    done = [r for r in here.state.statements if r.sql == sql and r.seq > failure.seq]
    if done:
        return None
    return RunStatement(
        step=here.step.id,
        ordinal=0,
        attempt=1,
        sql=sql,
        kind="recovery",
        role=None,
        key=next_key(here.state),
    )
