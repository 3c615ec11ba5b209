"""SK314: the small jobs that primitives offer.

Room: lint.
Source: FORMATS, Library on disk; Spec: Guided Mode Execution.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject
from skills_nb.model.documents import Document
from skills_nb.model.skills import PlannedWork, PlanTemplate
from skills_nb.sql import templates
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.templates.sample_fills import Filled, fill_samples
from skills_nb.sql.templates.unfilled_templates import statements_of


@rule("SK314", "sound-plan", spec="Guided Mode Execution > Sequence")
def sound_plan(subject: Subject) -> Iterator[Finding]:
    """A plan says who wants it, names its own inputs alone, and its SQL parses when filled in.

    Fails: a heading under `## Plans` without `said`; `CREATE TABLE {{ copy }}` without an input
    `copy`.
    Passes: `said: [clone table]`, an input `copy`, `CREATE TABLE {{ copy }} CLONE {{ source }};`.
    """
    for name, main in subject.of_kind("primitives"):
        primitive = subject.library.primitives.get(name)
        for plan in primitive.plans if primitive is not None else ():
            document = _file_of(plan, subject.files_of(main))
            yield from _lacking(plan, document)
            for work in plan.steps:
                yield from _unsound(plan, work, document)


def _file_of(plan: PlanTemplate, files: tuple[Document, ...]) -> Document:
    found = (f for f in files for s in f.sections if (s.line, s.title) == (plan.line, plan.title))
    return next(found, files[0])


def _lacking(plan: PlanTemplate, document: Document) -> Iterator[Finding]:
    span = document.span((plan.line, 1))
    if not plan.said:
        hint = "Add a yaml block with 'said: [phrase, …]': what people say who want it."
        yield Finding(span, f"plan '{plan.title}' does not say who wants it", hint)
    if not plan.steps:
        yield Finding(span, f"plan '{plan.title}' has no SQL", "Add a block of SQL for each step.")


def _unsound(plan: PlanTemplate, work: PlannedWork, document: Document) -> Iterator[Finding]:
    known = {spec.name for spec in plan.inputs}
    problems = templates.check(work.sql.text, known) if "{" in work.sql.text else ()
    for problem in problems:
        span = document.span((work.sql.line + problem.line - 1, problem.column))
        yield Finding(span, problem.message, problem.hint or "Name an input of the plan.")
    if problems:
        return
    for fillings in fill_samples(work.sql.text, plan.inputs, ()):
        found = _unread_always(fillings)
        if found is not None:
            span = document.span((work.sql.line + found[0] - 1, 1))
            message = f"plan '{plan.title}' has SQL that does not parse: {found[1]}"
            yield Finding(span, message, "Correct the statement.")
            return


def _unread_always(fillings: Iterator[Filled]) -> tuple[int, str] | None:
    """Return line and trouble of what cannot be read, whatever stands for what is unknown."""
    first: tuple[int, str] | None = None
    for filled in fillings:
        troubles = (
            (filled.line_at(statement.offset), trouble)
            for statement in statements_of(filled.text)
            if (trouble := trouble_of(statement.text)) is not None
        )
        found = next(troubles, None)
        if found is None:
            return None
        first = first or found
    return first
