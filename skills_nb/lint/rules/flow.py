"""SK421 to SK428: what the SQL of a playbook does.

Room: lint.
Spec: Environment Context; Compensation and Rollback; Guided Mode > Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.places import PlacedStep
from skills_nb.lint.rules.steps import every_step
from skills_nb.lint.subject import Subject, front_span
from skills_nb.model.diagnostics import Severity, Span
from skills_nb.model.skills import CodeBlock, Playbook, Step
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.classify.readability import is_of_newer_kind, no_statement
from skills_nb.sql.playbook_safety import (
    READ_HINT,
    numbers_of,
    prohibited_in,
    readable,
    reads,
    why_unproven,
)
from skills_nb.sql.statements import Statement, in_one_line
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.templates.sample_fills import Filled, fill_samples
from skills_nb.sql.templates.unfilled_templates import statements_of
from skills_nb.sql.tokens import tokenize

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
    numbers = numbers_of(playbook)
    for block in placed.step.sql:
        for statement in readable(block, numbers):
            yield placed.code_span(block, statement.line), statement


@rule("SK421", "parsable-step", spec="Playbooks > Step structure", requires=("SK431",))
def parsable_step(subject: Subject) -> Iterator[Finding]:
    """The SQL of a step parses, with values of the right types in the place of a template's output.

    Branches are filled for every choice, both booleans and what may be absent; what only a run can
    know is tried as a text, a number and a name. The message shows the SQL that came out.

    Fails: `CREATE MASKING POLICY p AS val STRING RETURNS STRING;`; `{% if x %}SELEC{% endif %} 1`.
    Passes: `CREATE MASKING POLICY p AS (val STRING) RETURNS STRING -> '*';`.
    """
    for playbook, placed in every_step(subject):
        for span, sql, trouble in chain(
            _plain(playbook, placed), _filled(playbook, placed), _cleanup(playbook, placed)
        ):
            what = f"{trouble.rstrip('.')}; filled in: {in_one_line(sql, 80)}" if sql else trouble
            message = f"step {placed.step.id} has SQL that does not parse: {what}"
            yield Finding(span, message, "Correct the statement.")


def _plain(playbook: Playbook, placed: PlacedStep) -> Iterator[tuple[Span, str, str]]:
    """Yield place and trouble of statements whose shape no value decides."""
    is_filled = {b.line for b in placed.step.sql if b.is_template and "{" in b.text}
    numbers = numbers_of(playbook)
    for block in placed.step.sql:
        for statement in readable(block, numbers):
            trouble = _trouble_of(statement.text)
            if trouble is not None:
                sql = statement.text if block.line in is_filled else ""
                yield placed.code_span(block, statement.line), sql, trouble


def _filled(playbook: Playbook, placed: PlacedStep) -> Iterator[tuple[Span, str, str]]:
    """Yield place, text and trouble of statements whose shape values decide."""
    for block in placed.step.sql:
        if not _is_shaped(block):
            continue
        seen: set[int] = set()
        for fillings in fill_samples(block.text, playbook.inputs, placed.steps_until(playbook)):
            found = _unread_always(fillings)
            if found is not None and found[0] not in seen:
                line, sql, trouble = found
                seen.add(line)
                yield placed.code_span(block, line), sql, trouble


def _cleanup(playbook: Playbook, placed: PlacedStep) -> Iterator[tuple[Span, str, str]]:
    """Yield place, text and trouble of what is declared to take the step back."""
    declared = placed.step.compensation
    for sql in declared if declared != "auto" else ():
        ways = fill_samples(sql, playbook.inputs, placed.steps_until(playbook))
        found = next(filter(None, map(_unread_always, ways)), None)
        if found is not None:
            yield placed.field_span("compensation"), *found[1:]


def _is_shaped(block: CodeBlock) -> bool:
    """Tell a block whose statements depend on values."""
    return block.is_template and "{%" in block.text


def _unread_always(fillings: Iterator[Filled]) -> tuple[int, str, str] | None:
    """Return what cannot be read, whatever stands for what is unknown; None where one reads."""
    first: tuple[int, str, str] | None = None
    for filled in fillings:
        found = next(_unread(filled), None)
        if found is None:
            return None
        first = first or found
    return first


def _unread(filled: Filled) -> Iterator[tuple[int, str, str]]:
    """Yield line, text and trouble of the statements of a filling that cannot be read."""
    for statement in statements_of(filled.text):
        trouble = _trouble_of(statement.text)
        if trouble is not None and is_of_newer_kind(statement.text):
            trouble = no_statement(statement.text)
        if trouble is not None:
            yield filled.line_at(statement.offset), statement.text, trouble


def _trouble_of(sql: str) -> str | None:
    return trouble_of(sql) or (no_statement(sql) if sql.strip() else None)


@rule("SK422", "read-only-probe", spec="Constraints > Execution constraints 12")
def read_only_probe(subject: Subject) -> Iterator[Finding]:
    """Probes, and the verification of a step, change nothing, whichever way their branches go.

    Fails: `query: "CREATE TABLE found (id INT)"`.
    Passes: `query: "SHOW MASKING POLICIES IN ACCOUNT"`.
    """
    for playbook, document in subject.playbooks():
        for number, probe in enumerate(playbook.probes):
            if not _only_reads(probe.query, playbook, ()):
                span = front_span(document, "probes", number, "query")
                yield Finding(span, f"probe '{probe.id}' is not read-only", READ_HINT)
    for playbook, placed in every_step(subject):
        verify = placed.step.verify
        if verify is not None and not _only_reads(verify, playbook, placed.steps_until(playbook)):
            message = f"the verification of step {placed.step.id} is not read-only"
            yield Finding(placed.field_span("verify"), message, READ_HINT)


def _only_reads(template: str, playbook: Playbook, steps: Iterable[Step]) -> bool:
    """Tell whether a template is provably a read; one with branches, in each of them."""
    if "{%" not in template:
        return why_unproven(template, numbers_of(playbook)) is None
    ways = (tuple(way) for way in fill_samples(template, playbook.inputs, steps))
    return all(any(why_no_probe(one.text) is None for one in way) for way in ways if way)


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
            span for span, statement in _statements(playbook, placed) if not reads(statement.text)
        ]
        if changes:
            looked.add(playbook.name)
            message = f"step {placed.step.id} changes the account before anything looked"
            yield Finding(changes[0], message, "Add a probe of what it changes.")
        elif placed.step.sql:
            looked.add(playbook.name)


_RUNNING = ("ALERT", "CALL", "EXECUTE", "PROCEDURE", "REPLACE", "TASK")
"""Words without which no statement runs another one, or drops what it creates."""


def _any_statements(
    playbook: Playbook, placed: PlacedStep, words: re.Pattern[str]
) -> Iterator[tuple[Span, str]]:
    """Yield the statements of a step, of every branch, too, where one of the words stands in it."""
    yield from ((span, one.text) for span, one in _statements(playbook, placed))
    for block in placed.step.sql:
        if not _is_shaped(block) or not words.search(block.text):
            continue
        for fillings in fill_samples(block.text, playbook.inputs, placed.steps_until(playbook)):
            for filled in islice(fillings, 1):
                for one in statements_of(filled.text):
                    yield placed.code_span(block, filled.line_at(one.offset)), one.text


@rule("SK424", "confirmed-prohibited-action", spec="Guided Mode Execution > Guardrails")
def confirmed_prohibited_action(subject: Subject) -> Iterator[Finding]:
    """What guided mode prohibits, a playbook does only after a critical checkpoint.

    Also found inside EXECUTE IMMEDIATE, procedures, tasks and scripting blocks. SQL whose text is
    built at run time cannot be judged and counts as prohibited.

    Fails: `DROP SCHEMA staging;` in step 1.
    Passes: the same in step 2, after a critical checkpoint of step 1.
    """
    actions = subject.library.meta.guided_prohibited_actions
    words = re.compile(
        "|".join((*(re.escape(a.split()[0]) for a in actions if a), *_RUNNING)), re.I
    )
    confirmed: set[str] = set()
    for playbook, placed in every_step(subject):
        if playbook.name not in confirmed:
            for span, sql in _any_statements(playbook, placed, words):
                action = prohibited_in(sql, actions)
                if action is not None:
                    message = f"step {placed.step.id} does '{action}' without confirmation"
                    hint = "End an earlier step with a critical checkpoint, or drop the statement."
                    yield Finding(span, message, hint)
        stop = placed.step.checkpoint
        if stop is not None and stop.severity == "critical":
            confirmed.add(playbook.name)


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
    if reads(sql):
        return None
    word = _first_word(sql)
    return word if word in ("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "CALL") else None


def _first_word(sql: str) -> str:
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
