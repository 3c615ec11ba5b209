"""A skill's file with its parts, parsed as far as somebody asks.

Room: reading. Front matter and body are parsed once, on first use; the text is the one that was
read when the library was opened, whatever happens to the file since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from skills_nb.model import utterances
from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Document, DocumentKind, Section
from skills_nb.reading.fields import Fields, fields_of
from skills_nb.reading.files import RawFile
from skills_nb.reading.front_matter import FrontMatter, split_front_matter
from skills_nb.reading.markdown import Body, parse_markdown
from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.unseen_text import unseen_in_text

_MAIN_FILES: dict[str, tuple[str, DocumentKind]] = {
    "routers": ("router.md", "router"),
    "playbooks": ("playbook.md", "playbook"),
    "primitives": ("skill.md", "primitive"),
}
_PART_FOLDERS = {"examples": "Examples", "steps": "Steps"}
"""Folder of a split skill to the section that its text goes on."""


def kind_of(path: str) -> DocumentKind:
    """Return what a file is, from its place in the library (without an overlay's prefix)."""
    parts = path.split("/")
    if path == "router.md":
        return "meta-router"
    if path == "skill-index.yaml":
        return "index"
    if parts[0] == "spec" and path.endswith(".md"):
        return "spec"
    name, kind = _MAIN_FILES.get(parts[0], ("", "other"))
    if len(parts) == 3 and parts[2] == name:
        return kind
    if len(parts) == 3 and parts[0] == "routers" and parts[2] == utterances.FILE:
        return "utterances"
    is_part = len(parts) == 4 and parts[2] in _PART_FOLDERS and path.endswith(".md")
    return "part" if is_part and parts[0] in _MAIN_FILES else "other"


class Source:
    """One Markdown file of a library."""

    def __init__(self, file: RawFile, kind: DocumentKind) -> None:
        """Keep the text; nothing is parsed yet."""
        self.file = file
        self.kind = kind

    @property
    def path(self) -> str:
        """Return the file's path in the library."""
        return self.file.path

    @cached_property
    def front(self) -> FrontMatter:
        """Return front matter and body, split."""
        was_read = bool(self.file.text) or not self.file.problems
        required = was_read and self.kind not in ("part", "utterances", "spec", "other")
        return split_front_matter(self.file.text, self.path, required=required)

    @cached_property
    def body(self) -> Body:
        """Return the body's blocks."""
        return parse_markdown(self.front.body, self.path, self.front.body_line)

    @cached_property
    def document(self) -> Document:
        """Return the file as a document."""
        body = self.body
        return Document(
            path=self.path,
            kind=self.kind,
            text=self.file.text,
            front=self.front.data,
            body_line=self.front.body_line,
            sections=body.sections,
            fences=body.fences,
            tables=body.tables,
            prose=body.prose,
            allowances=body.allowances,
        )

    @property
    def text_problems(self) -> tuple[Diagnostic, ...]:
        """Return what is wrong with bytes, front matter and blocks; parses the body."""
        unseen = (self._unseen(problem) for problem in unseen_in_text(self.file.text))
        return (*self.file.problems, *self.front.problems, *self.body.problems, *unseen)

    def _unseen(self, found: TemplateProblem) -> Diagnostic:
        span = Span(self.path, found.line, found.column)
        return Diagnostic("SK018", span, found.message, found.hint or "")


class SkillSource:
    """A skill's main file and the parts beside it."""

    def __init__(self, main: Source, parts: Iterable[Source] = ()) -> None:
        """Keep the files; parts in the order of their paths."""
        self.main = main
        self.parts = tuple(parts)

    @property
    def files(self) -> tuple[Source, ...]:
        """Return main file and parts."""
        return (self.main, *self.parts)

    @property
    def span(self) -> Span:
        """Return where the main file begins."""
        return Span(self.main.path)

    def fields(self, problems: list[Diagnostic]) -> Fields:
        """Return the front matter's fields, reporting into `problems`."""
        return fields_of(self.main.front.data, self.main.path, problems)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Return main file and parts as documents."""
        return (self.main.document, *(part.document for part in self.parts))

    @cached_property
    def title(self) -> str:
        """Return the text of the first heading, found without parsing the body."""
        lines = self.main.front.body.split("\n", 40)
        return next((line[2:].strip() for line in lines if line.startswith("# ")), "")

    @cached_property
    def lead(self) -> str:
        """Return the line under the first heading."""
        lines = iter(self.main.front.body.split("\n", 40)[:40])
        for line in lines:
            if line.startswith("# "):
                break
        follows = next((line.strip() for line in lines if line.strip()), "")
        return "" if follows.startswith(("#", "```", "~~~", "|", "- ")) else follows

    @cached_property
    def sections(self) -> Mapping[str, str]:
        """Return the text of every section of level 2, parts appended to theirs."""
        found = {s.title: s.text for s in self.main.body.sections if s.level == 2}
        for part in self.parts:
            for title, text in _part_sections(part):
                found[title] = f"{found[title]}\n\n{text}" if found.get(title) else text
        return found


class LazySections(Mapping[str, str]):
    """Sections of a skill, read when first asked for."""

    def __init__(self, source: SkillSource) -> None:
        """Keep the source."""
        self._source = source

    def __getitem__(self, title: str) -> str:
        return self._source.sections[title]

    def __iter__(self) -> Iterator[str]:
        return iter(self._source.sections)

    def __len__(self) -> int:
        return len(self._source.sections)


def part_section(part: Source | Document) -> str:
    """Return the section that a part's text goes on."""
    return _PART_FOLDERS[part.path.split("/")[-2]]


def _part_sections(part: Source) -> Iterator[tuple[str, str]]:
    """Yield title and text: what stands above the first heading of level 2, then each of them."""
    own = [section for section in part.body.sections if section.level == 2]
    lines = part.front.body.split("\n")
    begin = own[0].line - part.front.body_line if own else len(lines)
    opening = "\n".join(line for line in lines[:begin] if not line.startswith("# ")).strip("\n")
    pairs: Iterable[tuple[str, str]] = ((s.title, s.text) for s in _plain(own))
    yield from chain([(part_section(part), opening)] if opening else [], pairs)


def _plain(sections: Iterable[Section]) -> Iterable[Section]:
    return (section for section in sections if section.text)
