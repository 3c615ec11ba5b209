"""A sub-step that a person writes at a checkpoint: tracked like any other, so it can be taken back.

Room: work. Its id is that of the step at the checkpoint with letters behind it: `3b` after `3`.
Source: FORMATS, One grammar (`%%skill step 3b`); Spec: Checkpoints can cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from skills_nb.engine import ledger
from skills_nb.engine.approvals.harmful_statements import describe_harm, grave_by_hand, phrase_for
from skills_nb.engine.error_diagnosis import diagnose, error_in_one_line
from skills_nb.engine.guided.guardrails import why_forbidden
from skills_nb.engine.ledger import after_images
from skills_nb.engine.pauses import confirmed_by_hand
from skills_nb.engine.planning.step_context import next_key
from skills_nb.engine.planning.template_names import playbook_of
from skills_nb.engine.statements.row_changes import inner_probe, missing_probes, modified_objects
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import BeginStep, Effect, Probe, Reconcile, Record, RunStatement
from skills_nb.model.library import Library
from skills_nb.model.state import Pause, StatementRecord, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.qualifying import qualify
from skills_nb.sql.statements import split


@dataclass(frozen=True, slots=True)
class HandWritten:
    """A sub-step as a person wrote it."""

    step: str
    """Step id, such as `3b`."""
    sql: str
    """One statement or several, as they are sent."""
    role: str | None = None
    """Role it runs as; the session's where None."""
    phrase: str | None = None
    """What was typed to confirm what it destroys."""


def check(state: ThreadState, library: Library, pause: Pause | None, sub: HandWritten) -> None:
    """Refuse a sub-step that does not belong where the thread stands.

    Raises:
        ThreadError: the thread is not at a checkpoint or an error of a step.
        UsageError: the id is not one of a sub-step there, there is no SQL, it may not be done by
            hand, or what it destroys was not confirmed.
    """
    if state.run is None or pause is None or pause.step is None or state.pause is None:
        raise ThreadError(
            "a sub-step is added where a step waits for an answer",
            status=state.status,
            story=state.story,
            hint="go on to the next checkpoint first",
        )
    letters = sub.step.removeprefix(pause.step)
    if letters == sub.step or not letters.isalpha():
        raise UsageError(
            f"'{sub.step}' is no sub-step of step {pause.step}, where the thread waits",
            hint=f"call it {pause.step}b",
        )
    playbook = playbook_of(state.run, library)
    if playbook is not None and playbook.step(sub.step) is not None:
        raise UsageError(
            f"step {sub.step} is the playbook's own", hint=f"call it {pause.step}{letters}b"
        )
    if not list(split(sub.sql)):
        raise UsageError("a sub-step needs SQL", hint="write it into the cell")
    _judge(state, library, sub)


def _judge(state: ThreadState, library: Library, sub: HandWritten) -> None:
    """Hold a sub-step to what a plan is held to, and have what it destroys confirmed."""
    if all(kind_of(statement.text) is Kind.READ for statement in split(sub.sql)):
        return
    step = ev.PlannedStep(step=sub.step, action="", primitive=None, sql=sub.sql)
    objection = why_forbidden(step, library)
    if objection is not None:
        raise UsageError(
            objection.message, hint="a playbook may do it, after a critical checkpoint"
        )
    harms = grave_by_hand(state, sub.sql)
    if not harms:
        return
    option = confirmed_by_hand(phrase_for(sub.step, harms))
    if not option.is_confirmed_by(sub.phrase):
        missing = "another phrase than was typed" if sub.phrase else "its phrase typed"
        raise UsageError(
            f"step {sub.step} is about to {describe_harm(harms)}; that needs {missing}",
            hint=f"step {sub.step} {' '.join(option.confirmation)}, with the same SQL",
        )


def in_full(sub: HandWritten, database: str | None, schema: str | None) -> HandWritten:
    """Return a sub-step with its names in full, as they are meant where it is written.

    Raises:
        UsageError: a name is short, and there is no current schema to look it up in.
    """
    found = qualify(sub.sql, database, schema)
    if found.lacking:
        name, lacking = found.lacking[0], "schema" if database else "database"
        raise UsageError(
            f"sub-step {sub.step} names {name}, and the session has no current {lacking} "
            "to look it up in",
            hint=f"write it as DATABASE.SCHEMA.{name}",
        )
    return replace(sub, sql=found.sql)


def effects(sub: HandWritten, look: StateSource) -> Iterator[Effect]:
    """Yield what the sub-step asks for, one effect at a time, each after the one before is told.

    Args:
        sub: the sub-step, checked.
        look: gives the thread's state as it is by now.

    Raises:
        ThreadError: what became of an earlier statement cannot be told.
    """
    yield from _settled(look)
    run = look().run
    yield BeginStep(sub.step, None, run.context if run is not None else None)
    began, began_at = look().seq, look().pause
    for statement in split(sub.sql):
        kind = kind_of(statement.text)
        if kind is Kind.READ:
            yield Probe(statement.text, sub.role)
            refused = look().facts[-1].error if look().facts else None
        else:
            yield from _probes(sub, statement.text, look, began)
            yield _sending(sub, statement.text, kind, look())
            yield from _settled(look)
            yield from after_images.missing_looks(look())
            refused = _trouble(look())
            yield from _inside(sub, look())
        if look().pause is not began_at:
            # A person is asked about it now, which says more than a failed step.
            return
        if refused is not None:
            yield Record((_failed(sub, refused),))
            return
    yield Record((_completed(sub, look(), began),))


class StateSource:
    """Tells the state of a thread that others write to."""

    def __init__(self, state: ThreadState) -> None:
        """Begin with a state; whoever appends replaces it."""
        self.state = state

    def __call__(self) -> ThreadState:
        """Return the state as it is by now."""
        return self.state


def _settled(look: StateSource) -> Iterator[Effect]:
    """Find out what became of a statement whose outcome is not known."""
    open_statement = look().open_statement
    if open_statement is not None:
        yield Reconcile(open_statement)


def _trouble(state: ThreadState) -> ev.StatementError | None:
    """Return why the last statement did not succeed, or None when it did."""
    last = state.statements[-1]
    if last.status == "completed":
        return None
    return last.error or ev.StatementError(text="it got lost on the way to the account")


def _probes(sub: HandWritten, sql: str, look: StateSource, began: int) -> Iterator[Effect]:
    while missing := _missing(sub, sql, look(), began):
        yield from missing


def _missing(sub: HandWritten, sql: str, state: ThreadState, began: int) -> tuple[Probe, ...]:
    about = (state, sql, sub.role, began)
    queries = ledger.missing_probes(*about) or missing_probes(*about)
    looks = tuple(Probe(query, sub.role) for query in queries)
    return looks or after_images.missing_looks_before(state, sql, sub.role)


def _inside(sub: HandWritten, state: ThreadState) -> Iterator[Effect]:
    """Ask what ran inside the last statement, where it may have changed rows."""
    last = state.statements[-1]
    query = inner_probe(state, last) if last.status == "completed" else None
    if query is not None:
        yield Probe(query, sub.role)


def _sending(sub: HandWritten, sql: str, kind: Kind, state: ThreadState) -> RunStatement:
    return RunStatement(
        step=sub.step,
        ordinal=1 + max((r.ordinal for r in state.statements if r.step == sub.step), default=0),
        attempt=1,
        sql=sql,
        kind="once" if kind is Kind.ONCE else "repeatable",
        role=sub.role,
        key=next_key(state),
    )


def _failed(sub: HandWritten, error: ev.StatementError) -> ev.StepFailed:
    found = diagnose(error, (), (), {})
    return ev.StepFailed(
        step=sub.step,
        error=error_in_one_line(error),
        error_category=found.category,
        recovery_hint=found.hint,
    )


def _completed(sub: HandWritten, state: ThreadState, began: int) -> ev.StepCompleted:
    mine = tuple(_done(state, sub.step, began))
    reads = [fact.row_count for fact in state.facts if fact.seq > began]
    return ev.StepCompleted(
        step=sub.step,
        result={"row_count": reads[-1]} if reads and not mine else {},
        created_objects=ledger.created_by(state, mine),
        modified_objects=modified_objects(state, mine),
    )


def _done(state: ThreadState, step: str, began: int) -> Iterator[StatementRecord]:
    for record in state.statements:
        if record.step == step and record.seq > began and record.status == "completed":
            yield record
