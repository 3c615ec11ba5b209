"""One fake per port, for tests that are about something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from skills_nb.model.events import Event, ThreadStarted
from skills_nb.ports import ThreadHead
from skills_nb.runtime.stores import rows

_ENDS = {"statement_completed", "statement_failed", "statement_lost"}


class MemoryThreadStore:
    """Threads in a dictionary; meets the conformance suite of `ThreadStore`."""

    def __init__(self) -> None:
        self.threads: dict[str, list[Event]] = {}
        self.abandoned: set[str] = set()
        """Threads whose last holder a test declares dead."""

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        rows.check_thread_id(thread_id)
        rows.check_sequence(thread_id, expected_seq, events)
        kept = [_copied(event) for event in events]
        head = len(self.threads.get(thread_id, ()))
        if head != expected_seq:
            raise rows.conflict(thread_id, expected_seq, head)
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
        rows.check_thread_id(thread_id)
        was_left = thread_id in self.abandoned
        self.abandoned.discard(thread_id)
        yield was_left

    def close(self) -> None:
        pass

    def _check_keys(self, thread_id: str, fresh: Sequence[Event]) -> None:
        stored = [event for events in self.threads.values() for event in events]
        marks = [mark for event in (*stored, *fresh) if (mark := _mark(event))]
        if len(marks) != len(set(marks)):
            raise rows.taken_key(thread_id, fresh)


def _copied(event: Event) -> Event:
    row, blob = rows.encoded(event)
    return rows.decoded(row if blob is None else row._replace(body=blob.body))


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
