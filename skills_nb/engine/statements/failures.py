"""What follows when a step's statement or read was refused.

Room: laws. An error is said once, then repaired and retried as often as its category allows, then
put before a person. Spec: Error Handling.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.engine import error_diagnosis
from skills_nb.engine.inputs.secrecy import REDACTED, is_told
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan
from skills_nb.engine.planning.step_context import StepContext, escalation, next_key
from skills_nb.engine.statements import existing_objects
from skills_nb.engine.statements.sending import diagnose_error, is_answered_by, send
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Probe, Record, RunStatement
from skills_nb.model.state import Fact, StatementRecord
from skills_nb.sql.classify import Kind, may_run_others
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


def handle_failure(here: StepContext, plan: StepPlan) -> tuple[Effect, ...]:
    """Say what the newest failure is, then repair it, retry it, or ask a person."""
    if _is_lost_again_and_again(here):
        return (Record((_unreachable(here),)),)
    failure = _newest_failure(here, plan)
    if failure is None:
        return ()
    refused = _planned(plan, failure)
    diagnosis = diagnose_error(here, failure.error, refused.iteration if refused else 0)
    text = error_diagnosis.error_in_one_line(failure.error)
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
    if failure.role is not None:
        context["role"] = failure.role
    if diagnosis.category == "object_exists" and refused is not None:
        context["existing"] = existing_objects.describe_existing(
            here.state, refused.sql, failure.seq
        )
    return (Record((escalation(here, text, context),)),)


def _is_lost_again_and_again(here: StepContext) -> bool:
    """Return whether the last attempts at a statement all got lost: the way is broken."""
    since = max(here.at.started_seq, here.at.retry_from_seq)
    mine = [r for r in here.state.statements if r.step == here.step.id and r.seq > since]
    last = mine[-MOST_LOST:]
    return len(last) == MOST_LOST and all(r.status == "lost" and r.sql == last[0].sql for r in last)


def _unreachable(here: StepContext) -> ev.ErrorEscalated:
    text = f"{MOST_LOST} attempts at a statement got lost on the way to the account"
    context = {"category": "transient", "recovery_hint": "Check the connection, then retry"}
    return escalation(here, text, context)


def _newest_failure(here: StepContext, plan: StepPlan) -> _Failure | None:
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


def _failed_read(here: StepContext, plan: StepPlan, since: int) -> _Failure | None:
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
    here: StepContext,
    planned: PlannedStatement | None,
    failure: _Failure,
    diagnosis: error_diagnosis.Diagnosis,
) -> tuple[Effect, ...]:
    """Return what may overcome the failure without a person; empty when nothing may.

    What is in the way is looked at and never replaced: that is for a person to say.
    """
    if diagnosis.category == "object_exists" and planned is not None:
        queries = existing_objects.looks(here.state, planned.sql, planned.role, failure.seq)
        return tuple(Probe(query, planned.role) for query in queries)
    if failure.attempts > diagnosis.retries:
        return ()
    repair = _repair(here, failure, diagnosis)
    if repair is not None:
        return (repair,)
    if failure.record is not None and failure.record.kind in ("recovery", "compensation"):
        return (_again(here, failure.record, diagnosis.delay_before(failure.attempts + 1)),)
    if planned is None:
        return ()
    if failure.record is None:
        return (Probe(planned.sql, planned.role),)
    # What runs others may have done a part, which would be done twice: an author may want that.
    is_whole = planned.kind is not Kind.ONCE or not may_run_others(planned.sql)
    return send(here, planned) if is_whole or diagnosis.is_declared else ()


def _planned(plan: StepPlan, failure: _Failure) -> PlannedStatement | None:
    """Return the planned statement that failed; what is recorded of it may have gaps."""
    if failure.record is not None and failure.record.kind in ("recovery", "compensation"):
        return None
    statements = (*plan.statements, *plan.verifications)
    return next((one for one in statements if is_answered_by(one, failure.sql, failure.role)), None)


def _again(here: StepContext, record: StatementRecord, delay_s: float) -> RunStatement:
    return RunStatement(
        step=record.step,
        ordinal=record.ordinal,
        attempt=record.attempt + 1,
        sql=record.sql,
        kind=record.kind,
        role=record.role,
        key=next_key(here.state),
        delay_s=delay_s,
        undoes=record.undoes,
    )


def _repair(
    here: StepContext, failure: _Failure, diagnosis: error_diagnosis.Diagnosis
) -> RunStatement | None:
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
