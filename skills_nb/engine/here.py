"""Where in a playbook a thread is, with all that is known there.

Room: laws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skills_nb.engine.names import bound_names
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import PlaybookRun, StepState, ThreadState


@dataclass(frozen=True, slots=True)
class Here:
    """Where in the playbook the thread is, with all that is known there."""

    state: ThreadState
    library: Library
    playbook: Playbook
    run: PlaybookRun
    step: Step
    names: dict[str, Any]

    @property
    def at(self) -> StepState:
        """Return the step's state."""
        return self.run.step(self.step.id)


def known_names(state: ThreadState, playbook: Playbook) -> dict[str, Any]:
    """Return all names of the playbook; what a skipped step would have bound is None."""
    unbound = {name: None for step in playbook.steps for name in step.binds}
    return {**unbound, **bound_names(state, playbook)}


def next_key(state: ThreadState) -> str:
    """Return the key of a statement started now: where its event will stand."""
    return f"{state.thread_id}:{state.seq + 1}"


def escalation(here: Here, text: str, context: dict[str, Any]) -> ev.ErrorEscalated:
    """Return the event that asks a person about an error of this step."""
    return ev.ErrorEscalated(step=here.step.id, error=text, context=context)
