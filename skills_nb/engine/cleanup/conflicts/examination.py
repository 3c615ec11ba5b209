"""All objections to taking an entry back, and the looks that they need.

Room: laws.
"""

from __future__ import annotations

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.dropped_objects import (
    find_going,
    object_to_drop,
    object_to_rename,
)
from skills_nb.engine.cleanup.conflicts.following_streams import note_streams
from skills_nb.engine.cleanup.conflicts.restored_objects import find_returning, object_to_return
from skills_nb.engine.cleanup.conflicts.restored_rows import object_to_rows
from skills_nb.engine.cleanup.conflicts.touched_objects import object_to_touch
from skills_nb.engine.cleanup.conflicts.verdicts import Case, Verdict
from skills_nb.engine.ledger.after_images import AfterImages, watch_queries
from skills_nb.engine.ledger.thread_touches import touches
from skills_nb.model.state import ThreadState


def examine_entry(
    state: ThreadState,
    entry: ledger.Entry,
    seen: AfterImages,
    floor: int,
    ours: frozenset[str] | None = None,
) -> Verdict:
    """Return whether an entry may be taken back.

    Args:
        state: the thread.
        entry: a statement whose effect stands, with its inverse.
        seen: what the thread has seen.
        floor: looks from before this event are out of date.
        ours: names that will be taken back before this entry, so that they are in nobody's way;
            None where that has been done.
    """
    case = Case(state, entry, seen, floor, ours)
    found = next((each for each in _objections(case) if each is not None), None)
    notes = tuple(note_streams(case))
    _look_around(case)
    if case.wanted:
        return Verdict(tuple(case.wanted))
    return found or Verdict(notes=notes)


def _objections(case: Case) -> list[Verdict | None]:
    """Return every objection; all are asked for, so that their looks are taken together."""
    return [
        *(object_to_touch(case, touch) for touch in touches(case.state, case.record)),
        *(object_to_drop(case, ref) for ref in find_going(case, "drop")),
        *(object_to_rename(case, ref) for ref in find_going(case, "alter")),
        *(object_to_return(case, ref) for ref in find_returning(case)),
        *(object_to_rows(case, ref) for ref in case.entry.rows),
    ]


def _look_around(case: Case) -> None:
    """Look at all that is looked at behind what takes it back: what others did is not the thread's.

    Nothing follows from it for this entry; it does for those that are taken back after it.
    """
    if case.ours is not None:
        return
    for query in watch_queries(case.state, case.record):
        left = case.seen.left(query, case.record.seq)
        if left is not None:
            case.now(query, left.look.role)
