"""Answers of the linter, kept by what they depend on.

Room: lint. The key holds the library's digest, the selection, the date and the program itself, so
an answer is either exact or not found. A damaged file counts as not found. Usage: read the digest
(cheap, nothing is parsed), `load`, and only without an answer parse, `lint` and `store`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.version import __version__

KEPT = 16
"""Answers beyond these are deleted, oldest first."""
_ROOMS = ("lint", "reading", "sql", "model")


def cache_key(digest: str, *, select: Sequence[str] = (), today: str | None = None) -> str:
    """Return the name of an answer: different whenever the answer could be."""
    parts = [digest, *sorted(select), str(today), _program()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _program() -> str:
    """Return what tells one state of this program from another."""
    root = Path(str(files("skills_nb")))
    stamp = hashlib.sha256(__version__.encode())
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            info = path.stat()
            stamp.update(f"{path.relative_to(root)}\0{info.st_size}\0{info.st_mtime_ns}".encode())
    return stamp.hexdigest()


class LintCache:
    """A folder of answers."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder; it is made with the first answer."""
        self._folder = folder

    def load(self, key: str) -> tuple[Diagnostic, ...] | None:
        """Return the answer, or None where there is none that can be read."""
        try:
            entries = json.loads(self._path(key).read_text("utf-8"))
            return tuple(_from_dict(entry) for entry in entries["diagnostics"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def store(self, key: str, diagnostics: Iterable[Diagnostic]) -> bool:
        """Keep an answer, whole or not at all; return False where the folder cannot be written."""
        text = json.dumps({"diagnostics": [each.to_dict() for each in diagnostics]})
        path = self._path(key)
        draft = path.with_suffix(f".{os.getpid()}.draft")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_text(text, "utf-8")
            draft.replace(path)
        except OSError:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            return False
        with suppress(OSError):  # another process may be pruning the same folder
            self._prune()
        return True

    def _path(self, key: str) -> Path:
        return self._folder / f"lint-{key}.json"

    def _prune(self) -> None:
        answers = sorted(self._folder.glob("lint-*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in answers[:-KEPT]:
            path.unlink(missing_ok=True)


def _from_dict(entry: dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        code=entry["code"],
        span=Span(entry["path"], entry["line"], entry["column"]),
        message=entry["message"],
        hint=entry["hint"],
        severity=Severity(entry["severity"]),
    )
