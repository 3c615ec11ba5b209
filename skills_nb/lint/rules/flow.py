"""SK421 to SK428: what the SQL of a playbook does.

Room: lint.
Spec: Environment Context; Compensation and Rollback; Guided Mode > Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.parsing import statements_of, without_templates
from skills_nb.lint.rules.places import PlacedStep
from skills_nb.lint.rules.steps import every_step
from skills_nb.lint.subject import Subject, front_span
from skills_nb.model.diagnostics import Severity, Span
from skills_nb.model.skills import Playbook
from skills_nb.sql.statements import Statement
from skills_nb.sql.syntax import trouble_of

_PATH = re.compile(
    r"(?:step_\d+[a-z]?\.)?(?:rows|row_count|first\.\w+|column\.\w+|json\.\w[\w.\[\]]*"
    r"|created_objects\.[a-z_]+)"
)
_OTHER_STEP = re.compile(r"step_(\d+[a-z]?)\.")
_PATH_HINT = (
    "Use rows, row_count, first.COLUMN, column.NAME, json.PATH, created_objects.TYPE "
    "or step_N.PATH."
)


def _statements(playbook: Playbook, placed: PlacedStep) -> Iterator[tuple[Span, Statement]]:
    """Yield the statements of a step that can be read without values, with their places."""
    numbers = _numbers(playbook)
    for block in placed.step.sql:
        text = without_templates(block.text, numbers)
        for statement in statements_of(text) if text is not None else ():
            yield placed.code_span(block, statement.line), statement


def _numbers(playbook: Playbook) -> set[str]:
    return {spec.name for spec in playbook.inputs if spec.type == "integer"}


@rule("SK421", "parsable-step", spec="Playbooks > Step structure", requires=("SK431",))
def parsable_step(subject: Subject) -> Iterator[Finding]:
    """The SQL of a step parses, with any identifier in the place of a template's output.

    Statements whose shape depends on values (`{% if %}`, `{% for %}`) are parsed when rendered.

    Fails: `CREATE MASKING POLICY p AS val STRING RETURNS STRING;`.
    Passes: `CREATE MASKING POLICY p AS (val STRING) RETURNS STRING -> '*';`.
    """
    for playbook, placed in every_step(subject):
        for span, statement in _statements(playbook, placed):
            trouble = trouble_of(statement.text)
            if trouble is not None:
                message = f"step {placed.step.id} has SQL that does not parse: {trouble}"
                yield Finding(span, message, "Correct the statement.")


@rule("SK422", "read-only-probe", spec="Constraints > Execution constraints 12")
def read_only_probe(subject: Subject) -> Iterator[Finding]:
    """Probes, and the verification of a step, change nothing.

    Fails: `query: "CREATE TABLE found (id INT)"`.
    Passes: `query: "SHOW MASKING POLICIES IN ACCOUNT"`.
    """
    for playbook, document in subject.playbooks():
        for number, probe in enumerate(playbook.probes):
            if not _is_read(probe.query, _numbers(playbook)):
                span = front_span(document, "probes", number, "query")
                message = f"probe '{probe.id}' is not read-only"
                yield Finding(span, message, "Write SELECT, SHOW or DESCRIBE.")
    for playbook, placed in every_step(subject):
        if placed.step.verify is not None and not _is_read(placed.step.verify, _numbers(playbook)):
            message = f"the verification of step {placed.step.id} is not read-only"
            yield Finding(placed.field_span("verify"), message, "Write SELECT, SHOW or DESCRIBE.")


def _is_read(template: str, numbers: set[str]) -> bool:
    """Return whether every statement only reads; control blocks are taken as text."""
    from skills_nb.sql.classify import Kind, kind_of

    text = without_templates(re.sub(r"\{%.*?%\}", " ", template, flags=re.DOTALL), numbers)
    return all(kind_of(each.text) is Kind.READ for each in statements_of(text or ""))


@rule(
    "SK423",
    "probed-before-change",
    spec="Constraints > Execution constraints 12",
    severity=Severity.WARNING,
)
def probed_before_change(subject: Subject) -> Iterator[Finding]:
    """Something looks before something changes: a probe, or an earlier step that only reads.

    Fails: a playbook without probes whose first step creates a table.
    Passes: the same with a probe that shows whether the table exists.
    """
    looked: set[str] = set()
    for playbook, placed in every_step(subject):
        if playbook.probes or playbook.name in looked:
            continue
        changes = [
            span for span, statement in _statements(playbook, placed) if not _reads(statement)
        ]
        if changes:
            looked.add(playbook.name)
            message = f"step {placed.step.id} changes the account before anything looked"
            yield Finding(changes[0], message, "Add a probe of what it changes.")
        elif placed.step.sql:
            looked.add(playbook.name)


def _reads(statement: Statement) -> bool:
    from skills_nb.sql.classify import Kind, kind_of

    return trouble_of(statement.text) is not None or kind_of(statement.text) is Kind.READ


@rule("SK424", "confirmed-prohibited-action", spec="Guided Mode Execution > Guardrails")
def confirmed_prohibited_action(subject: Subject) -> Iterator[Finding]:
    """What guided mode prohibits, a playbook does only after a critical checkpoint.

    Also found inside EXECUTE IMMEDIATE, procedures, tasks and scripting blocks. SQL whose text is
    built at run time cannot be judged and counts as prohibited.

    Fails: `DROP SCHEMA staging;` in step 1.
    Passes: the same in step 2, after a critical checkpoint of step 1.
    """
    actions = subject.library.meta.guided_prohibited_actions
    confirmed: set[str] = set()
    for playbook, placed in every_step(subject):
        if playbook.name not in confirmed:
            for span, statement in _statements(playbook, placed):
                action = _prohibited(statement.text, actions)
                if action is not None:
                    message = f"step {placed.step.id} does '{action}' without confirmation"
                    hint = "End an earlier step with a critical checkpoint, or drop the statement."
                    yield Finding(span, message, hint)
        stop = placed.step.checkpoint
        if stop is not None and stop.severity == "critical":
            confirmed.add(playbook.name)


def _prohibited(sql: str, actions: tuple[str, ...]) -> str | None:
    from skills_nb.sql.classify import DynamicSqlError, prohibited

    if trouble_of(sql) is not None:
        return None
    try:
        return prohibited(sql, actions)
    except DynamicSqlError:
        return "SQL built at run time"


@rule(
    "SK425",
    "compensated-change",
    spec="Compensation and Rollback",
    severity=Severity.WARNING,
)
def compensated_change(subject: Subject) -> Iterator[Finding]:
    """A change that cannot be undone by itself says how it is undone, or that it is not.

    The inverse of CREATE, SET, ADD, GRANT and their like is derived; that of INSERT, UPDATE,
    DELETE, MERGE, TRUNCATE and CALL is not.

    Fails: `INSERT INTO audit …` with nothing said.
    Passes: the same with `compensation: ["DELETE FROM audit WHERE …"]` or `compensation: []`.
    """
    for playbook, placed in every_step(subject):
        if placed.step.compensation != "auto":
            continue
        for span, statement in _statements(playbook, placed):
            word = _unforeseen(statement.text)
            if word is not None:
                message = f"nothing undoes the {word} of step {placed.step.id}"
                hint = "Add 'compensation' with its inverse, or [] where there is none."
                yield Finding(span, message, hint)


def _unforeseen(sql: str) -> str | None:
    """Return the verb of a statement whose inverse nothing derives, or None."""
    from skills_nb.sql.classify import Kind, kind_of

    if trouble_of(sql) is not None or kind_of(sql) is Kind.READ:
        return None
    word = _first_word(sql)
    return word if word in ("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "CALL") else None


def _first_word(sql: str) -> str:
    from skills_nb.sql.tokens import tokenize

    return next((token.word for token in tokenize(sql) if token.word), "")


@rule("SK426", "sound-path", spec="FORMATS > A playbook step")
def sound_path(subject: Subject) -> Iterator[Finding]:
    """`binds` and `produces` take results by paths that exist, of this step or an earlier one.

    Fails: `binds: {n: rowcount}`; `binds: {n: step_9.row_count}`.
    Passes: `binds: {n: row_count}`; `from: step_3.created_objects.table`.
    """
    done: dict[str, list[str]] = {}
    for playbook, placed in every_step(subject):
        earlier = done.setdefault(playbook.name, [])
        for name, path in placed.step.binds.items():
            trouble = _path_trouble(path, (*earlier, placed.step.id))
            if trouble is not None:
                yield Finding(placed.field_span(name), trouble, _PATH_HINT)
        earlier.append(placed.step.id)
    for playbook, document in subject.playbooks():
        ids = tuple(step.id for step in playbook.steps)
        names = {name for step in playbook.steps for name in step.binds}
        for number, production in enumerate(playbook.produces):
            trouble = _path_trouble(production.source, ids)
            if trouble is not None and production.source.split(".")[0] not in names:
                yield Finding(front_span(document, "produces", number, "from"), trouble, _PATH_HINT)


def _path_trouble(path: str, steps: tuple[str, ...]) -> str | None:
    if not _PATH.fullmatch(path):
        return f"'{path}' is no path of a result"
    other = _OTHER_STEP.match(path)
    if other is not None and other[1] not in steps:
        return f"'{path}' names step {other[1]}, which has not run by then"
    return None


@rule("SK427", "bound-once", spec="FORMATS > A playbook step")
def bound_once(subject: Subject) -> Iterator[Finding]:
    """A bound result does not take the name of an input.

    Fails: an input `scope` and `binds: {scope: rows}`.
    Passes: `binds: {scope_rows: rows}`.
    """
    for playbook, placed in every_step(subject):
        for name in placed.step.binds:
            if playbook.input(name) is not None:
                message = f"'{name}' is an input and a result of step {placed.step.id}"
                yield Finding(placed.field_span(name), message, "Give the result another name.")
