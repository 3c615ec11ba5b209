"""Change tracking that the first stream on a table turns on, and that stays on without it.

Room: laws. It is not turned off again: others' streams, and queries over CHANGES, may rest on it
by then. What stays is named instead.

See https://docs.snowflake.com/en/user-guide/streams-intro
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine.ledger.known_objects import fact_before, made_by_thread, where_of
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.objects import ObjectRef, probe_for
from skills_nb.sql.objects.prior_state import cell_of
from skills_nb.sql.objects.tracked_sources import tracked_by


def turned_on(state: ThreadState, record: StatementRecord) -> Iterator[ObjectRef]:
    """Yield the tables and views, not of the thread's making, that a stream began to track."""
    for ref in tracked_by(record.sql, *where_of(state, record)):
        before = fact_before(state, probe_for(ref), record.seq)
        was = cell_of(before.rows[0], "change_tracking") if before and before.rows else None
        if was == "OFF" and not made_by_thread(state, ref):
            yield ref
