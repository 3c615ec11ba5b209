"""Where the threads of a PostgreSQL database should end, and where they do.

Room: work (runtime, stores).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, func, select, update

from skills_nb.runtime.stores.digest_chain import End
from skills_nb.runtime.stores.postgres_tables import EVENTS, THREADS
from skills_nb.runtime.stores.shared_checks import Ends

_LAST = (
    select(func.max(EVENTS.c.seq)).where(EVENTS.c.tid == THREADS.c.tid).correlate(THREADS)
).scalar_subquery()


def locked(connection: Connection, thread_id: str) -> tuple[int | None, Ends]:
    """Return the thread's key and ends, and keep other writers out until the transaction's end."""
    connection.execute(
        select(THREADS.c.tid).where(THREADS.c.thread_id == thread_id).with_for_update()
    )
    found = connection.execute(_ends().where(THREADS.c.thread_id == thread_id)).one_or_none()
    if found is None:
        return None, Ends(End(0, None), End(0, None))
    return found.tid, _of(found)


def standings(connection: Connection, thread_id: str | None) -> list[tuple[str, Ends]]:
    """Return the ends of all threads, or of one, by name."""
    wanted = _ends() if thread_id is None else _ends().where(THREADS.c.thread_id == thread_id)
    found = connection.execute(wanted.order_by(THREADS.c.thread_id)).all()
    return [(row.thread_id, _of(row)) for row in found]


def digest_at(connection: Connection, thread_id: str, seq: int) -> str | None:
    """Return the digest of one event; None where it has none, or is not there."""
    found: str | None = connection.execute(
        select(EVENTS.c.digest)
        .join(THREADS)
        .where(THREADS.c.thread_id == thread_id, EVENTS.c.seq == seq)
    ).scalar_one_or_none()
    return found


def accept_end(connection: Connection, thread_id: str) -> None:
    """Let a thread end where it does; one without events is taken out."""
    tid, there = locked(connection, thread_id)
    if there.last.seq == 0:
        connection.execute(delete(THREADS).where(THREADS.c.tid == tid))
        return
    connection.execute(
        update(THREADS)
        .where(THREADS.c.tid == tid)
        .values(head=there.last.seq, digest=there.last.digest)
    )


def _ends() -> Select[Any]:
    last = and_(EVENTS.c.tid == THREADS.c.tid, EVENTS.c.seq == _LAST)
    return select(
        *(THREADS.c.tid, THREADS.c.thread_id, THREADS.c.head, THREADS.c.digest),
        *(EVENTS.c.seq, EVENTS.c.digest.label("last_digest")),
    ).select_from(THREADS.outerjoin(EVENTS, last))


def _of(row: Row[Any]) -> Ends:
    return Ends(End(row.head, row.digest), End(row.seq or 0, row.last_digest))
