"""Answers of the linter, kept by what they depend on.

Room: lint. The key holds the library's digest, the selection, the date and the program itself, so
an answer is either exact or not found. A damaged file counts as not found. Usage: read the digest
(cheap, nothing is parsed), `load`, and only without an answer parse, `lint` and `store`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from skills_nb.kept_texts import KeptTexts, key_of
from skills_nb.model.diagnostics import Diagnostic, Severity, Span

_ROOMS = ("lint", "reading", "sql", "model")


def cache_key(digest: str, *, select: Sequence[str] = (), today: str | None = None) -> str:
    """Return the name of an answer: different whenever the answer could be."""
    return key_of([digest, *sorted(select), str(today)], _ROOMS)


class LintCache:
    """A folder of answers."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder; it is made with the first answer."""
        self._texts = KeptTexts(folder, "lint")

    def load(self, key: str) -> tuple[Diagnostic, ...] | None:
        """Return the answer, or None where there is none that can be read."""
        text = self._texts.load(key)
        try:
            entries = json.loads(text or "")
            return tuple(_from_dict(entry) for entry in entries["diagnostics"])
        except (ValueError, KeyError, TypeError):
            return None

    def store(self, key: str, diagnostics: Iterable[Diagnostic]) -> bool:
        """Keep an answer, whole or not at all; return False where the folder cannot be written."""
        text = json.dumps({"diagnostics": [each.to_dict() for each in diagnostics]})
        return self._texts.store(key, text)


def _from_dict(entry: dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        code=entry["code"],
        span=Span(entry["path"], entry["line"], entry["column"]),
        message=entry["message"],
        hint=entry["hint"],
        severity=Severity(entry["severity"]),
    )
