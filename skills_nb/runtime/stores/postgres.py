"""A team's thread store: the same promises in a PostgreSQL database.

Room: work (runtime, stores). Rules: an append locks its thread's row, compares the head and the
lease's epoch, and is acknowledged when the server has flushed it; where the answer to a commit is
lost, the database is asked whether it took place.
Source: THREADS, Store (Shared stores).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, insert, make_url, select, update
from sqlalchemy import event as engine_events
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from skills_nb.errors import StoreError
from skills_nb.model.events import Event
from skills_nb.ports import Shortfall, ThreadHead
from skills_nb.runtime.stores import event_rows, shared_checks
from skills_nb.runtime.stores.digest_chain import links
from skills_nb.runtime.stores.leases import LEASE_S, Leases
from skills_nb.runtime.stores.postgres_ends import accept_end, digest_at, locked, standings
from skills_nb.runtime.stores.postgres_leases import SharedLeases, check
from skills_nb.runtime.stores.postgres_tables import EVENTS, THREADS, make_tables


class SharedThreadStore:
    """Threads in a PostgreSQL database. Implements `ports.ThreadStore`."""

    def __init__(self, url: str, *, lease_s: float = LEASE_S) -> None:
        """Open the store; its tables are made if missing.

        Args:
            url: a database URL such as `postgresql+psycopg://user@host/database`.
            lease_s: how long a process may be silent before its threads may be taken over.

        Raises:
            StoreError: it is no such URL, or the database cannot be used.
        """
        self._engine = _engine(url)
        self.place = self._engine.url.render_as_string(hide_password=True)
        """The database, without its password."""
        self._leases = Leases(SharedLeases(self._engine), self.place, lease_s, SQLAlchemyError)
        try:
            with self._explained("open the thread store"), self._engine.begin() as connection:
                make_tables(connection, self.place)
        except BaseException:
            self._engine.dispose()
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
            with self._engine.begin() as connection:
                self._append(connection, thread_id, expected_seq, events, documents)
        except IntegrityError as problem:
            raise event_rows.taken_key_error(thread_id, events) from problem
        except SQLAlchemyError as problem:
            if not self._has_landed(thread_id, events, documents, problem):
                raise self._trouble(
                    f"append to thread '{thread_id}'", problem, "nothing was appended"
                ) from problem
        return expected_seq + len(events)

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread.

        Raises:
            StoreError: the database cannot be read, or an event in it is damaged.
        """
        with self._explained(f"read thread '{thread_id}'"), self._engine.connect() as connection:
            found = _documents(connection, thread_id, after)
            previous = digest_at(connection, thread_id, after)
        return tuple(shared_checks.linked_events(self.place, thread_id, after, previous, found))

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._explained("list the threads"), self._engine.connect() as connection:
            found = connection.execute(
                select(
                    THREADS.c.thread_id, THREADS.c.head, THREADS.c.goal, THREADS.c.updated_at
                ).order_by(THREADS.c.updated_at.collate("C").desc(), THREADS.c.tid.desc())
            ).all()
        return tuple(ThreadHead(*row) for row in found)

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
        with self._explained("look for lost events"), self._engine.connect() as connection:
            found = standings(connection, thread_id)
        lost = (shared_checks.shortfall(self.place, name, there) for name, there in found)
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
        with self._explained(f"accept thread '{thread_id}'"), self._engine.begin() as connection:
            accept_end(connection, thread_id)

    def close(self) -> None:
        """Release the connections."""
        self._engine.dispose()

    def _append(
        self,
        connection: Connection,
        thread_id: str,
        expected_seq: int,
        events: Sequence[Event],
        documents: Sequence[str],
    ) -> None:
        check(connection, thread_id, self._leases.epoch_of(thread_id))
        tid, there = locked(connection, thread_id)
        shared_checks.refuse(
            shared_checks.shortfall(self.place, thread_id, there), "nothing was appended"
        )
        if there.head.seq != expected_seq:
            raise event_rows.conflict(thread_id, expected_seq, there.head.seq)
        if not events:
            return
        digests = links(thread_id, there.head.digest, documents)
        tid = _moved(connection, tid, thread_id, events, digests[-1])
        values = [
            {
                "tid": tid,
                "seq": event.seq,
                "type": event.type,
                "v": event.v,
                "effect_key": event.effect_key,
                "document": document,
                "digest": digest,
            }
            for event, document, digest in zip(events, documents, digests, strict=True)
        ]
        connection.execute(insert(EVENTS), values)

    def _has_landed(
        self,
        thread_id: str,
        events: Sequence[Event],
        documents: Sequence[str],
        problem: SQLAlchemyError,
    ) -> bool:
        """Tell whether a commit whose answer was lost took place."""
        if not (isinstance(problem, DBAPIError) and problem.connection_invalidated and events):
            return False
        try:
            with self._engine.connect() as connection:
                found = _documents(connection, thread_id, events[0].seq - 1)
        except SQLAlchemyError as still:
            raise self._trouble(
                f"append to thread '{thread_id}'",
                still,
                "whether the events were appended is not known: reload the thread",
            ) from problem
        return [text for _, _, _, text, _ in found[: len(documents)]] == list(documents)

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as problem:
            raise self._trouble(doing, problem, "nothing was changed") from problem

    def _trouble(self, doing: str, problem: SQLAlchemyError, unharmed: str) -> StoreError:
        said = str(getattr(problem, "orig", None) or problem).strip().splitlines()[0]
        return StoreError(
            f"{self.place}: cannot {doing}: {said}; {unharmed}",
            hint="see that the database runs and takes your user's changes, then try again",
        )


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError as problem:
        raise StoreError(
            "the shared store's address is not a database URL",
            hint="write it like postgresql+psycopg://user@host/database",
        ) from problem
    if parsed.get_backend_name() != "postgresql":
        # Elsewhere unique keys or row locks may be declared without being enforced, as on
        # Snowflake's standard tables, and two writers would both win.
        raise StoreError(
            f"shared stores work on PostgreSQL; '{parsed.get_backend_name()}' is not supported",
            hint="write the address like postgresql+psycopg://user@host/database",
        )
    try:
        engine = create_engine(parsed, pool_pre_ping=True)
    except ImportError as problem:
        raise StoreError(
            f"the driver of '{parsed.drivername}' is not installed",
            hint="pip install 'psycopg[binary]', and begin the URL with postgresql+psycopg://",
        ) from problem
    engine_events.listen(engine, "connect", _acknowledge_only_what_is_flushed)
    return engine


def _acknowledge_only_what_is_flushed(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    connection.commit()


def _documents(
    connection: Connection, thread_id: str, after: int
) -> list[shared_checks.LinkedDocument]:
    found = connection.execute(
        select(EVENTS.c.seq, EVENTS.c.type, EVENTS.c.v, EVENTS.c.document, EVENTS.c.digest)
        .join(THREADS)
        .where(THREADS.c.thread_id == thread_id, EVENTS.c.seq > after)
        .order_by(EVENTS.c.seq)
    )
    return [(seq, kind, version, text, digest) for seq, kind, version, text, digest in found]


def _moved(
    connection: Connection, tid: int | None, thread_id: str, events: Sequence[Event], digest: str
) -> int:
    """Move the thread's head on, or make the thread; return its key."""
    goal = event_rows.goal_in(events)
    end = events[-1]
    values: dict[str, Any] = {"head": end.seq, "updated_at": end.timestamp, "digest": digest}
    if goal is not None or tid is None:
        # PostgreSQL's texts hold no NUL; the event itself keeps it.
        values["goal"] = (goal or "").replace("\x00", "\N{REPLACEMENT CHARACTER}")
    if tid is None:
        made = insert(THREADS).values(thread_id=thread_id, **values).returning(THREADS.c.tid)
        return int(connection.execute(made).scalar_one())
    connection.execute(update(THREADS).where(THREADS.c.tid == tid).values(**values))
    return tid
