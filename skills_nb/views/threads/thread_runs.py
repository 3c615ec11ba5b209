"""The runs of a thread: one playbook after another, each phase of a chain with its number.

Room: laws (views).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext, StepPlanned
    from skills_nb.model.state import PlaybookRun, ThreadState


def runs_of(state: ThreadState) -> tuple[tuple[str, PlaybookRun], ...]:
    """Return (what goes before its step ids, run) of everything that the thread went through."""
    finished = state.chain.completed if state.chain is not None else ()
    found = [(f"{n}.", one.run) for n, one in enumerate(finished, 1) if one.run is not None]
    if state.run is not None and all(run is not state.run for _, run in found):
        found.append((f"{len(finished) + 1}." if state.chain is not None else "", state.run))
    return tuple(found)


def planned_steps(state: ThreadState) -> tuple[StepPlanned, ...]:
    """Return the planned steps of all phases, each with its phase before its id."""
    return tuple(
        event.model_copy(update={"step": f"{before}{event.step}"})
        for before, run in runs_of(state)
        for event in run.planned
    )


def context_of(state: ThreadState) -> AccountContext | None:
    """Return the account that a thread works on, also between two of its playbooks."""
    runs = [*state.past_runs, *(run for _, run in runs_of(state))]
    known = [run.context for run in runs if run.context is not None]
    return known[-1] if known else None
