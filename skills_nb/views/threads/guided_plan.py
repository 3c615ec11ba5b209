"""A guided plan for the person who decides about it: every step with the SQL it would send.

Room: laws (views). Spec: Guided Mode Execution > Sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b

if TYPE_CHECKING:
    from skills_nb.model.events import PlannedStep
    from skills_nb.model.state import Pause, PlanState


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One step as it is proposed."""

    step: str
    """Its id."""
    action: str
    """What it does, in words."""
    primitive: str
    """Empty where it names none."""
    sql: str
    """Empty for a step that sends nothing."""
    is_approved: bool
    """Whether it was approved before and is as it was."""
    is_again: bool = False
    """Whether it is done already, and is done again."""


@dataclass(frozen=True, slots=True)
class GuidedPlan:
    """A plan."""

    goal: str
    """What the plan is for."""
    steps: tuple[GuidedStep, ...]
    """In the order in which they run."""
    again: str = ""
    """What approving it brings about for steps that are done already."""


def guided_plan(plan: PlanState | None, pause: Pause | None) -> GuidedPlan | None:
    """Return the plan that a pause is about, or None where it is about something else."""
    if plan is None or pause is None:
        return None
    if pause.kind == "plan_proposed":
        said = plan.redoing.said if plan.redoing is not None else ""
        return GuidedPlan(plan.goal, _steps(plan, plan.proposed), said)
    if pause.kind == "plan_rejected":
        return GuidedPlan(plan.goal, _steps(plan, plan.steps))
    return None


def _steps(plan: PlanState, steps: tuple[PlannedStep, ...]) -> tuple[GuidedStep, ...]:
    again = plan.redoing.steps if plan.redoing is not None else ()
    return tuple(
        GuidedStep(
            step=step.step,
            action=step.action,
            primitive=(step.primitive or "").removeprefix("primitives/"),
            sql=plan.edits.get(step.step, step.sql).strip(),
            is_approved=step in plan.approved,
            is_again=step.step in again,
        )
        for step in steps
    )


def guided_blocks(plan: GuidedPlan) -> list[b.Block]:
    """Return the blocks of a plan: nothing of it is folded away."""
    told: list[b.Block] = [b.Notice("review", "AGAIN", plan.again)] if plan.again else []
    steps = [
        b.Fold(_title(step), _content(step), is_open=True, in_text=True) for step in plan.steps
    ]
    return [*told, *steps]


def _title(step: GuidedStep) -> str:
    source = f"from primitives/{step.primitive}" if step.primitive else "from no primitive"
    done = ", approved before" if step.is_approved else ""
    done = ", done again" if step.is_again else done
    return f"Step {step.step}, {step.action.rstrip('.')}: {source}{done}"


def _content(step: GuidedStep) -> tuple[b.Block, ...]:
    if not step.sql:
        return (b.Paragraph("Sends nothing.", is_muted=True),)
    return (b.Code(step.sql, is_sql=True),)
