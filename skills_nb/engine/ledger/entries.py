"""Statements whose effect stands, each with what takes it back.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skills_nb.engine.ledger.inverses import Irreversible, take_back
from skills_nb.engine.ledger.known_objects import changes_by
from skills_nb.engine.ledger.thread_touches import key_of, touches
from skills_nb.engine.ledger.unknown_outcomes import unknown, unknown_outcome
from skills_nb.model.library import Library
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.objects import Change, ObjectRef


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement whose effect stands, with the SQL that takes it back."""

    record: StatementRecord
    """The statement, as it was sent."""
    changes: tuple[Change, ...]
    """What it did to which objects."""
    compensation: tuple[str, ...]
    """Inverse statements still to run, in order; empty where nothing can or need be done."""
    failed: bool = False
    """True where an inverse statement was refused."""
    rows: tuple[ObjectRef, ...] = ()
    """Tables whose rows the compensation puts back."""
    beyond: tuple[Irreversible, ...] = ()
    """What it leaves as it is, because it cannot be brought back."""


def standing_entries(state: ThreadState, library: Library) -> Iterator[StatementRecord]:
    """Yield the statements whose effect stands, oldest first."""
    undone = _compensations_done(state)
    for record in _sent(state):
        done = _done(undone, record)
        # How it is taken back is worked out only where that was begun.
        if not done or _entry(state, library, record, done).compensation:
            yield record


def entries(state: ThreadState, library: Library) -> tuple[Entry, ...]:
    """Return what stands with the SQL that takes it back, oldest first.

    Rows written into a table that the thread made go with the table. What the thread made and
    dropped again itself is gone: of that, nothing is taken back.
    """
    dropped = _dropped(state, library)
    lives = tuple(_own_lives(state, library))
    all_ = (*_standing(state, library), *_done_in_part(state))
    standing = (entry for entry in all_ if not _is_over(state, entry.record, lives))
    found = (_without_what_goes(state, entry, dropped) for entry in standing)
    return tuple(sorted(found, key=lambda entry: entry.record.seq))


@dataclass(frozen=True, slots=True)
class _Life:
    """An object from the statement that made it to the one that dropped it."""

    ref: ObjectRef
    """The object."""
    since: int
    """The event of the statement that made it."""
    until: int
    """The event of the statement that dropped it."""


def _own_lives(state: ThreadState, library: Library) -> Iterator[_Life]:
    """Yield what the thread made and dropped again."""
    made: dict[tuple[str, tuple[str, ...]], int] = {}
    for record in _sent(state):
        for change in changes_by(state, record):
            key = key_of(change.target)
            if change.target.facet or change.action not in ("create", "drop"):
                continue
            if change.action == "drop" and key in made:
                yield _Life(change.target, made.pop(key), record.seq)
            elif change.action == "create" and _is_made(state, library, record, change):
                made[key] = record.seq


def _is_made(state: ThreadState, library: Library, record: StatementRecord, change: Change) -> bool:
    """Return whether a statement really made an object: of what was there, nothing is dropped."""
    return not change.replaces and bool(take_back(state, library, record).statements)


def _is_over(state: ThreadState, record: StatementRecord, lives: Sequence[_Life]) -> bool:
    """Return whether everything that a statement touched has come and gone in the thread."""
    own = [life for life in lives if life.since <= record.seq <= life.until]
    touched = touches(state, record) if own else ()
    return bool(touched) and all(any(_is_part(t.ref, life.ref) for life in own) for t in touched)


def _is_part(ref: ObjectRef, whole: ObjectRef) -> bool:
    is_same = (ref.type, ref.name) == (whole.type, whole.name)
    return is_same or ref.name[: len(whole.name)] == whole.name != ref.name


def _done_in_part(state: ThreadState) -> Iterator[Entry]:
    """Yield the statements of which nobody knows what they did: a part of it may stand."""
    for record in state.statements:
        if record.kind not in ("recovery", "compensation") and (why := unknown_outcome(record)):
            yield Entry(
                record, changes_by(state, record), (), beyond=tuple(unknown(state, record, why))
            )


def _dropped(state: ThreadState, library: Library) -> set[tuple[str, tuple[str, ...]]]:
    """Return what the thread made and drops, or has dropped, to take it back."""
    return {
        key_of(touch.ref)
        for record in _sent(state)
        for touch in touches(state, record)
        if touch.is_made and take_back(state, library, record).statements
    }


def _sent(state: ThreadState) -> Iterator[StatementRecord]:
    for record in state.statements:
        if record.kind not in ("recovery", "compensation") and record.status == "completed":
            yield record


def _standing(state: ThreadState, library: Library) -> Iterator[Entry]:
    undone = _compensations_done(state)
    for record in _sent(state):
        done = _done(undone, record)
        entry = _entry(state, library, record, done)
        if not done or entry.compensation:
            yield entry


def _entry(
    state: ThreadState,
    library: Library,
    record: StatementRecord,
    done: Sequence[StatementRecord],
) -> Entry:
    taken = take_back(state, library, record)
    left = taken.statements[sum(r.status == "completed" for r in done) :]
    failed = bool(done) and done[-1].status == "failed"
    changes = changes_by(state, record)
    return Entry(record, changes, left, failed, taken.rows if left else (), taken.beyond)


def _without_what_goes(
    state: ThreadState, entry: Entry, dropped: set[tuple[str, tuple[str, ...]]]
) -> Entry:
    """Leave out what is taken back with an object that the thread made."""
    touched = touches(state, entry.record)
    is_of_own = bool(touched) and all(_is_within(touch.ref, dropped) for touch in touched)
    is_written = all(touch.is_written for touch in touched)
    if not is_of_own or any(touch.is_made for touch in touched):
        return entry
    if is_written:
        return replace(entry, compensation=(), rows=(), beyond=())
    return replace(entry, beyond=())


def _is_within(ref: ObjectRef, dropped: set[tuple[str, tuple[str, ...]]]) -> bool:
    name = ref.name[:-1] if ref.type == "column" else ref.name
    return any((kind, name) in dropped for kind in _kinds_of(ref))


def _kinds_of(ref: ObjectRef) -> tuple[str, ...]:
    """Return the types that an object may have been made as; rows and columns tell little."""
    if ref.type == "column":
        return ("table", "view", "dynamic_table", "materialized_view")
    return (ref.type,)


def _done(
    undone: Mapping[str | tuple[str, int], list[StatementRecord]], record: StatementRecord
) -> list[StatementRecord]:
    return undone.get(record.key) or undone.get((record.step, record.ordinal), [])


def _compensations_done(
    state: ThreadState,
) -> dict[str | tuple[str, int], list[StatementRecord]]:
    """Return what was taken back, by the key of the statement; old threads tell its place only."""
    done: dict[str | tuple[str, int], list[StatementRecord]] = {}
    for record in state.statements:
        if record.kind == "compensation" and record.status in ("completed", "failed"):
            done.setdefault(record.undoes or (record.step, record.ordinal), []).append(record)
    return done
