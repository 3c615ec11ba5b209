"""What an answer agrees to: the statements that were shown with it, step by step.

Room: laws. It is kept with the run, and compared before a step begins; see
`approved_statements`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from skills_nb.engine.inputs.secrecy import is_told
from skills_nb.model import events as ev
from skills_nb.model.state import Agreement, Pause, PlaybookRun, ThreadState

_PERSONS = ("human", "agent", "model")


def agreements_at(
    state: ThreadState, run: PlaybookRun, pause: Pause, event: ev.HumanResponse
) -> Mapping[str, Agreement]:
    """Return what is agreed to after an approval of a pause.

    What a person saw is not replaced by what went by without them.
    """
    is_persons = event.actor.partition(":")[0] in _PERSONS
    after = None if pause.is_before else pause.step
    found = dict(run.agreed)
    for one in pause.foreseen or ():
        known = found.get(one.step)
        given = Agreement(one, state.seq, after, is_persons, event.confirmed)
        if known is not None and pause.is_before:
            given = replace(given, after=known.after)
        found[one.step] = given if known is None else _later(known, given)
    return found


def _later(known: Agreement, given: Agreement) -> Agreement:
    """Return what holds of two: nothing replaces what a person saw but what a person saw."""
    if known.is_persons and not given.is_persons:
        return known
    if given.foreseen.is_open and not known.foreseen.is_open:
        return replace(known, is_confirmed=known.is_confirmed or given.is_confirmed)
    if known.is_confirmed and _is_within(given, known):
        # Its phrase was typed before, so this time none was asked for.
        return replace(given, is_confirmed=True)
    return given


def _is_within(given: Agreement, known: Agreement) -> bool:
    """Return whether nothing is shown now but statements that were shown before."""
    if given.foreseen.is_open or known.foreseen.is_open:
        return False
    before = [(one.role, one.sql) for one in known.foreseen.statements]
    return all(
        any(role == one.role and is_told(sql, one.sql) for role, sql in before)
        for one in given.foreseen.statements
        if not one.reads
    )


def agreements_of_dry_run(state: ThreadState) -> dict[str, dict[str, Agreement]]:
    """Return what an approved dry run said of the steps, by playbook and phase."""
    phases = state.chain.phases if state.chain is not None else ()
    runs = [(number, phase.run) for number, phase in enumerate(phases, 1)]
    if state.run is not None:
        runs.append((state.chain.number if state.chain is not None else 0, state.run))
    return {
        place_of(number, run.playbook): {
            one.step: Agreement(one.foreseen, state.seq, None, is_persons=True, is_rehearsed=True)
            for one in run.planned
            if one.foreseen is not None
        }
        for number, run in runs
        if run is not None and run.mode == "dry_run"
    }


def place_of(number: int, playbook: str) -> str:
    """Return the name by which a dry run's playbook is found again: with its phase's number."""
    return f"{number}/{playbook}"


def without_agreements(run: PlaybookRun, steps: Iterable[str]) -> PlaybookRun:
    """Return the run without what was agreed to of steps: a later approval holds for them."""
    gone = set(steps)
    return replace(run, agreed={name: one for name, one in run.agreed.items() if name not in gone})
