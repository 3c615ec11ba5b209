"""What follows when a step's statement or read was refused.

Room: laws. An error is said once, then repaired and retried as often as its category allows, then
put before a person. Spec: Error Handling.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skills_nb.engine import recovery
from skills_nb.engine.here import Here, escalation, next_key
from skills_nb.engine.planning import Planned, StepPlan
from skills_nb.engine.sending import diagnosed, send
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect, Probe, Record, RunStatement
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
    is_read: bool


def failing(here: Here, plan: StepPlan) -> tuple[Effect, ...]:
    """Say what the newest failure is, then repair it, retry it, or ask a person."""
    if _is_lost_again_and_again(here):
        return (Record((_unreachable(here),)),)
    failure = _newest_failure(here, plan)
    if failure is None:
        return ()
    diagnosis = diagnosed(here, failure.error)
    text = recovery.described(failure.error)
    if here.at.failed_seq < failure.seq:
        failed = ev.StepFailed(
            step=here.step.id,
            error=text,
            error_category=diagnosis.category,
            recovery_hint=diagnosis.hint,
        )
        return (Record((failed,)),)
    if failure.attempts <= diagnosis.retries:
        return _repairing(here, failure, diagnosis)
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
        return _Failure(record.error, record.end_seq, record.sql, record.role, len(tries), False)
    return _failed_read(here, plan, since)


def _failed_read(here: Here, plan: StepPlan, since: int) -> _Failure | None:
    for fact in reversed(here.state.facts):
        if fact.seq <= since:
            return None
        if (fact.query, fact.role) not in plan.keys:
            continue
        if fact.error is None:
            return None
        tries = [
            f
            for f in here.state.facts
            if f.seq > since and f.query == fact.query and f.role == fact.role and f.error
        ]
        return _Failure(fact.error, fact.seq, fact.query, fact.role, len(tries), True)
    return None


def _repairing(here: Here, failure: _Failure, diagnosis: recovery.Diagnosis) -> tuple[Effect, ...]:
    """Run what repairs the error, if anything does, and then the statement again."""
    repair = _repair(here, failure, diagnosis)
    if repair is not None:
        return (repair,)
    if failure.is_read:
        return (Probe(failure.sql, failure.role),)
    planned = Planned(failure.sql, Kind.ONCE, failure.role, 0)
    last = next(r for r in reversed(here.state.statements) if r.sql == failure.sql)
    if last.kind == "repeatable":
        planned = replace(planned, kind=Kind.REPEATABLE)
    return send(here, planned)


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
