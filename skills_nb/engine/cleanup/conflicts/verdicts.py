"""One entry under examination, and what follows for it.

Room: laws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from skills_nb.engine import ledger
from skills_nb.engine.ledger.after_images import AfterImages
from skills_nb.model.effects import EVERY_ROLE, Probe
from skills_nb.model.state import Fact, StatementRecord, ThreadState
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.dependents import DependentQuery

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows for one entry: look first, leave it alone, or, with neither, take it back."""

    looks: tuple[Probe, ...] = ()
    """Queries whose answers are wanted first."""
    fqn: str = ""
    """What is left alone."""
    why: str = ""
    """Why it is left alone; empty where it is not."""
    notes: tuple[ledger.Irreversible, ...] = ()
    """What of others will show that it was taken back."""


@dataclass(slots=True)
class Case:
    """One entry under examination, and what is still to be looked at."""

    state: ThreadState
    """The thread."""
    entry: ledger.Entry
    """A statement whose effect stands, with its inverse."""
    seen: AfterImages
    """What the thread has seen."""
    floor: int
    """Looks from before this event are out of date."""
    ours: frozenset[str] | None
    """Names that are taken back before; None where that has been done."""
    wanted: dict[Probe, None] = field(default_factory=dict)
    """Looks whose answers are not there yet, each once, in order."""

    @property
    def record(self) -> StatementRecord:
        """Return the statement that would be taken back."""
        return self.entry.record

    def now(self, query: str, role: str | None) -> Fact | None:
        """Return the fresh answer to a query; where there is none yet, it is asked for."""
        fact = self.seen.newest(query, role, self.floor)
        if fact is None:
            self.wanted.setdefault(Probe(query, role))
        return fact


def name_others(
    case: Case, ref: ObjectRef, queries: Sequence[DependentQuery], *, is_sure: bool
) -> list[str] | None:
    """Return what the queries name that is not the thread's; None where the first was refused."""
    found: dict[str, None] = {}
    for position, one in enumerate(queries):
        fact = case.now(one.query, EVERY_ROLE)
        if fact is None:
            continue
        if fact.error is not None:
            if is_sure and position == 0:
                return None
            continue
        found.update(dict.fromkeys(name for row in fact.rows if (name := one.name(row))))
    return [
        name for name in found if name not in (case.ours or ()) and name != render_name(ref.name)
    ]


def leave_alone(ref: ObjectRef, why: str) -> Verdict:
    """Leave an object as it is, and say why."""
    return Verdict((), ref.fqn, why)


def name_some(names: Sequence[str]) -> str:
    """Write some names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
