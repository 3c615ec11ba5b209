"""The small jobs of a primitive, under `## Plans`.

Room: reading. A plan is a heading of level 3, a `yaml` block with `said` and `inputs`, and SQL
blocks: each block is a step, and the paragraph before it says what the step does.
Source: FORMATS, Library on disk; Spec: Guided Mode Execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Document, Fence, Section
from skills_nb.model.skills import CodeBlock, PlannedWork, PlanTemplate
from skills_nb.reading.fields import Fields, fields_of
from skills_nb.reading.input_fields import read_input
from skills_nb.reading.yaml_data import parse_yaml
from skills_nb.sql.hidden_code import hidden_in_query

TITLE = "Plans"


def read_plans(
    documents: Iterable[Document], problems: list[Diagnostic]
) -> tuple[PlanTemplate, ...]:
    """Return the plans of a primitive's files, in order."""
    return tuple(
        _plan(document, section, problems)
        for document in documents
        for section in _headings(document)
    )


def _headings(document: Document) -> Iterator[Section]:
    whole = document.section(TITLE)
    if whole is not None:
        inside = (s for s in document.sections if whole.line < s.line <= whole.end)
        yield from (section for section in inside if section.level == 3)


def _plan(document: Document, section: Section, problems: list[Diagnostic]) -> PlanTemplate:
    fences = [f for f in document.fences if section.line < f.line <= section.end]
    fields = _fields(document, fences, problems)
    fields.only("said", "unless", "inputs")
    return PlanTemplate(
        title=section.title,
        said=fields.texts("said"),
        unless=fields.texts("unless"),
        inputs=tuple(read_input(row) for row in fields.rows("inputs")),
        steps=tuple(_steps(document, section, fences, problems)),
        line=section.line,
    )


def _fields(document: Document, fences: Iterable[Fence], problems: list[Diagnostic]) -> Fields:
    block = next((fence for fence in fences if fence.language in ("yaml", "yml")), None)
    if block is None:
        return fields_of(None, document.path, problems)
    data, found = parse_yaml(block.text, document.path, block.code_line, block.column)
    problems.extend(found)
    return fields_of(data, document.path, problems)


def _steps(
    document: Document, section: Section, fences: Iterable[Fence], problems: list[Diagnostic]
) -> Iterator[PlannedWork]:
    after = section.line
    for fence in fences:
        if fence.language == "sql" and fence.text.strip():
            said = [p.text for p in document.prose if after < p.line < fence.line]
            action = " ".join(said[-1].split()) if said else section.title
            problems.extend(_hidden(document, fence))
            yield PlannedWork(action, CodeBlock("sql", fence.text, fence.code_line))
        after = fence.end


def _hidden(document: Document, fence: Fence) -> Iterator[Diagnostic]:
    """Yield what deceives in a step's SQL."""
    for found in hidden_in_query(fence.text):
        problem = found.problem
        line, column = fence.code_line + problem.line - 1, problem.column + fence.column - 1
        span = Span(document.path, line, column)
        yield Diagnostic(found.code, span, problem.message, problem.hint or "")
    if fence.within:
        message = f"the code stands inside of '{fence.within}', where a page may not show it"
        hint = "Take the HTML around it away."
        yield Diagnostic("SK019", Span(document.path, fence.line), message, hint)
