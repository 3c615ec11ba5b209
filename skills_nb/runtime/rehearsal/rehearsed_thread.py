"""A thread while it is rehearsed: a state in memory, a shadow, and what is remarkable.

Room: work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from skills_nb.engine.evolve import evolve
from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.model.modified_objects import merge_objects
from skills_nb.model.skills import Step
from skills_nb.model.state import ThreadState
from skills_nb.ports import CatalogDifference, RehearsalAccount
from skills_nb.runtime.rehearsal.estimates import Estimates
from skills_nb.runtime.rehearsal.row_impact import KnownRows

_UNSUPPORTED = (2, "0A000")
"""The embedded account's way to say what it cannot do; Snowflake's own errors share the state."""
_NO_SUCH_FILE = 100181
"""Snowflake's number for a staged file that is not there: a mirror has no files."""
WOULD_FAIL, NOT_REHEARSED = "WOULD FAIL", "not rehearsed"
_MOST_ALIKE = 3
"""So many errors of one step are told one by one."""


@dataclass(slots=True)
class RehearsedThread:
    """The rehearsed thread: a state in memory, and what is remarkable about its present step."""

    state: ThreadState
    """The thread as it would be by now; nothing of it is stored."""
    shadow: RehearsalAccount
    """Where planned statements run."""
    estimates: Estimates = field(default_factory=Estimates)
    """What durations and credits are reckoned from."""
    has_changes: bool = False
    """Whether a planned change ran on the shadow: from then on it is read, not the account."""
    remarks: list[str] = field(default_factory=list)
    """What a person should know of the present step, one clause each."""
    sent: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The statements of each step, reads too, by playbook and step in their order."""
    probes_compute: bool = False
    """Whether a probe reads rows."""
    unmade: set[str] = field(default_factory=set)
    """Qualified names of what a shadow cannot make, and what would be there for real."""
    is_stuck: bool = False
    """Whether what is probed for cannot be there before it is made for real."""
    guessed: set[str] = field(default_factory=set)
    """Names whose values follow from a prediction."""
    is_guessing: bool = False
    """Whether the present step follows from a prediction."""
    is_refused: bool = False
    """Whether a read of the present step was refused."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Errors of the present step, counted by their kind."""
    predicted: set[str] = field(default_factory=set)
    """Qualified names of the objects that a prediction decides on."""
    step: Step | None = None
    """The step that began last."""
    stopped_at: str = ""
    """The step whose error ends the real run, unless it is mended; empty where none does."""
    reached: CatalogDifference = field(default_factory=CatalogDifference)
    """What would have happened up to that error."""
    rows: KnownRows | None = None
    """How many rows tables hold by now; None where nobody can tell."""
    modified: list[ev.ModifiedObject] = field(default_factory=list)
    """What the present step does to rows."""
    all_modified: list[ev.ModifiedObject] = field(default_factory=list)
    """What every step so far does to rows."""
    reached_rows: list[ev.ModifiedObject] = field(default_factory=list)
    """What would have happened to rows up to the error that ends the real run."""

    def take(self, event: ev.Event) -> None:
        """Let the state in memory know."""
        self.state = evolve(self.state, event)

    def remark(self, text: str) -> None:
        """Note something about the present step, once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def remark_refusal(
        self, reason: str, problem: SqlError | None = None, repair: str = ""
    ) -> None:
        """Note that a statement was refused, whether the real one would be, and what to do."""
        shape = _shape(reason)
        self.refusals[shape] += 1
        if self.refusals[shape] > _MOST_ALIKE:
            return
        verdict = self.verdict(reason, problem)
        if verdict == WOULD_FAIL:
            self._stop()
        mends = f" (repair: {repair})" if repair and verdict == WOULD_FAIL else ""
        self.remark(f"{verdict}: {reason}{mends}")

    def _stop(self) -> None:
        """Note how far the real run comes; an optional step can be skipped."""
        if self.stopped_at or self.step is None or self.step.optional:
            return
        self.stopped_at, self.reached = self.step.id, self.shadow.difference()
        self.reached_rows = list(self.all_modified)

    def writes(self, found: Iterable[ev.ModifiedObject]) -> None:
        """Note what a statement of the present step does to rows."""
        found = list(found)
        self.modified += found
        self.all_modified += found

    def told_rows(self) -> list[ev.ModifiedObject]:
        """Return what the present step does to rows, and forget it."""
        found, self.modified = merge_objects(self.modified), []
        return found

    def verdict(self, reason: str, problem: SqlError | None = None) -> str:
        """Say whether the real run would fail, or only its rehearsal does."""
        if problem is not None and is_gap(problem):
            return NOT_REHEARSED
        return NOT_REHEARSED if any(one in reason for one in self.unmade) else WOULD_FAIL

    def told(self) -> list[str]:
        """Return the remarks, counting what was not told one by one, and forget them."""
        hidden = sum(max(0, count - _MOST_ALIKE) for count in self.refusals.values())
        more = [f"{hidden} more of the same kind"] if hidden else []
        remarks, self.remarks = [*self.remarks, *more], []
        self.refusals.clear()
        self.is_refused = False
        return remarks

    def begin(self, step: Step) -> None:
        """Note that a step begins: what it does may follow from a prediction."""
        self.step, self.is_guessing = step, self.is_guess(step)

    def is_guess(self, step: Step) -> bool:
        """Return whether a step's statements follow from a prediction."""
        return bool(self.guessed) and any(_mentions(text, self.guessed) for text in _texts(step))


def is_gap(problem: SqlError) -> bool:
    """Return whether an error tells of the shadow, not of the account."""
    return (problem.errno, problem.sqlstate) == _UNSUPPORTED or problem.errno == _NO_SUCH_FILE


def _shape(reason: str) -> str:
    """Return an error without the names in it."""
    return re.sub(r"'[^']*'", "", reason)


def _texts(step: Step) -> Iterable[str]:
    yield from (block.text for block in step.sql)
    yield from (step.when or "", step.for_each.path if step.for_each is not None else "")


def _mentions(text: str, names: Iterable[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
