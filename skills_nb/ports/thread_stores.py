"""Where threads are kept.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from skills_nb.model.events import Event


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """What the store's overview knows of a thread without folding it."""

    thread_id: str
    """Its key in the store."""
    seq: int
    """Sequence number of its last event."""
    goal: str
    """The person's words, or the target they named."""
    updated_at: str
    """Time of its last event, UTC with `Z`."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A thread of which the store has less, or something else, than it has acknowledged."""

    thread_id: str
    """Its key in the store."""
    acknowledged: int
    """The event that it should reach."""
    found: int
    """Its last event in the store; where nothing is missing, the acknowledged one is another."""
    place: str
    """The file or database."""

    @property
    def text(self) -> str:
        """Return what is wrong, as a sentence without its end."""
        here = f"{self.place}: thread '{self.thread_id}'"
        if self.found >= self.acknowledged:
            return (
                f"{here}: event {self.acknowledged} is not the one that was acknowledged: "
                "the store was replaced or changed"
            )
        missing = self.acknowledged - self.found
        lost = "1 event is" if missing == 1 else f"{missing} events are"
        return f"{here} ends at event {self.found} instead of {self.acknowledged}: {lost} missing"

    @property
    def hint(self) -> str:
        """Return what to do about it."""
        return (
            "restore the store from a backup; or look in the account at what the missing events "
            f"may have done, and go on with what is here: threads accept {self.thread_id}"
        )


class ThreadStore(Protocol):
    """Append-only threads with compare-and-swap. Source: THREADS, Store."""

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Append events after `expected_seq`, all or none, durably; return the new head.

        The events carry `seq` expected_seq + 1, … already.

        Raises:
            ConflictError: the head is not `expected_seq`, or an effect key is taken.
            StoreError: the store cannot be written, or has less of the thread than it has
                acknowledged; nothing was appended.
        """
        ...

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread."""
        ...

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first."""
        ...

    def hold(self, thread_id: str) -> AbstractContextManager[bool]:
        """Hold the thread for this process; yields whether another process held it and died.

        Raises:
            ThreadError: a live process holds it.
            StoreError: the store has less of the thread than it has acknowledged.
        """
        ...

    def shortfalls(self, thread_id: str | None = None) -> tuple[Shortfall, ...]:
        """Return which threads, or whether this one, lost what was acknowledged; quick."""
        ...

    def verify(self) -> tuple[str, ...]:
        """Read everything, and return what is wrong, one line each; empty when it is whole."""
        ...

    def accept(self, thread_id: str) -> None:
        """Take what is there of a thread for all of it, as a person who was told has decided.

        Raises:
            StoreError: an event of it is damaged, or the store cannot be written.
        """
        ...

    def close(self) -> None:
        """Release files and connections."""
        ...
