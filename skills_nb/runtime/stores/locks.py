"""Locks between processes: one around every write, one per thread for as long as it is worked on.

Room: work (runtime, stores). Both are `flock`s, which the kernel releases when their process
dies, however it dies. POSIX; on a system without `flock` the store says so instead of working
without it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from skills_nb.errors import StoreError, ThreadError
from skills_nb.runtime.stores import places

try:
    import fcntl
except ImportError as _missing:  # pragma: no cover - a system without POSIX locks
    raise StoreError(
        "this system has no POSIX file locks, so threads could not be kept safe",
        hint="use Linux, macOS or the Windows Subsystem for Linux",
    ) from _missing


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
        descriptor = places.open_private(path)
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
            hint="finish or stop it there, then resume the thread here",
        ) from taken
    was_left = os.fstat(descriptor).st_size > 0
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    # The mark must outlive a power cut, or the next holder would not know of this one.
    os.fsync(descriptor)
    places.flush_folder(path.parent)
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
