"""After half a second a command says that it is at work, even if it has nothing to tell yet.

Room: doors (notebook). The seconds run in the page by the style sheet; here one timer fires once,
on a thread of its own, because the main one is busy with the command.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable


class BusyNotice:
    """One wait: `ask` is called unless `end` comes first."""

    def __init__(self, seconds: float, ask: Callable[[], None]) -> None:
        """Begin to wait, in the context of the caller."""
        context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._is_over = False
        self._timer = threading.Timer(seconds, context.run, (self._fire, ask))
        self._timer.daemon = True
        self._timer.start()

    def _fire(self, ask: Callable[[], None]) -> None:
        with self._lock:
            if not self._is_over:
                ask()

    def end(self) -> None:
        """Call nothing any more; whatever is being called is waited for."""
        self._timer.cancel()
        with self._lock:
            self._is_over = True
