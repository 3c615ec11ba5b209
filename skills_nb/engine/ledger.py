"""What the thread changed in the account and has not taken back, and how to take it back.

Room: laws. The ledger is the difference between the statements that succeeded and those that
were compensated; modify, re-routing and abort all work on it.
Spec: Compensation and Rollback; Execution constraint 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from skills_nb.engine.names import names_of, playbook_of
from skills_nb.engine.secrecy import REDACTED
from skills_nb.model.events import CreatedObject
from skills_nb.model.library import Library
from skills_nb.model.skills import Step
from skills_nb.model.state import Fact, PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.objects import (
    Change,
    ObjectRef,
    changes_of,
    compensation_of,
    ddl_probe_for,
    probe_for,
)
from skills_nb.sql.templates import render

_MISSING_ERRNO = frozenset({2003, 2043})
"""Snowflake's numbers for `does not exist or not authorized`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement whose effect stands, with the SQL that takes it back."""

    record: StatementRecord
    changes: tuple[Change, ...]
    compensation: tuple[str, ...]
    """Inverse statements still to run, in order; empty where nothing can or need be done."""
    failed: bool = False
    """True where an inverse statement was refused."""


def standing(state: ThreadState, library: Library) -> Iterator[StatementRecord]:
    """Yield the statements whose effect stands, oldest first."""
    undone = _compensations_done(state)
    for record in state.statements:
        if record.kind in ("recovery", "compensation") or record.status != "completed":
            continue
        done = undone.get((record.step, record.ordinal))
        if done is None or _left(state, library, record, done):
            yield record


def entries(state: ThreadState, library: Library) -> tuple[Entry, ...]:
    """Return what stands with the SQL that takes it back, oldest first."""
    undone = _compensations_done(state)
    found: list[Entry] = []
    for record in standing(state, library):
        done = undone.get((record.step, record.ordinal), [])
        left = _left(state, library, record, done)
        failed = bool(done) and done[-1].status == "failed"
        found.append(Entry(record, changes_by(state, record), left, failed))
    return tuple(found)


def _left(
    state: ThreadState,
    library: Library,
    record: StatementRecord,
    done: Sequence[StatementRecord],
) -> tuple[str, ...]:
    inverse = inverse_of(state, library, record)
    return inverse[sum(r.status == "completed" for r in done) :]


def _compensations_done(state: ThreadState) -> dict[tuple[str, int], list[StatementRecord]]:
    done: dict[tuple[str, int], list[StatementRecord]] = {}
    for record in state.statements:
        if record.kind == "compensation" and record.status in ("completed", "failed"):
            done.setdefault((record.step, record.ordinal), []).append(record)
    return done


def inverse_of(state: ThreadState, library: Library, record: StatementRecord) -> tuple[str, ...]:
    """Return the statements that take a statement back, given what stood before it.

    A step of a playbook that was finished or given up is taken back as its author says, too.
    """
    run = state.run_of(record)
    playbook = playbook_of(run, library)
    step = playbook.step(record.step) if playbook is not None else None
    if run and playbook and step and step.compensation != "auto":
        return _declared(state, step, record, names_of(run, playbook))
    found = compensation_of(record.sql, *_where(run), prior(state, record))
    # What was taken out of the thread is not known any more, so it cannot be put back.
    return found if all(REDACTED not in sql for sql in found) else ()


def _declared(
    state: ThreadState, step: Step, record: StatementRecord, names: dict[str, Any]
) -> tuple[str, ...]:
    """Give a step's own compensation to its last statement: it covers the step as a whole."""
    mine = [
        r
        for r in state.statements
        if r.step == step.id
        and r.run_seq == record.run_seq
        and r.status == "completed"
        and r.kind not in ("recovery", "compensation")
    ]
    if not mine or mine[-1].key != record.key:
        return ()
    return tuple(render(template, names) for template in step.compensation)


def prior(state: ThreadState, record: StatementRecord) -> dict[str, dict[str, Any]]:
    """Return what stood before a statement, by the qualified name of each of its targets."""
    known: dict[str, dict[str, Any]] = {}
    for change in changes_by(state, record):
        before = fact_before(state, probe_for(change.target), record.seq)
        ddl = fact_before(state, ddl_probe_for(change.target), record.seq)
        known[change.target.fqn] = {
            "exists": exists(before),
            "ddl": _first_cell(ddl),
            "rows": before.rows if before is not None and before.error is None else [],
        }
    return known


def exists(fact: Fact | None) -> bool | None:
    """Return whether the probed object is there; None where it could not be told."""
    if fact is None:
        return None
    if fact.error is not None:
        return False if fact.error.errno in _MISSING_ERRNO else None
    return fact.row_count > 0


def fact_before(state: ThreadState, query: str | None, seq: int) -> Fact | None:
    """Return the newest fact of a query before an event, or None."""
    if query is None:
        return None
    found = (fact for fact in reversed(state.facts) if fact.query == query and fact.seq < seq)
    return next(found, None)


def evidence(state: ThreadState) -> frozenset[int]:
    """Return the events that tell what stood before the statements of the thread."""
    found: set[int] = set()
    for record in state.statements:
        for change in changes_by(state, record):
            for query in (probe_for(change.target), ddl_probe_for(change.target)):
                fact = fact_before(state, query, record.seq)
                found |= {fact.seq} if fact is not None else set()
    return frozenset(found)


def missing_probes(
    state: ThreadState, sql: str, role: str | None, since_seq: int
) -> tuple[str, ...]:
    """Return the read-only queries about a statement's targets that are not known freshly.

    A fact is stale when the thread changed its object after it.
    """
    queries: dict[str, None] = {}
    for change in changes(state, sql):
        query = probe_for(change.target)
        if query is None:
            continue
        touched = max(since_seq, _last_touched(state, change.target))
        fact = _fresh(state, query, role, touched)
        if fact is None:
            queries.setdefault(query)
        elif exists(fact) and (change.replaces or change.action in ("alter", "drop")):
            ddl = ddl_probe_for(change.target)
            if ddl is not None and _fresh(state, ddl, role, touched) is None:
                queries.setdefault(ddl)
    return tuple(queries)


def _fresh(state: ThreadState, query: str, role: str | None, since_seq: int) -> Fact | None:
    for fact in reversed(state.facts):
        if fact.seq <= since_seq:
            return None
        if fact.query == query and fact.role == role:
            return fact
    return None


def _last_touched(state: ThreadState, target: ObjectRef) -> int:
    for record in reversed(state.statements):
        if record.status != "completed":
            continue
        if any(change.target == target for change in changes_by(state, record)):
            return record.end_seq
    return 0


def created_by(state: ThreadState, records: tuple[StatementRecord, ...]) -> list[CreatedObject]:
    """Return the objects that statements made and that were not there before, in order."""
    made: dict[str, CreatedObject] = {}
    for record in records:
        before = prior(state, record)
        for change in changes_by(state, record):
            existed = before[change.target.fqn]["exists"]
            if change.action == "create" and not (existed and not change.replaces):
                ref = change.target
                made.setdefault(
                    ref.fqn, CreatedObject(type=ref.type, name=ref.name[-1], fqn=ref.fqn)
                )
    return list(made.values())


def made_by_thread(state: ThreadState, target: ObjectRef) -> bool:
    """Return whether the thread itself created the object."""
    return any(
        made.fqn == target.fqn and made.type == target.type
        for made in created_by(state, _succeeded(state))
    )


def _succeeded(state: ThreadState) -> tuple[StatementRecord, ...]:
    kinds = ("repeatable", "once")
    return tuple(r for r in state.statements if r.status == "completed" and r.kind in kinds)


def changes(state: ThreadState, sql: str) -> tuple[Change, ...]:
    """Return what a statement of the present playbook would do, to which objects."""
    return _read_once(sql, *_where(state.run))


def changes_by(state: ThreadState, record: StatementRecord) -> tuple[Change, ...]:
    """Return what a recorded statement does, where its own playbook began."""
    return _read_once(record.sql, *_where(state.run_of(record)))


@lru_cache(maxsize=4096)
def _read_once(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    # `decide` looks at every statement of a thread again and again; each is parsed once.
    return changes_of(sql, database, schema)


def _where(run: PlaybookRun | None) -> tuple[str | None, str | None]:
    context = run.context if run is not None else None
    return (context.current_database, context.current_schema) if context else (None, None)


def _first_cell(fact: Fact | None) -> str | None:
    rows: Any = fact.result.get("rows") if fact is not None else None
    return str(rows[0][0]) if rows and rows[0] else None
