"""What was touched is as the thread left it.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine.cleanup.conflicts.verdicts import Case, Verdict, leave_alone, name_some
from skills_nb.engine.ledger.after_images import difference, look_of, watch_queries
from skills_nb.model.state import Fact
from skills_nb.sql.objects import Look, Touch, hangings, probe_for, watches
from skills_nb.sql.objects.dependents import DependentQuery, readers_of
from skills_nb.sql.objects.object_comparison import Row, grants_difference, object_difference

_GRANTED = frozenset({"grants", "holders", "future grants", "all grants"})


def object_to_touch(case: Case, touch: Touch) -> Verdict | None:
    """Compare what a statement touched with how the thread left it."""
    main = probe_for(touch.ref)
    if main is None or touch.ref.facet == "privileges":
        return None
    for query in _queries(case, touch):
        left = case.seen.left(query, case.record.seq)
        if left is None:
            if query != main:
                continue
            return leave_alone(touch.ref, "how it was left is not known")
        now = case.now(query, left.look.role)
        if now is None:
            continue
        why = _difference(case, touch, query, left.look, now)
        if why is not None and left.theirs is not None:
            # By now it shows what the thread did after them, too.
            why = _difference(case, touch, query, left.look, left.theirs) or why
        if why is not None:
            return leave_alone(touch.ref, why)
    return None


def _queries(case: Case, touch: Touch) -> Iterator[str]:
    """Yield the looks at one touched object that its entry is about, the main one first."""
    own = watch_queries(case.state, case.record)
    for query in watches(touch):
        if query in own:
            yield query


def _difference(case: Case, touch: Touch, query: str, left: Fact, now: Fact) -> str | None:
    then, today = look_of(left), look_of(now)
    if touch.ref.facet in _GRANTED:
        return _of_grantee(case, then, today)
    if query == probe_for(touch.ref):
        is_other = touch.is_made and case.ours is None and _is_other(case, query, today)
        return (
            "another one has that name now"
            if is_other
            else object_difference(query, then, today, with_counter=touch.is_made)
        )
    reader = next((one for one in _readers(touch) if one.query == query), None)
    if reader is not None:
        return _of_readers(case, reader, left, now)
    found = difference(query, then, today)
    if found is None or query.startswith("SHOW GRANTS"):
        return found
    said = (one.said for one in hangings(touch) if one.query == query and one.said)
    return next((f"another session {words}" for words in said), found)


def _readers(touch: Touch) -> tuple[DependentQuery, ...]:
    return readers_of(touch.ref) if touch.is_named else ()


def _of_readers(case: Case, reader: DependentQuery, left: Fact, now: Fact) -> str | None:
    """Name what reads a column since the thread gave it its name."""
    if left.error is not None or now.error is not None:
        return None
    before = set(map(reader.name, left.rows))
    more = [
        name
        for name in dict.fromkeys(map(reader.name, now.rows))
        if name is not None and name not in before and name not in (case.ours or ())
    ]
    return f"{name_some(more)} reads it" if more else None


def _is_other(case: Case, query: str, today: Look) -> bool:
    """Return whether the object of that name is not the one that the statement made."""
    made = case.seen.first_after(query, case.record.end_seq)
    return made is not None and today.is_there and look_of(made).created_on != today.created_on


def _of_grantee(case: Case, then: Look, now: Look) -> str | None:
    """Compare what the statement's own grantee holds; what others were given is no concern."""
    grantees = {
        change.detail["grantee"].partition(" ")[2].rpartition(".")[2].strip('"')
        for change in case.entry.changes
        if change.detail is not None and "grantee" in change.detail
    }
    if then.is_refused or now.is_refused:
        return "who holds it can't be looked at any more" if now.is_refused else None
    return grants_difference(_held_by(grantees, then), _held_by(grantees, now))


def _held_by(grantees: set[str], look: Look) -> Look:
    return Look([row for row in look.rows if _grantee(row) in grantees])


def _grantee(row: Row) -> str:
    return str(row.get("grantee_name") or "").rpartition(".")[2].strip('"')
