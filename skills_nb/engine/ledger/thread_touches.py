"""What the statements of a thread touch, make and copy.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from skills_nb.engine.session.places import where_of
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.objects import ObjectRef, Touch, hangings, probe_for, touches_of, watches
from skills_nb.sql.objects.clones import clones_in
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.objects.tracked_sources import tracked_by

_MONITOR = "RESOURCE_MONITOR"
"""The property by which a warehouse or the account is given a monitor."""


@dataclass(frozen=True, slots=True)
class OwnObjects:
    """What the statements of a thread made and swapped, whichever of them is looked at."""

    made: Mapping[tuple[str, tuple[str, ...]], ObjectRef]
    """By type and name; be it still there or not."""
    swapped: frozenset[tuple[str, tuple[str, ...]]]
    """What changed places with something else."""
    columns: tuple[Touch, ...]
    """Those to which it gave a name."""
    copies: tuple[ObjectRef, ...]
    """Schemas and databases that it made by CLONE."""

    @classmethod
    def of(cls, state: ThreadState) -> OwnObjects:
        """Read the thread's statements once."""
        touched = list(_touched_by(state))
        named = dict.fromkeys(touch for touch in touched if touch.is_named)
        return cls(
            made_objects(state),
            frozenset(key_of(touch.ref) for touch in touched if touch.is_swapped),
            tuple(named),
            tuple(dict.fromkeys(_copied_by(state))),
        )

    def behind_rows(self, table: ObjectRef) -> Iterator[str]:
        """Yield what else shows that rows of a table were written: columns and their values."""
        for touch in self.columns:
            if touch.ref.name[:-1] == table.name:
                yield from (one.query for one in hangings(touch))

    def tracked(self, sql: str, place: Place) -> Iterator[str]:
        """Yield what shows the tables whose changes are tracked from a statement on."""
        for ref in tracked_by(sql, place.database, place.schema):
            if key_of(ref) in self.made:
                yield from watches(Touch(ref, is_made=True))

    def counters(self) -> Iterator[str]:
        """Yield what shows that numbers were drawn, by a statement's text or by a default."""
        for ref in self.made.values():
            query = probe_for(ref) if ref.type == "sequence" else None
            if query is not None:
                yield query


def made_objects(state: ThreadState) -> dict[tuple[str, tuple[str, ...]], ObjectRef]:
    """Return what the thread's statements made, by type and name, be it still there or not."""
    return {
        key_of(touch.ref): touch.ref
        for record in state.statements
        if record.status == "completed" and record.kind in ("once", "repeatable")
        for touch in touches(state, record)
        if touch.is_made
    }


def _touched_by(state: ThreadState) -> Iterator[Touch]:
    """Yield what the thread's statements touched, oldest first."""
    for record in state.statements:
        if record.status == "completed":
            yield from touches(state, record)


def _copied_by(state: ThreadState) -> Iterator[ObjectRef]:
    for record in state.statements:
        if record.status == "completed" and record.kind in ("once", "repeatable"):
            place = where_of(state, record)
            yield from clones_in(record.sql, place.database, place.schema)


def key_of(ref: ObjectRef) -> tuple[str, tuple[str, ...]]:
    """Return what an object is known by, whatever is looked at of it."""
    return ref.type, ref.name


def touches(state: ThreadState, record: StatementRecord) -> tuple[Touch, ...]:
    """Return what a recorded statement touches, where its session stood."""
    place = where_of(state, record)
    touched = touches_in(record.sql, place.database, place.schema)
    return (*touched, *_released(state, record)) if record.undoes is not None else touched


def _released(state: ThreadState, record: StatementRecord) -> Iterator[Touch]:
    """Yield the monitors that a compensation takes away again: UNSET does not name them."""
    if _MONITOR not in record.sql.upper():
        return
    undone = next((one for one in state.statements if one.key == record.undoes), None)
    if undone is not None:
        place = where_of(state, undone)
        given = touches_in(undone.sql, place.database, place.schema)
        yield from (touch for touch in given if touch.ref.type == "resource_monitor")


@lru_cache(maxsize=4096)
def touches_in(sql: str, database: str | None, schema: str | None) -> tuple[Touch, ...]:
    """Return what a text touches, read once: `decide` looks at each statement again and again."""
    return touches_of(sql, database, schema)
