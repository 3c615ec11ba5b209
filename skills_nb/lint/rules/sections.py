"""SK201 to SK207: the sections of a skill.

Room: lint.
Spec: Skill Types > Required sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Severity
from skills_nb.model.documents import Document, Section

REQUIRED = {
    "meta-router": ("Domains", "Routing Logic", "Chaining Rules"),
    "router": ("Decision Criteria", "Routing Logic", "Routes To"),
    "playbook": ("Objective", "Prerequisites", "Steps"),
    "primitive": ("Syntax", "Parameters", "Constraints", "Examples"),
}
OPTIONAL = {
    "meta-router": ("Anti-patterns",),
    "router": ("Anti-patterns",),
    "playbook": ("Anti-patterns",),
    "primitive": ("Plans", "Discovery queries", "Expected errors", "Anti-patterns"),
}
_TABLES = {
    "meta-router": ("Domains",),
    "router": ("Routes To",),
    "primitive": ("Parameters",),
}
MAX_LINES = 500


def _skills(subject: Subject) -> Iterator[Document]:
    yield from subject.documents.of_kind("meta-router", "router", "playbook", "primitive")


def _titles(subject: Subject, document: Document) -> dict[str, Section]:
    """Return the sections of level 2 of a skill and its parts, by title."""
    return {
        section.title: section
        for file in reversed(subject.files_of(document))
        for section in file.sections
        if section.level == 2
    }


@rule("SK201", "required-section", spec="Skill Types > Required sections")
def required_section(subject: Subject) -> Iterator[Finding]:
    """A skill has the sections that its type requires.

    Meta-router: Domains, Routing Logic, Chaining Rules. Router: Decision Criteria, Routing Logic,
    Routes To. Playbook: Objective, Prerequisites, Steps. Primitive: Syntax, Parameters,
    Constraints, Examples. Parts beside a split skill count.

    Fails: a primitive without `## Constraints`.
    Passes: a primitive with `## Constraints`.
    """
    for document in _skills(subject):
        there = _titles(subject, document)
        beside = {_from_part(part) for part in subject.files_of(document)[1:]}
        for title in REQUIRED[document.kind]:
            if title not in there and title not in beside:
                message = f"section '## {title}' is missing"
                span = document.span((document.body_line, 1))
                yield Finding(span, message, f"Add '## {title}'.")


def _from_part(part: Document) -> str:
    return {"examples": "Examples", "steps": "Steps"}[part.path.split("/")[-2]]


@rule("SK202", "known-section", spec="Skill Types > Optional sections", severity=Severity.WARNING)
def known_section(subject: Subject) -> Iterator[Finding]:
    """A skill has no sections beside those of its type.

    Fails: `## Notes`.
    Passes: `## Anti-patterns`.
    """
    for document in _skills(subject):
        known = (*REQUIRED[document.kind], *OPTIONAL[document.kind])
        for section in document.sections:
            if section.level == 2 and section.title not in known:
                span = document.span((section.line, 1))
                message = f"a {document.kind} has no section '{section.title}'"
                yield Finding(span, message, _section_hint(section.title, known))


def _section_hint(title: str, known: tuple[str, ...]) -> str:
    lower = {name.lower(): name for name in known}
    near = get_close_matches(title.lower(), list(lower), 1, 0.6)
    if near:
        return f"Write '## {lower[near[0]]}'."
    return f"Move it under one of {', '.join(known)}."


@rule("SK203", "one-title", spec="Skill Types > Required sections")
def one_title(subject: Subject) -> Iterator[Finding]:
    """A skill has one heading of level 1, before all others.

    Fails: a file that begins with `## Syntax`, or that has two headings of level 1.
    Passes: `# Tags` once, at the top.
    """
    for document in _skills(subject):
        titles = [section for section in document.sections if section.level == 1]
        if not titles or titles[0] is not document.sections[0]:
            span = document.span((document.body_line, 1))
            yield Finding(span, "the title is missing", "Begin the text with '# Name'.")
        for section in titles[1:]:
            message = f"'{section.title}' is a second title"
            yield Finding(document.span((section.line, 1)), message, "Write '## ' before it.")


@rule("SK204", "described-skill", spec="Skill Types > Required sections", requires=("SK203",))
def described_skill(subject: Subject) -> Iterator[Finding]:
    """One line under the title says what the skill is.

    Fails: `# Tags` followed by `## Syntax`.
    Passes: `# Tags`, a line "Names and values that objects carry.", `## Syntax`.
    """
    for document in _skills(subject):
        title = next((s for s in document.sections if s.level == 1), None)
        if title is None:
            continue
        after = min((s.line for s in document.sections if s.line > title.line), default=title.end)
        if not any(title.line < prose.line <= after for prose in document.prose):
            span = document.span((title.line, 1))
            message = f"'{title.title}' has no description"
            yield Finding(span, message, "Add one line under the title.")


@rule("SK205", "file-length", spec="Constraints > Skill constraints 6")
def file_length(subject: Subject) -> Iterator[Finding]:
    """No file has more than 500 lines.

    Fails: a primitive of 600 lines.
    Passes: 300 lines in `skill.md`, the rest in `examples/` beside it.
    """
    for document in subject.documents.of_kind(
        "meta-router", "router", "playbook", "primitive", "part"
    ):
        if document.line_count > MAX_LINES:
            message = f"the file has {document.line_count} lines, more than {MAX_LINES}"
            hint = "Split it into examples/ and steps/ beside it."
            yield Finding(document.span((MAX_LINES + 1, 1)), message, hint)


@rule("SK206", "filled-section", spec="Skill Types > Required sections")
def filled_section(subject: Subject) -> Iterator[Finding]:
    """A section says something.

    Fails: `## Constraints` directly followed by `## Examples`.
    Passes: `## Constraints`, a list of limits, `## Examples`.
    """
    for document in _skills(subject):
        beside = {_from_part(part) for part in subject.files_of(document)[1:]}
        for section in document.sections:
            is_empty = not section.text.strip() and section.title not in beside
            if section.level == 2 and is_empty:
                span = document.span((section.line, 1))
                yield Finding(span, f"section '{section.title}' is empty", "Fill or drop it.")


@rule(
    "SK207",
    "table-where-tables-belong",
    spec="Principles > Agent-first structure",
    requires=("SK201",),
)
def table_where_tables_belong(subject: Subject) -> Iterator[Finding]:
    """Domains, Routes To and Parameters are tables.

    Fails: a list under `## Routes To`.
    Passes: a table of targets and conditions under `## Routes To`.
    """
    for document in _skills(subject):
        for title in _TABLES.get(document.kind, ()):
            section = document.section(title)
            if section is None or not section.text.strip():
                continue
            if not any(section.line < table.line <= section.end for table in document.tables):
                span = document.span((section.line, 1))
                yield Finding(span, f"section '{title}' has no table", "Write a table.")
