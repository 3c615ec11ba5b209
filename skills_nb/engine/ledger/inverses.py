"""How a statement is taken back, and what of it cannot be.

Room: laws. Whatever a statement changed has an inverse here or is named as beyond it, so that
nobody is told that everything was taken back when it was not.
Spec: Compensation and Rollback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from skills_nb.engine.inputs.secrecy import REDACTED
from skills_nb.engine.ledger.after_images import look_of
from skills_nb.engine.ledger.change_tracking import turned_on
from skills_nb.engine.ledger.known_objects import (
    exists,
    fact_before,
    made_by_thread,
    prior,
    read_once,
    used_up,
    where_of,
)
from skills_nb.engine.ledger.thread_touches import key_of, touches, touches_in
from skills_nb.engine.ledger.transactions import steers_transaction, transaction_of
from skills_nb.engine.planning.statement_planning import rounds_of
from skills_nb.engine.planning.template_names import names_of, playbook_of
from skills_nb.engine.session.places import StepStart, written_in_full
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.errors import UsageError
from skills_nb.model.library import Library
from skills_nb.model.skills import Step
from skills_nb.model.state import Fact, StatementRecord, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.harm.stage_files import purge_place
from skills_nb.sql.objects import (
    Change,
    ObjectRef,
    compensation_of,
    goes_on_at,
    probe_for,
)
from skills_nb.sql.objects.dependents import resting_on
from skills_nb.sql.objects.object_comparison import object_difference
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.objects.prior_state import cell_of
from skills_nb.sql.objects.statements_in_blocks import statements_within
from skills_nb.sql.objects.time_travel_restore import restoration
from skills_nb.sql.statements import in_one_line
from skills_nb.sql.templates import render

_LONGEST_TOLD = 80
_SHOWN = frozenset(
    {
        *("grants", "holders", "future grants", "definition"),
        *("row access policy", "aggregation policy", "projection policy", "join policy"),
    }
)
"""What of an object a look shows wholly; other changes of it may be invisible."""


_USED_UP = "the changes that it had not told yet were used up by reading them"
_TRACKED = (
    "its first stream turned change tracking on, which stays on without the stream; "
    "ALTER … SET CHANGE_TRACKING = FALSE turns it off, once nothing else needs it"
)
_NEW_STREAM = (
    "a new stream takes its place, which tells changes from now on: those that the former one had "
    "not told yet, and those made since, are not in it"
)
_IN_TRANSACTION = {
    "committed": "it was changed in a transaction, which is not taken back statement by statement",
    "open": "it was changed in a transaction that the thread has not ended",
}


@dataclass(frozen=True, slots=True)
class Irreversible:
    """Something that the thread changed and cannot bring back."""

    fqn: str
    """The object's name in full."""
    why: str
    """Why it cannot be brought back, in words."""


@dataclass(frozen=True, slots=True)
class Inverse:
    """How a statement is taken back."""

    statements: tuple[str, ...] = ()
    """In the order in which they run."""
    rows: tuple[ObjectRef, ...] = ()
    """Tables whose rows they put back."""
    beyond: tuple[Irreversible, ...] = ()
    """What they leave as it is, because it cannot be brought back."""


def take_back(state: ThreadState, library: Library, record: StatementRecord) -> Inverse:
    """Return the statements that take a statement back, given what stood before it.

    A step of a playbook that was finished or given up is taken back as its author says, too, as
    far as that touches nothing but what the thread made or changed.
    """
    run = state.run_of(record)
    playbook = playbook_of(run, library)
    step = playbook.step(record.step) if playbook is not None else None
    if run and playbook and step and step.compensation != "auto":
        return _declared(state, step, record, names_of(run, playbook))
    return _derived(state, record)


def inverse_of(state: ThreadState, library: Library, record: StatementRecord) -> tuple[str, ...]:
    """Return the statements that take a statement back; none where nothing can or need be done."""
    return take_back(state, library, record).statements


def _derived(state: ThreadState, record: StatementRecord) -> Inverse:
    before = prior(state, record)
    found = Inverse()
    for part in statements_within(record.sql):
        one = _of_part(state, record, part, before, is_whole=part == record.sql.strip())
        found = Inverse(
            (*one.statements, *found.statements),
            (*one.rows, *found.rows),
            (*one.beyond, *found.beyond),
        )
    lost = (Irreversible(ref.fqn, _USED_UP) for ref in used_up(state, record))
    on = (Irreversible(ref.fqn, _TRACKED) for ref in turned_on(state, record))
    return replace(found, beyond=(*found.beyond, *lost, *on))


def _of_part(
    state: ThreadState,
    record: StatementRecord,
    part: str,
    before: Mapping[str, Any],
    *,
    is_whole: bool,
) -> Inverse:
    place = where_of(state, record)
    changes = read_once(part, *place)
    if any(change.action == "write" for change in changes):
        found = _of_writes(state, record, changes, is_whole=is_whole)
        place_of_files = purge_place(part) if record.row_count != 0 else None
        if place_of_files is not None:
            gone = Irreversible(place_of_files, "the files that were loaded from it were removed")
            found = replace(found, beyond=(*found.beyond, gone))
        return found
    statements = compensation_of(part, *place, before)
    if any(REDACTED in sql for sql in statements):
        # What was taken out of the thread is not known any more, so it cannot be put back.
        return Inverse(beyond=_all(changes, "it holds a secret that the thread does not keep"))
    if statements:
        return Inverse(statements, beyond=tuple(_not_back(changes, before)))
    return Inverse(beyond=tuple(_beyond(state, record, part, changes)))


def _not_back(changes: Sequence[Change], before: Mapping[str, Any]) -> Iterator[Irreversible]:
    """Yield what does not come back with an object: offset, counter, and what a tag was on."""
    for change in changes:
        if change.replaces and change.target.type == "tag":
            why = f"the tag {change.target.fqn} was on it until that was replaced"
            yield from (Irreversible(name, why) for name in _bearers(change.target, before))
        is_lost = change.replaces or change.action == "drop"
        if change.target.type == "stream" and is_lost and before[change.target.fqn]["exists"]:
            yield Irreversible(change.target.fqn, _NEW_STREAM)
        start = goes_on_at(change.target, before)
        if start is not None and is_lost:
            why = f"it goes on at {start}, which is its START from now on: no counter can be set"
            yield Irreversible(change.target.fqn, why)


def _bearers(tag: ObjectRef, before: Mapping[str, Any]) -> Iterator[str]:
    known = before[tag.fqn]["hanging"]
    for one in resting_on(tag):
        yield from filter(None, map(one.name, known.get(one.query, ())))


def _of_writes(
    state: ThreadState, record: StatementRecord, changes: Sequence[Change], *, is_whole: bool
) -> Inverse:
    """Put rows back from the moment before the statement, as far as the tables' histories reach."""
    ending = transaction_of(state, record)
    if record.row_count == 0 or ending == "rolled back":
        return Inverse()
    if ending is not None:
        return Inverse(beyond=_all(changes, _IN_TRANSACTION[ending]))
    if not is_whole or not record.query_id:
        return Inverse(beyond=_all(changes, "its rows were changed inside a larger statement"))
    tables = list(dict.fromkeys(change.target for change in changes))
    beyond = tuple(
        Irreversible(ref.fqn, why) for ref in tables if (why := _why_no_history(state, record, ref))
    )
    if beyond:
        return Inverse(beyond=beyond)
    statements = tuple(restoration(ref, record.query_id) for ref in tables)
    return Inverse(statements, tuple(tables))


def restore_point(state: ThreadState, record: StatementRecord, fqn: str) -> dict[str, Any] | None:
    """Return where a table's rows from before a statement are kept; None where they are not.

    `{kind: time_travel, before_statement: QUERY_ID, retention_days: N}`; the days count from the
    statement, and are left out where the account does not tell them.
    """
    inverse = _derived(state, record)
    if not record.query_id or all(ref.fqn != fqn for ref in inverse.rows):
        return None
    ref = next(ref for ref in inverse.rows if ref.fqn == fqn)
    fact = fact_before(state, probe_for(ref), record.seq)
    days = retention_of(fact) if fact is not None else None
    point: dict[str, Any] = {"kind": "time_travel", "before_statement": record.query_id}
    return point if days is None else {**point, "retention_days": days}


def _why_no_history(state: ThreadState, record: StatementRecord, ref: ObjectRef) -> str | None:
    """Return why a table's rows cannot be brought back, or None."""
    fact = fact_before(state, probe_for(ref), record.seq)
    if fact is None or not fact.rows:
        return None
    if retention_of(fact) == 0:
        return "it keeps no history: DATA_RETENTION_TIME_IN_DAYS is 0"
    return None


def retention_of(fact: Fact) -> int | None:
    """Return for how many days a table's former rows are kept; None where that was not told."""
    told = cell_of(fact.rows[0], "retention_time") if fact.rows else None
    return int(told) if told is not None and told.isdecimal() else None


def _beyond(
    state: ThreadState, record: StatementRecord, part: str, changes: Sequence[Change]
) -> Iterator[Irreversible]:
    """Yield what a statement without an inverse has changed all the same."""
    if not changes:
        if not leaves_nothing(part):
            yield Irreversible(shorten(part), "what it did in the account is not known")
        return
    for change in changes:
        if not _is_as_before(state, record, change):
            yield Irreversible(change.target.fqn, _why_not(change))


def _is_as_before(state: ThreadState, record: StatementRecord, change: Change) -> bool:
    """Return whether a statement made no difference to its target, as far as a look shows that."""
    query = probe_for(change.target)
    is_shown = change.target.facet in _SHOWN or change.target.facet.startswith("parameter ")
    if not is_shown and (change.action in ("grant", "revoke", "alter")):
        return False
    before = fact_before(state, query, record.seq)
    after = next((f for f in state.facts if f.query == query and f.seq > record.end_seq), None)
    if before is None or after is None:
        return change.action == "create" and change.if_not_exists and bool(exists(before))
    return object_difference(query or "", look_of(before), look_of(after)) is None


def _why_not(change: Change) -> str:
    match change.action:
        case "drop":
            return "it was dropped, and nothing is known that would bring it back"
        case "grant" | "revoke":
            return "what was granted before is not known object by object"
        case "create":
            return "whether it was there before could not be told"
        case _:
            return "what it was before is not known"


def _all(changes: Sequence[Change], why: str) -> tuple[Irreversible, ...]:
    return tuple(Irreversible(fqn, why) for fqn in dict.fromkeys(c.target.fqn for c in changes))


def shorten(sql: str) -> str:
    """Return a statement's text in one line, cut where it is long."""
    return in_one_line(sql, _LONGEST_TOLD)


def _declared(
    state: ThreadState, step: Step, record: StatementRecord, names: dict[str, Any]
) -> Inverse:
    """Take a step back as its author says, by the step's last statement, newest round first.

    An author's word is believed where it takes back what the step did: it may drop what this
    thread made and alter what it changed, and nothing else. Where it would do more, none of it is
    run, and the step's statements are taken back one by one, as is what it does not speak of.
    """
    mine = [
        r
        for r in state.statements
        if r.step == step.id
        and r.run_seq == record.run_seq
        and r.status == "completed"
        and r.kind not in ("recovery", "compensation")
    ]
    stood = Place(*where_of(state, mine[-1] if mine else record))
    declared = _rendered(step, names, StepStart(stood, stands=False))
    if declared is None or not all(_is_allowed(state, sql, mine) for sql in declared):
        return _derived(state, record)
    if not declared:
        return Inverse(beyond=tuple(_kept(state, record)))
    place = where_of(state, record)
    spoken_of = {key_of(touch.ref) for sql in declared for touch in touches_in(sql, *place)}
    is_covered = all(key_of(touch.ref) in spoken_of for touch in touches(state, record))
    own = Inverse() if is_covered else _derived(state, record)
    if not mine or mine[-1].key != record.key:
        return own
    return replace(own, statements=(*declared, *own.statements))


def _rendered(step: Step, names: dict[str, Any], start: StepStart) -> tuple[str, ...] | None:
    """Return the declared statements of all rounds, their names in full; None: not known."""
    try:
        return tuple(
            sql
            for scope in reversed(rounds_of(step, names))
            for template in step.compensation
            for one in written_in_full(render(template, scope), start, step.id)
            for sql in (one.pin, one.sql)
            if sql
        )
    except UsageError:
        return None


def _kept(state: ThreadState, record: StatementRecord) -> Iterator[Irreversible]:
    """Yield what a step leaves whose author says that it is not taken back."""
    if record.row_count == 0 and record.kind == "once":
        return
    for change in read_once(record.sql, *where_of(state, record)):
        if change.action == "write" or not _is_as_before(state, record, change):
            yield Irreversible(change.target.fqn, "its playbook does not take that back")


def _is_allowed(state: ThreadState, sql: str, mine: Sequence[StatementRecord]) -> bool:
    """Return whether a declared inverse keeps to what the step made and changed."""
    if not mine:
        return False
    place = where_of(state, mine[-1])
    touched, own = (
        touches_in(sql, *place),
        {key_of(t.ref) for r in mine for t in touches(state, r)},
    )
    if not touched:
        return leaves_nothing(sql)
    return all(key_of(touch.ref) in own for touch in touched) and all(
        _is_taking_back(state, change) for change in read_once(sql, *place)
    )


def _is_taking_back(state: ThreadState, change: Change) -> bool:
    if change.action == "drop" and change.target.type != "column":
        return made_by_thread(state, change.target)
    if change.action == "write":
        return made_by_thread(state, change.target)
    return not (change.action == "create" and change.replaces)


@lru_cache(maxsize=4096)
def leaves_nothing(sql: str) -> bool:
    """Return whether a statement leaves nothing behind: it reads, or it sets its session."""
    return kind_of(sql) is Kind.READ or changes_session(sql) or steers_transaction(sql)
