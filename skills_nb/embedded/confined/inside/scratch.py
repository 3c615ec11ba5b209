"""A worker's scratch folder: empty when it begins, its own, and gone when it ends.

Room: embedded. It is measured and removed by the starter, which trusts nothing that it finds there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

LARGEST_BYTES, MOST_ENTRIES = 512 << 20, 10_000


def enter(folder: str) -> None:
    """Make it the place where this process is and where its temporary files go."""
    os.chdir(folder)
    os.environ["TMPDIR"] = folder
    loaded = sys.modules.get("tempfile")
    if loaded is not None:
        loaded.__dict__["tempdir"] = folder


def is_too_large(folder: str) -> bool:
    """Tell whether more is in it than may be."""
    size = 0
    for count, (_, entry) in enumerate(_found(folder)):
        with suppress(OSError):
            size += entry.stat(follow_symlinks=False).st_size
        if size > LARGEST_BYTES or count > MOST_ENTRIES:
            return True
    return False


def remove(folder: str) -> None:
    """Remove it with all that is in it."""
    folders = [folder]
    for path, entry in _found(folder):
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            else:
                os.unlink(path)
    for path in reversed(folders):
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
