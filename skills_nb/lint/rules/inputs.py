"""SK401 to SK409: what a playbook asks for.

Room: lint.
Spec: Playbooks > Input phasing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject, front_span
from skills_nb.model.diagnostics import Severity
from skills_nb.model.documents import Document
from skills_nb.model.skills import InputSpec

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_CHOOSABLE = ("boolean", "choice", "role", "warehouse", "database", "schema", "table")
"""Types for which the account, or the type itself, offers choices."""
_SOURCES = re.compile(
    r"intent(?:\.(?:source|destination|excepted|affected))?|loss|session\.(?:role|user|account|account_name|region|database|schema|warehouse|edition"
    r"|available_roles|secondary_roles)|step_\d+[a-z]?\.[A-Za-z_][\w.]*|probe\.[A-Za-z_][\w.]*"
    r"|context\.[A-Za-z_][\w.]*"
)
_HOLE = re.compile(r"\{([A-Za-z_][\w.]*)\}")


@rule("SK401", "phase-of-a-step", spec="Playbooks > Input phasing")
def phase_of_a_step(subject: Subject) -> Iterator[Finding]:
    """An input's phase is `before_start` or names a step that is there.

    Fails: `phase: step_9` in a playbook of four steps.
    Passes: `phase: step_2`.
    """
    for playbook, document in subject.playbooks():
        for number, spec in enumerate(playbook.inputs):
            step_id = spec.phase.removeprefix("step_")
            if spec.phase != "before_start" and playbook.step(step_id) is None:
                span = front_span(document, "inputs", number, "phase")
                message = f"input '{spec.name}' is asked for at '{spec.phase}', which is no step"
                ids = ", ".join(f"step_{step.id}" for step in playbook.steps) or "there are none"
                yield Finding(span, message, f"Use before_start or one of: {ids}.")


@rule("SK402", "structured-input", spec="Constraints > Skill constraints 7")
def structured_input(subject: Subject) -> Iterator[Finding]:
    """An input offers choices, or says why it cannot.

    Choices are listed, or follow from the type (`boolean`, `role`, `warehouse`, `database`,
    `schema`, `table`). A default spares the question.

    Fails: `{name: target_scope, type: scope}`.
    Passes: `{name: target_scope, type: scope, open_ended_because: "Any schema can be meant"}`.
    """
    for number, spec, document in _inputs(subject):
        is_open = not spec.choices and spec.type not in _CHOOSABLE and not spec.has_default
        if is_open and not spec.open_ended_because.strip():
            span = front_span(document, "inputs", number)
            message = f"input '{spec.name}' is open-ended without a reason"
            yield Finding(span, message, "List 'choices', or say why in 'open_ended_because'.")


@rule("SK403", "described-input", spec="Playbooks > Input phasing")
def described_input(subject: Subject) -> Iterator[Finding]:
    """An input says what it is, because people read it when they are asked.

    Fails: `{name: admin_role, type: role}`.
    Passes: `{name: admin_role, type: role, description: "Role that creates policies"}`.
    """
    for number, spec, document in _inputs(subject):
        if not spec.description.strip():
            span = front_span(document, "inputs", number)
            yield Finding(span, f"input '{spec.name}' has no description", "Add one.")


@rule("SK404", "unique-input-name", spec="Playbooks > Front-matter")
def unique_input_name(subject: Subject) -> Iterator[Finding]:
    """Inputs, probes and bound results are named once, as words a template can use.

    Fails: two inputs `scope`; an input `target-scope`.
    Passes: `target_scope` and `policy_scope`.
    """
    for playbook, document in subject.playbooks():
        names = [(("inputs", n, "name"), each.name) for n, each in enumerate(playbook.inputs)]
        yield from _repeated(document, names, "input")
        ids = [(("probes", n, "id"), each.id) for n, each in enumerate(playbook.probes)]
        yield from _repeated(document, ids, "probe")


def _repeated(
    document: Document, named: Sequence[tuple[tuple[str | int, ...], str]], what: str
) -> Iterator[Finding]:
    seen: set[str] = set()
    for path, name in named:
        span = front_span(document, *path)
        if name in seen:
            yield Finding(span, f"a second {what} '{name}'", "Give it another name.")
        elif name and not _NAME.fullmatch(name):
            better = re.sub(r"\W+", "_", name.lower()).strip("_") or "name"
            message = f"'{name}' cannot be named in a template"
            yield Finding(span, message, f"Write '{better}'.")
        seen.add(name)


@rule("SK405", "default-among-choices", spec="Playbooks > Input phasing")
def default_among_choices(subject: Subject) -> Iterator[Finding]:
    """A default is one of the choices, and an input of type `choice` has some.

    Fails: `{choices: [HIGH, MEDIUM], default: LOW}`.
    Passes: `{choices: [HIGH, MEDIUM], default: HIGH}`.
    """
    for number, spec, document in _inputs(subject):
        is_dynamic = any(isinstance(each, str) and _HOLE.search(each) for each in spec.choices)
        if spec.type == "choice" and not spec.choices:
            span = front_span(document, "inputs", number, "type")
            yield Finding(span, f"input '{spec.name}' has no choices", "Add 'choices'.")
        elif spec.choices and not is_dynamic and spec.default not in (None, *spec.choices):
            span = front_span(document, "inputs", number, "default")
            message = f"the default '{spec.default}' is not among the choices"
            shown = ", ".join(str(choice) for choice in spec.choices)
            yield Finding(span, message, f"Use one of {shown}.")


@rule("SK406", "typed-default", spec="Playbooks > Input phasing")
def typed_default(subject: Subject) -> Iterator[Finding]:
    """A default fits its input's type, and a secret has none: the library is no vault.

    Fails: `{type: integer, default: many}`; `{secret: true, default: hunter2}`.
    Passes: `{type: integer, default: 30}`; `{secret: true}`.
    """
    for number, spec, document in _inputs(subject):
        span = front_span(document, "inputs", number, "default")
        if spec.secret and spec.default is not None:
            message = f"the secret input '{spec.name}' has a default"
            yield Finding(span, message, "Drop the default, and change the secret.")
        elif spec.default is not None and not _fits(spec):
            message = f"the default '{spec.default}' is not of type {spec.type}"
            yield Finding(span, message, "Make type and default agree.")


def _fits(spec: InputSpec) -> bool:
    value = spec.default
    match spec.type:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "mapping":
            return isinstance(value, dict)
        case "column_list" | "text_list":
            return isinstance(value, (list, str))
        case "choice" | "string":
            return not isinstance(value, (dict, list)) or spec.type == "choice"
        case _:
            return isinstance(value, str)


@rule("SK407", "known-source", spec="Playbooks > Input phasing")
def known_source(subject: Subject) -> Iterator[Finding]:
    """`infer_from` and choices in braces name something that is there when the input is asked.

    Fails: `infer_from: [session.rol]`; `choices: ["{schemas}"]` that no step binds.
    Passes: `infer_from: [intent, session.role]`; `choices: ["{session.available_roles}"]`.
    """
    for playbook, document in subject.playbooks():
        bound = {name for step in playbook.steps for name in step.binds}
        bound |= {spec.name for spec in playbook.inputs} | {probe.id for probe in playbook.probes}
        for number, spec in enumerate(playbook.inputs):
            yield from _unknown_sources(document, number, spec)
            yield from _unknown_choices(document, number, spec, bound)


def _unknown_sources(document: Document, number: int, spec: InputSpec) -> Iterator[Finding]:
    for place, source in enumerate(spec.infer_from):
        if not _SOURCES.fullmatch(source):
            span = front_span(document, "inputs", number, "infer_from", place)
            hint = "Use intent, session.role, session.database, … or step_N.NAME."
            yield Finding(span, f"'{source}' is nothing to infer from", hint)


def _unknown_choices(
    document: Document, number: int, spec: InputSpec, bound: set[str]
) -> Iterator[Finding]:
    for place, choice in enumerate(spec.choices):
        for name in _HOLE.findall(choice) if isinstance(choice, str) else ():
            if name.split(".")[0] not in bound and not _SOURCES.fullmatch(name):
                span = front_span(document, "inputs", number, "choices", place)
                yield Finding(span, f"nothing is called '{name}'", "Name a bound list.")


@rule("SK408", "stated-prerequisites", spec="Playbooks > Front-matter", severity=Severity.WARNING)
def stated_prerequisites(subject: Subject) -> Iterator[Finding]:
    """A playbook lists what must be there before it starts, in its front matter too.

    Fails: a playbook without `prerequisites`.
    Passes: `prerequisites: ["A role that may create policies"]`.
    """
    for playbook, document in subject.playbooks():
        if not playbook.prerequisites:
            span = document.span((1, 1))
            yield Finding(span, "the playbook lists no prerequisites", "Add 'prerequisites'.")


def _inputs(subject: Subject) -> Iterator[tuple[int, InputSpec, Document]]:
    for playbook, document in subject.playbooks():
        for number, spec in enumerate(playbook.inputs):
            yield number, spec, document
