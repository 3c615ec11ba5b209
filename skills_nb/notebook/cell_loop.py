"""Where the work of a click is done: on the main thread, in the context of its cell.

Room: doors (notebook). A click arrives on any thread of the kernel; what it does is put on the
kernel's loop, in a copy of the cell's context, so that its output lands in the cell.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable


class CellLoop:
    """The kernel's loop as one cell sees it; a terminal has none."""

    def __init__(self) -> None:
        """Remember the cell that is running."""
        self._context = contextvars.copy_context()
        self._loop = _running_loop()

    @property
    def has_timers(self) -> bool:
        """Return whether anything can be done later by itself."""
        return self._loop is not None

    def soon(self, work: Callable[[], None]) -> None:
        """Do it on the main thread in the cell's context; at once where we are there already."""
        is_main = threading.current_thread() is threading.main_thread()
        if is_main or self._loop is None:
            self.fresh().run(work)
        else:
            self._loop.call_soon_threadsafe(work, context=self.fresh())

    def later(self, seconds: float, work: Callable[[], None]) -> asyncio.TimerHandle | None:
        """Do it after some seconds; returns None where there is no loop."""
        if self._loop is None:
            return None
        return self._loop.call_later(seconds, work, context=self.fresh())

    def cancel(self, timer: asyncio.TimerHandle) -> None:
        """Take a timer back, from whatever thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(timer.cancel)

    def fresh(self) -> contextvars.Context:
        """Return a copy of the cell's context.

        A context cannot be entered twice, and a timer may fire while a click is worked on.
        """
        return self._context.copy()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
