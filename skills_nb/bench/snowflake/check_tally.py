"""Checks of an answer counted by how they went, and the component that their points make.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.bench.scoring import Component, Evidence, State, failed, graded, unmeasured
from skills_nb.bench.tasks.task_values import Invariant, SqlCheck


@dataclass(frozen=True, slots=True)
class Tally:
    """Checks by how they went."""

    earned: int = 0
    """Points of those that hold."""
    possible: int = 0
    """Points of all."""
    troubles: tuple[str, ...] = ()
    """Of each that does not hold: its id, and why."""
    count: int = 0
    """How many there are, whether they hold or not."""

    @classmethod
    def of(cls, found: Sequence[tuple[SqlCheck | Invariant, str]]) -> Tally:
        """Return the tally of checks, each with why it does not hold."""
        return cls(
            sum(check.points for check, trouble in found if not trouble),
            sum(check.points for check, _ in found),
            tuple(f"{check.id}: {trouble}" for check, trouble in found if trouble),
            len(found),
        )

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(
            self.earned + other.earned,
            self.possible + other.possible,
            self.troubles + other.troubles,
            self.count + other.count,
        )

    def component(self, what: str, rows: int | None = None) -> Component:
        """Return the component that the points make; without rows nothing was shown."""
        if not self.count:
            return unmeasured(State.NOT_APPLICABLE, f"the task has no {what}")
        shown = "" if rows is None else f" over {rows} rows"
        proof = Evidence(
            f"{self.count} {what} evaluated{shown}, {len(self.troubles)} failed",
            command=what,
            exit_status=1 if self.troubles else 0,
            count=self.count if rows is None else rows,
        )
        reason = "; ".join(self.troubles)
        if rows == 0:
            return failed("no row of the scaled fixture is there", proof, points=self.possible)
        return graded(self.earned, self.possible, reason, proof)
