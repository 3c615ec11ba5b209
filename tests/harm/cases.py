"""The listed cases: every kind of change, alone and beside others, and how one is judged.

They lie in several files of tests, so that they run side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.harm.changes import CHANGES
from tests.harm.running import Case, run


def name_of(case: Case) -> str:
    """Return the case in words."""
    return case.name


def alone() -> Iterator[Case]:
    """Every change, with nobody else at work."""
    for change in CHANGES:
        yield Case(change.name)


def made_first() -> Iterator[Case]:
    """What others do between the plan and its first step."""
    for change in CHANGES:
        for word in change.before:
            yield Case(change.name, "end", word, "first")


def _in_between() -> Iterator[tuple[bool, Case]]:
    """Everything that others may do while a checkpoint waits, one of three looked at first."""
    for place, change in enumerate(CHANGES):
        for number in range(1, len(change.steps)):
            for turn, word in enumerate(change.others, place + number):
                yield turn % 3 == 0, Case(change.name, "end", word, f"behind step {number}")


def _with_others() -> Iterator[tuple[bool, Case]]:
    """Everything that others may do, in both turns, one of four among what is looked at first."""
    for place, change in enumerate(CHANGES):
        last = f"step {len(change.steps)}"
        for number, word in enumerate(change.others):
            turn = (place + number) % 4
            yield turn == 0, Case(change.name, "end", word)
            yield turn == 1, Case(change.name, last, word, "while asked")
            yield False, Case(change.name, f"error {len(change.steps)}", word)


def stopped() -> Iterator[Case]:
    """Every change, stopped wherever it can be."""
    for change in CHANGES:
        yield Case(change.name, "plan")
        for number in range(1, len(change.steps) + 1):
            yield Case(change.name, f"step {number}")
            yield Case(change.name, f"error {number}")
            yield Case(change.name, f"death {number}")


def with_others(*, soon: bool) -> Iterator[Case]:
    """What others may do before the cleanup, or while it is asked for."""
    return (case for is_soon, case in _with_others() if is_soon is soon)


def between_steps(*, soon: bool) -> Iterator[Case]:
    """What others may do while a checkpoint waits."""
    return (case for is_soon, case in _in_between() if is_soon is soon)


def faults_of(case: Case, place: Path) -> list[str]:
    """Return what is wrong; what others wanted may not be there yet, which is their trouble."""
    work, faults = run(case, place)
    work.close()
    return faults


def harmless(case: Case, place: Path) -> None:
    """Hold that a case leaves no harm, and that others could do what they wanted."""
    work, faults = run(case, place)
    work.close()
    assert faults == []
    assert work.refused == []
