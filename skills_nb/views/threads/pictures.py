"""The pictures of a card: who sees what, what rests on what, what it costs by day.

Room: laws (views). They stand where a person decides about a plan, and where it was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.threads.access_matrix import access_blocks
from skills_nb.views.threads.cost_by_day import DailyCost, cost_blocks, daily_costs
from skills_nb.views.threads.lineage_picture import lineage_blocks
from skills_nb.views.threads.thread_runs import runs_of

if TYPE_CHECKING:
    from skills_nb.model.state import Pause, ThreadState


@dataclass(frozen=True, slots=True)
class Pictures:
    """What a card draws."""

    access: tuple[Mapping[str, Any], ...] = ()
    """A matrix a table of who sees which columns before and after, as the dry run found."""
    lineage: Mapping[str, Any] = field(default_factory=dict)
    """What feeds what, around what the plan touches, as the dry run found."""
    costs: tuple[DailyCost, ...] = ()
    """Credits by day, where a step found them."""


NO_PICTURES = Pictures()


def pictures_of(
    state: ThreadState, pause: Pause | None, foretold: Mapping[str, Any] | None
) -> Pictures:
    """Return the pictures of a thread where it stands.

    Args:
        state: the thread.
        pause: what it waits for.
        foretold: what the dry run recorded of its plan, beside its objects.
    """
    is_asked = pause is not None and pause.kind == "dry_run_summary"
    # What was done may differ from what a dry run could only predict.
    told = (foretold or {}) if is_asked else {}
    return Pictures(
        access=tuple(told.get("access", ())),
        lineage=told.get("lineage", {}),
        costs=_costs(state, pause),
    )


def _costs(state: ThreadState, pause: Pause | None) -> tuple[DailyCost, ...]:
    """Return what the step that waits found, or all that the steps of a finished thread did."""
    if state.run is None or (pause is None and not state.is_over):
        return ()
    if pause is None:
        runs = runs_of(state)
        return daily_costs(step.result for _, run in runs for step in run.steps.values())
    if pause.kind != "checkpoint" or pause.step is None or pause.is_before:
        return ()
    return daily_costs([state.run.step(pause.step).result])


def picture_blocks(found: Pictures) -> list[b.Block]:
    """Return the blocks of what a card draws."""
    return [
        *access_blocks(found.access),
        *lineage_blocks(found.lineage),
        *cost_blocks(found.costs),
    ]
