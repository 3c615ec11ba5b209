"""Findings about library text, with their place and their repair.

Room: ground. Lines and columns are 1-based from birth.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a diagnostic weighs: an error makes the skill invalid, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a library file."""

    path: str
    """Path relative to the library's root, with forward slashes."""
    line: int = 1
    """1-based."""
    column: int = 1
    """1-based, counted in characters."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: where, what (with the value quoted) and how to repair it."""

    code: str
    """`SK` and three digits; never reused."""
    span: Span
    """Where the text is wrong."""
    message: str
    """What is wrong."""
    hint: str = ""
    """The repair, imperative; empty where there is no single one."""
    severity: Severity = Severity.ERROR
    """Errors make the library invalid."""

    def __str__(self) -> str:
        line = f"{self.span}: {self.code} {self.message}"
        return f"{line}\n  hint: {self.hint}" if self.hint else line

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON shape of `lint --json`. Source: FORMATS, One grammar."""
        return {
            **asdict(self.span),
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "hint": self.hint,
        }
