"""Whether a database has all that was acknowledged of its threads.

Room: work (runtime, stores). Reads only, but for a head that a person has accepted. What was
acknowledged is read before the database: an append in between can only add to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from skills_nb.ports import Shortfall
from skills_nb.runtime.stores.digest_chain import End
from skills_nb.runtime.stores.thread_ends import ThreadEnds

Linked: TypeAlias = tuple[int, str, int, str, str, str | None, str, str | None]
"""An event's columns and its digest."""

_STANDING = """
SELECT thread.tid, head, seq, digest FROM thread
LEFT JOIN event ON event.tid = thread.tid AND seq = head WHERE thread_id = ?
"""
_LAST = "SELECT seq, digest FROM event WHERE tid = ? ORDER BY seq DESC LIMIT 1"
_DIGEST = """
SELECT digest FROM event WHERE seq = ? AND tid = (SELECT tid FROM thread WHERE thread_id = ?)
"""


class Standing(NamedTuple):
    """What a database says of a thread."""

    tid: int | None
    """Its key; None where there is no such thread."""
    head: int
    """The event that it should end at."""
    end: End
    """The one that it does end at; where there are more, the one at its head."""


def standing(database: sqlite3.Connection, thread_id: str) -> Standing:
    """Return what the database says of a thread.

    Raises:
        sqlite3.DatabaseError: the number of an event is damaged.
        sqlite3.Error: it cannot be read, or is damaged.
    """
    found = database.execute(_STANDING, (thread_id,)).fetchone()
    if found is None:
        return Standing(None, 0, End(0, None))
    tid, head, seq, digest = found
    end = _last(database, tid) if seq is None else End(seq, digest)
    # The tables are STRICT, but a damaged page keeps no rules.
    if not (isinstance(head, int) and isinstance(end.seq, int)):
        raise sqlite3.DatabaseError(f"the number of an event of thread '{thread_id}' is damaged")
    return Standing(tid, head, end)


def _last(database: sqlite3.Connection, tid: int | None) -> End:
    return End(*(database.execute(_LAST, (tid,)).fetchone() or (0, None)))


def digest_at(database: sqlite3.Connection, thread_id: str, seq: int) -> str | None:
    """Return the digest of one event; None where it has none, or is not there.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    found = database.execute(_DIGEST, (seq, thread_id)).fetchone()
    return None if found is None else found[0]


def shortfall(
    database: sqlite3.Connection, place: Path, thread_id: str, known: End | None, there: Standing
) -> Shortfall | None:
    """Return what a thread lacks of what was acknowledged.

    Args:
        database: where the thread is.
        place: its file.
        thread_id: the thread.
        known: what was acknowledged of it; None where that is not known.
        there: what the database says of it.

    Raises:
        sqlite3.Error: the database cannot be read.
    """
    acknowledged = max(known.seq if known else 0, there.head)
    # A head that is too low is damage of another kind: the events are there.
    end = there.end if there.end.seq == acknowledged else _last(database, there.tid)
    if end.seq < acknowledged:
        return Shortfall(thread_id, acknowledged, end.seq, str(place))
    if known is None or known.seq == 0 or known == end:
        return None
    if digest_at(database, thread_id, known.seq) == known.digest:
        return None
    return Shortfall(thread_id, known.seq, end.seq, str(place))


def _named(database: sqlite3.Connection) -> Iterator[str]:
    for (name,) in database.execute("SELECT thread_id FROM thread"):
        if not isinstance(name, str):  # a page of zeros reads as rows without values
            raise sqlite3.DatabaseError("a thread has no name")
        yield name


def look(
    database: sqlite3.Connection, ends: ThreadEnds, place: Path, thread_id: str | None = None
) -> tuple[Shortfall, ...]:
    """Return what all threads, or one, lack of what was acknowledged.

    Raises:
        sqlite3.Error: the database cannot be read, or has a thread without a name.
    """
    known = {name: ends.of(name) for name in (ends.names() if thread_id is None else (thread_id,))}
    names = set(known)
    if thread_id is None:
        names.update(_named(database))
    found = (
        shortfall(database, place, name, known.get(name), standing(database, name))
        for name in sorted(names)
    )
    return tuple(one for one in found if one is not None)


def lower_head(database: sqlite3.Connection, there: Standing) -> None:
    """Let a thread end where it does, as a person has accepted; one without events is taken out.

    Raises:
        sqlite3.Error: the database cannot be written.
    """
    if there.end.seq == 0:
        database.execute("DELETE FROM thread WHERE tid = ?", (there.tid,))
    else:
        database.execute("UPDATE thread SET head = ? WHERE tid = ?", (there.end.seq, there.tid))
