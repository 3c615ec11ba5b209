"""Time, identifiers, and who is there.

Room: contracts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    pass


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> str:
        """Return the present instant in UTC as `2026-02-22T10:00:00.000000Z`."""
        ...

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start, for durations."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class IdSource(Protocol):
    """The only source of new identifiers."""

    def thread_id(self) -> str:
        """Return a new thread id, `thr_` and twelve hex digits."""
        ...

    def event_id(self) -> str:
        """Return a new event id, unique everywhere."""
        ...


class Human(Protocol):
    """Whoever may answer a pause."""

    def is_present(self) -> bool:
        """Return whether a person is there to see a countdown."""
        ...
