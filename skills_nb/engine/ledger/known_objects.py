"""What a thread knows of the objects that its statements change: before them, and of whose making.

Room: laws. Spec: Execution constraint 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from skills_nb.engine.ledger import after_images
from skills_nb.engine.ledger.after_images import MISSING_ERRNO
from skills_nb.engine.ledger.thread_touches import made_objects
from skills_nb.engine.session import places
from skills_nb.model.events import CreatedObject
from skills_nb.model.state import Fact, StatementRecord, ThreadState
from skills_nb.sql.identifiers import resolve
from skills_nb.sql.objects import (
    Change,
    ObjectRef,
    Touch,
    changes_of,
    ddl_probe_for,
    grants_of,
    hangings,
    probe_for,
)
from skills_nb.sql.objects.dependents import DependentQuery, resting_on, streams_on
from skills_nb.sql.objects.tracked_sources import tracked_by
from skills_nb.sql.qualifying import sources_of

_COME_BACK_WHOLE = frozenset({"table", "schema", "database", "column"})
"""Types that UNDROP brings back with all that hung on them."""


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
            "grants": _grants_before(state, change, record),
            "hanging": _hanging_before(state, change, record),
            "role": _role_of(state, record),
        }
    return known


def _role_of(state: ThreadState, record: StatementRecord) -> str | None:
    """Return as whom a statement ran, and what takes it back will run."""
    if record.role is not None:
        return resolve(record.role) if record.role.startswith('"') else record.role.upper()
    run = state.run_of(record)
    return run.context.current_role if run is not None and run.context is not None else None


def _hanging_before(
    state: ThreadState, change: Change, record: StatementRecord
) -> dict[str, list[dict[str, Any]]]:
    """Return what hung on an object that a statement replaces or drops, and goes with it."""
    facts = {query: fact_before(state, query, record.seq) for query in _hanging(change)}
    return {
        query: fact.rows for query, fact in facts.items() if fact is not None and fact.error is None
    }


def _hanging(change: Change) -> tuple[str, ...]:
    is_lost = change.replaces or change.action == "drop"
    if not is_lost or change.target.facet or change.target.type in _COME_BACK_WHOLE:
        return ()
    granted = set(grants_of(change.target))
    found = (one.query for one in hangings(Touch(change.target, is_made=True)))
    used = (one.query for one in resting_on(change.target)) if change.target.type == "tag" else ()
    return tuple(query for query in (*found, *used) if query not in granted)


def _grants_before(
    state: ThreadState, change: Change, record: StatementRecord
) -> list[dict[str, Any]]:
    """Return who could use an object that a statement replaces or drops."""
    if not (change.replaces or change.action == "drop"):
        return []
    facts = (fact_before(state, query, record.seq) for query in grants_of(change.target))
    return [row for fact in facts if fact is not None and fact.error is None for row in fact.rows]


def exists(fact: Fact | None) -> bool | None:
    """Return whether the probed object is there; None where it could not be told."""
    if fact is None:
        return None
    if fact.error is not None:
        return False if fact.error.errno in MISSING_ERRNO else None
    return fact.row_count > 0


def fact_before(state: ThreadState, query: str | None, seq: int) -> Fact | None:
    """Return the newest fact of a query before an event, or None."""
    if query is None:
        return None
    found = (fact for fact in reversed(state.facts) if fact.query == query and fact.seq < seq)
    return next(found, None)


def evidence(state: ThreadState) -> frozenset[int]:
    """Return the events that tell what stood before and after the statements of the thread."""
    found: set[int] = set(after_images.evidence(state))
    for record in state.statements:
        for change in changes_by(state, record):
            for query in (probe_for(change.target), *_definitions(change)):
                fact = fact_before(state, query, record.seq)
                found |= {fact.seq} if fact is not None else set()
        place = where_of(state, record)
        for ref in (*sources_of(record.sql, *place), *tracked_by(record.sql, *place)):
            fact = fact_before(state, probe_for(ref), record.seq)
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
            for more in _definitions(change):
                if _fresh(state, more, role, touched) is None:
                    queries.setdefault(more)
    for stream in _unread_sources(state, sql):
        query = probe_for(stream)
        if query is not None and all(fact.query != query for fact in state.facts):
            queries.setdefault(query)
    place = places.where_now(state.run)
    for source in tracked_by(sql, place.database, place.schema):
        query = probe_for(source)
        if query is not None and _fresh(state, query, role, _last_touched(state, source)) is None:
            queries.setdefault(query)
    return tuple(queries)


def _unread_sources(state: ThreadState, sql: str) -> Iterator[ObjectRef]:
    """Yield what a statement reads and may be a stream, whose changes it would use up."""
    place = places.where_now(state.run)
    sources = sources_of(sql, place.database, place.schema)
    own = {name for _, name in made_objects(state)} if sources else set()
    yield from (ref for ref in sources if ref.name not in own)


def used_up(state: ThreadState, record: StatementRecord) -> Iterator[ObjectRef]:
    """Yield the streams, not of the thread's making, that a statement read to write rows.

    Their changes up to then are told to nobody else.
    See https://docs.snowflake.com/en/user-guide/streams-intro
    """
    for ref in sources_of(record.sql, *where_of(state, record)):
        before = fact_before(state, probe_for(ref), record.seq)
        if exists(before) and not made_by_thread(state, ref):
            yield ref


def _definitions(change: Change) -> tuple[str, ...]:
    """Return what has to be known to make an object anew: definition, users, followers."""
    ddl = ddl_probe_for(change.target)
    if ddl is None:
        return ()
    is_lost = change.replaces or change.action == "drop"
    followed = streams_on(change.target) if change.replaces else dependants_before(change)
    return (
        ddl,
        *(grants_of(change.target) if is_lost else ()),
        *_hanging(change),
        *(one.query for one in followed),
    )


def dependants_before(change: Change) -> tuple[DependentQuery, ...]:
    """Return the queries for what rests on an object that is renamed: it was there before."""
    is_rename = change.detail is not None and change.detail.get("action") == "rename"
    return resting_on(change.target) if is_rename else ()


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
    place = places.where_now(state.run)
    return read_once(sql, place.database, place.schema)


def changes_by(state: ThreadState, record: StatementRecord) -> tuple[Change, ...]:
    """Return what a recorded statement does, where its session stood."""
    return read_once(record.sql, *where_of(state, record))


@lru_cache(maxsize=4096)
def read_once(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    """Return what a text changes, read once: `decide` looks at each statement again and again."""
    return changes_of(sql, database, schema)


def where_of(state: ThreadState, record: StatementRecord) -> tuple[str | None, str | None]:
    """Return the database and schema in which a statement's session stood."""
    place = places.where_of(state, record)
    return place.database, place.schema


def _first_cell(fact: Fact | None) -> str | None:
    rows: Any = fact.result.get("rows") if fact is not None else None
    return str(rows[0][0]) if rows and rows[0] else None
