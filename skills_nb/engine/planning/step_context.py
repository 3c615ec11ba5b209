"""Where in a playbook a thread is, with all that is known there.

Room: laws.
"""

from __future__ import annotations

import operator
import threading
from dataclasses import dataclass
from typing import Any

from skills_nb.engine.planning.statement_planning import StepPlan, commands_of, plan_step
from skills_nb.engine.planning.template_names import bound_names
from skills_nb.engine.session.places import start_of
from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import Pause, PlaybookRun, StepState, ThreadState


@dataclass(frozen=True, slots=True)
class StepContext:
    """Where in the playbook the thread is, with all that is known there."""

    state: ThreadState
    """The thread."""
    library: Library
    """The skills that it goes by."""
    playbook: Playbook
    """What it goes through."""
    run: PlaybookRun
    """That playbook's run."""
    step: Step
    """The step that it is at."""
    names: dict[str, Any]
    """What the step's templates, conditions and messages may name."""

    @property
    def at(self) -> StepState:
        """Return the step's state."""
        return self.run.step(self.step.id)


class _LastPlan:
    """The plan made last, with what it was made from.

    `decide` is asked after every event, and a step's plan depends on inputs and results only, which
    keep their identity from event to event; without this a loop over n items would render n² times.
    """

    def __init__(self) -> None:
        self._made_from: tuple[object, ...] = ()
        self._plan: StepPlan | None = None

    def of(self, step: Step, run: PlaybookRun, names: dict[str, Any], book: Playbook) -> StepPlan:
        results = (one.result for one in run.steps.values())
        sources = (step, run.inputs, run.context, run.moves, *results)
        known = self._made_from
        is_same = len(known) == len(sources) and all(map(operator.is_, known, sources))
        if self._plan is None or not is_same:
            self._plan = plan_step(step, names, start_of(run, book, step.id))
            self._made_from = sources
        return self._plan


_last_plan = threading.local()


def plan_of(here: StepContext) -> StepPlan:
    """Return everything that the step sends, rendered once for the same inputs and results.

    Raises:
        UsageError: a template, a role or the loop's path names something that is not known.
    """
    return plan_in(here.step, here.run, here.names, here.playbook)


def plan_in(step: Step, run: PlaybookRun, names: dict[str, Any], playbook: Playbook) -> StepPlan:
    """Return everything that a step of a run sends, as `plan_of` does.

    Raises:
        UsageError: a template, a role or the loop's path names something that is not known.
    """
    if not hasattr(_last_plan, "memo"):
        _last_plan.memo = _LastPlan()
    memo: _LastPlan = _last_plan.memo
    return memo.of(step, run, names, playbook)


def known_names(state: ThreadState, playbook: Playbook, at: str | None = None) -> dict[str, Any]:
    """Return all names of the playbook; what a skipped step would have bound is None.

    Args:
        state: the thread.
        playbook: what it goes through.
        at: the step that asks; None: the one that is furthest.
    """
    unbound = {name: None for step in playbook.steps for name in step.binds}
    return {**unbound, **bound_names(state, playbook, at)}


def commands_at(
    state: ThreadState, playbook: Playbook | None, pause: Pause | None
) -> tuple[str, ...]:
    """Return the command lines of the step that waits, for its person to run.

    A line that cannot be filled in yet is shown as it is written.
    """
    if playbook is None or pause is None:
        return ()
    names = known_names(state, playbook, pause.step)
    waiting = [step for step in playbook.steps if step.id == pause.step]
    return tuple(line for step in waiting for line in _lines(step, names))


def _lines(step: Step, names: dict[str, Any]) -> tuple[str, ...]:
    try:
        return commands_of(step, names)
    except UsageError:
        return tuple(block.text for block in step.shell)


def next_key(state: ThreadState) -> str:
    """Return the key of a statement started now: where its event will stand."""
    return f"{state.thread_id}:{state.seq + 1}"


def escalation(here: StepContext, text: str, context: dict[str, Any]) -> ev.ErrorEscalated:
    """Return the event that asks a person about an error of this step."""
    return ev.ErrorEscalated(step=here.step.id, error=text, context=context)
