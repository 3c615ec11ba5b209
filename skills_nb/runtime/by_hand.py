"""A sub-step that a person writes at a checkpoint: tracked like any other, so it can be taken back.

Room: work. Its id is that of the step at the checkpoint with letters behind it: `3b` after `3`.
Source: FORMATS, One grammar (`%%skill step 3b`); Spec: Checkpoints can cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skills_nb.engine import ledger
from skills_nb.engine.here import next_key
from skills_nb.engine.names import playbook_of
from skills_nb.engine.recovery import described, diagnose
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import BeginStep, Effect, Probe, Reconcile, Record, RunStatement
from skills_nb.model.library import Library
from skills_nb.model.state import Pause, StatementRecord, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.statements import split


@dataclass(frozen=True, slots=True)
class HandWritten:
    """A sub-step as a person wrote it."""

    step: str
    sql: str
    role: str | None = None
    """Role it runs as; the session's where None."""


def check(state: ThreadState, library: Library, pause: Pause | None, sub: HandWritten) -> None:
    """Refuse a sub-step that does not belong where the thread stands.

    Raises:
        ThreadError: the thread is not at a checkpoint or an error of a step.
        UsageError: the id is not one of a sub-step there, or there is no SQL.
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
            refused = _trouble(look())
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
    while missing := ledger.missing_probes(look(), sql, sub.role, began):
        for query in missing:
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
        error=described(error),
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
    )


def _done(state: ThreadState, step: str, began: int) -> Iterator[StatementRecord]:
    for record in state.statements:
        if record.step == step and record.seq > began and record.status == "completed":
            yield record
