"""The barriers around a worker: limits, files, system calls, in the order in which they go up.

Room: embedded. They cannot be taken down again by who is behind them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from typing import NoReturn

from . import audit, filters, folders

if sys.platform != "win32":
    import resource

MEMORY_BYTES = 2 << 30
_CPU_S = 3600
_OPEN_FILES = 128
_FILE_BYTES = 256 << 20
_DIES_WITH_PARENT, _NO_NEW_RIGHTS = 1, 38


def put_up(paths: folders.Readable, folder: str, *, trusted: bool) -> bool:
    """Shut this process in.

    Args:
        paths: what may be read.
        folder: the scratch folder, which may be written to.
        trusted: whether its code may run where the kernel cannot shut it in.

    Returns:
        Whether the kernel does; a process that is not shut in and not trusted must end.
    """
    _limit()
    if not sys.platform.startswith("linux"):
        if trusted:
            audit.watch(paths, folder)
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    none = ctypes.c_ulong(0)
    for wish, value in ((_DIES_WITH_PARENT, int(signal.SIGKILL)), (_NO_NEW_RIGHTS, 1)):
        libc.prctl(wish, ctypes.c_ulong(value), none, none, none)
    writes = folders.version_of(libc) >= folders.WRITES_SINCE
    is_shut = folders.shut(libc, paths, folder if writes else None)
    if not is_shut and trusted:
        audit.watch(paths, folder)
    return filters.put_up(libc, writes=writes) and is_shut


def _limit() -> None:
    """Lower what the process may use; what a system does not know, or has lower, stays."""
    wanted = {
        "RLIMIT_AS": MEMORY_BYTES,
        "RLIMIT_CPU": _CPU_S,
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": _FILE_BYTES,
        "RLIMIT_NOFILE": _OPEN_FILES,
    }
    for name, most in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(number, (lowest, lowest))
        except (OSError, ValueError):
            continue


def hold(paths: folders.Readable, folder: str) -> bool:
    """Tell whether the barriers hold here: a process of their own tries to get over them."""
    child = os.fork()
    if child == 0:
        _try(paths, folder)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _try(paths: folders.Readable, folder: str) -> NoReturn:
    attempts = (_read, _connect, _fork)
    try:
        held = put_up(paths, folder, trusted=False) and all(map(_is_refused, attempts))
    except BaseException:  # noqa: BLE001 - whatever went wrong, the barriers are not known to hold
        held = False
    os._exit(0 if held else 1)


def _is_refused(attempt: object) -> bool:
    assert callable(attempt)
    try:
        attempt()
    except OSError:
        return True
    return False


def _read() -> None:
    os.close(os.open("/", os.O_RDONLY))


def _connect() -> None:
    socket.socket(socket.AF_UNIX).close()


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
