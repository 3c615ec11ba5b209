"""Time limits: one thread ends what takes longer than it may, in all accounts of the process.

Room: embedded. A thread for each statement would cost more than most statements do. Limits are
days long unless somebody sets shorter ones, so the thread sleeps through nearly all of them.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable
from time import monotonic


class _Limits:
    """What has a limit now, and the thread that waits for the first one to be over."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open: dict[object, tuple[float, Callable[[], None]]] = {}
        self._wakes_at = math.inf
        self._is_awake = False

    def add(self, limit_s: float, expire: Callable[[], None]) -> object:
        token = object()
        with self._changed:
            over_at = monotonic() + limit_s
            self._open[token] = over_at, expire
            if not self._is_awake:
                self._is_awake = True
                threading.Thread(target=self._watch, name="skills-limits", daemon=True).start()
            elif over_at < self._wakes_at:
                self._changed.notify()
        return token

    def remove(self, token: object) -> None:
        with self._changed:
            self._open.pop(token, None)

    def _watch(self) -> None:
        while True:
            self._expire_next()

    def _expire_next(self) -> None:
        # In a frame of its own: while the thread sleeps it holds nobody's session.
        for expire in self._next_over():
            expire()

    def _next_over(self) -> list[Callable[[], None]]:
        """Wait until something is over, or for news; return what is to be told."""
        with self._changed:
            self._wakes_at = min((at for at, _ in self._open.values()), default=math.inf)
            wait_s = self._wakes_at - monotonic()
            if wait_s > 0:
                self._changed.wait(min(wait_s, threading.TIMEOUT_MAX))
            now = monotonic()
            over = [token for token, (at, _) in self._open.items() if at <= now]
            return [self._open.pop(token)[1] for token in over]


_limits = _Limits()


def begin(limit_s: float, expire: Callable[[], None]) -> object:
    """Call `expire`, from another thread, when `limit_s` seconds are over.

    Returns:
        What `end` takes.
    """
    return _limits.add(limit_s, expire)


def end(token: object) -> None:
    """Forget a limit; nothing happens where it is over already."""
    _limits.remove(token)


def _start_anew() -> None:
    """Begin without limits in a forked process, which has no other thread."""
    global _limits
    _limits = _Limits()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
