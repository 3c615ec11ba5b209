"""What begins a command inside an enclosure; it imports nothing of the package around it.

Room: work (bench). It is begun in namespaces of its own, makes a root of what is shown and nothing
else, gives up every right, and becomes the command.

See https://man7.org/linux/man-pages/man7/user_namespaces.7.html and
https://man7.org/linux/man-pages/man2/mount_setattr.2.html
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import struct
import sys
from contextlib import suppress
from typing import Any

if sys.platform != "win32":
    import resource

    _libc = ctypes.CDLL(None, use_errno=True)

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442
_HERE, _RECURSIVE = -100, 0x8000
_READ_ONLY, _NO_SUID = 1, 2
_BIND, _REC, _PRIVATE, _NODEV = 4096, 16384, 1 << 18, 4
_DETACH = 2
_DROP_BOUND, _SECURE_BITS, _NO_NEW_RIGHTS, _ALL_LOCKED = 24, 28, 38, 0b101111
_DEVICES = ("null", "zero", "full", "urandom", "random")
_LIMITS = {
    "RLIMIT_CORE": 0,
    "RLIMIT_CPU": 900,
    "RLIMIT_DATA": 4 << 30,
    "RLIMIT_FSIZE": 64 << 20,
    "RLIMIT_NOFILE": 4096,
    "RLIMIT_NPROC": 2048,
}
_TMP_BYTES = 512 << 20


def main() -> None:
    """Become the command that is asked for.

    Raises:
        OSError: the enclosure cannot be made; nothing has run then.
    """
    asked = json.loads(sys.argv[1])
    _make_root(asked["root"], asked["shown"])
    _enter(asked["root"])
    os.chdir(asked["folder"])
    _limit()
    _give_up_rights()
    report = asked["report"]
    os.dup2(report, 3)
    os.closerange(4, 1 << 16)
    os.execve(asked["words"][0], asked["words"], asked["environment"])  # noqa: S606 - its task


def _make_root(root: str, shown: list[list[str]]) -> None:
    _mount(None, "/", None, _REC | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NO_SUID, "size=16m,mode=755")
    for inside, place in shown:
        _show(root + inside, place)
    scratch = os.path.join(root, "tmp")
    os.makedirs(scratch, exist_ok=True)
    _mount("tmpfs", scratch, "tmpfs", _NO_SUID | _NODEV, f"size={_TMP_BYTES},mode=1777")
    os.makedirs(f"{root}/dev")
    for name in _DEVICES:
        _bind(f"{root}/dev/{name}", f"/dev/{name}")


def _show(target: str, place: str) -> None:
    """Show a file or a folder, which nobody inside can change; a link stays one."""
    if os.path.islink(place):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.symlink(os.readlink(place), target)
        return
    _bind(target, place)
    set_read_only = struct.pack("<QQQQ", _READ_ONLY | _NO_SUID, 0, 0, 0)
    _require(
        _libc.syscall(
            _MOUNT_SETATTR,
            _HERE,
            os.fsencode(target),
            _RECURSIVE,
            set_read_only,
            ctypes.c_size_t(len(set_read_only)),
        ),
        target,
    )


def _bind(target: str, place: str) -> None:
    if os.path.isdir(place):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(place, target, None, _BIND | _REC)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    given = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    done = _libc.mount(*given, ctypes.c_ulong(flags), data.encode() or None)
    _require(done, target)


def _enter(root: str) -> None:
    """Leave everything behind but the new root, which is closed for changes."""
    os.chdir(root)
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(f"no enclosure is known for {platform.machine()}")
    _require(_libc.syscall(number, b".", b"."), root)
    _require(_libc.umount2(b".", _DETACH), root)
    os.chdir("/")
    only_this = struct.pack("<QQQQ", _READ_ONLY, 0, 0, 0)
    size = ctypes.c_size_t(len(only_this))
    _require(_libc.syscall(_MOUNT_SETATTR, _HERE, b"/", 0, only_this, size), "/")


def _limit() -> None:
    """Lower what the command may use; what is lower already stays."""
    for name, most in _LIMITS.items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(number, (lowest, lowest))


def _give_up_rights() -> None:
    """Give up what the namespace's own root may do, or it could open its mounts for changes."""
    none = ctypes.c_ulong(0)
    for right in range(64):
        # The kernel knows fewer, and refuses the rest.
        _libc.prctl(_DROP_BOUND, ctypes.c_ulong(right), none, none, none)
    bits = ctypes.c_ulong(_ALL_LOCKED)
    _require(_libc.prctl(_SECURE_BITS, bits, none, none, none), "rights")
    _require(_libc.prctl(_NO_NEW_RIGHTS, ctypes.c_ulong(1), none, none, none), "rights")
    header = struct.pack("<Ii", 0x20080522, 0)
    _require(_libc.capset(header, struct.pack("<6I", *[0] * 6)), "rights")


def _require(done: Any, what: str) -> None:
    if done != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


if __name__ == "__main__":
    main()
