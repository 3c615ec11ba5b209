"""The steps of a playbook.

Room: reading. What the `yaml` block says wins over the same thing said in prose, and says so.
Spec: Playbooks > Step structure; FORMATS, A playbook step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.documents import Document, Fence, Place, Section
from skills_nb.model.skills import (
    CheckpointSeverity,
    CheckpointSpec,
    CodeBlock,
    CreatesSpec,
    ForEach,
    OptionSpec,
    Step,
)
from skills_nb.reading import plain_steps as plain
from skills_nb.reading.errors_table import read_error_rows
from skills_nb.reading.fields import Fields, fields_of, quoted
from skills_nb.reading.step_text import StepText, read_step_text
from skills_nb.reading.yaml_data import parse_yaml
from skills_nb.sql.hidden_code import HiddenCode, hidden_in_step

STEP_FIELDS = (
    "when",
    "role",
    "for_each",
    "binds",
    "expected_errors",
    "creates",
    "compensation",
    "verify",
    "checkpoint",
    "optional",
    "recount",
)
_HEADING = re.compile(r"(?:[Ss][Tt][Ee][Pp]\s+)?([0-9]{1,4}[a-zA-Z]?)\s*(?:[:.)]|\s[-–—])\s*(.*)")
_PART_HEADING = re.compile(r"step\s+\d", re.IGNORECASE)
_FOR_EACH = re.compile(
    r"([A-Za-z_]\w*)\s+in\s+([A-Za-z_][\w.]*|\[\s*[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*\s*\])\s*"
)
"""A path to a list, or paths in brackets."""
_SQL = ("sql", "snowflake", "snowsql", "snowflake-sql")
_SHELL = ("bash", "sh", "shell", "console", "zsh")
_TWICE = ("checkpoint", "compensation", "creates", "verify")


def read_steps(documents: Iterable[Document], problems: list[Diagnostic]) -> tuple[Step, ...]:
    """Return the steps of a playbook's files, in order."""
    steps = []
    for document in documents:
        for section in step_headings(document):
            found = _HEADING.fullmatch(section.title)
            if found is None:
                problems.append(_no_step(document, section))
            else:
                text = read_step_text(document, section)
                steps.append(_step(found[1].lower(), found[2].strip(), text, problems))
    return tuple(steps)


def step_headings(document: Document) -> Iterator[Section]:
    """Yield the headings of steps: level 3 under `## Steps`; in a part, those that say so."""
    if document.kind == "part":
        is_steps = document.path.split("/")[-2] == "steps"
        found = (s for s in document.sections if is_steps and _PART_HEADING.match(s.title))
        yield from found
        return
    steps = document.section("Steps")
    if steps is not None:
        inside = (s for s in document.sections if steps.line < s.line <= steps.end)
        yield from (section for section in inside if section.level == 3)


def _no_step(document: Document, section: Section) -> Diagnostic:
    message = f"heading {quoted(section.title)} under Steps names no step"
    span = Span(document.path, section.line)
    return Diagnostic("SK014", span, message, "Write '### Step 3: Title'.")


def _step(step_id: str, title: str, text: StepText, problems: list[Diagnostic]) -> Step:
    fields = _step_fields(step_id, text, problems)
    _report_twice(fields, text)
    _report_folded(text, problems)
    step = Step(
        id=step_id,
        title=title,
        summary=text.summary,
        references=plain.references(text),
        sql=_blocks(text.fences, _SQL),
        shell=_blocks(text.fences, _SHELL),
        when=fields.optional_text("when"),
        role=fields.optional_text("role"),
        for_each=_for_each(fields),
        binds=_binds(fields),
        expected_errors=(*read_error_rows(fields), *plain.plain_errors(text, problems)),
        creates=_creates(fields) or plain.plain_creates(text, problems),
        compensation=_compensation(fields, text, problems),
        verify=fields.optional_text("verify") or plain.plain_verify(text),
        checkpoint=_checkpoint(fields, text),
        optional=fields.flag("optional", "(optional)" in title.lower()),
        recount=fields.flag("recount", False),
        line=text.heading.line,
    )
    problems.extend(_hidden(step, fields, text))
    return step


def _report_folded(text: StepText, problems: list[Diagnostic]) -> None:
    """Report code that would be run and that a page may not show."""
    claimed = (fence for label in text.labelled for fence in label.fences)
    for fence in (*text.fences, *claimed):
        if fence.within and fence.language in (*_SQL, *_SHELL, "yaml", "yml", ""):
            message = f"the code stands inside of '{fence.within}', where a page may not show it"
            span = Span(text.document.path, fence.line)
            problems.append(Diagnostic("SK019", span, message, "Take the HTML around it away."))


def _hidden(step: Step, fields: Fields, text: StepText) -> Iterator[Diagnostic]:
    """Yield what deceives in a step's code, once a place of the file."""
    seen: set[Span] = set()
    for found in hidden_in_step(step):
        span = _place_of(found, fields, text)
        if span not in seen:
            seen.add(span)
            problem = found.problem
            yield Diagnostic(found.code, span, problem.message, problem.hint or "")


def _place_of(found: HiddenCode, fields: Fields, text: StepText) -> Span:
    path, block = text.document.path, found.block
    if block is None:
        known = found.field in fields.entries
        place = fields.place(found.field) if known else Place(text.heading.line, 1)
        return Span(path, place.line, place.column)
    shift = next((f.column for f in text.fences if f.code_line == block.line), 1)
    return Span(path, block.line + found.problem.line - 1, found.problem.column + shift - 1)


def _blocks(fences: Iterable[Fence], languages: tuple[str, ...]) -> tuple[CodeBlock, ...]:
    return tuple(
        CodeBlock(fence.language, fence.text, fence.code_line)
        for fence in fences
        if fence.language in languages and fence.text.strip()
    )


def _step_fields(step_id: str, text: StepText, problems: list[Diagnostic]) -> Fields:
    """Return the fields of the step's `yaml` block; an example that is shown is none.

    The plain form lists steps in it: `- step: 3`, `primitive: …`, `expected_errors: …`.
    """
    path = text.document.path
    for fence in text.fences:
        if fence.language not in ("yaml", "yml"):
            continue
        data, found = parse_yaml(fence.text, path, fence.code_line, fence.column)
        if data is None:
            problems.extend(found)
            continue
        if isinstance(data.value, dict) and _means_fields(data.value):
            problems.extend(found)
            fields = fields_of(data, path, problems)
            fields.only(*STEP_FIELDS)
            return fields
        if isinstance(data.value, list):
            for number, item in enumerate(data.value):
                if isinstance(item, dict) and str(item.get("step")) == step_id:
                    problems.extend(found)
                    fields = fields_of(data, path, problems).inside(number)
                    fields.only("step", "primitive", *STEP_FIELDS)
                    return fields
    return fields_of(None, path, problems)


def _means_fields(value: Mapping[str, Any]) -> bool:
    return any(get_close_matches(key, STEP_FIELDS, 1, 0.8) for key in value)


def _report_twice(fields: Fields, text: StepText) -> None:
    for name in _TWICE:
        if name in fields.entries and any(text.all_of(name)):
            line = next(text.all_of(name)).line
            message = f"'{text.heading.title}' says its {name} twice; the yaml block counts"
            span = Span(text.document.path, line)
            hint = "Keep one of them."
            fields.problems.append(Diagnostic("SK017", span, message, hint, Severity.WARNING))


def _for_each(fields: Fields) -> ForEach | None:
    value = fields.text("for_each")
    if not value:
        return None
    found = _FOR_EACH.fullmatch(value.strip())
    if found is None:
        message = f"for_each is {quoted(value)}"
        fields.note(
            "SK008",
            fields.place("for_each"),
            message,
            "Write 'NAME in PATH' or 'NAME in [PATH, PATH]'.",
        )
        return None
    return ForEach(found[1], found[2])


def _binds(fields: Fields) -> dict[str, str]:
    table = fields.mapping("binds")
    if table is None:
        return {}
    return {name: path for name in table.entries if (path := table.text(name, required=True))}


def _creates(fields: Fields) -> tuple[CreatesSpec, ...]:
    created = []
    for row in fields.rows("creates"):
        row.only("type", "name")
        kind = row.text("type", required=True).strip().lower().replace(" ", "_")
        created.append(CreatesSpec(kind, row.text("name", required=True)))
    return tuple(created)


def _compensation(
    fields: Fields, text: StepText, problems: list[Diagnostic]
) -> Literal["auto"] | tuple[str, ...]:
    value = fields.entries.get("compensation")
    if value is None:
        shown = plain.plain_compensation(text, problems)
        return "auto" if shown is None else shown
    if isinstance(value, str):
        return "auto" if value.strip().lower() == "auto" else (value.strip(),)
    return tuple(sql.strip() for sql in fields.texts("compensation"))


def _checkpoint(fields: Fields, text: StepText) -> CheckpointSpec | None:
    severities: tuple[CheckpointSeverity, ...] = get_args(CheckpointSeverity)
    if isinstance(fields.entries.get("checkpoint"), str):
        return CheckpointSpec(fields.word("checkpoint", severities, "review"))
    row = fields.mapping("checkpoint")
    if row is None:
        return plain.plain_checkpoint(text)
    row.only("severity", "present", "phrase", "options")
    return CheckpointSpec(
        severity=row.word("severity", severities, "review"),
        present=row.text("present").strip(),
        phrase=row.optional_text("phrase"),
        options=tuple(_option(option) for option in row.rows("options")),
    )


def _option(row: Fields) -> OptionSpec:
    row.only("id", "description", "when", "sets")
    sets = row.mapping("sets")
    return OptionSpec(
        id=row.text("id", required=True),
        description=row.text("description"),
        when=row.optional_text("when"),
        sets=dict(sets.entries) if sets is not None else {},
    )
