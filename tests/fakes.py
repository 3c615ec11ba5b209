"""One fake per port, for tests that are about something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext, Event, ThreadStarted
from skills_nb.ports import (
    Fate,
    FieldRequest,
    ModelReply,
    PlanRequest,
    QueryRows,
    Shortfall,
    StatementOutcome,
    ThreadHead,
)
from skills_nb.runtime.stores import event_rows

_ENDS = {"statement_completed", "statement_failed", "statement_lost"}


class MemoryThreadStore:
    """Threads in a dictionary; meets the conformance suite of `ThreadStore`."""

    def __init__(self) -> None:
        self.threads: dict[str, list[Event]] = {}
        self.abandoned: set[str] = set()
        """Threads whose last holder a test declares dead."""

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        event_rows.check_thread_id(thread_id)
        event_rows.check_sequence(thread_id, expected_seq, events)
        kept = [_copied(event) for event in events]
        head = len(self.threads.get(thread_id, ()))
        if head != expected_seq:
            raise event_rows.conflict(thread_id, expected_seq, head)
        self._check_keys(thread_id, kept)
        if kept:
            thread = self.threads.pop(thread_id, [])
            self.threads[thread_id] = [*thread, *kept]
        return expected_seq + len(kept)

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        return tuple(self.threads.get(thread_id, ())[after:])

    def heads(self) -> tuple[ThreadHead, ...]:
        found = [_head(thread_id, events) for thread_id, events in self.threads.items()]
        return tuple(sorted(found, key=lambda head: head.updated_at, reverse=True))

    @contextmanager
    def hold(self, thread_id: str) -> Iterator[bool]:
        event_rows.check_thread_id(thread_id)
        was_left = thread_id in self.abandoned
        self.abandoned.discard(thread_id)
        yield was_left

    def shortfalls(self, thread_id: str | None = None) -> tuple[Shortfall, ...]:
        return ()

    def verify(self) -> tuple[str, ...]:
        return ()

    def accept(self, thread_id: str) -> None:
        pass

    def close(self) -> None:
        pass

    def _check_keys(self, thread_id: str, fresh: Sequence[Event]) -> None:
        stored = [event for events in self.threads.values() for event in events]
        marks = [mark for event in (*stored, *fresh) if (mark := _mark(event))]
        if len(marks) != len(set(marks)):
            raise event_rows.taken_key_error(thread_id, fresh)


def _copied(event: Event) -> Event:
    row, blob = event_rows.encode(event)
    return event_rows.decode(row if blob is None else row._replace(body=blob.body))


def _mark(event: Event) -> tuple[str, str] | None:
    if event.effect_key is None:
        return None
    if event.type in _ENDS:
        return ("outcome", event.effect_key)
    return ("intent", event.effect_key) if event.type == "statement_started" else None


def _head(thread_id: str, events: Sequence[Event]) -> ThreadHead:
    goals = [event.goal for event in events if isinstance(event, ThreadStarted)]
    last = events[-1]
    return ThreadHead(thread_id, last.seq, goals[0] if goals else "", last.timestamp)


class FakeClock:
    """A clock that moves only when somebody sleeps, by a millisecond a look."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def now(self) -> str:
        self.seconds += 0.001
        whole = int(self.seconds)
        return f"2026-01-01T{whole // 3600:02}:{whole // 60 % 60:02}:{self.seconds % 60:09.6f}Z"

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


class CountingIds:
    """Ids that count."""

    def __init__(self) -> None:
        self.threads = self.events = 0

    def thread_id(self) -> str:
        self.threads += 1
        return f"thr_{self.threads:012x}"

    def event_id(self) -> str:
        self.events += 1
        return f"{self.events:032x}"


class FakeHuman:
    """Somebody, or nobody."""

    def __init__(self, *, present: bool = False) -> None:
        self.present = present

    def is_present(self) -> bool:
        return self.present


class ScriptedResolver:
    """A model that says what a test wrote down, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, plan: Any = None, values: Any = None, choice: str | None = None) -> None:
        self.plan, self.values, self.choice = plan, values, choice
        self.asked: list[Any] = []

    def choose(self, question: str, options: Mapping[str, str]) -> ModelReply | None:
        self.asked.append((question, dict(options)))
        return ModelReply({"choice": self.choice}, 0.9) if self.choice is not None else None

    def fill(self, words: str, fields: Sequence[FieldRequest]) -> ModelReply | None:
        self.asked.append((words, tuple(fields)))
        return ModelReply(self.values, 0.9) if self.values is not None else None

    def propose(self, request: PlanRequest) -> ModelReply | None:
        self.asked.append(request)
        return ModelReply(self.plan, 0.9, {"output_tokens": 9}) if self.plan is not None else None


class Deferring:
    """A session whose submitted statements run at once and tell of it when asked."""

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        try:
            self._submitted: StatementOutcome | SqlError = self.execute(sql, role=role, tag=tag)
        except SqlError as problem:
            self._submitted = problem
            return f"refused-{tag}"
        return self._submitted.query_id

    def outcome(self, query_id: str) -> StatementOutcome:
        if isinstance(self._submitted, SqlError):
            raise self._submitted
        return self._submitted


class FakeAccount(Deferring):
    """A Snowflake that remembers what ran, by tag, and knows which objects exist.

    Objects are known by the first word after CREATE or DROP that is no keyword; SHOW … LIKE 'X'
    finds those created. `failures` maps a piece of SQL to the errors that its next runs meet.
    """

    def __init__(self, context: AccountContext) -> None:
        self.where = context
        self.ran: list[tuple[str, str | None]] = []
        self.read: list[tuple[str, str | None]] = []
        self.history: dict[str, Fate] = {}
        self.answers: dict[str, list[dict[str, Any]]] = {}
        self.failures: dict[str, list[SqlError]] = {}
        self.objects: set[str] = set()
        self.is_blind = False

    def context(self) -> AccountContext:
        return self.where

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        self.read.append((sql, role))
        self._maybe_fail(sql)
        rows = self._rows(sql)
        columns = tuple(rows[0]) if rows else ("name",)
        return QueryRows(columns, tuple(tuple(row.values()) for row in rows), len(rows))

    def _rows(self, sql: str) -> list[dict[str, Any]]:
        for piece, answer in self.answers.items():
            if piece in sql:
                return answer
        like = re.search(r"LIKE '([^']+)'", sql)
        found = [
            name for name in sorted(self.objects) if like and name == like[1].replace("\\", "")
        ]
        return [{"name": name} for name in found]

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        self._maybe_fail(sql, tag)
        self.ran.append((sql, role))
        made = re.match(r"(CREATE|DROP)\b.*?\b(\w+\.)*([A-Z][A-Z0-9_]*)(\s+AS\b|\s*\(|\s*$)", sql)
        if made:
            change = self.objects.add if made[1] == "CREATE" else self.objects.discard
            change(made[3])
        self.history[tag] = Fate("succeeded", query_id=f"q{len(self.ran)}")
        return StatementOutcome(query_id=f"q{len(self.ran)}", row_count=None, duration_s=0.0)

    def _maybe_fail(self, sql: str, tag: str = "") -> None:
        for piece, errors in self.failures.items():
            if piece in sql and errors:
                error = errors.pop(0)
                self.history[tag] = Fate(
                    "failed", error=error.message, errno=error.errno, sqlstate=error.sqlstate
                )
                raise error

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        return Fate("unknown") if self.is_blind else self.history.get(tag, Fate("absent"))

    def close(self) -> None:
        pass
