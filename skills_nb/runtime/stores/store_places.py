"""Where a store's files may live, and who may read them.

Room: work (runtime, stores). A write-ahead log needs shared memory and honest locks, which
network and user-space file systems do not give; there the user's data folder is used instead and
the reader is told.
Source: THREADS, Store; sqlite.org/wal.html (all processes must be on the same host).
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from skills_nb.errors import StoreError
from skills_nb.system import plain_files

# fmt: off
_REMOTE = frozenset({
    "9p", "acfs", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "glusterfs", "gpfs",
    "lustre", "macfuse", "ncpfs", "nfs", "nfs4", "osxfuse", "panfs", "prl_fs", "smb2", "smb3",
    "smbfs", "vboxsf", "vmhgfs", "webdav",
})
"""File system types whose locks or shared memory do not reach every process that sees a file."""
# fmt: on
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Place:
    """The folder that a store uses."""

    directory: Path
    """Exists and can be written to."""
    notice: str | None = None
    """What to tell the person when it is not the folder they named."""


def place_for(
    directory: Path,
    *,
    type_of: Callable[[Path], str] | None = None,
    data_home: Path | None = None,
) -> Place:
    """Return the folder itself, or one in the user's data folder where it is on a network.

    Args:
        directory: the folder that was asked for; it need not exist.
        type_of: tells a path's file system type; the running system's by default.
        data_home: the user's data folder; the running system's by default.

    Raises:
        StoreError: the user's data folder is on a network file system too.
    """
    tell = type_of or filesystem_type
    wanted = directory.expanduser().absolute()
    kind = tell(wanted)
    if not is_remote(kind):
        return Place(wanted)
    digest = hashlib.sha256(str(wanted).encode()).hexdigest()[:12]
    instead = (data_home or user_data_home()) / "skills_nb" / digest
    if is_remote(tell(instead)):
        raise StoreError(
            f"{wanted}: is on a network file system ({kind}), and so is {instead}",
            hint="set SKILLS_NB_HOME to a folder on a local disk",
        )
    return Place(
        instead,
        f"{wanted} is on a network file system ({kind}), where threads are not safe; "
        f"they are kept in {instead}",
    )


def is_remote(kind: str) -> bool:
    """Return whether files of a file system type are seen through a network or user space."""
    return kind in _REMOTE or kind.startswith("fuse")


def filesystem_type(path: Path) -> str:
    """Return the type of the file system that holds a path; empty where it cannot be told."""
    mounts = Path("/proc/self/mountinfo")
    if mounts.exists():
        table = mountinfo_types(mounts.read_text(encoding="utf-8", errors="replace"))
    elif sys.platform == "darwin":
        listed = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=True)
        table = darwin_types(listed.stdout)
    else:
        table = {}
    return type_at(path, table)


def type_at(path: Path, table: dict[str, str]) -> str:
    """Return the type of the innermost mount point above a path; empty when there is none."""
    resolved = Path(os.path.realpath(path))
    for place in (resolved, *resolved.parents):
        if str(place) in table:
            return table[str(place)]
    return ""


def mountinfo_types(text: str) -> dict[str, str]:
    """Return mount point to file system type from Linux's `mountinfo`; later mounts win.

    Source: proc_pid_mountinfo(5): field 5 is the mount point, and the type follows `-`.
    """
    found = {}
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) > 5 and "-" in fields[6:]:
            found[_unescaped(fields[4])] = fields[fields.index("-", 6) + 1]
    return found


def _unescaped(point: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), point)


def darwin_types(text: str) -> dict[str, str]:
    """Return mount point to file system type from the lines of macOS's `mount`."""
    found = {}
    for line in text.splitlines():
        _, on, rest = line.partition(" on ")
        point, opening, options = rest.rpartition(" (")
        if on and opening:
            found[point] = options.rstrip(")").split(",")[0]
    return found


def user_data_home() -> Path:
    """Return where this system keeps a user's application data."""
    named = os.environ.get("XDG_DATA_HOME")
    if named:
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path.home() / ".local" / "share"


def make_private(directory: Path) -> None:
    """Make a folder that only its owner may enter and that version control ignores.

    Raises:
        OSError: it cannot be made or written.
    """
    missing = [place for place in (directory, *directory.parents) if not place.exists()]
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    for place in missing:
        plain_files.flush_folder(place.parent)
    if _is_ours_to_close(directory):
        directory.chmod(0o700)
    ignore = directory / ".gitignore"
    if not ignore.exists():
        os.close(open_private(ignore))
        ignore.write_text("*\n", encoding="utf-8")


def make_private_within(directory: Path, name: str) -> None:
    """Make a private folder in one, unless a link stands in its place.

    Raises:
        OSError: it cannot be made or written, or is a link.
    """
    place = directory / name
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(place))
    make_private(place)


def open_private(path: Path) -> int:
    """Open a file for reading and writing, made if missing, that only its owner may read.

    A link in its place is not followed: a folder that came with somebody's files would choose which
    other file is closed to others, and written to.

    Raises:
        OSError: it cannot be made or opened, or is a link or no plain file.
    """
    if not _NO_LINK and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    descriptor = plain_files.open_bytes(path, os.O_CREAT | os.O_RDWR | _NO_LINK, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ELOOP, "it is no plain file", str(path))
    plain_files.close_to_others(descriptor)
    return descriptor


def _is_ours_to_close(directory: Path) -> bool:
    # A shared folder (sticky, such as the temporary one), somebody else's, or the home folder
    # itself keeps its mode: the files in it are private anyway.
    status = directory.stat()
    is_shared = bool(status.st_mode & stat.S_ISVTX) or directory == Path.home()
    return plain_files.is_ours(status) and not is_shared
