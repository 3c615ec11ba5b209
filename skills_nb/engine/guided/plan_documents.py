"""Guided plans as values: read from a document, filled in, and turned into the steps of a playbook.

Room: laws. A plan is a playbook that nobody wrote beforehand: the same steps, run by the same code.
Its SQL is filled in before it is proposed, so what is approved is what is sent, letter by letter.
Short names mean what they meant in the session in which the plan was given; they are written in
full, so that no other session and no later one reads them otherwise.
Spec: Guided Mode Execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any

from skills_nb.engine.inputs.typed_inputs import template_value
from skills_nb.errors import UsageError
from skills_nb.model.diagnostics import Span
from skills_nb.model.events import PlannedStep
from skills_nb.model.library import Library
from skills_nb.model.skills import (
    CheckpointSpec,
    CodeBlock,
    InputSpec,
    Playbook,
    Step,
)
from skills_nb.model.state import PlanState, PlaybookRun
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.qualifying import qualify
from skills_nb.sql.statements import split
from skills_nb.sql.templates import render

PLAN_INPUT = "guided_plan"
"""The name under which a drafted plan is gathered."""
EDIT_PREFIX = "step_"
"""`step_2` names the SQL of step 2, where a person changes a plan."""
_PREFIX = "guided/"
_INPUT_FIELDS = frozenset(field.name for field in fields(InputSpec))
_LISTS = ("choices", "infer_from")


def run_name(primitives: Iterable[str]) -> str:
    """Return what the run of a plan is called: `guided/` and its first primitive."""
    first = next(iter(primitives), "")
    return _PREFIX + (first.removeprefix("primitives/") or "plan")


# ---- documents


def plan_from(document: Any) -> PlanState | None:
    """Return the plan that a document tells, or None where it tells none."""
    if not isinstance(document, Mapping) or not isinstance(document.get("steps"), list):
        return None
    steps = [_step_from(item) for item in document["steps"]]
    inputs = [_input_from(item) for item in document.get("inputs") or ()]
    if None in steps or None in inputs:
        return None
    return PlanState(
        goal=str(document.get("goal") or ""),
        steps=tuple(step for step in steps if step is not None),
        inputs=tuple(spec for spec in inputs if spec is not None),
        place=_place_from(document.get("place")),
    )


def place_plan(plan: PlanState, database: str | None, schema: str | None) -> PlanState:
    """Return a plan whose short names mean objects of a database and schema."""
    return replace(plan, place=(database, schema))


def document_of(plan: PlanState) -> dict[str, Any]:
    """Return the document that `plan_from` reads, of values that JSON knows."""
    steps = [step.model_dump(mode="json") for step in plan.steps]
    inputs = [_input_document(spec) for spec in plan.inputs]
    told = {"goal": plan.goal, "steps": steps, "inputs": inputs}
    return told if plan.place is None else {**told, "place": list(plan.place)}


def _place_from(told: Any) -> tuple[str | None, str | None] | None:
    if not isinstance(told, list) or len(told) != 2:
        return None
    database, schema = (None if part is None else str(part) for part in told)
    return (database, schema)


def _step_from(item: Any) -> PlannedStep | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("step"), str):
        return None
    primitive = item.get("primitive")
    return PlannedStep(
        step=item["step"],
        action=str(item.get("action") or ""),
        primitive=None if primitive is None else str(primitive),
        sql=str(item.get("sql") or ""),
    )


def _input_from(item: Any) -> InputSpec | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
        return None
    known: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in item.items()
        if key in _INPUT_FIELDS
    }
    return replace(InputSpec(name=item["name"]), **known)


def _input_document(spec: InputSpec) -> dict[str, Any]:
    plain = asdict(InputSpec(name=spec.name))
    given = {key: value for key, value in asdict(spec).items() if value != plain[key]}
    listed = {key: list(value) if key in _LISTS else value for key, value in given.items()}
    return {"name": spec.name, **listed}


# ---- filling in


def fill_in(plan: PlanState, inputs: Mapping[str, Any]) -> tuple[PlannedStep, ...]:
    """Return the plan's steps with the SQL that would be sent, its names in full.

    Raises:
        UsageError: a template cannot be filled with these inputs, or a short name means nothing
            because the session had no current schema.
    """
    names = {spec.name: template_value(spec, inputs.get(spec.name)) for spec in plan.inputs}
    plain = tuple(
        step.model_copy(update={"sql": _sql_of(plan, step, names)}) for step in plan.steps
    )
    return plain if plan.place is None else tuple(_in_full(plain, *plan.place))


def _sql_of(plan: PlanState, step: PlannedStep, names: Mapping[str, Any]) -> str:
    if step.step in plan.edits:
        return plan.edits[step.step]
    return render(step.sql, names) if plan.inputs else step.sql


def _in_full(
    steps: Iterable[PlannedStep], database: str | None, schema: str | None
) -> Iterator[PlannedStep]:
    """Yield the steps with their names in full; each begins where the one before it ends."""
    for step in steps:
        found = qualify(step.sql, database, schema)
        if found.lacking:
            raise _homeless(step, found.lacking[0], has_database=found.database is not None)
        yield step.model_copy(update={"sql": found.sql})
        database, schema = found.database, found.schema


def _homeless(step: PlannedStep, name: str, *, has_database: bool) -> UsageError:
    lacking = "schema" if has_database else "database"
    return UsageError(
        f"step {step.step} names {name}, and the session has no current {lacking} to look it up in",
        hint=f"write it as DATABASE.SCHEMA.{name}, or begin the plan with USE SCHEMA",
    )


def sql_by_step(run: PlaybookRun) -> dict[str, str]:
    """Return the SQL of the plan that a run goes through, by step; as drafted where it must be."""
    plan = run.plan
    if plan is None:
        return {}
    try:
        steps = fill_in(plan, run.inputs)
    except UsageError:
        steps = plan.steps
    return {step.step: step.sql for step in steps}


def merge_steps(
    before: Iterable[PlannedStep], after: Iterable[PlannedStep]
) -> tuple[PlannedStep, ...]:
    """Return both by step id; the later one of the same step counts."""
    return tuple({step.step: step for step in (*before, *after)}.values())


def edit_plan(plan: PlanState, values: Mapping[str, Any]) -> PlanState:
    """Return the plan with the SQL of steps that a person changed, told as `step_N`."""
    known = {EDIT_PREFIX + step.step: step.step for step in plan.steps}
    edits = {known[name]: str(value) for name, value in values.items() if name in known}
    return replace(plan, edits={**plan.edits, **edits}) if edits else plan


# ---- as a playbook


def book_of(run: PlaybookRun, plan: PlanState, library: Library) -> Playbook:
    """Return the plan of a run as a playbook: the steps that were approved or are proposed."""
    known = {step.step: step for step in merge_steps(plan.approved, plan.proposed)}
    steps = tuple(known[step.step] for step in plan.steps if step.step in known)
    primitives = primitives_of(plan.steps)
    first = library.index.get(f"primitives/{primitives[0]}") if primitives else None
    return _book(run.playbook, plan.goal, first.domain if first else "", steps, plan.inputs)


def draft_book(name: str, plan: PlanState, library: Library) -> Playbook:
    """Return the plan as a playbook before anything of it was proposed.

    A primitive that the library lacks is the guardrails' business: it is left out here.
    """
    book = book_of(PlaybookRun(name, "live", 0), plan, library)
    known = tuple(p for p in primitives_of(plan.steps) if f"primitives/{p}" in library.index)
    return replace(book, depends_on=known)


def primitives_of(steps: Iterable[PlannedStep]) -> tuple[str, ...]:
    """Return the bare names of the primitives that steps draw on, each once, in order."""
    named = (step.primitive.removeprefix("primitives/") for step in steps if step.primitive)
    return tuple(dict.fromkeys(named))


@lru_cache(maxsize=64)
def _book(
    name: str,
    goal: str,
    domain: str,
    steps: tuple[PlannedStep, ...],
    inputs: tuple[InputSpec, ...],
) -> Playbook:
    # Made once for the same steps, so that their plans are made once too.
    return Playbook(
        name=name,
        domain=domain,
        title=goal,
        description="",
        span=Span(name),
        depends_on=primitives_of(steps),
        inputs=inputs,
        steps=tuple(_step(step) for step in steps),
        is_plan=True,
    )


def _step(step: PlannedStep) -> Step:
    shown = step.action.replace("{", "(").replace("}", ")")
    kinds = {kind_of(statement.text) for statement in split(step.sql)}
    return Step(
        id=step.step,
        title=step.action,
        summary=step.action,
        references=primitives_of((step,)),
        sql=(CodeBlock("sql", step.sql, 1, is_template=False),) if step.sql.strip() else (),
        binds={f"found_{step.step}": "rows"} if Kind.READ in kinds else {},
        checkpoint=CheckpointSpec("review", present=f"Step {step.step} is done: {shown}"),
    )
