"""A copy of a schema or database goes only if it is provably as the CLONE left it.

Room: laws. A copy arrives full, so that what lies in it tells nothing of who put it there. It is
compared with the looks that were taken right behind the CLONE, by the process that sent it: what
differs, was not looked at, or can't be looked at any more, keeps the copy standing.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.verdicts import Case, Verdict, leave_alone, name_some
from skills_nb.engine.ledger.after_images import look_of
from skills_nb.model.effects import EVERY_ROLE
from skills_nb.model.state import Fact
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.clone_images import (
    MOST_SHOWN,
    ImageQuery,
    changed_last,
    changed_objects,
    holds_files,
    images_of,
    inventory_of,
    readers_of_copy,
)
from skills_nb.sql.objects.clones import clones_in
from skills_nb.sql.objects.dependents import DependentQuery
from skills_nb.sql.objects.object_comparison import answers_differ

_UNKNOWN = "how it was left is not known"
_UNSEEN = "what lies in it can't be seen"
_TOO_MUCH = f"it holds more than the {MOST_SHOWN:,} objects of a kind that can be compared"


def is_copy(case: Case, ref: ObjectRef) -> bool:
    """Return whether the statement made a schema or database as a copy of another one."""
    return ref in clones_in(case.record.sql, *ledger.where_of(case.state, case.record))


def object_to_copy(case: Case, ref: ObjectRef) -> Verdict | None:
    """Object where anything in a copy, or about it, is not as the CLONE left it."""
    # Each is asked for, so that all looks are taken together.
    found = [
        *(_of_inventory(case, one, is_first=not n) for n, one in enumerate(inventory_of(ref))),
        *(_of_image(case, one) for one in images_of(ref)),
        *(_of_readers(case, one) for one in readers_of_copy(ref)),
    ]
    why = next((one for one in found if one is not None), None)
    if why is None:
        return None
    name = render_name(ref.name)
    return leave_alone(ref, f"{why}; if nobody needs it, drop it yourself: DROP {ref.kind} {name}")


def _of_image(case: Case, image: ImageQuery) -> str | None:
    left = case.seen.left(image.query, case.record.seq, is_strict=True)
    now = case.now(image.query, EVERY_ROLE)
    if left is None or left.look.error is not None:
        return _UNKNOWN
    if now is None:
        return None
    if now.error is not None:
        return _UNSEEN
    later = left.theirs or now
    if not answers_differ(look_of(left.look), look_of(later)):
        return None
    newest = changed_last(left.look.rows, later.rows)
    return f"{image.said}, most recently {newest}" if newest is not None else image.said


def _of_inventory(case: Case, query: DependentQuery, *, is_first: bool) -> str | None:
    """Say what was put into a copy, changed in it, or taken out."""
    then, now = _then(case, query), case.now(query.query, EVERY_ROLE)
    if then is None:
        return _UNKNOWN
    if now is None:
        return None
    if then.error is not None or now.error is not None:
        # Not every account knows every kind; what all know has to be answered.
        return _UNSEEN if is_first or then.error is None else None
    if max(len(then.rows), len(now.rows)) >= MOST_SHOWN:
        return _TOO_MUCH
    return next(_said(case, query, then, now), None)


def _said(case: Case, query: DependentQuery, then: Fact, now: Fact) -> Iterator[str]:
    changed = {
        name: what
        for name, what in changed_objects(query, then.rows, now.rows)
        if name not in (case.ours or ())
    }
    more = [name for name, what in changed.items() if what == "new"]
    if more:
        yield f"another session put {name_some(more)} into it"
    for name, what in changed.items():
        if what in ("gone", "replaced"):
            yield f"another session {'dropped' if what == 'gone' else 'replaced'} {name} in it"
        elif what != "new":
            yield f"another session changed {name} in it ({what})"
    if query.query.startswith("SHOW STAGES"):
        stages = [one for row in now.rows if holds_files(row) and (one := query.name(row))]
        if stages:
            yield f"which files others put into {name_some(stages)} can't be told"


def _of_readers(case: Case, query: DependentQuery) -> str | None:
    """Name what elsewhere reads something in a copy since it was made."""
    then, now = _then(case, query), case.now(query.query, EVERY_ROLE)
    if then is None:
        return _UNKNOWN
    if now is None or now.error is not None:
        return None
    before = {query.name(row) for row in then.rows} if then.error is None else set()
    names = dict.fromkeys(filter(None, map(query.name, now.rows)))
    more = [name for name in names if name not in before and name not in (case.ours or ())]
    return f"{name_some(more)} reads it" if more else None


def _then(case: Case, query: DependentQuery) -> Fact | None:
    """Return the look taken right behind the CLONE; None where there is none to rely on."""
    return case.seen.right_behind(query.query, case.record, is_strict=True)
