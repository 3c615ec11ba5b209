"""SK431 to SK434: templates, messages and conditions name what is known.

Room: lint.
Source: FORMATS, A playbook step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.places import PlacedStep, placed_steps, text_span
from skills_nb.lint.subject import Subject, front_span
from skills_nb.model.diagnostics import Span
from skills_nb.model.documents import Document
from skills_nb.model.skills import Playbook, ProbeSpec
from skills_nb.sql import conditions, templates
from skills_nb.sql.syntax import columns_of
from skills_nb.sql.templates.unfilled_templates import without_templates

if TYPE_CHECKING:
    from skills_nb.sql.template_problems import TemplateProblem

_STEP_NAME = re.compile(r"step_\d+[a-z]?")
_ROOT = re.compile(r"[A-Za-z_]\w*")


class _Scope(NamedTuple):
    """The names that a step knows."""

    placed: PlacedStep
    before: frozenset[str]
    """While its SQL runs."""
    after: frozenset[str]
    """When it has run: its own results too."""


def _scopes(subject: Subject) -> Iterator[_Scope]:
    for playbook, document in subject.playbooks():
        known = _input_names(playbook)
        for placed in placed_steps(subject, playbook, document):
            loop = placed.step.for_each
            inside = known | ({loop.name} if loop is not None else set())
            results = set(placed.step.binds)
            yield _Scope(placed, frozenset(inside), frozenset(inside | results))
            known |= results | {f"step_{placed.step.id}"}


def _input_names(playbook: Playbook) -> set[str]:
    names = {spec.name for spec in playbook.inputs} | {"session"}
    return names | ({"expected_account"} if "target_account" in names else set())


@rule("SK431", "sound-template", spec="FORMATS > A playbook step")
def sound_template(subject: Subject) -> Iterator[Finding]:
    """SQL templates name inputs, loop names and results of earlier steps, as whole values.

    A value set against other text, or inside quotes or a comment, would not be one value. Command
    lines are templates too, in which a value is a word.

    Fails: `mask_{{ data_type }}`; `'{{ region }}'`; `{{ taget_scope }}`.
    Passes: `{{ ident('mask_', data_type) }}`; `{{ region }}`; `{{ target_scope }}`.
    """
    for scope in _scopes(subject):
        for block in scope.placed.step.sql:
            for problem in _template(block.text, scope.before):
                span = scope.placed.code_span(block, problem.line, problem.column)
                yield _finding(span, problem)
        yield from _command_templates(scope)
        yield from _yaml_templates(scope)
    for playbook, document in subject.playbooks():
        names = _input_names(playbook)
        for number, probe in enumerate(playbook.probes):
            begin = front_span(document, "probes", number, "query")
            for problem in _template(probe.query, names):
                yield _finding(text_span(document, begin, problem.line, problem.column), problem)


def _command_templates(scope: _Scope) -> Iterator[Finding]:
    for block in scope.placed.step.shell:
        is_template = "{{" in block.text or "{%" in block.text
        for problem in templates.check_command(block.text, scope.before) if is_template else ():
            span = scope.placed.code_span(block, problem.line, problem.column)
            yield _finding(span, problem)


def _yaml_templates(scope: _Scope) -> Iterator[Finding]:
    step = scope.placed.step
    texts = [("verify", step.verify or ""), *(("creates", each.name) for each in step.creates)]
    if step.compensation != "auto":
        texts += [("compensation", sql) for sql in step.compensation]
    for field, text in texts:
        for problem in _template(text, scope.after) if "{" in text else ():
            yield _finding(scope.placed.field_span(field), problem)


def _template(text: str, known: Iterable[str]) -> tuple[TemplateProblem, ...]:
    return templates.check(text, known) if "{" in text else ()


def _finding(span: Span, problem: TemplateProblem) -> Finding:
    return Finding(span, problem.message, problem.hint or "Name an input or a bound result.")


@rule("SK432", "sound-condition", spec="FORMATS > Front matter (condition)")
def sound_condition(subject: Subject) -> Iterator[Finding]:
    """Conditions are SQL comparisons over inputs and results that are known by then.

    Fails: `when: "colums IS NOT NULL"`; `condition: "upper(x) = 1"`.
    Passes: `when: "columns IS NOT NULL"`; `condition: "count > 0"`.
    """
    for scope in _scopes(subject):
        step = scope.placed.step
        if step.when is not None:
            for problem in _condition(step.when, scope.before):
                yield _finding(scope.placed.field_span("when"), problem)
        for option in step.checkpoint.options if step.checkpoint is not None else ():
            for problem in _condition(option.when or "", scope.after):
                yield _finding(scope.placed.field_span("options"), problem)
    for playbook, document in subject.playbooks():
        for number, spec in enumerate(playbook.inputs):
            earlier = {one.name for one in playbook.inputs[:number]}
            for problem in _condition(spec.when or "", earlier):
                yield _finding(front_span(document, "inputs", number, "when"), problem)
    for playbook, document, number, probe in _probes(subject):
        known = _probe_names(playbook, probe)
        for place, check in enumerate(probe.validate):
            span = front_span(document, "probes", number, "validate", place, "condition")
            for problem in _condition(check.condition, known):
                yield _finding(span, problem)


def _condition(text: str, known: Iterable[str] | None) -> tuple[TemplateProblem, ...]:
    """Check a condition; `known` is None where any name may be a column of the result."""
    if not text.strip():
        return ()
    if known is not None:
        return conditions.check(text, known)
    return conditions.check(text, _words(text))


def _words(text: str) -> set[str]:
    return set(_ROOT.findall(text))


@rule("SK433", "sound-message", spec="FORMATS > A playbook step")
def sound_message(subject: Subject) -> Iterator[Finding]:
    """Names in braces, in messages, phrases, roles and repairs, are known.

    Fails: `present: "Found {colum_count} columns."`.
    Passes: `present: "Found {column_count} columns."`.
    """
    for scope in _scopes(subject):
        for field, text in _messages(scope.placed):
            known = scope.before if field == "role" else scope.after
            for problem in _message(text, known):
                yield _finding(scope.placed.field_span(field), problem)
    for playbook, document, number, probe in _probes(subject):
        for problem in _message(probe.role or "", _input_names(playbook)):
            yield _finding(front_span(document, "probes", number, "role"), problem)
        known_here = _probe_names(playbook, probe)
        for place, check in enumerate(probe.validate):
            span = front_span(document, "probes", number, "validate", place, "message")
            for problem in _message(check.message, known_here):
                yield _finding(span, problem)


def _messages(placed: PlacedStep) -> Iterator[tuple[str, str]]:
    step = placed.step
    yield "role", step.role or ""
    for error in step.expected_errors:
        yield "recovery", error.recovery
    if step.checkpoint is not None:
        yield "present", step.checkpoint.present
        yield "phrase", step.checkpoint.phrase or ""
        for option in step.checkpoint.options:
            yield "description", option.description


def _message(text: str, known: Iterable[str] | None) -> tuple[TemplateProblem, ...]:
    if "{" not in text or known is None:
        return ()
    return templates.check_message(text, known)


@rule("SK434", "known-loop", spec="FORMATS > A playbook step")
def known_loop(subject: Subject) -> Iterator[Finding]:
    """A step loops over an input or a result of an earlier step, by a name that is free.

    Fails: `for_each: table in tabels`.
    Passes: `for_each: table in tables`.
    """
    for scope in _scopes(subject):
        loop = scope.placed.step.for_each
        if loop is None:
            continue
        span = scope.placed.field_span("for_each")
        known = scope.before - {loop.name}
        for path in loop.path.strip("[] ").split(","):
            root = path.split(".")[0].strip()
            if root not in known:
                names = ", ".join(sorted(each for each in known if not _STEP_NAME.fullmatch(each)))
                yield Finding(span, f"nothing is called '{root}'", f"Known by then: {names}.")


def _probes(subject: Subject) -> Iterator[tuple[Playbook, Document, int, ProbeSpec]]:
    for playbook, document in subject.playbooks():
        for number, probe in enumerate(playbook.probes):
            yield playbook, document, number, probe


def _probe_names(playbook: Playbook, probe: ProbeSpec) -> set[str] | None:
    """Return the names that a probe's checks know; None where only a run shows its columns."""
    columns = _columns(probe.query)
    if columns is None:
        return None
    names = _input_names(playbook) | {"count", "result"}
    context = {name for name in columns if name.startswith("current_")}
    aliases = {name.removeprefix("current_") for name in context}
    return names | columns | aliases | {f"{name}()" for name in context}


def _columns(query: str) -> frozenset[str] | None:
    """Return the columns of a plain SELECT in lower case; None where only a run shows them."""
    text = without_templates(query)
    if text is None or not text.lstrip().upper().startswith("SELECT"):
        return None
    return columns_of(text)
