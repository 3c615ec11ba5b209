"""A limit on how long something may take, in the process that does it.

Room: work (bench).
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimitError(BaseException):
    """It took too long.

    No `Exception`, like an interrupt: whoever handles the errors of a statement must not take it
    for one of them.
    """


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what runs inside after a while.

    Works by a signal, so only in a process's main thread; elsewhere (a thread of a cluster's
    worker) the limits of statements and commands are all there is.

    Raises:
        TimeLimitError: it took longer.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeLimitError(f"took longer than {seconds:g} s")

    with _alarm(seconds, ring):
        yield


Handler = Callable[[int, FrameType | None], None]

if sys.platform == "win32":

    @contextmanager
    def _alarm(seconds: float, ring: Handler) -> Iterator[None]:
        """Ring once; without alarms a thread does it, with a signal that nobody sends here."""
        before = signal.signal(signal.SIGTERM, ring)
        timer = threading.Timer(seconds, _thread.interrupt_main, (signal.SIGTERM,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            signal.signal(signal.SIGTERM, before)

else:

    @contextmanager
    def _alarm(seconds: float, ring: Handler) -> Iterator[None]:
        """Ring once."""
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
