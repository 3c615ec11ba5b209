"""What a broken disk, folder or database file means to a person: place, trouble, repair.

Room: work (runtime, stores). Everything SQLite or the file system raises leaves this package as a
`StoreError`; the words are chosen here and nowhere else.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from skills_nb.errors import StoreError

_FULL = ("the disk is full", "free space on that volume, then run the command again")
_TOO_LARGE = (
    "the file may not grow any further",
    "raise the file size limit or the quota of this user, then run the command again",
)
_READ_ONLY = (
    "it cannot be written",
    "give this user write access to the folder and its files, or set SKILLS_NB_HOME to another",
)
_NOT_A_FOLDER = (
    "a file stands where the folder should be",
    "move that file away, or set SKILLS_NB_HOME to another folder",
)
_DAMAGED = (
    "the database is damaged",
    "restore it from a backup; keep the damaged file, `sqlite3 threads.db .recover` may read it",
)
_BUSY = (
    "another program keeps the database locked",
    "close the other program that has it open, then run the command again",
)
_DISK = (
    "the disk refused to read or write",
    "see whether the disk is full, over its quota or failing, then run the command again",
)
_GONE = (
    "it was deleted or moved while it was in use",
    "put it back; in a notebook, restart the kernel to begin with an empty one instead",
)
_NOT_PLAIN = (
    "a link or something else stands where a file of the store belongs",
    "look where it came from, move it away, then run the command again",
)
_CLOSED = ("the store is closed", "open the store again")

_BY_SQLITE_CODE: Mapping[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: _DAMAGED,  # the head and the events contradict each other
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_IOERR: _DISK,
}
"""Primary result codes; the low byte of an extended one. Source: sqlite.org/rescode.html."""

_BY_ERRNO: Mapping[int, tuple[str, str]] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _TOO_LARGE,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
    errno.EROFS: _READ_ONLY,
    errno.ELOOP: _NOT_PLAIN,
    errno.EISDIR: _NOT_PLAIN,
    errno.ENOTDIR: _NOT_A_FOLDER,
    errno.EEXIST: _NOT_A_FOLDER,
}


@contextmanager
def explain_file_errors(
    place: Path, doing: str, unharmed: str = "nothing was changed"
) -> Iterator[None]:
    """Turn what SQLite or the file system raises inside into a `StoreError`.

    Args:
        place: the file or folder that is worked on; the message begins with it.
        doing: what was attempted, as an infinitive clause: `append to thread 'thr_…'`.
        unharmed: what the reader may rely on after the failure.

    Raises:
        StoreError: anything of `sqlite3.Error` or `OSError` was raised.
    """
    try:
        yield
    except sqlite3.Error as problem:
        what, repair = _GONE if _is_gone(place, problem) else _sqlite_words(problem)
        raise _store_error(place, doing, what, unharmed, repair, problem) from problem
    except UnicodeDecodeError as problem:
        # The driver's own, on texts of the schema and in what SQLite says of them.
        raise _store_error(place, doing, _DAMAGED[0], unharmed, _DAMAGED[1], problem) from problem
    except OSError as problem:
        what, repair = _BY_ERRNO.get(problem.errno or 0, _DISK)
        raise _store_error(place, doing, what, unharmed, repair, problem) from problem


def damage_error(place: Path, what: str) -> StoreError:
    """Return the error for content that no working store can have written."""
    return StoreError(f"{place}: {what}", hint=_DAMAGED[1])


def _is_gone(place: Path, problem: sqlite3.Error) -> bool:
    """Return whether the disk is right and the file is not there; SQLite has no word for it."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY) and not place.exists()


def _sqlite_words(problem: sqlite3.Error) -> tuple[str, str]:
    if isinstance(problem, sqlite3.ProgrammingError):
        return _CLOSED
    # Text that is not UTF-8 is found by the driver, which then has no code of SQLite's.
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return _BY_SQLITE_CODE.get(code & 0xFF, _DISK)


def _store_error(
    place: Path, doing: str, what: str, unharmed: str, repair: str, problem: Exception
) -> StoreError:
    said = getattr(problem, "strerror", None) or str(problem)
    if what == _DISK[0] and not place.exists():
        what, repair = _GONE
    return StoreError(f"{place}: cannot {doing}: {what} ({said}); {unharmed}", hint=repair)
