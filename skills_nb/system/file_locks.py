"""A lock of a whole file, held by one open file and freed by the kernel when its process dies.

Room: none (system). POSIX has `flock`. Windows has locks of ranges, and nobody else may read what
is locked: there one byte far behind any text is locked, so that the name of the holder, which
stands at the beginning of the file, can be read by whoever is refused.
Source: flock(2); Microsoft, `LockFile` ("locking a region that goes beyond the current end-of-file
position is not an error"; what is locked is unlocked when its process terminates).
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

_FAR_BEHIND = 1 << 30
"""Where the byte is that stands for a file; within the 31 bits that every C runtime takes."""
_LOOKS_EVERY_S = 0.01
_REFUSED = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    def take(descriptor: int) -> None:
        """Lock a file at once.

        Raises:
            BlockingIOError: another open file has it, of this process or of another.
            OSError: its file system keeps no locks.
        """
        try:
            _of_byte(descriptor, msvcrt.LK_NBLCK)
        except OSError as problem:
            if problem.errno not in _REFUSED:
                raise
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from problem

    def release(descriptor: int) -> None:
        """Let others lock it."""
        _of_byte(descriptor, msvcrt.LK_UNLCK)

    def _wait_for(descriptor: int) -> None:
        # The runtime's own way of waiting gives up after ten seconds.
        while True:
            try:
                return take(descriptor)
            except BlockingIOError:
                time.sleep(_LOOKS_EVERY_S)

    def _of_byte(descriptor: int, mode: int) -> None:
        os.lseek(descriptor, _FAR_BEHIND, os.SEEK_SET)
        msvcrt.locking(descriptor, mode, 1)

else:
    import fcntl

    def take(descriptor: int) -> None:
        """Lock a file at once.

        Raises:
            BlockingIOError: another open file has it, of this process or of another.
            OSError: its file system keeps no locks.
        """
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(descriptor: int) -> None:
        """Let others lock it."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _wait_for(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def exclusive(descriptor: int) -> Iterator[None]:
    """Keep every other process (and every other descriptor of this one) out; wait for it."""
    _wait_for(descriptor)
    try:
        yield
    finally:
        release(descriptor)
