"""A watch over what Python does, where the kernel cannot hold it.

Room: embedded. It refuses what plain code would do; it is no barrier against code that means harm,
which is why Python is off there unless it is asked for.

See https://docs.python.org/3/library/audit_events.html
"""

from __future__ import annotations

import os
import sys

from .folders import Readable

_REFUSED = (
    "ctypes.",
    "fcntl.",
    "ftplib.",
    "gc.get_objects",
    "gc.get_referrers",
    "http.client.",
    "imaplib.",
    "mmap.__new__",
    "os.exec",
    "os.fork",
    "os.kill",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.",
    "resource.",
    "smtplib.",
    "socket.",
    "sqlite3.",
    "subprocess.",
    "urllib.",
)
_CHANGING = ("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir")
_CHANGES = (*_CHANGING, "os.symlink", "os.truncate", "os.utime", "os.setxattr", "os.removexattr")
_LOOKS = ("open", "os.listdir", "os.scandir", "os.chdir")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def watch(paths: Readable, folder: str) -> None:
    """Refuse files but these, processes, sockets and what goes around Python, from now on."""
    own = os.path.realpath(folder)
    allowed = (*paths.whole, own)
    refused, looks = (*_REFUSED, *_CHANGES), frozenset(_LOOKS)

    def heed(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith(refused) or (
            event in looks and not _may_look(arguments, paths.listed, allowed, own)
        ):
            raise PermissionError(f"{event} is not available to handlers")

    sys.addaudithook(heed)


def _may_look(
    arguments: tuple[object, ...], listed: tuple[str, ...], allowed: tuple[str, ...], own: str
) -> bool:
    path = arguments[0] if arguments else None
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    flags = arguments[2] if len(arguments) > 2 else 0
    if not isinstance(path, str):
        return False
    real = os.path.realpath(path)
    if isinstance(flags, int) and flags & _WRITES:
        return real.startswith(own + os.sep)
    return real in listed or any(real == one or real.startswith(one + os.sep) for one in allowed)
