"""Library files as documents: text, data and blocks, each with its place.

Room: ground. Reading fills them, rules look at them. Lines and columns are 1-based and belong to
the file, never to a part of it.
Spec: Conventions > File Structure; FORMATS, Library on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from skills_nb.model.diagnostics import Diagnostic, Span

DocumentKind = Literal[
    "meta-router",
    "router",
    "playbook",
    "primitive",
    "part",
    "utterances",
    "spec",
    "index",
    "other",
]
KeyPath = tuple[str | int, ...]
"""Keys and positions from the root of YAML data to a value."""


class Place(NamedTuple):
    """A line and a column of a file."""

    line: int
    """1-based."""
    column: int
    """1-based."""


@dataclass(frozen=True, slots=True)
class Data:
    """YAML as plain values, with the place of every key and value."""

    value: Any
    """Mappings, lists, strings, numbers, booleans and None; dates stay strings."""
    values: Mapping[KeyPath, Place] = field(default_factory=lambda: MappingProxyType({}))
    """Where the value of each key or list entry begins."""
    keys: Mapping[KeyPath, Place] = field(default_factory=lambda: MappingProxyType({}))
    """Only entries of mappings have one."""

    def place(self, *path: str | int) -> Place:
        """Return where the value stands; of the nearest ancestor for one that is not there."""
        for length in range(len(path), -1, -1):
            found = self.values.get(path[:length])
            if found is not None:
                return found
        return Place(1, 1)

    def key_place(self, *path: str | int) -> Place:
        """Return where the key stands, or where its value does."""
        return self.keys.get(path) or self.place(*path)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with all that stands under it, down to the next of its level or above."""

    title: str
    """The heading's text, its marks of emphasis and code included."""
    level: int
    """1 to 6."""
    line: int
    """Of the heading."""
    end: int
    """Its last line."""
    text: str
    """Markdown under the heading, deeper headings included."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block."""

    language: str
    """First word of the info string, lower case."""
    text: str
    """The code between the fences, its line ends included."""
    line: int
    """Of the opening fence; the code begins on the next."""
    end: int
    """Of the closing fence."""
    column: int = 1
    """Where the code's lines begin: more than 1 in a list."""
    closed: bool = True
    """False where the file ends before the closing fence."""
    within: str = ""
    """The HTML in which a page may hide it, `<details>` or `<!--`; empty where it is plain."""

    @property
    def code_line(self) -> int:
        """Return the line of the first line of code."""
        return self.line + 1


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    cells: tuple[str, ...]
    """Markdown of the cells, stripped; as many as the header has."""
    line: int
    """1-based in the file."""


@dataclass(frozen=True, slots=True)
class Table:
    """A pipe table."""

    header: tuple[str, ...]
    """Markdown of the header's cells, stripped."""
    rows: tuple[Row, ...]
    """Body rows, in file order."""
    line: int
    """Of the header."""

    def column(self, *names: str) -> int | None:
        """Return the position of the first column whose heading is one of the names."""
        plain = [cell.strip(" *`").lower() for cell in self.header]
        return next((plain.index(name) for name in names if name in plain), None)


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text outside code: a paragraph, or a paragraph of a list item."""

    text: str
    """Markdown, its lines as in the file but for the indentation."""
    line: int
    """Its first, 1-based in the file."""
    in_list: bool = False
    """Whether it belongs to a list item."""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text."""
        return enumerate(self.text.split("\n"), self.line)


@dataclass(frozen=True, slots=True)
class Allowance:
    """`<!-- lint: allow SK… because … -->`: a finding that the author stands by."""

    code: str
    """Code of the finding, such as `SK104`."""
    reason: str
    """Why, in the author's words; empty where none is given."""
    line: int
    """Of the comment."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the library, parsed."""

    path: str
    """Relative to the library's root, with forward slashes."""
    kind: DocumentKind
    """What the file is in the library, told by its path."""
    text: str
    """Line ends are newlines, without a byte order mark."""
    front: Data | None = None
    """Front matter; the whole file for the index; None where there is none that can be read."""
    body_line: int = 1
    """Where the text after the front matter begins."""
    sections: tuple[Section, ...] = ()
    """All levels, in file order."""
    fences: tuple[Fence, ...] = ()
    """Fenced code blocks, in file order."""
    tables: tuple[Table, ...] = ()
    """Pipe tables, in file order."""
    prose: tuple[Prose, ...] = ()
    """Paragraphs outside code, in file order."""
    allowances: tuple[Allowance, ...] = ()
    """Findings that the author stands by, in file order."""

    @property
    def skill_name(self) -> str:
        """Return the name of the directory that holds it, `""` at the root."""
        parts = self.path.split("/")
        return parts[-3 if self.kind == "part" else -2] if len(parts) > 1 else ""

    @property
    def line_count(self) -> int:
        """Return how many lines the file has."""
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))

    def line_text(self, line: int) -> str:
        """Return a line without its end, `""` beyond the last."""
        lines = self.text.split("\n")
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def span(self, place: Place | tuple[int, int]) -> Span:
        """Return the place as a span of this file."""
        return Span(self.path, place[0], place[1])

    def section(self, title: str, level: int = 2) -> Section | None:
        """Return the first section of that title, or None."""
        return next((s for s in self.sections if s.level == level and s.title == title), None)

    def section_at(self, line: int, level: int = 2) -> Section | None:
        """Return the section of that level in which a line stands, or None."""
        return next(
            (s for s in self.sections if s.level == level and s.line <= line <= s.end), None
        )


@dataclass(frozen=True, slots=True)
class Documents:
    """All files of a library, and what reading could not make sense of."""

    root: str
    """The library's folder, for messages."""
    files: Mapping[str, Document] = field(default_factory=lambda: MappingProxyType({}))
    """By path, sorted."""
    others: tuple[str, ...] = ()
    """Paths of files in the library's folders that are not read as skills, sorted."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """In order of path and line."""

    def of_kind(self, *kinds: DocumentKind) -> tuple[Document, ...]:
        """Return the documents of these kinds, sorted by path."""
        return tuple(doc for doc in self.files.values() if doc.kind in kinds)

    def skill(self, ref: str) -> Document | None:
        """Return the main file of `{type}/{name}`, or None; the library's before its overlay's."""
        kind, _, name = ref.partition("/")
        wanted = {"routers": "router", "playbooks": "playbook", "primitives": "primitive"}.get(kind)
        found = (d for d in self.files.values() if d.kind == wanted and d.skill_name == name)
        return min(found, key=lambda each: not each.path.startswith(f"{kind}/"), default=None)

    def parts_of(self, document: Document) -> tuple[Document, ...]:
        """Return the files of a split skill beside its main file, in reading order."""
        folder = document.path.rpartition("/")[0] + "/"
        return tuple(
            other
            for other in self.files.values()
            if other.kind == "part" and other.path.startswith(folder)
        )
