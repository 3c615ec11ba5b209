"""A guided plan for the person who decides about it: every step with the SQL it would send.

Room: laws (views). Spec: Guided Mode Execution > Sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views import blocks as b

if TYPE_CHECKING:
    from skills_nb.model.events import PlannedStep
    from skills_nb.model.state import Pause, PlanState


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One step as it is proposed."""

    step: str
    action: str
    primitive: str
    """Empty where it names none."""
    sql: str
    """Empty for a step that sends nothing."""
    is_approved: bool


@dataclass(frozen=True, slots=True)
class GuidedPlan:
    """A plan."""

    goal: str
    steps: tuple[GuidedStep, ...]


def guided_plan(plan: PlanState | None, pause: Pause | None) -> GuidedPlan | None:
    """Return the plan that a pause is about, or None where it is about something else."""
    if plan is None or pause is None:
        return None
    if pause.kind == "plan_proposed":
        return GuidedPlan(plan.goal, _steps(plan, plan.proposed))
    if pause.kind == "plan_rejected":
        return GuidedPlan(plan.goal, _steps(plan, plan.steps))
    return None


def _steps(plan: PlanState, steps: tuple[PlannedStep, ...]) -> tuple[GuidedStep, ...]:
    return tuple(
        GuidedStep(
            step=step.step,
            action=step.action,
            primitive=(step.primitive or "").removeprefix("primitives/"),
            sql=plan.edits.get(step.step, step.sql).strip(),
            is_approved=step in plan.approved,
        )
        for step in steps
    )


def guided_blocks(plan: GuidedPlan) -> list[b.Block]:
    """Return the blocks of a plan: nothing of it is folded away."""
    return [b.Fold(_title(step), _content(step), is_open=True, in_text=True) for step in plan.steps]


def _title(step: GuidedStep) -> str:
    source = f"from primitives/{step.primitive}" if step.primitive else "from no primitive"
    done = ", approved before" if step.is_approved else ""
    return f"Step {step.step}, {step.action.rstrip('.')}: {source}{done}"


def _content(step: GuidedStep) -> tuple[b.Block, ...]:
    if not step.sql:
        return (b.Paragraph("Sends nothing.", is_muted=True),)
    return (b.Code(step.sql),)
