"""Where the parts of a playbook stand in its files.

Room: lint. Steps keep the line of their heading and of their code; the values of their `yaml`
block are found again by reading the block's text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Span
from skills_nb.model.documents import Document, Fence, Section
from skills_nb.model.skills import CodeBlock, Playbook, Step

_BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")


class PlacedStep(NamedTuple):
    """A step with the file and the section that it stands in."""

    step: Step
    """As it was read."""
    document: Document
    """The playbook's file, or the part of it that holds the step."""
    section: Section
    """The step's heading with all that stands under it."""
    position: int
    """Its place among the playbook's steps, from 0."""

    @property
    def span(self) -> Span:
        """Return the place of the heading."""
        return self.document.span((self.section.line, 1))

    def steps_until(self, playbook: Playbook) -> tuple[Step, ...]:
        """Return the playbook's steps up to this one: those whose results it may read."""
        return playbook.steps[: self.position + 1]

    def field_span(self, key: str) -> Span:
        """Return the place of a field of the `yaml` block, or of a label; else of the heading."""
        label = re.compile(rf"(?<![\w-]){re.escape(key)}\"?\*{{0,2}} ?:", re.IGNORECASE)
        lines = self.document.text.split("\n")[self.section.line - 1 : self.section.end]
        for number, text in enumerate(lines, self.section.line):
            found = label.search(text)
            if found is not None:
                return self.document.span((number, found.start() + 1))
        return self.span

    def code_span(self, block: CodeBlock, line: int = 1, column: int = 1) -> Span:
        """Return a place inside a code block."""
        fence = self._fence(block)
        shift = fence.column if fence is not None else 1
        return self.document.span((block.line + line - 1, column + shift - 1))

    def _fence(self, block: CodeBlock) -> Fence | None:
        fences = self.document.fences
        place = bisect_left(fences, block.line, key=lambda fence: fence.code_line)
        return fences[place] if place < len(fences) else None


def placed_steps(subject: Subject, playbook: Playbook, main: Document) -> Iterator[PlacedStep]:
    """Yield the steps of a playbook with their places."""
    sections = [
        (document, section)
        for document in subject.files_of(main)
        for section in document.sections
        if section.level <= 3
    ]
    for position, step in enumerate(playbook.steps):
        for at, (document, section) in enumerate(sections):
            if section.line == step.line and step.title in section.title:
                yield PlacedStep(step, document, section, position)
                del sections[at]
                break


def text_span(document: Document, place: Span, line: int, column: int) -> Span:
    """Return a place inside a YAML text that begins at `place`: a block's text one line below."""
    opening = document.line_text(place.line)[place.column - 1 :]
    if _BLOCK.match(opening):
        below = document.line_text(place.line + 1)
        indent = len(below) - len(below.lstrip())
        return document.span((place.line + line, indent + column))
    quote = 1 if opening[:1] in ("'", '"') else 0
    if line == 1:
        return document.span((place.line, place.column + quote + column - 1))
    return document.span((place.line, place.column))
