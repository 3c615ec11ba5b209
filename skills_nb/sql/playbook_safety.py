"""What a playbook must hold to before anything of it is sent; linting and running share it.

Room: sql. Templates are judged with stand-ins for their values; what depends on values is judged
again when it is filled in.
Spec: Constraints > Execution constraints 10 and 12; Guided Mode Execution > Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from skills_nb.model.skills import CodeBlock, Playbook
from skills_nb.sql.classify import (
    DynamicSqlError,
    Kind,
    kind_of,
    prohibited_action,
    why_no_probe,
)
from skills_nb.sql.hidden_code import (
    LOOKALIKE,
    UNSEEN,
    HiddenCode,
    hidden_in_query,
    hidden_in_step,
)
from skills_nb.sql.statements import Statement
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.templates.unfilled_templates import statements_of, without_templates
from skills_nb.visible import visible

READ_HINT = "Write SELECT, SHOW or DESCRIBE."
UNPROVEN = "SK422"
"""Code of the danger that a probe does more than read."""
ALWAYS = frozenset({UNPROVEN, UNSEEN, LOOKALIKE})
"""Codes of what is refused whoever made the playbook, a file's author or a program."""
_CONTROL = re.compile(r"\{%.*?%\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Danger:
    """Why a playbook is not begun."""

    code: str
    """Of the rule that says the same when the library is linted."""
    message: str
    """What is wrong and where: it names the probe or the step."""
    hint: str
    """How to repair it, for the author."""


def dangers_of(playbook: Playbook, prohibited_actions: Collection[str]) -> Iterator[Danger]:
    """Yield what forbids to begin a playbook, the gravest first."""
    yield from _hidden(playbook)
    yield from _unproven_reads(playbook)
    yield from _unconfirmed(playbook, tuple(prohibited_actions))
    yield from _unwatched(playbook)


def _hidden(playbook: Playbook) -> Iterator[Danger]:
    for probe in playbook.probes:
        for found in hidden_in_query(probe.query):
            yield _danger_of(found, f"probe '{visible(probe.id)}'")
    for step in playbook.steps:
        for found in hidden_in_step(step):
            yield _danger_of(found, f"{found.field} of step {step.id}")


def _danger_of(found: HiddenCode, where: str) -> Danger:
    problem = found.problem
    return Danger(found.code, f"{where}: {problem.message}", problem.hint or "")


def _unproven_reads(playbook: Playbook) -> Iterator[Danger]:
    numbers = numbers_of(playbook)
    for probe in playbook.probes:
        if "{%" not in probe.query and (why := why_unproven(probe.query, numbers)) is not None:
            yield Danger(
                UNPROVEN, f"probe '{probe.id}' is not provably a read: it {why}", READ_HINT
            )
    for step in playbook.steps:
        verify = step.verify
        if verify is None or "{%" in verify:
            continue
        if (why := why_unproven(verify, numbers)) is not None:
            message = f"the verification of step {step.id} is not provably a read: it {why}"
            yield Danger(UNPROVEN, message, READ_HINT)


def _unconfirmed(playbook: Playbook, actions: tuple[str, ...]) -> Iterator[Danger]:
    numbers = numbers_of(playbook)
    for step in playbook.steps:
        for statement in (one for block in step.sql for one in readable(block, numbers)):
            action = prohibited_in(statement.text, actions)
            if action is not None:
                hint = "End an earlier step with a critical checkpoint, or drop the statement."
                message = f"step {step.id} does '{action}' without confirmation"
                yield Danger("SK424", message, hint)
        if step.checkpoint is not None and step.checkpoint.severity == "critical":
            return


def _unwatched(playbook: Playbook) -> Iterator[Danger]:
    """Yield the danger of a playbook that neither looks first nor stops for anybody.

    One that does either is for the linter to complain about: targets are probed in any case.
    """
    stops = [step.checkpoint for step in playbook.steps if step.checkpoint is not None]
    step = changed_unseen(playbook)
    if step is not None and not any(stop.severity != "info" for stop in stops):
        message = f"step {step} changes the account, nothing looked before, and no checkpoint stops"
        yield Danger("SK414", message, "Add a probe, and a 'review' checkpoint.")


def changed_unseen(playbook: Playbook) -> str | None:
    """Return the step that changes something before a probe or a step looked, or None."""
    if playbook.probes:
        return None
    numbers = numbers_of(playbook)
    for step in playbook.steps:
        found = [one for block in step.sql for one in readable(block, numbers)]
        if any(not reads(one.text) for one in found):
            return step.id
        if step.sql:
            return None
    return None


# ---- what rules and runs ask of one text


def why_unproven(template: str, numbers: Collection[str] = ()) -> str | None:
    """Return why a template is not provably a read, or None; control blocks are taken as text."""
    text = without_templates(_CONTROL.sub(" ", template), numbers) or ""
    found = (why_no_probe(each.text) for each in statements_of(text))
    return next((why for why in found if why is not None), None)


def readable(block: CodeBlock, numbers: Collection[str]) -> tuple[Statement, ...]:
    """Return the statements of a block that can be read without values."""
    text = without_templates(block.text, numbers) if block.is_template else block.text
    return statements_of(text) if text is not None else ()


def reads(sql: str) -> bool:
    """Tell whether a statement only reads; what does not parse is another rule's business."""
    return trouble_of(sql) is not None or kind_of(sql) is Kind.READ


def prohibited_in(sql: str, actions: tuple[str, ...]) -> str | None:
    """Return what a statement does that guided mode prohibits, or None."""
    if trouble_of(sql) is not None:
        return None
    try:
        return prohibited_action(sql, actions)
    except DynamicSqlError:
        return "SQL built at run time"


def numbers_of(playbook: Playbook) -> set[str]:
    """Return the inputs that are numbers, for which an identifier cannot stand in."""
    return {spec.name for spec in playbook.inputs if spec.type == "integer"}
