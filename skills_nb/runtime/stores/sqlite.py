"""The notebook's thread store: one SQLite file, one sync per append, nothing acknowledged lost.

Room: work (runtime, stores). Rules: every write and every checkpoint happens under one `flock`,
so writers queue instead of meeting "database is locked" and SQLite's own checkpoint never runs
beside a writer; reads take no lock. What is acknowledged is noted outside of the database as well,
so that a log which lost its end is noticed: such a thread is read with a notice and not worked on.
Source: THREADS, Store.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from skills_nb.errors import StoreError
from skills_nb.model.events import Event
from skills_nb.ports import Shortfall, ThreadHead
from skills_nb.runtime.stores import (
    damaged_logs,
    event_rows,
    locks,
    lost_events,
    shared_checks,
    sqlite_schema,
    store_places,
)
from skills_nb.runtime.stores.digest_chain import End, check_link, links
from skills_nb.runtime.stores.file_errors import damage_error, explain_file_errors
from skills_nb.runtime.stores.lost_events import Standing
from skills_nb.runtime.stores.thread_ends import ThreadEnds
from skills_nb.system import file_locks, plain_files

_CHECKPOINT_EVERY = 256
"""Appends of a process between two checkpoints; bounds the log to a few megabytes."""

_INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_BLOB = "INSERT OR IGNORE INTO blob VALUES (?, ?)"
_SELECT_EVENTS = """
SELECT seq, type, v, at, actor, effect_key, body, digest FROM event
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
        place = store_places.place_for(directory)
        self.directory = place.directory
        """Folder that is really used."""
        self.notice = place.notice
        """What to tell the person about that folder; None where it is the one they named."""
        self.path = self.directory / "threads.db"
        """The database file."""
        self._guard = threading.RLock()
        self._appends = 0
        self._is_closed = False
        with explain_file_errors(self.directory, "open the thread store"):
            store_places.make_private(self.directory)
            store_places.make_private_within(self.directory, "held")
            self._ends = ThreadEnds(self.directory / "ends")
            self._ends.prepare()
            locks.prove(self.directory)
            os.close(store_places.open_private(self.path))
            self._writer = store_places.open_private(self.directory / "threads.lock")
            try:
                with file_locks.exclusive(self._writer):
                    damaged_logs.keep(self.path, self._ends)
                    self._database = sqlite_schema.connect(self.path, self._ends.promised)
            except BaseException:
                os.close(self._writer)
                raise

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Append events after `expected_seq`, all or none, durably; return the new head.

        Raises:
            ConflictError: the head is not `expected_seq`, or an effect key is taken.
            StoreError: the store cannot be written, or has less of the thread than it has
                acknowledged; nothing was appended.
            ThreadError: the events' numbers do not follow `expected_seq`.
            UsageError: the thread id is not one.
        """
        event_rows.check_thread_id(thread_id)
        event_rows.check_sequence(thread_id, expected_seq, events)
        encoded = [event_rows.encode(event) for event in events]
        doing = f"append to thread '{thread_id}'"
        with explain_file_errors(self.path, doing, "nothing was appended"), self._writing():
            self._merge_log_now_and_then()
            with self._transaction():
                standing = self._standing(thread_id)
                shared_checks.refuse(self._shortfall(thread_id, standing), "nothing was appended")
                tid = self._claim(standing, thread_id, expected_seq, events)
                try:
                    end = self._insert(tid, thread_id, standing.end, encoded)
                except sqlite3.IntegrityError as problem:
                    if problem.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                        raise
                    raise event_rows.taken_key_error(thread_id, events) from problem
            if events:
                self._ends.note(thread_id, end)
            self._appends += 1
        return expected_seq + len(events)

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread.

        Raises:
            StoreError: the file cannot be read, or an event in it is damaged.
        """
        with explain_file_errors(self.path, f"read thread '{thread_id}'"), self._guard:
            # Looked at first: what others append meanwhile can only be more.
            last = self._standing(thread_id).end.seq
            # Row by row: a second copy of a long thread would keep the garbage collector busy.
            with closing(self._database.execute(_SELECT_EVENTS, (thread_id, after))) as found:
                events = tuple(self._events(thread_id, after, found))
        if after + len(events) < last:  # damage can hide a row from a scan that finds the others
            what = f"thread '{thread_id}': event {after + len(events) + 1} is missing"
            raise damage_error(self.path, what)
        return events

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first.

        Raises:
            StoreError: the file cannot be read.
        """
        with explain_file_errors(self.path, "list the threads"), self._guard:
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
            StoreError: the lock file cannot be written, or the store has less of the thread
                than it has acknowledged.
            UsageError: the thread id is not one.
        """
        event_rows.check_thread_id(thread_id)
        for shortfall in self.shortfalls(thread_id):
            shared_checks.refuse(shortfall, "nothing was done")
        path = self.directory / "held" / f"{thread_id}.lock"
        try:
            with _acquired(locks.hold(path, thread_id), path) as was_left:
                yield was_left
        finally:
            with self._guard:
                self._ends.flush(thread_id)

    def shortfalls(self, thread_id: str | None = None) -> tuple[Shortfall, ...]:
        """Return which threads, or whether this one, lost what was acknowledged; quick.

        Raises:
            StoreError: the file cannot be read.
        """
        with explain_file_errors(self.path, "look for lost events"), self._guard:
            return lost_events.look(self._database, self._ends, self.path, thread_id)

    def accept(self, thread_id: str) -> None:
        """Take what is there of a thread for all of it, as a person who was told has decided.

        Raises:
            StoreError: an event of it is damaged, or the file cannot be written.
        """
        self.load(thread_id)
        with explain_file_errors(self.path, f"accept thread '{thread_id}'"), self._writing():
            with self._transaction():
                standing = self._standing(thread_id)
                lost_events.lower_head(self._database, standing)
            self._ends.note(thread_id, standing.end)
            self._ends.flush(thread_id)

    def backup(self, path: Path) -> None:
        """Write a copy of the store, consistent while others write; restore it as `threads.db`.

        Raises:
            StoreError: it cannot be written; a backup that stood there before is untouched.
        """
        partial = path.with_name(f"{path.name}.partial")
        with explain_file_errors(path, "write the backup", "the store is unharmed"), self._guard:
            partial.unlink(missing_ok=True)
            os.close(store_places.open_private(partial))
            with closing(sqlite3.connect(partial, isolation_level=None)) as copy:
                self._database.backup(copy)
            plain_files.replace(partial, path)
            plain_files.flush_folder(path.parent)

    def verify(self) -> tuple[str, ...]:
        """Return what is wrong with the file, one line each; empty when it is whole.

        Raises:
            StoreError: the file cannot be read.
        """
        with explain_file_errors(self.path, "verify the store"), self._guard:
            broken = self._broken_pages()
            if broken:
                return broken
            wrong = self._wrong_heads()
            named = "".join(wrong)
            lost = [s.text for s in self.shortfalls() if f"'{s.thread_id}'" not in named]
            return (*wrong, *lost, *shared_checks.damaged_threads(self), *self._unreadable_ends())

    def close(self) -> None:
        """Release the file; the log is merged into it when nobody else has it open.

        Raises:
            StoreError: the log cannot be merged; it is merged at the next opening.
        """
        with self._guard:
            if self._is_closed:
                return
            self._is_closed = True
            self._ends.flush()
            with (
                explain_file_errors(self.path, "close the store"),
                file_locks.exclusive(self._writer),
            ):
                self._database.close()
            os.close(self._writer)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guard, file_locks.exclusive(self._writer):
            yield

    def _merge_log_now_and_then(self) -> None:
        # Before an append, never after one: trouble here must not look like a failed append. Also
        # before a process's first, or many short processes would let the log grow without end.
        if self._appends % _CHECKPOINT_EVERY == 0:
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._ends.flush()

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

    def _standing(self, thread_id: str) -> Standing:
        return lost_events.standing(self._database, thread_id)

    def _shortfall(self, thread_id: str, standing: Standing) -> Shortfall | None:
        end = self._ends.of(thread_id)
        return lost_events.shortfall(self._database, self.path, thread_id, end, standing)

    def _claim(
        self, standing: Standing, thread_id: str, expected_seq: int, events: Sequence[Event]
    ) -> int:
        """Move the thread's head on, if it stands where the writer read it; return its key."""
        if standing.head != expected_seq:
            raise event_rows.conflict(thread_id, expected_seq, standing.head)
        if not events:
            return standing.tid or 0
        end, goal = events[-1], event_rows.goal_in(events)
        (claimed,) = self._database.execute(
            "INSERT INTO thread VALUES (?1, ?2, ?3, coalesce(?4, ''), ?5) "
            "ON CONFLICT (tid) DO UPDATE SET head = ?3, goal = coalesce(?4, goal), "
            "updated_at = ?5 RETURNING tid",
            (standing.tid, thread_id, end.seq, goal, end.timestamp),
        ).fetchone()
        return int(claimed)

    def _insert(
        self,
        tid: int,
        thread_id: str,
        after: End,
        encoded: Sequence[tuple[event_rows.Row, event_rows.Blob | None]],
    ) -> End:
        """Insert rows, linked to the thread's last one; return where it ends now."""
        blobs = [blob for _, blob in encoded if blob is not None]
        self._database.executemany(_INSERT_BLOB, blobs)
        texts = [event_rows.text_of(row) for row, _ in encoded]
        digests = links(thread_id, after.digest, texts)
        rows = ((tid, *row, digest) for (row, _), digest in zip(encoded, digests, strict=True))
        self._database.executemany(_INSERT_EVENT, rows)
        return End(after.seq + len(digests), digests[-1]) if digests else after

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

    def _unreadable_ends(self) -> Iterator[str]:
        for path in self._ends.unreadable():
            yield f"{path}: cannot be read, so the end of that thread was not checked"

    def _events(
        self, thread_id: str, after: int, found: Iterable[lost_events.Linked]
    ) -> Iterator[Event]:
        previous = lost_events.digest_at(self._database, thread_id, after) if after else None
        for number, row in enumerate(found, after + 1):
            if row[0] != number:
                raise damage_error(self.path, f"thread '{thread_id}': event {number} is missing")
            yield self._event(thread_id, row[:7], previous, row[7])
            previous = row[7]

    def _event(
        self, thread_id: str, row: event_rows.Columns, previous: str | None, digest: str | None
    ) -> Event:
        try:
            text = event_rows.text_of(row)
            is_apart = event_rows.is_pointer(row[-1])
            whole = event_rows.text_of(self._whole(row)) if is_apart else text
            event = event_rows.from_document(row[1], row[2], whole)
            check_link(thread_id, row[0], previous, text, digest)
        except StoreError as problem:
            what = f"thread '{thread_id}': {problem.message}"
            raise damage_error(self.path, what) from problem
        return event

    def _whole(self, row: event_rows.Columns) -> event_rows.Columns:
        """Return a row with the body that it points to."""
        digest = event_rows.digest_in(row[-1])
        found = self._database.execute(
            "SELECT body FROM blob WHERE digest = ?", (digest,)
        ).fetchone()
        if found is None or event_rows.digest_of(found[0]) != digest:
            raise StoreError(f"the large body {digest} is missing or changed")
        return (*row[:-1], found[0])


@contextmanager
def _acquired(held: AbstractContextManager[bool], path: Path) -> Iterator[bool]:
    # What is raised between the two is the holder's own trouble, not the lock file's.
    with explain_file_errors(path, "hold the thread"):
        was_left = held.__enter__()
    try:
        yield was_left
    finally:
        with explain_file_errors(path, "release the thread"):
            held.__exit__(None, None, None)
