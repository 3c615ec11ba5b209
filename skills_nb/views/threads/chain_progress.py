"""The phases of a chain: how far each is, by what, and what it took over.

Room: laws (views).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, plural, sentence
from skills_nb.views.threads.thread_runs import runs_of

if TYPE_CHECKING:
    from skills_nb.model.events import CreatedObject
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import PhaseState, ThreadState


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """One phase of a chain."""

    number: int
    """Its place in the chain; the first is 1."""
    domain: str
    """Whose router it goes by."""
    target: str
    """What is done in it; empty where that is still open."""
    status: str
    """How far it is."""
    taken: str
    """Inputs that it took over from earlier phases."""
    far: str = ""
    """How far it is: steps that are behind it, and what it made."""


@dataclass(frozen=True, slots=True)
class ChainProgress:
    """How far a chain is."""

    phases: tuple[PhaseLine, ...]
    """In the order of execution."""
    done: int
    """Phases that are done with."""
    here: str = ""
    """The phase that the thread is in, as a heading over its steps; empty between two."""


def chain_progress(state: ThreadState, playbook: Playbook | None) -> ChainProgress | None:
    """Return how far the thread's chain is; None without a chain.

    Args:
        state: the thread.
        playbook: the playbook that it is in, if any.
    """
    if state.chain is None:
        return None
    lines = phase_lines(state, playbook)
    done = sum(line.status in ("done", "planned") for line in lines)
    return ChainProgress(lines, done, _heading(state, playbook, lines))


def _heading(state: ThreadState, playbook: Playbook | None, lines: tuple[PhaseLine, ...]) -> str:
    """Return what the steps on the card belong to; empty between two phases."""
    found = [n for n, (_, run) in enumerate(runs_of(state), 1) if run is state.run]
    if playbook is None or not found or found[0] > len(lines):
        return ""
    head = f"Phase {found[0]} of {len(lines)}, {lines[found[0] - 1].domain}"
    # The title of a plan is the goal, which the card leads with.
    is_plan = state.run is not None and state.run.plan is not None
    return head if is_plan else f"{head}: {sentence(playbook.title)}"


def phase_lines(state: ThreadState, playbook: Playbook | None = None) -> tuple[PhaseLine, ...]:
    """Return one line per phase, in the order of execution; none without a chain."""
    phases = state.chain.phases if state.chain is not None else ()
    return tuple(
        PhaseLine(
            number,
            phase.domain,
            (phase.route.target or "") if phase.route is not None else "",
            _status(state, phase),
            _taken(state, phase),
            _far(state, phase, playbook),
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
    said = ", ".join(f"{in_words(name)} {cell(value)}" for name, value in phase.mapped.items())
    before = state.chain.completed if state.chain is not None else ()
    return f"{said} (predicted)" if said and any(one.is_predicted for one in before) else said


def _far(state: ThreadState, phase: PhaseState, playbook: Playbook | None) -> str:
    """Return how many steps are behind a phase, and what they made or would make."""
    run = phase.run
    if run is None and phase.status == "running":
        run = state.run
    if run is None:
        return ""
    if run.mode == "dry_run":
        planned = [made for event in run.planned for made in event.would_create]
        return f"would make {_counted(planned)}" if planned else ""
    waits_at = state.pause.step if state.pause is not None and run is state.run else None
    is_over = ("done", "approved", "skipped")
    behind = sum(s.status in is_over and s.id != waits_at for s in run.steps.values())
    steps = plural(behind, "step")
    if run is state.run and playbook is not None:
        steps = f"{behind} of {plural(len(playbook.steps), 'step')}"
    made = [made for step in run.steps.values() for made in step.created]
    return f"{steps}, made {_counted(made)}" if made else steps


def _counted(made: Iterable[CreatedObject]) -> str:
    counts = Counter(in_words(one.type) for one in made)
    return ", ".join(plural(count, kind) for kind, count in counts.items())


def chain_blocks(progress: ChainProgress) -> list[b.Block]:
    """Return the blocks above the steps of a chain's phase."""
    count = len(progress.phases)
    said = f"{progress.done} of {plural(count, 'phase')} done"
    here = [b.Paragraph(f"**{progress.here}**")] if progress.here else []
    return [b.Progress(said, progress.done, count), phase_table(progress.phases), *here]


def phase_table(lines: tuple[PhaseLine, ...]) -> b.Table:
    """Return the table of the phases."""
    rows = tuple((str(n.number), n.domain, n.target, n.status, n.far, n.taken) for n in lines)
    columns = ("Phase", "Domain", "By", "Status", "So far", "Takes over")
    kept = [at for at, _ in enumerate(columns) if at < 4 or any(row[at] for row in rows)]
    return b.Table(
        tuple(columns[at] for at in kept),
        tuple(tuple(row[at] for at in kept) for row in rows),
        "The phases of this goal",
        most_in_text=len(rows),
        is_prose=True,
    )
