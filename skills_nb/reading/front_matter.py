"""Front matter between whole-line `---` fences.

Room: reading. A value that contains dashes does not close it.
Spec: Skill Types.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Data
from skills_nb.reading.yaml_data import parse_yaml


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The parts of a skill file."""

    data: Data | None
    """A mapping, or None where there is none that can be read."""
    body: str
    """The text after the closing `---`."""
    body_line: int
    """Of the body's first line."""
    problems: tuple[Diagnostic, ...] = ()
    """What of it could not be read."""


def split_front_matter(text: str, path: str, *, required: bool = True) -> FrontMatter:
    """Return data and body; one broken front matter gives one diagnostic."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter(None, text, 1, _missing(path) if required else ())
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        return FrontMatter(None, *_after_guess(lines), _unclosed(path))
    data, problems = parse_yaml("\n".join(lines[1:end]), path, line=2)
    if data is not None and not isinstance(data.value, dict):
        problems = (_not_a_mapping(path, data),)
        data = None
    found = problems if data is not None else problems[-1:]
    return FrontMatter(data, "\n".join(lines[end + 1 :]), end + 2, found)


def _missing(path: str) -> tuple[Diagnostic, ...]:
    hint = "Begin the file with a line '---', the fields, and a line '---'."
    return (Diagnostic("SK005", Span(path), "the file has no front matter", hint),)


def _unclosed(path: str) -> tuple[Diagnostic, ...]:
    hint = "Add a line '---' after the last field."
    return (Diagnostic("SK006", Span(path), "the front matter is never closed", hint),)


def _after_guess(lines: list[str]) -> tuple[str, int]:
    """Take the first heading for the body's begin, so that the rest stays usable."""
    begin = next((n for n, line in enumerate(lines) if line.startswith("# ")), len(lines))
    return "\n".join(lines[begin:]), begin + 1


def _not_a_mapping(path: str, data: Data) -> Diagnostic:
    place = data.place()
    shown = str(data.value)[:40]
    return Diagnostic(
        "SK008",
        Span(path, place.line, place.column),
        f"the front matter '{shown}' is not a list of fields",
        "Write one 'field: value' a line.",
    )
