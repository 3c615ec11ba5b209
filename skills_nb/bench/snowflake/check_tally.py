"""Checks of an answer counted by how they went, and the component that their points make.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skills_nb.bench.scoring import (
    Component,
    Difference,
    Evidence,
    State,
    failed,
    graded,
    unmeasured,
)
from skills_nb.bench.tasks.task_values import Invariant, SqlCheck


@dataclass(frozen=True, slots=True)
class Tally:
    """Checks by how they went."""

    earned: int = 0
    """Points of those that hold."""
    possible: int = 0
    """Points of all."""
    differences: tuple[Difference, ...] = ()
    """Of each that does not hold: why, and what was expected and found."""
    count: int = 0
    """How many there are, whether they hold or not."""

    @classmethod
    def of(cls, found: Sequence[tuple[SqlCheck | Invariant, Difference | None]]) -> Tally:
        """Return the tally of checks, each with how it does not hold."""
        return cls(
            sum(check.points for check, difference in found if difference is None),
            sum(check.points for check, _ in found),
            tuple(difference for _, difference in found if difference is not None),
            len(found),
        )

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return, of each that does not hold, its id and why."""
        return tuple(f"{found.id}: {found.trouble}" for found in self.differences)

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(
            self.earned + other.earned,
            self.possible + other.possible,
            self.differences + other.differences,
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
        made = graded(self.earned, self.possible, reason, proof)
        return replace(made, differences=self.differences)
