"""What the statements of a step did to rows: of which tables, how many, and how that is known.

Room: laws. A dry run and a live run tell it by the same rules: from what stood before a statement,
and from what the account answered to it. What neither tells is unknown, never guessed.
Source: ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.engine import ledger
from skills_nb.engine.session.places import where_now
from skills_nb.model.events import ModifiedObject
from skills_nb.model.events.values import RowsAre
from skills_nb.model.modified_objects import merge_objects
from skills_nb.model.state import Fact, StatementRecord, ThreadState
from skills_nb.ports import InnerStatement
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects import (
    ObjectRef,
    RowEffect,
    RowEffects,
    probe_for,
    row_effects_of,
    rows_probe_for,
)
from skills_nb.sql.tokens import literal

Rows = Mapping[str, int | None]
"""Rows by the full name of a table; None where the account hides how many."""
Before = Callable[[ObjectRef], Rows | None]
"""Tells a table's rows, or those of everything in a schema; None where that is not known."""


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """What an account answered to a statement."""

    row_count: int | None = None
    """How many rows it changed; None where the account does not say."""
    row_counts: Mapping[str, int] = field(default_factory=dict)
    """The counts by the name of their column, where there are several."""
    inner: Sequence[InnerStatement] | None = None
    """The statements that ran inside it; None where they are not known."""


def changes_rows(state: ThreadState, sql: str) -> RowEffects:
    """Return what a statement of the present playbook would do to rows, of which tables."""
    place = where_now(state.run)
    return row_effects_of(sql, place.database, place.schema)


def modified_objects(
    state: ThreadState, records: Iterable[StatementRecord]
) -> list[ModifiedObject]:
    """Return the objects whose rows recorded statements changed, each once, in their order."""
    found: list[ModifiedObject] = []
    for record in records:
        effects = row_effects_of(record.sql, *ledger.where_of(state, record))
        told = StatementAnswer(record.row_count, record.row_counts, _inner(state, record))
        for one in row_change_of(effects, _before(state, record), told):
            point = ledger.restore_point(state, record, one.fqn)
            found.append(one.model_copy(update={"restore_point": point}))
    return merge_objects(found)


def missing_probes(
    state: ThreadState, sql: str, role: str | None, since_seq: int
) -> tuple[str, ...]:
    """Return the queries for the rows of what a statement is about that are not known freshly.

    After any other statement a number of rows is stale.
    """
    ends = [record.end_seq for record in state.statements if record.status == "completed"]
    floor = max([since_seq, *ends])
    fresh = {f.query for f in state.facts if f.seq > floor and f.role == role}
    wanted = (rows_query(effect.target) for effect in changes_rows(state, sql).effects)
    return tuple(dict.fromkeys(q for q in wanted if q is not None and q not in fresh))


def rows_query(target: ObjectRef) -> str | None:
    """Return the query that tells how many rows a table, or everything in a schema, holds."""
    return rows_probe_for(target) or probe_for(target)


def inner_probe(state: ThreadState, record: StatementRecord) -> str | None:
    """Return the query for the statements that ran inside one that was sent, if it had any.

    They carry the tag of the statement that they ran in. None, too, where that was asked already.
    """
    query = _inner_query(state, record)
    if query is None:
        return None
    is_asked = any(f.query == query and f.seq > record.end_seq for f in state.facts)
    return None if is_asked else query


def _inner_query(state: ThreadState, record: StatementRecord) -> str | None:
    database, schema = ledger.where_of(state, record)
    effects = row_effects_of(record.sql, database, schema)
    if effects.is_direct or not record.query_id:
        return None
    place = database or effects.database
    if place is None or not (effects.effects or effects.runs_others):
        return None
    history = f"{quote(place)}.INFORMATION_SCHEMA.QUERY_HISTORY_BY_SESSION(RESULT_LIMIT => 10000)"
    return (
        "SELECT QUERY_TEXT, DATABASE_NAME, SCHEMA_NAME, ROWS_PRODUCED "
        f"FROM TABLE({history}) WHERE QUERY_TAG = {literal(record.key)} "
        f"AND QUERY_ID <> {literal(record.query_id)} AND UPPER(EXECUTION_STATUS) = 'SUCCESS' "
        "ORDER BY START_TIME"
    )


def _inner(state: ThreadState, record: StatementRecord) -> tuple[InnerStatement, ...] | None:
    """Return the statements that ran inside one, as the history told them."""
    query = _inner_query(state, record)
    facts = (f for f in state.facts if f.query == query and f.seq > record.end_seq)
    fact = next(facts, None)
    if fact is None or fact.error is not None:
        return None
    return tuple(
        InnerStatement(
            str(row["QUERY_TEXT"]),
            _number(row["ROWS_PRODUCED"]),
            row["DATABASE_NAME"],
            row["SCHEMA_NAME"],
        )
        for row in fact.rows
    )


def row_change_of(
    effects: RowEffects, before: Before, told: StatementAnswer
) -> list[ModifiedObject]:
    """Return what one statement did to rows.

    Args:
        effects: what its text says that it does.
        before: what stood before it.
        told: what the account answered.
    """
    now = _Now(before)
    if effects.is_direct:
        return merge_objects(now.took(effects.effects, told))
    if not told.inner:
        # A history that tells of nothing may only be late.
        return merge_objects(one for effect in effects.effects for one in now.may_take(effect))
    found: list[ModifiedObject] = []
    for one in told.inner:
        inside = row_effects_of(one.sql, one.database, one.schema)
        if inside.is_direct:
            found += now.took(inside.effects, StatementAnswer(one.row_count))
    return merge_objects(found)


def rows_in_listing(target: ObjectRef, rows: Iterable[Mapping[str, Any]]) -> dict[str, int | None]:
    """Return what rows of SHOW TABLES say of a table, or of everything in a schema."""
    if rows_probe_for(target) is None:
        # LIKE does not tell "t" from T.
        mine = [row for row in rows if row.get("name") == target.name[-1]]
        return {target.fqn: _number(mine[-1].get("rows"))} if mine else {}
    return {
        render_name([str(row[part]) for part in ("database_name", "schema_name", "name")]): (
            _number(row.get("rows"))
        )
        for row in rows
    }


def _number(value: Any) -> int | None:
    return None if value is None or value == "" else int(value)


def _before(state: ThreadState, record: StatementRecord) -> Before:
    ends = [r.end_seq for r in state.statements if r.status == "completed" and r.seq < record.seq]
    floor = max(ends, default=0)

    def told(target: ObjectRef) -> Rows | None:
        fact: Fact | None = ledger.fact_before(state, rows_query(target), record.seq)
        there = ledger.exists(fact)
        if fact is None or there is None or fact.seq < floor:
            # What was seen before another statement may not be so any more.
            return None
        return rows_in_listing(target, fact.rows) if there else {}

    return told


class _Now:
    """The rows of tables while the statements of one text run."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self._rows: dict[str, int | None] = {}

    def took(self, effects: Sequence[RowEffect], told: StatementAnswer) -> Iterator[ModifiedObject]:
        """Yield what a statement did that the account answered."""
        held = {effect.target.fqn: self._of(effect.target) for effect in effects}
        for effect in effects:
            yield from self._done(effect, effects, told, held)

    def may_take(self, effect: RowEffect) -> Iterator[ModifiedObject]:
        """Yield what a statement may have done of which nothing is known but its text."""
        tables = self._of(effect.target)
        for fqn, rows in _tables(effect.target, tables).items():
            bounded = effect.verb in ("delete", "update", "empty", "drop", "cut")
            bound = rows if bounded and fqn not in self._rows else None
            yield _object(effect, fqn, bound, "at_most", of=rows)
            self._rows[fqn] = None

    def _of(self, target: ObjectRef) -> Rows | None:
        if target.fqn in self._rows:
            return {target.fqn: self._rows[target.fqn]}
        return self._before(target)

    def _done(
        self,
        effect: RowEffect,
        effects: Sequence[RowEffect],
        told: StatementAnswer,
        held: Mapping[str, Rows | None],
    ) -> Iterator[ModifiedObject]:
        tables = held[effect.target.fqn]
        if effect.verb in ("drop", "replace"):
            yield from self._lost(effect, tables)
            return
        of = (tables or {}).get(effect.target.fqn)
        if effect.verb in ("empty", "cut", "swap"):
            if tables == {}:
                return
            rows, how = of, _how(_BY_TABLE[effect.verb], of)
            other = held.get(effect.other) or {}
            self._rows[effect.target.fqn] = _after(effect, of, other.get(effect.other))
            yield _object(effect, effect.target.fqn, rows, "exact", of=of, how=how)
            return
        counts = _counted(effect, effects, told, of)
        self._rows[effect.target.fqn] = _sum_after(effect, of, counts)
        yield self._counted_object(effect, effects, told, of, counts)

    def _lost(self, effect: RowEffect, tables: Rows | None) -> Iterator[ModifiedObject]:
        for fqn, rows in _tables(effect.target, tables).items():
            self._rows[fqn] = None
            if rows != 0:
                yield _object(effect, fqn, rows, "exact", of=rows, how=_how("lost", rows))

    def _counted_object(
        self,
        effect: RowEffect,
        effects: Sequence[RowEffect],
        told: StatementAnswer,
        of: int | None,
        how: dict[str, int] | None,
    ) -> ModifiedObject:
        fqn = effect.target.fqn
        if how is not None:
            return _object(effect, fqn, sum(how.values()), "exact", of=of, how=how)
        if effect.verb == "overwrite" and of is None:
            return _object(effect, fqn, None, "unknown")
        if told.row_count is not None:
            kind: RowsAre = "exact" if len(effects) == 1 else "at_most"
            return _object(effect, fqn, told.row_count, kind, of=of)
        if effect.verb in ("delete", "update"):
            return _object(effect, fqn, of, "at_most", of=of)
        return _object(effect, fqn, None, "unknown", of=of)


_BY_TABLE = {"empty": "deleted", "cut": "cut", "swap": "exchanged"}
_WAYS = {"insert": "inserted", "load": "inserted", "update": "updated", "delete": "deleted"}
_NAMED = {
    "inserted": "number of rows inserted",
    "updated": "number of rows updated",
    "deleted": "number of rows deleted",
}


def _tables(target: ObjectRef, tables: Rows | None) -> Rows:
    return {target.fqn: None} if tables is None else tables


def _how(way: str, rows: int | None) -> dict[str, int]:
    return {} if rows is None else {way: rows}


def _object(
    effect: RowEffect,
    fqn: str,
    rows: int | None,
    rows_are: RowsAre,
    *,
    of: int | None = None,
    how: Mapping[str, int] | None = None,
) -> ModifiedObject:
    kind = effect.target.type if fqn == effect.target.fqn else "table"
    known: RowsAre = "unknown" if rows is None else rows_are
    return ModifiedObject(type=kind, fqn=fqn, rows=rows, rows_are=known, of=of, how=dict(how or {}))


def _counted(
    effect: RowEffect, effects: Sequence[RowEffect], told: StatementAnswer, of: int | None
) -> dict[str, int] | None:
    """Return how many rows came, went and changed; None where the account did not say."""
    named = {name.casefold(): rows for name, rows in told.row_counts.items()}
    if effect.verb == "merge":
        how = {way: named[name] for way, name in _NAMED.items() if name in named}
        return how or None
    if len(effects) > 1:
        return _counted_apart(effect, effects, named, of)
    if effect.verb == "overwrite":
        came = named.get(_NAMED["inserted"], told.row_count)
        return None if came is None or of is None else {"deleted": of, "inserted": came}
    way = _WAYS.get(effect.verb)
    rows = named.get(_NAMED.get(way or "", ""), told.row_count)
    return None if way is None or rows is None else {way: rows}


def _counted_apart(
    effect: RowEffect, effects: Sequence[RowEffect], named: Mapping[str, int], of: int | None
) -> dict[str, int] | None:
    """Return the rows of one table of several; the account names them without their schema."""
    last = effect.target.name[-1]
    is_alone = sum(one.target.name[-1].casefold() == last.casefold() for one in effects) == 1
    came = named.get(f"number of rows inserted into {last}".casefold()) if is_alone else None
    if came is None:
        return None
    if effect.verb == "overwrite":
        return None if of is None else {"deleted": of, "inserted": came}
    return {"inserted": came}


def _after(effect: RowEffect, of: int | None, other: int | None) -> int | None:
    return {"empty": 0, "swap": other}.get(effect.verb, of)


def _sum_after(effect: RowEffect, of: int | None, how: Mapping[str, int] | None) -> int | None:
    if of is None or how is None:
        return None
    return of + how.get("inserted", 0) - how.get("deleted", 0)
