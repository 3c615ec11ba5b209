"""A team's thread store in hybrid tables of a Snowflake account.

Room: work (runtime, stores). Rules: an append moves its thread's head on from where its writer
read it, which locks the row; primary keys refuse a second thread, event, intent and outcome; the
lease's epoch is confirmed in the same transaction. Where the answer to a commit is lost, the
account is asked whether it took place.
Source: THREADS, Store (Shared stores).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from skills_nb.errors import ConflictError, SqlError, StoreError, UsageError
from skills_nb.model.events import Event
from skills_nb.ports import ThreadHead
from skills_nb.runtime.snowpark.reopening import is_gone
from skills_nb.runtime.stores import rows
from skills_nb.runtime.stores.hybrid_line import Line
from skills_nb.runtime.stores.hybrid_tables import NAMES, SCHEMA_VERSION, Statements
from skills_nb.runtime.stores.leases import LEASE_S, Leases, held_by, taken_over
from skills_nb.sql.identifiers import resolve

if TYPE_CHECKING:
    from snowflake.connector import SnowflakeConnection

SCHEME = "snowflake://"
_ADDRESS = re.compile(r"snowflake://([\w.-]+)/([^/@:]+)/([^/@:]+)")
_HOW = "write it like snowflake://CONNECTION/DATABASE/SCHEMA, with a name of connections.toml"
_ENFORCED = frozenset({200001, 200002})
"""A primary key, or a unique one, exists already."""
_SAYS_ENFORCED = re.compile(r"(primary|unique) key|duplicate key", re.IGNORECASE)


class HybridThreadStore:
    """Threads in hybrid tables of a schema. Implements `ports.ThreadStore`."""

    def __init__(
        self,
        address: str,
        *,
        lease_s: float = LEASE_S,
        opens: Callable[[], SnowflakeConnection] | None = None,
    ) -> None:
        """Open the store; its tables are made if missing.

        Args:
            address: `snowflake://CONNECTION/DATABASE/SCHEMA`.
            lease_s: how long a process may be silent before its threads may be taken over.
            opens: another way to log in than the connector's own files.

        Raises:
            StoreError: it is no such address, or the schema cannot be used.
        """
        name, self._sql = _parsed(address)
        self.place = address
        """The store's address, which holds no secret."""
        self._line = Line(opens or (lambda: _logged_in(name)))
        self._leases = Leases(HybridLeases(self._line, self._sql), address, lease_s, SqlError)
        try:
            with self._explained("open the thread store"):
                self._make_tables()
        except BaseException:
            self._line.close()
            raise

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Append events after `expected_seq`, all or none, durably; return the new head.

        Raises:
            ConflictError: the head is not `expected_seq`, an effect key is taken, or another
                process took the thread over.
            StoreError: the store cannot be written; nothing was appended, or the message says
                that this is not known.
            ThreadError: the events' numbers do not follow `expected_seq`.
            UsageError: the thread id is not one.
        """
        rows.check_thread_id(thread_id)
        rows.check_sequence(thread_id, expected_seq, events)
        documents = [rows.document_of(event) for event in events]
        try:
            with self._line.transaction():
                self._confirm_lease(thread_id)
                self._move(thread_id, expected_seq, events)
                self._add(thread_id, events, documents)
        except SqlError as problem:
            if not self._has_landed(thread_id, events, documents, problem):
                doing = f"append to thread '{thread_id}'"
                raise self._trouble(doing, problem, "nothing was appended") from problem
        return expected_seq + len(events)

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread.

        Raises:
            StoreError: the tables cannot be read, or an event in them is damaged.
        """
        with self._explained(f"read thread '{thread_id}'"):
            found = self._line.ask(self._sql.events, (thread_id, after))
        for number, row in enumerate(found, after + 1):
            if int(row[0]) != number:
                raise StoreError(
                    f"{self.place}: thread '{thread_id}': event {number} is missing",
                    hint="restore the schema from a backup",
                )
        return tuple(rows.from_document(kind, int(v), text) for _, kind, v, text in found)

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first.

        Raises:
            StoreError: the tables cannot be read.
        """
        with self._explained("list the threads"):
            found = self._line.ask(self._sql.heads)
        return tuple(ThreadHead(name, int(seq), goal, at) for name, seq, goal, at in found)

    @contextmanager
    def hold(self, thread_id: str) -> Iterator[bool]:
        """Hold the thread for this process; yields whether another process held it and died.

        Holds nest within the process.

        Raises:
            ThreadError: a live process holds it; the message names it.
            StoreError: the lease cannot be taken.
            UsageError: the thread id is not one.
        """
        rows.check_thread_id(thread_id)
        held = self._leases.hold(thread_id)
        with self._explained("hold the thread"):
            was_left = held.__enter__()
        try:
            yield was_left
        finally:
            with self._explained("release the thread"):
                held.__exit__(None, None, None)

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    # ---- the tables

    def _make_tables(self) -> None:
        for statement in self._sql.creates():
            self._line.ask(statement)
        known = {str(cell) for row in self._line.ask(self._sql.hybrids) for cell in row}
        for name in NAMES:
            if name not in known:
                raise StoreError(
                    f"{self.place}: '{name}' is no hybrid table, so that its keys would not hold",
                    hint="choose a schema that has no table of that name",
                )
        ((version,),) = self._line.ask(self._sql.versions)
        if version is None:
            self._note_version()
        elif int(version) > SCHEMA_VERSION:
            raise StoreError(
                f"{self.place}: was written by a newer release (schema {version}; this release "
                f"reads {SCHEMA_VERSION}); nothing was changed",
                hint="upgrade skills-nb",
            )

    def _note_version(self) -> None:
        try:
            self._line.change(self._sql.note_version, (SCHEMA_VERSION,))
        except SqlError as problem:
            if not _is_taken(problem):  # another process opened it at the same time
                raise

    # ---- an append

    def _confirm_lease(self, thread_id: str) -> None:
        mine = self._leases.epoch_of(thread_id)
        if mine is None or self._line.change(self._sql.confirm_lease, (thread_id, mine)):
            return
        found = self._line.ask(self._sql.lease, (thread_id,))
        raise taken_over(thread_id, int(found[0][0]) if found else None, mine)

    def _move(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        """Move the thread's head on from where its writer read it, or make the thread."""
        if expected_seq == 0 or not events:
            head = self._head(thread_id)
            if head != expected_seq:
                raise rows.conflict(thread_id, expected_seq, head)
        if not events:
            return
        end, goal = events[-1], rows.goal_in(events)
        if expected_seq == 0:
            new = (thread_id, end.seq, goal or "", end.timestamp)
            self._refusing_a_second(self._sql.make_thread, new, partial(self._at, thread_id, 0))
            return
        moved = (end.seq, goal, end.timestamp, thread_id, expected_seq)
        if not self._line.change(self._sql.move_head, moved):
            raise self._at(thread_id, expected_seq)

    def _at(self, thread_id: str, expected_seq: int) -> ConflictError:
        return rows.conflict(thread_id, expected_seq, self._head(thread_id))

    def _head(self, thread_id: str) -> int:
        found = self._line.ask(self._sql.head, (thread_id,))
        return int(found[0][0]) if found else 0

    def _add(self, thread_id: str, events: Sequence[Event], documents: Sequence[str]) -> None:
        for event, document in zip(events, documents, strict=True):
            kind = _mark(event)
            if kind is not None:
                mark, conflict = (
                    (event.effect_key, kind),
                    partial(rows.taken_key, thread_id, events),
                )
                self._refusing_a_second(self._sql.add_mark, mark, conflict)
            self._line.change(
                self._sql.add_event, (thread_id, event.seq, event.type, event.v, document)
            )

    def _refusing_a_second(
        self, sql: str, values: Sequence[Any], conflict: Callable[[], ConflictError]
    ) -> None:
        try:
            self._line.change(sql, values)
        except SqlError as problem:
            if _is_taken(problem):
                raise conflict() from problem
            raise

    def _has_landed(
        self,
        thread_id: str,
        events: Sequence[Event],
        documents: Sequence[str],
        problem: SqlError,
    ) -> bool:
        """Tell whether a commit whose answer was lost took place."""
        if not (is_gone(problem) and events):
            return False
        try:
            found = self._line.ask(self._sql.events, (thread_id, events[0].seq - 1))
        except SqlError as still:
            raise self._trouble(
                f"append to thread '{thread_id}'",
                still,
                "whether the events were appended is not known: reload the thread",
            ) from problem
        return [row[3] for row in found[: len(documents)]] == list(documents)

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except SqlError as problem:
            raise self._trouble(doing, problem, "nothing was changed") from problem

    def _trouble(self, doing: str, problem: SqlError, unharmed: str) -> StoreError:
        said = " ".join(problem.message.split())
        return StoreError(
            f"{self.place}: cannot {doing}: {said}; {unharmed}",
            hint=problem.hint
            or "see that the account has hybrid tables, and the role its rights on the schema",
        )


class HybridLeases:
    """Leases in a hybrid table. Implements `leases.LeaseRows`."""

    def __init__(self, line: Line, sql: Statements) -> None:
        """Keep them where the line leads."""
        self._line = line
        self._sql = sql

    def take(self, thread_id: str, holder: str, lasts_s: float) -> tuple[int, bool]:
        """Take a lease; return its epoch, and whether its last holder died.

        Raises:
            ThreadError: somebody else holds it, and has lived within the lease.
        """
        epoch, other, is_released, is_alive = self._present(thread_id, holder)
        if not is_released and is_alive:
            raise held_by(thread_id, other)
        values = (holder, int(lasts_s * 1000), thread_id, epoch)
        if not self._line.change(self._sql.take_lease, values):
            raise held_by(thread_id, self._present(thread_id, holder)[1])
        return epoch + 1, not is_released

    def renew(self, thread_id: str, epoch: int, lasts_s: float) -> bool:
        """Give a sign of life; return whether the lease is still of this epoch."""
        values = (int(lasts_s * 1000), thread_id, epoch)
        return self._line.change(self._sql.renew_lease, values) > 0

    def release(self, thread_id: str, epoch: int) -> None:
        """Give the lease back, if it is still of this epoch."""
        self._line.change(self._sql.release_lease, (thread_id, epoch))

    def _present(self, thread_id: str, holder: str) -> tuple[int, str, bool, bool]:
        """Return a thread's lease, made where there is none."""
        found = self._line.ask(self._sql.lease, (thread_id,))
        if not found:
            try:
                self._line.change(self._sql.make_lease, (thread_id, holder))
            except SqlError as problem:
                if not _is_taken(problem):
                    raise
            found = self._line.ask(self._sql.lease, (thread_id,))
        epoch, other, is_released, is_alive = found[0]
        return int(epoch), str(other), bool(is_released), bool(is_alive)


def _parsed(address: str) -> tuple[str, Statements]:
    found = _ADDRESS.fullmatch(address)
    if found is None:
        # Not repeated: somebody may have written a password into it.
        raise StoreError("the shared store's address is not one on Snowflake", hint=_HOW)
    try:
        return found[1], Statements(resolve(found[2]), resolve(found[3]))
    except UsageError as problem:
        raise StoreError(f"the shared store's address: {problem.message}", hint=_HOW) from problem


def _logged_in(name: str) -> SnowflakeConnection:
    from skills_nb.runtime.snowpark import connections

    # Without it, what another session has just written may be read some milliseconds too late.
    return connections.line(name, {"READ_LATEST_WRITES": True})


def _mark(event: Event) -> str | None:
    if event.effect_key is None:
        return None
    if event.type == "statement_started":
        return "intent"
    return "outcome" if event.type in rows.OUTCOMES else None


def _is_taken(problem: SqlError) -> bool:
    return problem.errno in _ENFORCED or _SAYS_ENFORCED.search(problem.message) is not None
