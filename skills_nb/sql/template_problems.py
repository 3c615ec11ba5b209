"""What is wrong with a template or condition, as a value.

Room: sql. Linting shows these; rendering and evaluating raise an error that carries the first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TemplateProblem:
    """One finding in a template, message or condition."""

    line: int
    """1-based, within the text."""
    column: int
    """1-based."""
    message: str
    """What is wrong, the value quoted."""
    hint: str | None = None
    """The repair, imperative."""


def at_offset(text: str, offset: int, message: str, hint: str | None = None) -> TemplateProblem:
    """Make the problem that stands at a 0-based offset of the text."""
    line = text.count("\n", 0, offset) + 1
    return TemplateProblem(line, offset - text.rfind("\n", 0, offset), message, hint)
