"""A worker's scratch folder: empty when it begins, its own, and gone when it ends.

Room: embedded. It is measured and removed by the starter, which trusts nothing that it finds there.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress

LARGEST_BYTES, MOST_ENTRIES = 512 << 20, 10_000
LONGEST_PATH = 3000
"""Bytes of a path; a system takes some 4,000."""


def enter(folder: str) -> None:
    """Make it the place where this process is and where its temporary files go."""
    os.chdir(folder)
    os.environ["TMPDIR"] = folder
    loaded = sys.modules.get("tempfile")
    if loaded is not None:
        loaded.__dict__["tempdir"] = folder


def is_too_large(folder: str) -> bool:
    """Tell whether more is in it than may be, or deeper."""
    size = 0
    for count, (path, entry) in enumerate(_found(folder)):
        with suppress(OSError):
            size += entry.stat(follow_symlinks=False).st_size
        if size > LARGEST_BYTES or count > MOST_ENTRIES or _is_deep(path):
            return True
    return False


def _is_deep(path: str) -> bool:
    return len(os.fsencode(path)) > LONGEST_PATH


def remove(folder: str) -> None:
    """Remove it with all that is in it, once nobody changes it any more."""
    left, seen = [folder], []
    while left:
        path = left.pop()
        if _is_deep(path):
            # What is in it has no path that the system would take: it is brought up first.
            path, deep = os.path.join(folder, secrets.token_hex(16)), path
            with suppress(OSError):
                os.rename(deep, path)
        seen.append(path)
        with suppress(OSError), os.scandir(path) as listed:
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                else:
                    with suppress(OSError):
                        os.unlink(entry.path)
    for path in reversed(seen):
        with suppress(OSError):
            os.rmdir(path)


def _found(folder: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Find what is in it, folders before what is in them."""
    left = [folder]
    while left:
        with suppress(OSError), os.scandir(left.pop()) as listed:
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                yield entry.path, entry
