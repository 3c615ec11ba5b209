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
from skills_nb.ports import Shortfall, ThreadHead
from skills_nb.runtime.snowpark import connections
from skills_nb.runtime.snowpark.reopening_session import is_gone
from skills_nb.runtime.stores import event_rows, shared_checks
from skills_nb.runtime.stores.digest_chain import End, links
from skills_nb.runtime.stores.hybrid_connection import HybridConnection
from skills_nb.runtime.stores.hybrid_leases import HybridLeases, is_taken
from skills_nb.runtime.stores.hybrid_tables import NAMES, SCHEMA_VERSION, Statements
from skills_nb.runtime.stores.leases import LEASE_S, Leases, taken_over_error
from skills_nb.sql.identifiers import resolve

if TYPE_CHECKING:
    from snowflake.connector import SnowflakeConnection

SCHEME = "snowflake://"
_ADDRESS = re.compile(r"snowflake://([\w.-]+)/([^/@:]+)/([^/@:]+)")
_HOW = "write it like snowflake://CONNECTION/DATABASE/SCHEMA, with a name of connections.toml"


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
        self._line = HybridConnection(opens or (lambda: _logged_in(name)))
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
        event_rows.check_thread_id(thread_id)
        event_rows.check_sequence(thread_id, expected_seq, events)
        documents = [event_rows.document_of(event) for event in events]
        try:
            with self._line.transaction():
                self._confirm_lease(thread_id)
                digests = self._move(thread_id, expected_seq, events, documents)
                self._add(thread_id, events, documents, digests)
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
            before = self._line.ask(self._sql.digest, (thread_id, after)) if after else []
        previous = before[0][0] if before else None
        rows = ((int(seq), kind, int(v), text, digest) for seq, kind, v, text, digest in found)
        return tuple(shared_checks.linked_events(self.place, thread_id, after, previous, rows))

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
        event_rows.check_thread_id(thread_id)
        for one in self.shortfalls(thread_id):
            shared_checks.refuse(one, "nothing was done")
        with self._leases.hold(thread_id, self._explained) as was_left:
            yield was_left

    def shortfalls(self, thread_id: str | None = None) -> tuple[Shortfall, ...]:
        """Return which threads, or whether this one, lost what was acknowledged; quick.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._explained("look for lost events"):
            found = (
                self._line.ask(self._sql.ends)
                if thread_id is None
                else self._line.ask(self._sql.end, (thread_id,))
            )
        lost = (shared_checks.shortfall(self.place, name, _ends(row)) for name, *row in found)
        return tuple(one for one in lost if one is not None)

    def verify(self) -> tuple[str, ...]:
        """Read everything, and return what is wrong, one line each; empty when it is whole.

        Raises:
            StoreError: the store cannot be read.
        """
        return tuple(shared_checks.trouble(self))

    def accept(self, thread_id: str) -> None:
        """Take what is there of a thread for all of it, as a person who was told has decided.

        Raises:
            StoreError: an event of it is damaged, or the store cannot be written.
        """
        self.load(thread_id)
        with self._explained(f"accept thread '{thread_id}'"):
            for _, *row in self._line.ask(self._sql.end, (thread_id,)):
                last = _ends(row).last
                if last.seq:
                    self._line.change(self._sql.accept_end, (last.seq, last.digest, thread_id))
                else:
                    self._line.change(self._sql.take_out, (thread_id,))

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
        if version is None or int(version) < SCHEMA_VERSION:
            self._upgrade(is_new=version is None)
        elif int(version) > SCHEMA_VERSION:
            raise StoreError(
                f"{self.place}: was written by a newer release (schema {version}; this release "
                f"reads {SCHEMA_VERSION}); nothing was changed",
                hint="upgrade skills-nb",
            )

    def _upgrade(self, *, is_new: bool) -> None:
        for statement in () if is_new else self._sql.upgrades():
            self._line.ask(statement)
        try:
            self._line.change(self._sql.note_version, (SCHEMA_VERSION,))
        except SqlError as problem:
            if not is_taken(problem):  # another process opened it at the same time
                raise

    # ---- an append

    def _confirm_lease(self, thread_id: str) -> None:
        mine = self._leases.epoch_of(thread_id)
        if mine is None or self._line.change(self._sql.confirm_lease, (thread_id, mine)):
            return
        found = self._line.ask(self._sql.lease, (thread_id,))
        raise taken_over_error(thread_id, int(found[0][0]) if found else None, mine)

    def _move(
        self,
        thread_id: str,
        expected_seq: int,
        events: Sequence[Event],
        documents: Sequence[str],
    ) -> list[str]:
        """Move the thread's head on from where its writer read it, or make the thread.

        Returns:
            The digests of the events.
        """
        there = self._end(thread_id)
        if there.seq != expected_seq:
            raise event_rows.conflict(thread_id, expected_seq, there.seq)
        if not events:
            return []
        digests = links(thread_id, there.digest, documents)
        end, goal = events[-1], event_rows.goal_in(events)
        if expected_seq == 0:
            new = (thread_id, end.seq, goal or "", end.timestamp, digests[-1])
            self._refusing_a_second(self._sql.make_thread, new, partial(self._at, thread_id, 0))
            return digests
        moved = (
            end.seq,
            goal,
            end.timestamp,
            digests[-1],
            thread_id,
            *(expected_seq, there.digest),
        )
        if not self._line.change(self._sql.move_head, moved):
            raise self._at(thread_id, expected_seq)
        return digests

    def _at(self, thread_id: str, expected_seq: int) -> ConflictError:
        return event_rows.conflict(thread_id, expected_seq, self._end(thread_id).seq)

    def _end(self, thread_id: str) -> End:
        found = self._line.ask(self._sql.head, (thread_id,))
        return End(int(found[0][0]), found[0][1]) if found else End(0, None)

    def _add(
        self,
        thread_id: str,
        events: Sequence[Event],
        documents: Sequence[str],
        digests: Sequence[str],
    ) -> None:
        for event, document, digest in zip(events, documents, digests, strict=True):
            kind = _mark(event)
            if kind is not None:
                mark, conflict = (
                    (event.effect_key, kind),
                    partial(event_rows.taken_key_error, thread_id, events),
                )
                self._refusing_a_second(self._sql.add_mark, mark, conflict)
            added = (thread_id, event.seq, event.type, event.v, document, digest)
            self._line.change(self._sql.add_event, added)

    def _refusing_a_second(
        self, sql: str, values: Sequence[Any], conflict: Callable[[], ConflictError]
    ) -> None:
        try:
            self._line.change(sql, values)
        except SqlError as problem:
            if is_taken(problem):
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


def _ends(row: Sequence[Any]) -> shared_checks.Ends:
    head, digest, seq, last = row
    return shared_checks.Ends(End(int(head), digest), End(int(seq or 0), last))


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
    # Without it, what another session has just written may be read some milliseconds too late.
    return connections.line(name, {"READ_LATEST_WRITES": True})


def _mark(event: Event) -> str | None:
    if event.effect_key is None:
        return None
    if event.type == "statement_started":
        return "intent"
    return "outcome" if event.type in event_rows.OUTCOMES else None
