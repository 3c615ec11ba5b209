"""Texts that were worked out once, kept in a folder by what they depend on.

Room: none; it stands near the ground, for every room that has something to keep. A key holds all
that an answer depends on, the program itself included, so what is found is exact. What is damaged,
missing or cannot be written counts as not kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from skills_nb.system import plain_files
from skills_nb.version import __version__

KEPT = 16
"""Texts of a kind beyond these are deleted, oldest first."""


def key_of(parts: Sequence[str], rooms: tuple[str, ...]) -> str:
    """Return the name of a text: different whenever a part or a module of these rooms is."""
    return hashlib.sha256("\0".join((*parts, __version__, _program(rooms))).encode()).hexdigest()


def stamp_of(folder: Path, pattern: str = "*") -> str:
    """Return what tells one state of a file, or of a folder's files, from another.

    By size and time alone; what is not there has a stamp, too.
    """
    stamp = hashlib.sha256()
    for path in (folder, *sorted(folder.rglob(pattern))):
        try:
            info = path.stat()
        except OSError:
            continue
        if not path.is_dir():
            told = f"{path.relative_to(folder)}\0{info.st_size}\0{info.st_mtime_ns}\0"
            stamp.update(told.encode("utf-8", "surrogateescape"))
    return stamp.hexdigest()


@cache
def _program(rooms: tuple[str, ...]) -> str:
    """Return what tells one state of this program's rooms from another."""
    root = Path(str(files("skills_nb")))
    return " ".join(stamp_of(root / room, "*.py") for room in rooms)


class KeptTexts:
    """A folder of texts of one kind."""

    def __init__(self, folder: Path, kind: str) -> None:
        """Keep the folder; it is made with the first text.

        Args:
            folder: where they are.
            kind: what their files' names begin with.
        """
        self._folder = folder
        self._kind = kind

    def load(self, key: str) -> str | None:
        """Return the text, or None where there is none that can be read."""
        try:
            return self._path(key).read_text("utf-8")
        except (OSError, ValueError):
            return None

    def store(self, key: str, text: str) -> bool:
        """Keep a text, whole or not at all; return False where the folder cannot be written."""
        path = self._path(key)
        draft = path.with_suffix(f".{os.getpid()}.draft")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(text, "utf-8")
            plain_files.replace(draft, path)
        except OSError:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            return False
        with suppress(OSError):  # another process may be pruning the same folder
            self._prune()
        return True

    def _path(self, key: str) -> Path:
        return self._folder / f"{self._kind}-{key}.json"

    def _prune(self) -> None:
        kept = sorted(
            self._folder.glob(f"{self._kind}-*.json"), key=lambda path: path.stat().st_mtime_ns
        )
        for path in kept[:-KEPT]:
            path.unlink(missing_ok=True)
