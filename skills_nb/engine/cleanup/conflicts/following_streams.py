"""Streams of others, which tell changes.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine import ledger
from skills_nb.engine.cleanup.conflicts.verdicts import Case, name_others
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.dependents import streams_on


def note_streams(case: Case) -> Iterator[ledger.Irreversible]:
    """Yield the streams of others that will show what is taken back."""
    for ref in case.entry.rows:
        for name in name_others(case, ref, streams_on(ref), is_sure=False) or ():
            yield ledger.Irreversible(name, "it will show the rows that are put back as changes")
    for change in case.entry.changes:
        if change.replaces and change.action == "create":
            yield from _unfollowed(case, change.target)


def _unfollowed(case: Case, ref: ObjectRef) -> Iterator[ledger.Irreversible]:
    """Yield the streams on what was replaced: they do not come back with it."""
    for one in streams_on(ref):
        before = ledger.fact_before(case.state, one.query, case.record.seq)
        rows = before.rows if before is not None and before.error is None else []
        for name in filter(None, map(one.name, rows)):
            yield ledger.Irreversible(
                name, "it followed what was replaced, and has to be made again"
            )
