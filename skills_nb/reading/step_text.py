"""A step's text: its blocks in order, told apart by the labels that stand before them.

Room: reading. A label (`Reference:`, `**Checkpoint:**`, a deeper heading `Compensation`) claims the
rest of its line and the list, the code and the table that follow, up to the next plain paragraph.
Spec: Playbooks > Step structure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from skills_nb.model.documents import Document, Fence, Prose, Section, Table

_NAMES = {
    "reference": "reference",
    "references": "reference",
    "checkpoint": "checkpoint",
    "compensation": "compensation",
    "rollback": "compensation",
    "creates": "creates",
    "expected errors": "errors",
    "expected error": "errors",
    "verify": "verify",
    "verification": "verify",
    "note": "note",
}
_LABEL = re.compile(
    r"(?P<name>[A-Za-z]+(?: errors?)?)\s*(?:[(\[]\s*(?P<note>\w+)\s*[)\]])?"
    r"\s*(?P<colon>:?)\s*(?P<rest>.*)"
)
_BOLD = ("**", "__")


@dataclass(slots=True)
class Labelled:
    """What a label claims."""

    name: str
    """The label as code knows it: `reference` also where the file says `References`."""
    note: str
    """The word in brackets behind it, lower case."""
    line: int
    """Of the label, 1-based in the file."""
    text: list[str] = field(default_factory=list)
    """Its lines of running text; those of list items are in `items`."""
    items: list[tuple[int, str]] = field(default_factory=list)
    """Line and text of list items."""
    fences: list[Fence] = field(default_factory=list)
    """In file order."""
    tables: list[Table] = field(default_factory=list)
    """In file order."""

    @property
    def sentence(self) -> str:
        """Return its own text on one line."""
        return " ".join(" ".join(self.text).split())


@dataclass(slots=True)
class StepText:
    """The blocks of one step."""

    document: Document
    """The file that it stands in."""
    heading: Section
    """Its section, down to the next step."""
    summary: str = ""
    """The first paragraph outside of lists, on one line; empty where there is none."""
    labelled: list[Labelled] = field(default_factory=list)
    """In file order."""
    fences: list[Fence] = field(default_factory=list)
    """Those that no label claims."""
    tables: list[Table] = field(default_factory=list)
    """Those that no label claims."""

    def all_of(self, name: str) -> Iterator[Labelled]:
        """Yield what stands under labels of that name."""
        return (each for each in self.labelled if each.name == name)


def read_step_text(document: Document, heading: Section) -> StepText:
    """Return the blocks between a step's heading and the next."""
    step = StepText(document, heading)
    current: Labelled | None = None
    for block in _blocks(document, heading):
        current = _place(step, current, block)
    return step


def _blocks(document: Document, heading: Section) -> list[Section | Prose | Fence | Table]:
    pools = (document.sections, document.prose, document.fences, document.tables)
    found: list[Section | Prose | Fence | Table] = []
    for pool in pools:
        first = bisect_right(pool, heading.line, key=_line_of)
        found += pool[first : bisect_right(pool, heading.end, key=_line_of)]
    return sorted(found, key=_line_of)


def _line_of(block: Section | Prose | Fence | Table) -> int:
    return block.line


def _place(
    step: StepText, current: Labelled | None, block: Section | Prose | Fence | Table
) -> Labelled | None:
    """Put a block where it belongs; return the label that claims the next."""
    if isinstance(block, Section):
        return _open(step, block.title, block.line, bold=True)
    if isinstance(block, Prose):
        return _place_prose(step, current, block)
    if isinstance(block, Fence):
        claims = current is not None and current.name in ("compensation", "verify")
        (current.fences if current is not None and claims else step.fences).append(block)
        return current if claims else None
    (current.tables if current is not None else step.tables).append(block)
    return None


def _place_prose(step: StepText, current: Labelled | None, block: Prose) -> Labelled | None:
    if block.in_list:
        if current is not None:
            current.items.append((block.line, " ".join(block.text.split())))
            return current
        first = block.text.split("\n", 1)[0]
        return _open(step, first, block.line) and _claim_lines(step, None, block)
    return _claim_lines(step, None, block)


def _claim_lines(step: StepText, current: Labelled | None, block: Prose) -> Labelled | None:
    plain: list[str] = []
    for line, text in block.lines():
        label = _label(text, line)
        if label is not None:
            step.labelled.append(label)
            current = label
        elif current is not None:
            current.text.append(text)
        else:
            plain.append(text)
    if plain and not step.summary and not block.in_list:
        step.summary = " ".join(" ".join(plain).split())
    return current


def _open(step: StepText, title: str, line: int, *, bold: bool = False) -> Labelled | None:
    label = _label(f"**{title}**" if bold else title, line)
    if label is not None and bold:
        step.labelled.append(label)
    return label


def _label(text: str, line: int) -> Labelled | None:
    """Return the label that a line begins with; without bold type it needs its colon."""
    stripped = text.strip()
    plain = stripped.replace("**", "").replace("__", "")
    found = _LABEL.match(plain)
    name = _NAMES.get(found["name"].lower()) if found is not None else None
    if found is None or name is None:
        return None
    if not found["colon"] and not stripped.startswith(_BOLD):
        return None
    rest = found["rest"]
    return Labelled(name, (found["note"] or "").lower(), line, [rest] if rest else [])
