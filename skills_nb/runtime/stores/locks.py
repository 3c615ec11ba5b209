"""Locks between processes: one around every write, one per thread for as long as it is worked on.

Room: work (runtime, stores). Both are locks of files, which the kernel releases when their process
dies, however it dies. Where a folder's file system does not keep them, the store says so instead of
working without.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from skills_nb.errors import StoreError, ThreadError
from skills_nb.runtime.stores import store_places
from skills_nb.system import file_locks, plain_files

if sys.platform == "linux":
    import fcntl

Take = Callable[[int], object]
"""Takes a lock of a descriptor at once, or raises BlockingIOError where somebody has it."""


def prove(directory: Path, pairs: tuple[tuple[Take, Take], ...] | None = None) -> None:
    """See that a lock which is held in a folder is refused to somebody else.

    Args:
        directory: the folder, which can be written.
        pairs: what takes a lock, and what must then be refused on another descriptor; this
            system's locks on whole files and on ranges, which SQLite uses, by default.

    Raises:
        StoreError: locks are not supported there, or are given twice.
        OSError: no file can be made in the folder.
    """
    first, name = tempfile.mkstemp(prefix=".lock-", dir=directory)
    try:
        second = plain_files.open_bytes(Path(name), os.O_RDWR)
        try:
            for take, take_again in _PAIRS if pairs is None else pairs:
                why = _distrust(partial(take, first), partial(take_again, second))
                if why:
                    raise StoreError(
                        f"{directory}: its file system does not keep locks ({why}), so two "
                        "processes could write one thread at a time; nothing was changed",
                        hint="set SKILLS_NB_HOME to a folder on a local disk",
                    )
        finally:
            os.close(second)
    finally:
        os.close(first)
        os.unlink(name)


def _distrust(take: Callable[[], object], take_again: Callable[[], object]) -> str | None:
    """Return why a kind of lock cannot be relied on; None where it can."""
    try:
        take()
    except OSError as problem:
        return f"a lock was refused: {problem.strerror or problem}"
    try:
        take_again()
    except BlockingIOError:
        return None
    except OSError as problem:
        # A kernel that does not know the second kind says nothing about the first.
        is_unknown = problem.errno == errno.EINVAL
        return None if is_unknown else f"a lock was refused: {problem.strerror or problem}"
    return "a lock that was held was given a second time"


_PAIRS: tuple[tuple[Take, Take], ...] = ((file_locks.take, file_locks.take),)
if sys.platform == "linux":

    def _take_range(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)

    def _take_own_range(descriptor: int) -> None:
        # A lock of the open file, not of the process: the only one on a range that a process can
        # be refused for what it holds itself. Source: fcntl_locking(2), Open file description
        # locks.
        wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wanted)

    _PAIRS = (*_PAIRS, (_take_range, _take_own_range))


@dataclass(slots=True)
class _Held:
    descriptor: int
    depth: int


_held: dict[str, _Held] = {}
"""Lock files that this process holds; shared by all stores in it, since a process is one holder."""
_guard = threading.RLock()


@contextmanager
def hold(path: Path, thread_id: str) -> Iterator[bool]:
    """Hold a thread for this process through its lock file.

    The file says who holds it; a clean release empties it. So a file that is free but not empty
    was left by a process that died. Within one process holds nest, and an inner one reports
    nothing of its own.

    Yields:
        Whether the last holder died without releasing it.

    Raises:
        ThreadError: another live process holds it.
        OSError: the lock file cannot be made or written.
    """
    key = os.path.realpath(path)
    was_left = _enter(key, path, thread_id)
    try:
        yield was_left
    finally:
        _leave(key)


def _enter(key: str, path: Path, thread_id: str) -> bool:
    with _guard:
        mine = _held.get(key)
        if mine is not None:
            mine.depth += 1
            return False
        descriptor = store_places.open_private(path)
        try:
            was_left = _acquire(descriptor, path, thread_id)
        except BaseException:
            os.close(descriptor)
            raise
        _held[key] = _Held(descriptor, 1)
        return was_left


def _acquire(descriptor: int, path: Path, thread_id: str) -> bool:
    try:
        file_locks.take(descriptor)
    except BlockingIOError as taken:
        holder = plain_files.holder_of(descriptor)
        raise ThreadError(
            f"thread '{thread_id}' is held by process {holder or '(starting)'}",
            hint="it goes on there: finish it or interrupt it there, then go on here with: resume "
            + thread_id,
        ) from taken
    was_left = os.fstat(descriptor).st_size > 0
    plain_files.name_holder(descriptor)
    # The mark must outlive a power cut, or the next holder would not know of this one.
    os.fsync(descriptor)
    plain_files.flush_folder(path.parent)
    return was_left


def _leave(key: str) -> None:
    with _guard:
        mine = _held.get(key)
        if mine is None:  # a forked child leaves the block that its parent entered
            return
        mine.depth -= 1
        if mine.depth == 0:
            del _held[key]
            os.ftruncate(mine.descriptor, 0)
            os.close(mine.descriptor)


def _forget_after_fork() -> None:
    # A child shares its parent's locks; it must neither keep them alive nor believe they are its.
    global _guard  # its owner may be a thread that the child does not have
    _guard = threading.RLock()
    for mine in _held.values():
        os.close(mine.descriptor)
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_forget_after_fork)
