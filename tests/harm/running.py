"""One case: a change, how far the thread gets, what others do, and the cleanup."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.harm.changes import BY_NAME, Change
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace

_IMPOSSIBLE = "DROP TABLE SHOP.OPS.NEVER_WAS"


@dataclass(frozen=True)
class Case:
    """One run."""

    change: str
    until: str = "end"
    """`end`, `plan`, `step N` (its checkpoint), `error N` (a statement fails at the end of step
    N), `death N` (the process dies after the Nth statement)."""
    others: str = ""
    """What somebody else does, by the change's word; empty for nothing."""
    when: str = "before cleanup"
    """Also `while asked`: after the cleanup is proposed and before it is accepted; `first`:
    between the plan and its first step; `behind step N`: while its checkpoint waits."""

    @property
    def name(self) -> str:
        """Return the case in words."""
        other = f" / {self.others} {self.when}" if self.others else ""
        return f"{self.change} / {self.until}{other}"


def run(case: Case, home: Path) -> tuple[Workplace, list[str]]:
    """Run a case; return the place as it is left, and what is wrong."""
    change = BY_NAME[case.change]
    work = Workplace(home, change.setup)
    _go(case, change, work)
    found = change.before if case.when == "first" else change.others
    is_later = case.when in ("before cleanup", "while asked")
    script = found[case.others] if case.others and is_later else ""
    if script and case.when == "before cleanup":
        work.others(script)
    work.clean(meanwhile=script if case.when == "while asked" else "")
    return work, verdict(work)


def _go(case: Case, change: Change, work: Workplace) -> None:
    word, _, number = case.until.partition(" ")
    steps = list(change.steps)
    if word == "error":
        steps[int(number) - 1] += f"; {_IMPOSSIBLE}"
    work.start(steps, as_playbook=change.is_playbooks)
    if case.when == "first":
        work.others(change.before[case.others])
    if case.when.startswith("behind "):
        _until_step(case.when.rpartition(" ")[2], change, work)
        work.others(change.others[case.others])
    if word == "step":
        _until_step(number, change, work)
    elif word == "death":
        _die(work, int(number))
    elif word != "plan":
        work.finish()


def _until_step(number: str, change: Change, work: Workplace) -> None:
    # A playbook's first step asks whether to do it.
    at = str(int(number) + change.is_playbooks)
    work.approve_until(lambda r: r.pause is not None and r.pause.at == at)


def _die(work: Workplace, number: int) -> None:
    """Let the process die when a statement has ended and nothing more was done."""

    def ended(event: object) -> bool:
        return (
            getattr(event, "type", "") == "statement_completed"
            and len(work.events("statement_completed")) == number
        )

    work.dying(ended, work.finish)
