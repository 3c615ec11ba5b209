"""Locks between processes: one around every write, one per thread for as long as it is worked on.

Room: work (runtime, stores). Both are `flock`s, which the kernel releases when their process
dies, however it dies. POSIX; on a system without `flock` the store says so instead of working
without it, and where a folder's file system does not keep them, too.
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

try:
    import fcntl
except ImportError as _missing:  # pragma: no cover - a system without POSIX locks
    raise StoreError(
        "this system has no POSIX file locks, so threads could not be kept safe",
        hint="use Linux, macOS or the Windows Subsystem for Linux",
    ) from _missing


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
        second = os.open(name, os.O_RDWR | os.O_CLOEXEC)
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


def _take_file(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _take_range(descriptor: int) -> None:
    fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)


def _take_own_range(descriptor: int) -> None:
    # A lock of the open file, not of the process: the only one on a range that a process can be
    # refused for what it holds itself. Source: fcntl_locking(2), Open file description locks.
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wanted)


_PAIRS: tuple[tuple[Take, Take], ...] = ((_take_file, _take_file),)
if sys.platform == "linux":
    _PAIRS = (*_PAIRS, (_take_range, _take_own_range))


@dataclass(slots=True)
class _Held:
    descriptor: int
    depth: int


_held: dict[str, _Held] = {}
"""Lock files that this process holds; shared by all stores in it, since a process is one holder."""
_guard = threading.RLock()


@contextmanager
def exclusive(descriptor: int) -> Iterator[None]:
    """Keep every other process (and every other descriptor of this one) out; wait for it."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


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
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as taken:
        holder = os.pread(descriptor, 64, 0).decode("ascii", "replace").strip()
        raise ThreadError(
            f"thread '{thread_id}' is held by process {holder or '(starting)'}",
            hint="it goes on there: finish it or interrupt it there, then go on here with: resume "
            + thread_id,
        ) from taken
    was_left = os.fstat(descriptor).st_size > 0
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    # The mark must outlive a power cut, or the next holder would not know of this one.
    os.fsync(descriptor)
    store_places.flush_folder(path.parent)
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


os.register_at_fork(after_in_child=_forget_after_fork)
