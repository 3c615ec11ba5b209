"""Files opened by number, read and written in place, replaced; and who else may read them.

Room: none (system). On Windows a file is as private as the folder it is in: its rights are
inherited, and the bits of a mode say nothing.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

AS_BYTES: int = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""For every `os.open`: Windows would write a line's end as two characters."""
_PATIENCE_S = 2.0
_LOOKS_EVERY_S = 0.01
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_bytes(path: Path, flags: int, mode: int = 0o666) -> int:
    """Open a file by number, for bytes as they are, and for no child of this process.

    Raises:
        OSError: it cannot be opened.
    """
    return os.open(path, flags | AS_BYTES, mode)


if sys.platform == "win32":

    def read_at(descriptor: int, size: int, offset: int) -> bytes:
        """Read from a place in a file."""
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)

    def write_at(descriptor: int, content: bytes, offset: int) -> int:
        """Write to a place in a file."""
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, content)

    def flush_folder(folder: Path) -> None:
        """Make a folder's entries survive a power cut: NTFS keeps a journal of them itself."""

    def replace(new: Path, old: Path) -> None:
        """Put a file in another's place, whole.

        A reader that has the old one open at this moment keeps Windows from it: waited for a while.

        Raises:
            OSError: it cannot be put there.
        """
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return os.replace(new, old)
            except PermissionError:
                if time.monotonic() > until:
                    raise
            time.sleep(_LOOKS_EVERY_S)

    def is_open_to_others(place: Path) -> bool:
        """Tell whether a mode lets other people in; here none does."""
        return False

    def is_ours(status: os.stat_result) -> bool:
        """Tell whether this user may set the mode of what has this status; here none is set."""
        return False

    def close_to_others(descriptor: int) -> None:
        """Let nobody but the owner read an open file, as far as its mode decides."""

else:
    read_at = os.pread
    write_at = os.pwrite
    replace = os.replace

    def flush_folder(folder: Path) -> None:
        """Make a folder's entries survive a power cut."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def is_open_to_others(place: Path) -> bool:
        """Tell whether a mode lets other people in."""
        return bool(place.stat().st_mode & _OTHERS)

    def is_ours(status: os.stat_result) -> bool:
        """Tell whether this user may set the mode of what has this status."""
        return status.st_uid == os.geteuid()

    def close_to_others(descriptor: int) -> None:
        """Let nobody but the owner read an open file, as far as its mode decides."""
        if stat.S_IMODE(os.fstat(descriptor).st_mode) & _OTHERS:
            os.fchmod(descriptor, 0o600)


def name_holder(descriptor: int) -> None:
    """Write this process's number into a lock file that it holds, in place of any other."""
    os.ftruncate(descriptor, 0)
    write_at(descriptor, f"{os.getpid()}\n".encode(), 0)


def holder_of(descriptor: int) -> str:
    """Return who wrote their number into an open lock file; empty where nobody did yet."""
    return read_at(descriptor, 64, 0).decode("ascii", "replace").strip()
