"""The phases of a chain: how far each is, by what, and what it took over.

Room: laws (views).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views import blocks as b
from skills_nb.views.words import cell, spoken

if TYPE_CHECKING:
    from skills_nb.model.events import StepPlanned
    from skills_nb.model.state import PhaseState, PlaybookRun, ThreadState


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """One phase of a chain."""

    number: int
    domain: str
    target: str
    status: str
    taken: str
    """Inputs that it took over from earlier phases."""


def phase_lines(state: ThreadState) -> tuple[PhaseLine, ...]:
    """Return one line per phase, in the order of execution; none without a chain."""
    phases = state.chain.phases if state.chain is not None else ()
    return tuple(
        PhaseLine(
            number,
            phase.domain,
            (phase.route.target or "") if phase.route is not None else "",
            _status(state, phase),
            _taken(state, phase),
        )
        for number, phase in enumerate(phases, 1)
    )


def _status(state: ThreadState, phase: PhaseState) -> str:
    match phase.status:
        case "completed":
            return "planned" if phase.is_predicted else "done"
        case "running" if state.run is not None and state.run.summary is not None:
            return "planned"
        case "running":
            return "stopped" if state.is_over else "at work"
        case "pending":
            return "not begun" if state.is_over else "to come"


def _taken(state: ThreadState, phase: PhaseState) -> str:
    said = ", ".join(f"{spoken(name)} {cell(value)}" for name, value in phase.mapped.items())
    before = state.chain.completed if state.chain is not None else ()
    return f"{said} (predicted)" if said and any(one.is_predicted for one in before) else said


def phase_table(lines: tuple[PhaseLine, ...]) -> b.Table:
    """Return the table of the phases."""
    rows = tuple((str(n.number), n.domain, n.target, n.status, n.taken) for n in lines)
    columns = ("Phase", "Domain", "By", "Status", "Takes over")
    return b.Table(columns, rows, "The phases of this goal", most_in_text=len(rows))


def runs_of(state: ThreadState) -> tuple[tuple[str, PlaybookRun], ...]:
    """Return (what goes before its step ids, run) of everything that the thread went through."""
    finished = state.chain.completed if state.chain is not None else ()
    found = [(f"{n}.", one.run) for n, one in enumerate(finished, 1) if one.run is not None]
    if state.run is not None and all(run is not state.run for _, run in found):
        found.append((f"{len(finished) + 1}." if state.chain is not None else "", state.run))
    return tuple(found)


def planned_in(state: ThreadState) -> tuple[StepPlanned, ...]:
    """Return the planned steps of all phases, each with its phase before its id."""
    return tuple(
        event.model_copy(update={"step": f"{before}{event.step}"})
        for before, run in runs_of(state)
        for event in run.planned
    )
