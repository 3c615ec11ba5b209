"""What no guided plan may be: the guardrails, and the reason by which each rejects.

Room: laws. What can never be done goes before what is merely missing, and both before what a person
may accept. Spec: Guided Mode Execution > Guardrails; FORMATS, Options by pause (plan_rejected).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from skills_nb.engine.guided.example_inputs import names_in
from skills_nb.engine.guided.primitive_examples import example_names
from skills_nb.errors import SqlError
from skills_nb.model.events import PlannedStep
from skills_nb.model.library import Library
from skills_nb.sql.classify import DynamicSqlError, prohibited_action
from skills_nb.sql.classify.prohibition import hidden_sql
from skills_nb.sql.classify.readability import hidden_in_texts, unreadable
from skills_nb.sql.statements import in_one_line, split

Reason = Literal[
    "prohibited_action",
    "unparsable",
    "missing_primitive",
    "unknown_primitive",
    "example_name",
    "complexity_exceeded",
]


@dataclass(frozen=True, slots=True)
class Objection:
    """What stands against a plan."""

    reason: Reason
    """By which guardrail the plan is rejected."""
    message: str
    """What is wrong, and with which steps."""


def objection(
    steps: Sequence[PlannedStep], library: Library, *, is_risk_accepted: bool = False
) -> Objection | None:
    """Return what stands against a plan, the gravest first, or None.

    Args:
        steps: the plan's steps with the SQL that would be sent.
        library: whose settings and primitives count.
        is_risk_accepted: whether a person accepted more steps than are allowed.
    """
    for guard in _GUARDS:
        found = next((found for step in steps for found in guard(step, library)), None)
        if found is not None:
            return found
    return None if is_risk_accepted else _too_many(steps, library.meta.guided_max_steps)


def borrowed_name_objection(
    steps: Sequence[PlannedStep], library: Library, goal: str, values: Collection[object]
) -> Objection | None:
    """Return the objection to a plan with a name that only stands in a reference's example.

    Args:
        steps: steps that no person wrote.
        library: whose primitives count.
        goal: the person's words; a name that stands in them is theirs.
        values: of the plan's inputs, likewise.
    """
    said = {str(value).upper().rpartition(".")[2] for value in values}
    for step in steps:
        primitive = library.primitives.get((step.primitive or "").removeprefix("primitives/"))
        for name in example_names(primitive) if primitive is not None else ():
            is_theirs = name in goal.upper() or name.rpartition(".")[2] in said
            if not is_theirs and name in names_in(step.sql, name.count(".") + 1):
                message = f"Step {step.step} names {name}, which is only an example's name."
                return Objection("example_name", f"{message} Say which object is meant.")
    return None


def why_forbidden(step: PlannedStep, library: Library) -> Objection | None:
    """Return why a step's SQL may not be done outside of a playbook, whoever wrote it, or None."""
    guards = (_prohibited, _unparsable)
    return next((found for guard in guards for found in guard(step, library)), None)


def _prohibited(step: PlannedStep, library: Library) -> Iterator[Objection]:
    # Statement by statement: what cannot be read must not hide what stands beside it.
    for statement in split(step.sql):
        try:
            action = prohibited_action(statement.text, library.meta.guided_prohibited_actions)
        except (DynamicSqlError, SqlError):
            continue
        if action is not None:
            yield Objection(
                "prohibited_action",
                f"Step {step.step} does '{action}', which needs a playbook: "
                f"{_shortened(statement.text)}",
            )


def _unparsable(step: PlannedStep, library: Library) -> Iterator[Objection]:
    why = _trouble(step.sql, library)
    if why is not None:
        yield Objection("unparsable", f"Step {step.step} cannot be read: {why}")


def _trouble(sql: str, library: Library) -> str | None:
    try:
        prohibited_action(sql, library.meta.guided_prohibited_actions)
        texts = (sql, *hidden_sql(sql))
    except DynamicSqlError as problem:
        return problem.message
    except SqlError as problem:
        return " ".join(problem.message.split())
    found = (unreadable(text) or hidden_in_texts(text) for text in texts)
    return next((why for why in found if why is not None), None)


def _without_primitive(step: PlannedStep, library: Library) -> Iterator[Objection]:
    if not (step.primitive or "").strip():
        yield Objection("missing_primitive", f"Step {step.step} names no primitive.")


def _unknown_primitive(step: PlannedStep, library: Library) -> Iterator[Objection]:
    name = (step.primitive or "").removeprefix("primitives/")
    if f"primitives/{name}" not in library.index:
        message = f"Step {step.step} names '{step.primitive}', which is no primitive."
        yield Objection("unknown_primitive", message)


def _too_many(steps: Sequence[PlannedStep], most: int) -> Objection | None:
    if len(steps) <= most:
        return None
    return Objection(
        "complexity_exceeded",
        f"This goal requires {len(steps)} steps. Guided mode is limited to {most}.",
    )


def _shortened(sql: str) -> str:
    return in_one_line(sql, 100)


_GUARDS: tuple[Callable[[PlannedStep, Library], Iterator[Objection]], ...] = (
    _prohibited,
    _unparsable,
    _without_primitive,
    _unknown_primitive,
)
