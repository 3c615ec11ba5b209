"""Where an author writes: a library, or what is laid over one.

Room: authoring. The only module here that writes files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from skills_nb.errors import LibraryError, UsageError
from skills_nb.model.documents import Documents
from skills_nb.model.library import Library
from skills_nb.reading import read_both
from skills_nb.reading.files import RawFile, read_tree
from skills_nb.system import plain_files

INDEX = "skill-index.yaml"
META = "router.md"
FILES: Mapping[str, str] = {
    "routers": "router.md",
    "playbooks": "playbook.md",
    "primitives": "skill.md",
}
"""Folder of a kind to the name of its skills' main file."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A library and, where an author works beside it, the overlay."""

    library: Path
    """Folder that the index and the meta-router stand in."""
    overlay: Path | None = None
    """Root of what is laid over it, and written to; None where the library itself is."""

    @property
    def root(self) -> Path:
        """Return the directory whose files are written."""
        return self.overlay or self.library

    @property
    def prefix(self) -> str:
        """Return what stands before the root's paths in diagnostics."""
        return f"{self.overlay.resolve().name}/" if self.overlay is not None else ""

    def read(self) -> tuple[Library, Documents]:
        """Read library and overlay together.

        Raises:
            LibraryError: no directory, no meta-router or no index.
        """
        return read_both(self.library, self.overlay)

    def files(self) -> tuple[RawFile, ...]:
        """Return the files under the root, by paths without the prefix."""
        return read_tree(self.root)

    def index_text(self) -> str:
        """Return the text of the root's index; the beginning of one where there is none.

        Raises:
            LibraryError: the index is not UTF-8.
        """
        path = self.root / INDEX
        if path.exists():
            return decode_file(path)
        return FIRST_INDEX if self.overlay is not None else f"{FIRST_INDEX}entry: {META}\n"

    def write(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Write files by relative path; return the paths of those that are new or changed.

        Raises:
            LibraryError: a file cannot be written; those before it are.
        """
        return tuple(path for path in texts if _write(self.root / path, texts[path]))


FIRST_INDEX = 'version: "1.0"\n'


def begin_overlay(path: Path) -> bool:
    """Make an empty overlay where there is none yet; return whether it was made.

    Raises:
        UsageError: the path is a file, or a directory that holds other things.
    """
    if (path / INDEX).is_file():
        return False
    if path.exists() and not path.is_dir():
        raise UsageError(f"'{path}' is a file", hint="Name a directory.")
    if path.is_dir() and any(not each.name.startswith(".") for each in path.iterdir()):
        raise UsageError(
            f"'{path}' holds files, but no {INDEX}",
            hint=f"Name an empty or new directory, or write {INDEX} there first.",
        )
    _write(path / INDEX, FIRST_INDEX)
    return True


def decode_file(path: Path) -> str:
    """Return a file's text without a byte order mark.

    Raises:
        LibraryError: it is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise LibraryError(
            f"{path} is not UTF-8: byte {problem.start} is 0x{problem.object[problem.start]:02X}",
            hint="Save it as UTF-8.",
        ) from problem


def _write(path: Path, text: str) -> bool:
    data = text.encode("utf-8")
    try:
        if path.exists() and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        # A file of the same directory that takes its place: nobody ever reads half of it.
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_bytes(data)
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        plain_files.replace(beside, path)
    except OSError as problem:
        raise LibraryError(
            f"'{path}' cannot be written: {problem.strerror}",
            hint="Make the directory writable for your user.",
        ) from problem
    return True
