"""How the thread left what it touched: looked at right after each of its statements.

Room: laws. What is taken back must be as the thread left it; whatever differs, somebody else did.
Spec: Compensation and Rollback; Execution constraint 12.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skills_nb.engine.error_diagnosis import category_of
from skills_nb.engine.ledger.copies import looks_behind_clone, looks_behind_touches
from skills_nb.engine.ledger.thread_touches import OwnObjects, key_of, touches, touches_in
from skills_nb.engine.session.places import where_now, where_of
from skills_nb.model.effects import EVERY_ROLE, Probe
from skills_nb.model.state import Fact, PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.objects import (
    Look,
    ObjectRef,
    Touch,
    grants_of,
    watches,
)
from skills_nb.sql.objects.clone_images import is_image
from skills_nb.sql.objects.clones import clones_in
from skills_nb.sql.objects.dependents import is_survey
from skills_nb.sql.objects.object_comparison import (
    answers_differ,
    grants_difference,
    object_difference,
    settings_differ,
)

MISSING_ERRNO = frozenset({2003, 2043})
"""Snowflake's numbers for `does not exist or not authorized`."""
_MOST_LOOKS = 3
"""So many looks that did not arrive are enough: how the object was left stays unknown."""


def missing_looks(state: ThreadState) -> tuple[Probe, ...]:
    """Return the looks that are still to be taken after the newest statement of the thread."""
    record = state.statements[-1] if state.statements else None
    if record is None or not _leaves_something(record):
        return ()
    queries = watch_queries(state, record)
    if not queries:
        return ()
    taken = list(_since(state, record.end_seq))
    looks = (_look(query, record.role) for query in queries)
    return tuple(look for look in looks if not _is_taken(look, taken))


def missing_looks_before(state: ThreadState, sql: str, role: str | None) -> tuple[Probe, ...]:
    """Return the looks to take before the thread touches again what it has touched.

    Others may have been there in between, and behind the statement their work would look like the
    thread's own.
    """
    place = where_now(state.run)
    touched = touches_in(sql, place.database, place.schema)
    before = [record for record in state.statements if _leaves_something(record)]
    if not touched or not before:
        return ()
    own = OwnObjects.of(state)
    known = {query for record in before for query in _watched(state, record, own)}
    watched = (*_watched_of(touched, own), *own.tracked(sql, where_now(state.run)))
    again = (_look(query, role) for query in dict.fromkeys(watched) if query in known)
    return tuple(look for look in again if not _is_fresh(state, look))


def _look(query: str, role: str | None) -> Probe:
    """Return a look; what rests on an object may be hidden from the role that changes it."""
    return Probe(query, EVERY_ROLE if is_survey(query) or is_image(query) else role)


def _is_fresh(state: ThreadState, look: Probe) -> bool:
    """Return whether nothing but looking was done since a look."""
    for number, fact in enumerate(reversed(state.facts)):
        if fact.seq != state.seq - number:
            return False
        if (fact.query, fact.role) == (look.query, look.role):
            return True
    return False


def watch_queries(state: ThreadState, record: StatementRecord) -> tuple[str, ...]:
    """Return the queries that show whether somebody touches what a statement touched."""
    return _watched(state, record, OwnObjects.of(state))


def _watched(state: ThreadState, record: StatementRecord, own: OwnObjects) -> tuple[str, ...]:
    place = where_of(state, record)
    tracked = own.tracked(record.sql, place)
    behind = looks_behind_clone(clones_in(record.sql, place.database, place.schema))
    return tuple(dict.fromkeys((*_watched_of(touches(state, record), own), *tracked, *behind)))


def _watched_of(touched: Sequence[Touch], all_own: OwnObjects) -> tuple[str, ...]:
    found: dict[str, None] = {}
    own, swapped = all_own.made, all_own.swapped
    for touch in touched:
        is_own = key_of(touch.ref) in own
        if touch.ref.facet == "privileges" and not is_own:
            continue
        # What the thread made is looked at as a whole: it may be dropped later.
        whole = replace(touch, is_made=True) if is_own and not touch.ref.facet else touch
        if key_of(touch.ref) in swapped and not touch.ref.facet:
            whole = replace(whole, is_swapped=True)
        found.update(dict.fromkeys(watches(whole)))
        around = _around(touch.ref, own)
        if around is not None:
            found.update(dict.fromkeys(watches(Touch(around, is_made=True))))
        if touch.ref.facet in ("all grants", "future grants"):
            found.update(dict.fromkeys(_grants_within(touch.ref, own.values())))
    for touch in touched:
        if touch.is_written:
            found.update(dict.fromkeys(all_own.behind_rows(touch.ref)))
        if touch.is_written or touch.is_made:
            found.update(dict.fromkeys(all_own.counters()))
    found.update(dict.fromkeys(looks_behind_touches(all_own.copies, touched)))
    return tuple(found)


def _around(
    ref: ObjectRef, own: Mapping[tuple[str, tuple[str, ...]], ObjectRef]
) -> ObjectRef | None:
    """Return the object of the thread's own making that a reference is to a part of."""
    if ref.type == "column":
        return own.get(("table", ref.name[:-1])) or own.get(("view", ref.name[:-1]))
    return own.get(key_of(ref)) if ref.facet else None


def look_of(fact: Fact) -> Look:
    """Return what a fact tells, for a comparison."""
    error = fact.error
    if error is None:
        return Look(fact.rows)
    return Look((), is_refused=True, is_missing=error.errno in MISSING_ERRNO)


@dataclass(frozen=True, slots=True)
class AfterImage:
    """How the thread left something."""

    look: Fact
    """Taken right behind its last statement about it, or the last one before others came."""
    theirs: Fact | None = None
    """What others had made of it by the time at which the thread touched it again."""


@dataclass(frozen=True, slots=True)
class AfterImages:
    """Everything that a thread has seen of what it touched."""

    facts: Mapping[str, Sequence[Fact]]
    """By query, oldest first."""
    touched: Mapping[str, Sequence[StatementRecord]]
    """Query to the thread's statements that touched what it shows, oldest first."""
    seqs: Sequence[int]
    """Where the looks stand on the thread, in order."""

    @classmethod
    def of(cls, state: ThreadState) -> AfterImages:
        """Gather what a thread has seen."""
        facts: dict[str, list[Fact]] = defaultdict(list)
        for fact in state.facts:
            facts[fact.query].append(fact)
        touched: dict[str, list[StatementRecord]] = defaultdict(list)
        own = OwnObjects.of(state)
        for record in state.statements:
            if _leaves_something(record):
                for query in _watched(state, record, own):
                    touched[query].append(record)
        return cls(facts, touched, [fact.seq for fact in state.facts])

    def left(self, query: str, since: int, *, is_strict: bool = False) -> AfterImage | None:
        """Return how the thread left what a query shows; None where that is not known.

        What others had changed before the thread touched it again is not the thread's own: the
        look from before that counts then.

        Args:
            query: a look at something that the thread touched.
            since: the statement that is about to be taken back; others may well have worked on it
                before that.
            is_strict: whether every look must have come at once, from the process that was at work.
        """
        found: AfterImage | None = None
        for record in self.touched.get(query, ()):
            if record.seq < since:
                continue
            before = self.newest_before(query, record.seq)
            if found is not None and before is not None and _is_touched(query, found, before):
                found = replace(found, theirs=before)
                continue
            following = self.right_behind(query, record, is_strict=is_strict)
            if following is None and is_strict:
                return None
            found = AfterImage(following) if following is not None else None
        return found

    def right_behind(
        self, query: str, record: StatementRecord, *, is_strict: bool = False
    ) -> Fact | None:
        """Return the look taken right behind a statement: a later one would show others' work."""
        fact = self.first_after(query, record.end_seq)
        if fact is None or (is_strict and record.recovered):
            return None
        looks = bisect_right(self.seqs, fact.seq) - bisect_right(self.seqs, record.end_seq)
        # A process that took over may have said so in between, some time later.
        return fact if fact.seq - record.end_seq <= looks + (not is_strict) else None

    def newest_before(self, query: str, seq: int) -> Fact | None:
        """Return the last look that came before an event."""
        found = (fact for fact in reversed(self.facts.get(query, ())) if fact.seq < seq)
        return next(found, None)

    def first_after(self, query: str, seq: int) -> Fact | None:
        """Return the first look that came behind an event."""
        return next((fact for fact in self.facts.get(query, ()) if fact.seq > seq), None)

    def newest(self, query: str, role: str | None, floor: int) -> Fact | None:
        """Return the newest look of a role that came behind an event."""
        found = (f for f in reversed(self.facts.get(query, ())) if f.role == role)
        fact = next(found, None)
        return fact if fact is not None and fact.seq > floor else None


def is_touched_by_others(state: ThreadState, ref: ObjectRef) -> bool:
    """Return whether the looks show that others changed what the thread made, since it left it."""
    seen = AfterImages.of(state)
    for query in watches(Touch(ref, is_made=True)):
        left, now = seen.left(query, 0), seen.newest_before(query, state.seq + 1)
        if left is None or now is None:
            continue
        if left.theirs is not None or _is_touched(query, left, now):
            return True
    return False


def evidence(state: ThreadState) -> frozenset[int]:
    """Return the events that tell how the thread's statements left what they touched."""
    seen = AfterImages.of(state)
    found = (
        fact
        for query, records in seen.touched.items()
        for record in records
        for fact in (
            seen.newest_before(query, record.seq),
            seen.first_after(query, record.end_seq),
        )
    )
    return frozenset(fact.seq for fact in found if fact is not None)


def _leaves_something(record: StatementRecord) -> bool:
    """Return whether a statement really ran, and not in a rehearsal, which gives no query ids."""
    was_sent = bool(record.query_id) or record.recovered
    return record.status == "completed" and record.kind != "read" and was_sent


def _is_touched(query: str, left: AfterImage, before: Fact) -> bool:
    """Return whether others changed something after the thread had left it, before it went on."""
    then, now = look_of(left.look), look_of(before)
    is_later = before.seq > left.look.seq
    return is_later and difference(query, then, now, with_counter=True) is not None


def difference(query: str, then: Look, now: Look, *, with_counter: bool = False) -> str | None:
    """Return what somebody did to an object between two looks, or None.

    Args:
        query: what was asked.
        then: the earlier look.
        now: the later look.
        with_counter: whether the numbers that a sequence has given out matter.
    """
    if query.startswith(("SHOW GRANTS", "SHOW FUTURE GRANTS")):
        return grants_difference(then, now, query)
    if query.startswith("SHOW PARAMETERS"):
        return "another session set its parameters" if settings_differ(query, then, now) else None
    if query.startswith("SHOW "):
        return object_difference(query, then, now, with_counter=with_counter)
    return "another session changed it" if answers_differ(then, now) else None


def _since(state: ThreadState, seq: int) -> Iterator[Fact]:
    for fact in reversed(state.facts):
        if fact.seq <= seq:
            return
        yield fact


def _is_taken(look: Probe, taken: Sequence[Fact]) -> bool:
    """Return whether a look arrived, or got lost on the way too often."""
    looks = [fact for fact in taken if (fact.query, fact.role) == (look.query, look.role)]
    lost = [
        fact
        for fact in looks
        if (error := fact.error) is not None and category_of(error).name == "transient"
    ]
    return len(looks) > len(lost) or len(lost) >= _MOST_LOOKS


def _grants_within(container: ObjectRef, own: Iterable[ObjectRef]) -> Iterator[str]:
    """Yield the looks at what the thread made in a place, where a grant is on all objects of it."""
    for ref in own:
        if ref.name[: len(container.name)] == container.name and ref.name != container.name:
            yield from grants_of(ref)


def last_looks(
    facts: Iterable[Fact], run: PlaybookRun, is_asked: Callable[[Fact], bool]
) -> frozenset[int]:
    """Return the events of the last look of each kind, and of the last from before the wait.

    Args:
        facts: what was looked up, oldest first.
        run: the playbook that waited.
        is_asked: tells which of them are looks to keep.
    """
    before: dict[Probe, int] = {}
    newest: dict[Probe, int] = {}
    for fact in facts:
        if is_asked(fact):
            probe = Probe(fact.query, fact.role)
            newest[probe] = fact.seq
            if fact.seq < run.waited_seq:
                before[probe] = fact.seq
    return frozenset((*before.values(), *newest.values()))
