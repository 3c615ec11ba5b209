"""What every shared store checks of its threads.

Room: work (runtime, stores). A shared store keeps number and digest of a thread's last event in
the thread's own row, written with the event in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from skills_nb.errors import StoreError
from skills_nb.model.events import Event
from skills_nb.ports import Shortfall, ThreadStore
from skills_nb.runtime.stores import event_rows
from skills_nb.runtime.stores.digest_chain import End, check_link

LinkedDocument: TypeAlias = tuple[int, str, int, str, str | None]
"""An event's number, type, version, document and digest."""


class Ends(NamedTuple):
    """What a store says of where a thread ends."""

    head: End
    """As the thread's row has it."""
    last: End
    """As its last event has it."""


def shortfall(place: str, thread_id: str, there: Ends) -> Shortfall | None:
    """Return what a thread lacks of what was acknowledged; None where it lacks nothing."""
    head, last = there
    # An older release's thread has a head without a digest.
    is_other = head.digest is not None and last.seq == head.seq and last.digest != head.digest
    if last.seq < head.seq or is_other:
        return Shortfall(thread_id, head.seq, last.seq, place)
    return None


def refuse(found: Shortfall | None, unharmed: str) -> None:
    """Refuse to work on a thread that lacks something.

    Raises:
        StoreError: it does; the message ends with what did not happen.
    """
    if found is not None:
        raise StoreError(f"{found.text}; {unharmed}", hint=found.hint)


def linked_events(
    place: str,
    thread_id: str,
    after: int,
    previous: str | None,
    found: Iterable[LinkedDocument],
) -> Iterator[Event]:
    """Yield a thread's events after one, each checked against the one before it.

    Args:
        place: names the store.
        thread_id: the thread.
        after: the number of the event before them; 0 at the beginning.
        previous: that event's digest; None where it has none.
        found: what the store has, by number.

    Raises:
        StoreError: one is missing, damaged, or not what was written.
    """
    for number, (seq, kind, version, text, digest) in enumerate(found, after + 1):
        if seq != number:
            raise _damage(place, thread_id, f"event {number} is missing")
        event = event_rows.from_document(kind, version, text)
        try:
            check_link(thread_id, seq, previous, text, digest)
        except StoreError as problem:
            raise _damage(place, thread_id, problem.message) from problem
        yield event
        previous = digest


def trouble(store: ThreadStore) -> Iterator[str]:
    """Yield what is wrong with a store, one line each, by reading all of it.

    Raises:
        StoreError: the store cannot be read.
    """
    for one in store.shortfalls():
        yield one.text
    yield from damaged_threads(store)


def damaged_threads(store: ThreadStore) -> Iterator[str]:
    """Yield what is wrong with the events of a store's threads, one line a thread.

    Raises:
        StoreError: the store cannot be read.
    """
    for head in store.heads():
        try:
            store.load(head.thread_id)
        except StoreError as problem:
            yield problem.message


def _damage(place: str, thread_id: str, what: str) -> StoreError:
    return StoreError(
        f"{place}: thread '{thread_id}': {what}", hint="restore the database from a backup"
    )
