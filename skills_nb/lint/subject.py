"""What rules look at: documents and library, with what several rules derive from them.

Room: lint. Derived values are computed once, on first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Document, Documents, Place
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.ports import ExampleRunner

INDEX = "skill-index.yaml"
META = "router.md"
TYPES: Mapping[str, str] = {
    "routers": "router",
    "playbooks": "playbook",
    "primitives": "primitive",
}
"""Folder to the type that its skills declare."""
FILES: Mapping[str, str] = {
    "routers": "router.md",
    "playbooks": "playbook.md",
    "primitives": "skill.md",
}
REFERENCE = re.compile(r"(?<![\w./-])(primitives|playbooks|routers)/([A-Za-z0-9_-]+)(/?)")
INLINE_CODE = re.compile(r"`[^`\n]*`")


class BodyReference(NamedTuple):
    """`{type}/{name}` in running text or in a table."""

    document: Document
    """The file that it stands in."""
    place: Place
    """Line and column of its first character."""
    kind: str
    """`routers`, `playbooks` or `primitives`."""
    name: str

    @property
    def ref(self) -> str:
        """Return `{type}/{name}`."""
        return f"{self.kind}/{self.name}"


class Subject:
    """A library under inspection."""

    def __init__(
        self,
        documents: Documents,
        library: Library,
        *,
        today: str | None = None,
        examples: ExampleRunner | None = None,
    ) -> None:
        """Keep what is inspected; `today` is an ISO date, `examples` runs SQL where given."""
        self.documents = documents
        self.library = library
        self.today = today
        self.examples = examples

    @cached_property
    def skills(self) -> Mapping[str, Document]:
        """Return the main files by `{type}/{name}`, registered or not; the library's come first."""
        found: dict[str, Document] = {}
        documents = self.documents.of_kind("router", "playbook", "primitive")
        for document in sorted(documents, key=lambda each: each.path.split("/")[0] not in TYPES):
            folder = next(key for key, kind in TYPES.items() if kind == document.kind)
            found.setdefault(f"{folder}/{document.skill_name}", document)
        return found

    @cached_property
    def index(self) -> Document | None:
        """Return the index, or None where it cannot be read."""
        document = self.documents.files.get(INDEX)
        return document if document is not None and document.front is not None else None

    @cached_property
    def meta(self) -> Document | None:
        """Return the meta-router, or None where its front matter cannot be read."""
        document = self.documents.files.get(META)
        return document if document is not None and document.front is not None else None

    @cached_property
    def _reading(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        found: dict[str, list[Diagnostic]] = {}
        for diagnostic in self.documents.diagnostics:
            found.setdefault(diagnostic.code, []).append(diagnostic)
        return {code: tuple(each) for code, each in found.items()}

    def reading(self, code: str) -> tuple[Diagnostic, ...]:
        """Return what reading reported under a code."""
        return self._reading.get(code, ())

    def of_kind(self, folder: str) -> Iterator[tuple[str, Document]]:
        """Yield name and main file of the skills of a folder whose front matter is readable."""
        for ref, document in self.skills.items():
            kind, _, name = ref.partition("/")
            if kind == folder and document.front is not None:
                yield name, document

    def playbooks(self) -> Iterator[tuple[Playbook, Document]]:
        """Yield the registered playbooks whose front matter is readable, with their files."""
        for name, playbook in self.library.playbooks.items():
            document = self.documents.files.get(playbook.span.path)
            if document is not None and document.front is not None:
                yield self.library.playbooks[name], document

    def files_of(self, document: Document) -> tuple[Document, ...]:
        """Return a skill's main file and its parts."""
        return (document, *self._parts.get(document.path.rpartition("/")[0], ()))

    @cached_property
    def _parts(self) -> Mapping[str, tuple[Document, ...]]:
        parts: dict[str, tuple[Document, ...]] = {}
        for part in self.documents.of_kind("part"):
            folder = part.path.rsplit("/", 2)[0]
            parts[folder] = (*parts.get(folder, ()), part)
        return parts

    @cached_property
    def body_references(self) -> tuple[BodyReference, ...]:
        """Return every `{type}/{name}` of prose and tables, in order of file and line."""
        return tuple(
            found
            for document in self.documents.of_kind("router", "playbook", "primitive", "part")
            for found in _references_of(document)
        )


def _references_of(document: Document) -> Iterator[BodyReference]:
    lines = document.text.split("\n")
    code = {n for fence in document.fences for n in range(fence.line, fence.end + 1)}
    for number in range(document.body_line, len(lines) + 1):
        line = lines[number - 1]
        if "/" not in line or number in code:
            continue
        for found in REFERENCE.finditer(line):
            if not found[3]:
                place = Place(number, found.start() + 1)
                yield BodyReference(document, place, found[1], found[2])


def front_span(document: Document, *path: str | int) -> Span:
    """Return the place of a front matter value."""
    if document.front is None:
        return Span(document.path)
    return document.span(document.front.place(*path))


def key_span(document: Document, *path: str | int) -> Span:
    """Return the place of a front matter key."""
    if document.front is None:
        return Span(document.path)
    return document.span(document.front.key_place(*path))


def front_value(document: Document, *path: str) -> object:
    """Return a front matter value, or None."""
    found: object = document.front.value if document.front is not None else None
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def front_texts(document: Document, *path: str) -> tuple[str, ...]:
    """Return the texts of a front matter list; other items keep their position as `""`."""
    found = front_value(document, *path)
    items = found if isinstance(found, list) else []
    return tuple(item if isinstance(item, str) else "" for item in items)


def quoted(text: str) -> str:
    """Return text as a message shows it: in quotes, cut where it is long."""
    return f"'{text}'" if len(text) <= 80 else f"'{text[:77]}...'"
