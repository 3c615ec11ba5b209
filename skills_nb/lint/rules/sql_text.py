"""SK306, SK307, SK309, SK311, SK312: SQL in primitives.

Room: lint. Blocks under Syntax are notation with brackets and are not parsed; those under
Anti-patterns may be wrong on purpose.
Spec: Primitives > Content rules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject
from skills_nb.model.documents import Document, Fence
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.templates.unfilled_templates import statements_of

_RUNNABLE = ("Examples", "Discovery queries")


def _blocks(subject: Subject, *titles: str) -> Iterator[tuple[Document, Fence]]:
    """Yield the SQL blocks of primitives under these sections, parts included."""
    for _, main in subject.of_kind("primitives"):
        for document in subject.files_of(main):
            sections = [section for section in document.sections if section.level == 2]
            for fence in document.fences:
                if fence.language != "sql":
                    continue
                after = bisect_right(sections, fence.line, key=lambda section: section.line)
                section = sections[after - 1] if after else None
                is_inside = section is not None and fence.line <= section.end
                title = section.title if section and is_inside else _title_of_part(document)
                if title in titles:
                    yield document, fence


def _title_of_part(document: Document) -> str:
    is_example = document.kind == "part" and document.path.split("/")[-2] == "examples"
    return "Examples" if is_example else ""


@rule("SK306", "parsable-example", spec="Primitives > Content rules")
def parsable_example(subject: Subject) -> Iterator[Finding]:
    """Examples and discovery queries are SQL that parses, not pseudocode.

    Fails: `CREATE TABLE <name> (...);`.
    Passes: `CREATE TABLE orders (id INT);`.
    """
    for document, fence in _blocks(subject, *_RUNNABLE):
        for statement in statements_of(fence.text):
            trouble = trouble_of(statement.text)
            if trouble is not None:
                span = document.span((fence.code_line + statement.line - 1, fence.column))
                hint = "Write a statement that runs; show notation under Syntax."
                yield Finding(span, f"the example does not parse: {trouble}", hint)


@rule("SK307", "running-example", spec="Primitives > Content rules", requires=("SK306",))
def running_example(subject: Subject) -> Iterator[Finding]:
    """Examples run on the embedded account, where the linter was given one.

    Fails: an example that selects from a table which no example above it creates.
    Passes: an example that creates what it reads, or reads what `spec/example-account.sql` makes.
    """
    if subject.examples is None:
        return
    for _, of_one in groupby(_blocks(subject, "Examples"), key=_skill_of):
        blocks = list(of_one)
        troubles = subject.examples.run([fence.text for _, fence in blocks])
        for (document, fence), trouble in zip(blocks, troubles, strict=True):
            if trouble is not None:
                span = document.span((fence.code_line, fence.column))
                hint = "Create what the example needs, or correct it."
                yield Finding(span, f"the example does not run: {trouble}", hint)


def _skill_of(block: tuple[Document, Fence]) -> str:
    return "/".join(block[0].path.split("/")[:2])


@rule("SK309", "shown-example", spec="Primitives > Content rules", requires=("SK206",))
def shown_example(subject: Subject) -> Iterator[Finding]:
    """Examples show code.

    Fails: `## Examples` with a paragraph only.
    Passes: `## Examples` with a block of SQL, Python, YAML or shell commands.
    """
    for _, document in subject.of_kind("primitives"):
        section = document.section("Examples")
        if section is None or len(subject.files_of(document)) > 1:
            continue
        if section.text.strip() and not _has_code(document, section.line, section.end):
            span = document.span((section.line, 1))
            yield Finding(span, "section 'Examples' shows no code", "Add a block of SQL.")


def _has_code(document: Document, first: int, last: int) -> bool:
    return any(first < fence.line <= last for fence in document.fences)


@rule("SK311", "read-only-discovery", spec="Environment Context > Discovery queries")
def read_only_discovery(subject: Subject) -> Iterator[Finding]:
    """Discovery queries answer questions; they change nothing.

    Fails: `CREATE TEMPORARY TABLE found AS SELECT …` under Discovery queries.
    Passes: `SHOW MASKING POLICIES IN ACCOUNT;`.
    """
    for document, fence in _blocks(subject, "Discovery queries"):
        for statement in statements_of(fence.text):
            if trouble_of(statement.text) is None and why_no_probe(statement.text):
                span = document.span((fence.code_line + statement.line - 1, fence.column))
                message = f"the discovery query '{_first_words(statement.text)}' is not read-only"
                yield Finding(span, message, "Write SELECT, SHOW or DESCRIBE.")


def _first_words(sql: str) -> str:
    return " ".join(sql.split()[:4])
