"""The notebook's thread store: one SQLite file, one sync per append, nothing acknowledged lost.

Room: work (runtime, stores). Rules: every write and every checkpoint happens under one `flock`,
so writers queue instead of meeting "database is locked" and SQLite's own checkpoint never runs
beside a writer; reads take no lock.
Source: THREADS, Store.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from skills_nb.errors import StoreError
from skills_nb.model.events import Event
from skills_nb.ports import ThreadHead
from skills_nb.runtime.stores import locks, places, rows, schema
from skills_nb.runtime.stores.troubles import damaged, explained

_CHECKPOINT_EVERY = 256
"""Appends of a process between two checkpoints; bounds the log to a few megabytes."""

_INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_BLOB = "INSERT OR IGNORE INTO blob VALUES (?, ?)"
_SELECT_EVENTS = """
SELECT seq, type, v, at, actor, effect_key, body FROM event
WHERE tid = (SELECT tid FROM thread WHERE thread_id = ?) AND seq > ? ORDER BY seq
"""


class SqliteThreadStore:
    """Threads in `threads.db` of a private folder. Implements `ports.ThreadStore`."""

    def __init__(self, directory: Path) -> None:
        """Open the store, made if missing.

        Args:
            directory: its folder; on a network file system the user's data folder stands in for
                it, and `notice` says so.

        Raises:
            StoreError: the folder or the file cannot be used; nothing was changed.
        """
        place = places.place_for(directory)
        self.directory = place.directory
        """Folder that is really used."""
        self.notice = place.notice
        """What to tell the person about that folder; None where it is the one they named."""
        self.path = self.directory / "threads.db"
        """The database file."""
        self._guard = threading.RLock()
        self._appends = 0
        self._is_closed = False
        with explained(self.directory, "open the thread store"):
            places.make_private(self.directory)
            places.make_private(self.directory / "held")
            os.close(places.open_private(self.path))
            self._writer = places.open_private(self.directory / "threads.lock")
            try:
                with locks.exclusive(self._writer):
                    self._database = schema.connect(self.path)
            except BaseException:
                os.close(self._writer)
                raise

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Append events after `expected_seq`, all or none, durably; return the new head.

        Raises:
            ConflictError: the head is not `expected_seq`, or an effect key is taken.
            StoreError: the store cannot be written; nothing was appended.
            ThreadError: the events' numbers do not follow `expected_seq`.
            UsageError: the thread id is not one.
        """
        rows.check_thread_id(thread_id)
        rows.check_sequence(thread_id, expected_seq, events)
        encoded = [rows.encoded(event) for event in events]
        doing = f"append to thread '{thread_id}'"
        with explained(self.path, doing, "nothing was appended"), self._writing():
            self._merge_log_now_and_then()
            with self._transaction():
                tid = self._claim(thread_id, expected_seq, events)
                try:
                    self._insert(tid, encoded)
                except sqlite3.IntegrityError as problem:
                    if problem.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                        raise
                    raise rows.taken_key(thread_id, events) from problem
            self._appends += 1
        return expected_seq + len(events)

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread.

        Raises:
            StoreError: the file cannot be read, or an event in it is damaged.
        """
        with (
            explained(self.path, f"read thread '{thread_id}'"),
            self._guard,
            # Row by row: a second copy of a long thread would keep the garbage collector busy.
            closing(self._database.execute(_SELECT_EVENTS, (thread_id, after))) as found,
        ):
            return tuple(
                self._event(thread_id, number, row) for number, row in enumerate(found, after + 1)
            )

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first.

        Raises:
            StoreError: the file cannot be read.
        """
        with explained(self.path, "list the threads"), self._guard:
            found = self._database.execute(
                "SELECT thread_id, head, goal, updated_at FROM thread "
                "ORDER BY updated_at DESC, tid DESC"
            ).fetchall()
        return tuple(ThreadHead(*row) for row in found)

    @contextmanager
    def hold(self, thread_id: str) -> Iterator[bool]:
        """Hold the thread for this process; yields whether another process held it and died.

        Holds nest within the process.

        Raises:
            ThreadError: a live process holds it; the message has its number.
            StoreError: the lock file cannot be written.
            UsageError: the thread id is not one.
        """
        rows.check_thread_id(thread_id)
        path = self.directory / "held" / f"{thread_id}.lock"
        with _acquired(locks.hold(path, thread_id), path) as was_left:
            yield was_left

    def backup(self, path: Path) -> None:
        """Write a copy of the store, consistent while others write; restore it as `threads.db`.

        Raises:
            StoreError: it cannot be written; a backup that stood there before is untouched.
        """
        partial = path.with_name(f"{path.name}.partial")
        with explained(path, "write the backup", "the store is unharmed"), self._guard:
            partial.unlink(missing_ok=True)
            os.close(places.open_private(partial))
            with closing(sqlite3.connect(partial, isolation_level=None)) as copy:
                self._database.backup(copy)
            partial.replace(path)
            places.flush_folder(path.parent)

    def verify(self) -> tuple[str, ...]:
        """Return what is wrong with the file, one line each; empty when it is whole.

        Raises:
            StoreError: the file cannot be read.
        """
        with explained(self.path, "verify the store"), self._guard:
            return self._broken_pages() or self._wrong_heads()

    def close(self) -> None:
        """Release the file; the log is merged into it when nobody else has it open.

        Raises:
            StoreError: the log cannot be merged; it is merged at the next opening.
        """
        with self._guard:
            if self._is_closed:
                return
            self._is_closed = True
            with explained(self.path, "close the store"), locks.exclusive(self._writer):
                self._database.close()
            os.close(self._writer)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guard, locks.exclusive(self._writer):
            yield

    def _merge_log_now_and_then(self) -> None:
        # Before an append, never after one: trouble here must not look like a failed append. Also
        # before a process's first, or many short processes would let the log grow without end.
        if self._appends % _CHECKPOINT_EVERY == 0:
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _claim(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Move the thread's head on, if it stands where the writer read it; return its key."""
        found = self._database.execute(
            "SELECT tid, head FROM thread WHERE thread_id = ?", (thread_id,)
        ).fetchone()
        tid, head = found or (None, 0)
        if head != expected_seq:
            raise rows.conflict(thread_id, expected_seq, head)
        if not events:
            return tid or 0
        end, goal = events[-1], rows.goal_in(events)
        (claimed,) = self._database.execute(
            "INSERT INTO thread VALUES (?1, ?2, ?3, coalesce(?4, ''), ?5) "
            "ON CONFLICT (tid) DO UPDATE SET head = ?3, goal = coalesce(?4, goal), "
            "updated_at = ?5 RETURNING tid",
            (tid, thread_id, end.seq, goal, end.timestamp),
        ).fetchone()
        return int(claimed)

    def _insert(self, tid: int, encoded: Sequence[tuple[rows.Row, rows.Blob | None]]) -> None:
        blobs = [blob for _, blob in encoded if blob is not None]
        self._database.executemany(_INSERT_BLOB, blobs)
        self._database.executemany(_INSERT_EVENT, ((tid, *row) for row, _ in encoded))

    def _broken_pages(self) -> tuple[str, ...]:
        try:
            said = self._database.execute("PRAGMA integrity_check").fetchall()
        except sqlite3.DatabaseError as problem:
            # Damage can be too deep for the check itself; that is an answer too.
            if getattr(problem, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise
            return (str(problem),)
        return tuple(line for (line,) in said if line != "ok")

    def _wrong_heads(self) -> tuple[str, ...]:
        wrong = self._database.execute(
            "SELECT thread_id, head, count(seq), coalesce(max(seq), 0) "
            "FROM thread LEFT JOIN event USING (tid) GROUP BY tid "
            "HAVING head <> count(seq) OR head <> coalesce(max(seq), 0)"
        ).fetchall()
        return tuple(
            f"thread '{thread_id}' should end at event {head}, has {count} up to {last}"
            for thread_id, head, count, last in wrong
        )

    def _event(self, thread_id: str, number: int, row: rows.Columns) -> Event:
        if row[0] != number:
            raise damaged(self.path, f"thread '{thread_id}': event {number} is missing")
        try:
            return rows.decoded(self._whole(row) if rows.is_pointer(row[-1]) else row)
        except StoreError as problem:
            what = f"thread '{thread_id}': {problem.message}"
            raise damaged(self.path, what) from problem

    def _whole(self, row: rows.Columns) -> rows.Columns:
        """Return a row with the body that it points to."""
        digest = rows.digest_in(row[-1])
        found = self._database.execute(
            "SELECT body FROM blob WHERE digest = ?", (digest,)
        ).fetchone()
        if found is None or rows.digest_of(found[0]) != digest:
            raise StoreError(f"the large body {digest} is missing or changed")
        return (*row[:-1], found[0])


@contextmanager
def _acquired(held: AbstractContextManager[bool], path: Path) -> Iterator[bool]:
    # What is raised between the two is the holder's own trouble, not the lock file's.
    with explained(path, "hold the thread"):
        was_left = held.__enter__()
    try:
        yield was_left
    finally:
        with explained(path, "release the thread"):
            held.__exit__(None, None, None)
