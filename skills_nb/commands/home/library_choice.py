"""Which library a home folder works with: the shipped one until somebody chooses.

Room: commands.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from skills_nb.errors import UsageError

FILE = "library.json"


@dataclass(frozen=True, slots=True)
class LibraryChoice:
    """A library and what is laid over it; None for the shipped one and for nothing."""

    library: Path | None = None
    """Its folder; None for the library that travels with the package."""
    overlay: Path | None = None
    """The folder that is laid over it; None for none."""


def remembered_library(home: Path) -> LibraryChoice:
    """Return what was chosen for a home folder.

    Raises:
        UsageError: the note of it cannot be read.
    """
    note = home / FILE
    if not note.is_file():
        return LibraryChoice()
    try:
        said = json.loads(note.read_text(encoding="utf-8"))
        paths = {key: Path(said[key]) if said[key] else None for key in ("library", "overlay")}
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UsageError(
            f"'{note}' does not say which library is in use",
            hint="choose again: library --shipped",
        ) from problem
    return LibraryChoice(**paths)


def remember_library(home: Path, chosen: LibraryChoice) -> None:
    """Keep a choice for later commands and kernels.

    Raises:
        UsageError: the home folder cannot be written.
    """
    said = {
        "library": str(chosen.library.resolve()) if chosen.library else None,
        "overlay": str(chosen.overlay.resolve()) if chosen.overlay else None,
    }
    try:
        home.mkdir(parents=True, exist_ok=True)
        (home / FILE).write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"'{home}' cannot be written: {problem.strerror}") from problem
