"""A plan while a person edits it: steps added, left out, moved and changed, and judged each time.

Room: laws. A draft is a value and every edit gives a new one; nothing is on the thread before the
whole draft is proposed. Steps that are done keep their place and their words, because what was sent
cannot be edited. The guardrails are those of a proposal, so that a draft without objections is one
that the thread will put before a person.
Spec: Guided Mode Execution > Sequence, Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from skills_nb.engine.guided.guardrails import objection
from skills_nb.engine.guided.plan_documents import fill_in
from skills_nb.errors import UsageError
from skills_nb.model.events import PlannedStep
from skills_nb.model.library import Library
from skills_nb.model.state import PlanState, ThreadState

Part = Literal["action", "primitive", "sql"]
"""What of a step can be edited."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan as somebody edits it."""

    goal: str
    """What the plan is for."""
    steps: tuple[PlannedStep, ...]
    """In the order in which they run."""
    done: int = 0
    """How many steps at its head are done, and stay as they are."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the guardrails say of a draft."""

    steps: tuple[str, ...]
    """One per step: what stands against it, the gravest; empty where nothing does."""
    whole: str = ""
    """What stands against the plan as a whole; a person may accept the risk."""

    @property
    def is_proposable(self) -> bool:
        """Return whether no step breaks a guardrail, and there is one."""
        return bool(self.steps) and not any(self.steps)


def draft_of(state: ThreadState) -> Draft:
    """Return the plan of a thread as a draft, its values filled in; an empty one without a plan."""
    plan, run = state.guided_plan, state.run
    if plan is None:
        return Draft(state.goal, ())
    steps = _filled_in(plan, run.inputs) if run is not None else plan.steps
    done = 0
    while run is not None and done < len(steps) and _is_done(run.step(steps[done].step).status):
        done += 1
    return Draft(plan.goal, steps, done)


def _filled_in(plan: PlanState, inputs: Mapping[str, Any]) -> tuple[PlannedStep, ...]:
    try:
        return fill_in(plan, inputs)
    except UsageError:
        # What cannot be filled in is edited as it was written.
        return plan.steps


def _is_done(status: str) -> bool:
    return status in ("done", "approved", "skipped")


def add_step(draft: Draft, at: int) -> Draft:
    """Return the draft with an empty step at a position; those behind it move on.

    Raises:
        UsageError: the position is before the end of what is done.
    """
    if not draft.done <= at <= len(draft.steps):
        raise _settled(draft)
    # Whoever adds a step behind another most often goes on with the same primitive.
    before = draft.steps[at - 1].primitive if at else None
    empty = PlannedStep(step="", action="", primitive=before)
    return _numbered(draft, (*draft.steps[:at], empty, *draft.steps[at:]))


def remove_step(draft: Draft, at: int) -> Draft:
    """Return the draft without the step at a position.

    Raises:
        UsageError: the step is done.
    """
    _refuse_done(draft, at)
    return _numbered(draft, (*draft.steps[:at], *draft.steps[at + 1 :]))


def move_step(draft: Draft, at: int, to: int) -> Draft:
    """Return the draft with the step at one position put at another.

    Raises:
        UsageError: one of the two is done.
    """
    _refuse_done(draft, at)
    _refuse_done(draft, to)
    left = [*draft.steps[:at], *draft.steps[at + 1 :]]
    return _numbered(draft, (*left[:to], draft.steps[at], *left[to:]))


def change_step(draft: Draft, at: int, part: Part, text: str) -> Draft:
    """Return the draft with another action, primitive or SQL in the step at a position.

    Raises:
        UsageError: the step is done.
    """
    _refuse_done(draft, at)
    step = draft.steps[at].model_copy(update={part: text})
    return replace(draft, steps=(*draft.steps[:at], step, *draft.steps[at + 1 :]))


def _refuse_done(draft: Draft, at: int) -> None:
    if not draft.done <= at < len(draft.steps):
        raise _settled(draft)


def _settled(draft: Draft) -> UsageError:
    return UsageError(
        f"there is no step to edit there: {draft.done} of {len(draft.steps)} are done",
        hint="edit a step that is not done yet",
    )


def _numbered(draft: Draft, steps: Sequence[PlannedStep]) -> Draft:
    """Number what is not done anew, so that the numbers tell the order of execution."""
    done = steps[: draft.done]
    first = 1 + max((_number(step.step) for step in done), default=0)
    rest = (
        step.model_copy(update={"step": str(number)})
        for number, step in enumerate(steps[draft.done :], first)
    )
    return replace(draft, steps=(*done, *rest))


def _number(step_id: str) -> int:
    found = re.match(r"\d+", step_id)
    return int(found[0]) if found is not None else 0


def judge_draft(draft: Draft, library: Library) -> Judgement:
    """Return what the guardrails say of a draft, step by step and as a whole."""
    found = (objection((step,), library, is_risk_accepted=True) for step in draft.steps)
    steps = tuple(each.message if each is not None else "" for each in found)
    if not draft.steps:
        return Judgement((), "A plan needs steps.")
    if any(steps):
        return Judgement(steps)
    whole = objection(draft.steps, library)
    return Judgement(steps, whole.message if whole is not None else "")


def plan_of(draft: Draft) -> PlanState:
    """Return the plan that a draft proposes; a step without words is called by its number."""
    steps = tuple(
        step.model_copy(
            update={
                "action": " ".join(step.action.split()) or f"Step {step.step}",
                "primitive": (step.primitive or "").strip() or None,
                "sql": step.sql.strip(),
            }
        )
        for step in draft.steps
    )
    return PlanState(goal=draft.goal, steps=steps)
