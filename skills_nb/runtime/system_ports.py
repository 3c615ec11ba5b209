"""The edge: real time, real randomness, a real terminal.

Room: work (runtime). The only module of it that reads a clock or draws an id; everything else
takes the `Clock`, `IdSource` and `Human` ports.
"""

from __future__ import annotations

import sys
import time
import uuid
from datetime import UTC, datetime
from typing import IO


class SystemClock:
    """This machine's clock. Implements `ports.Clock`."""

    def now(self) -> str:
        """Return the present instant in UTC as `2026-02-22T10:00:00.000000Z`."""
        present = datetime.now(UTC)  # noqa: TID251 - this is the clock behind the port
        return present.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start, for durations; it never goes back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; not at all for zero or less."""
        time.sleep(max(0.0, seconds))


class RandomIds:
    """Identifiers from the operating system's randomness. Implements `ports.IdSource`."""

    def thread_id(self) -> str:
        """Return a new thread id, `thr_` and twelve hex digits."""
        return f"thr_{uuid.uuid4().hex[:12]}"  # noqa: TID251 - this is the id source

    def event_id(self) -> str:
        """Return a new event id, 32 hex digits, unique everywhere."""
        return uuid.uuid4().hex  # noqa: TID251 - this is the id source


class NoHuman:
    """Nobody is there: scripts, tests, servers. Implements `ports.Human`."""

    def is_present(self) -> bool:
        """Return False: a countdown would only waste time."""
        return False


class TerminalHuman:
    """Whoever sits at the terminal. Implements `ports.Human`."""

    def __init__(self, reads: IO[str] | None = None, shows: IO[str] | None = None) -> None:
        """Watch the streams that questions go out on and answers come in by.

        Args:
            reads: where answers come from; standard input by default.
            shows: where a countdown is seen; standard error by default.
        """
        self._reads = reads
        self._shows = shows

    def is_present(self) -> bool:
        """Return whether both ends are a terminal; a closed or missing stream is not one."""
        # Looked up at every call: notebooks and test runners exchange the standard streams.
        ends = (self._reads or sys.stdin, self._shows or sys.stderr)
        return all(end is not None and not end.closed and end.isatty() for end in ends)
