"""Scores that say what was measured: components, weights, bounds and a verdict.

Room: work (bench). Pure. A component that was not measured has no score; the lower bound counts
it as nothing, the upper bound as everything, and where the pass mark lies between the two the
verdict is *undetermined*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from skills_nb.errors import UsageError

WEIGHTS: Mapping[str, int] = {
    "deploy": 10,
    "tests": 20,
    "functional": 50,
    "bulk": 10,
    "no_tweaks": 10,
}
"""Percent of the whole, by component."""
PASS_MARK = 60
"""Percent."""
Verdict = Literal["pass", "fail", "undetermined"]


class State(StrEnum):
    """What became of a component."""

    PASS = "pass"  # noqa: S105 - a state, not a password
    FAIL = "fail"
    PARTIAL = "partial"
    """Measured, and some of its points were earned."""
    ERROR = "error"
    """Something around the answer broke; it is measured again on resume."""
    NOT_RUN = "not_run"
    """Nothing was there to measure it with, or it was not asked for."""
    UNSUPPORTED = "unsupported"
    """This backend lacks what the answer or the check needs."""
    NOT_APPLICABLE = "not_applicable"
    """The task has no such component."""


MEASURED = frozenset({State.PASS, State.FAIL, State.PARTIAL})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a component is what it is."""

    what: str
    """One line for a person."""
    command: str = ""
    """What was run: a statement, or an argument list as a shell would take it."""
    exit_status: int | None = None
    """0 where the command did what it should."""
    sha256: str = ""
    """Of the file that proves it, or of the bytes that were run."""
    count: int | None = None
    """Tests that ran, rows that exist, statements that were executed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One check that does not hold, for a person who wants to see why."""

    id: str
    """The check's own name."""
    says: str
    """What must hold, as a sentence; empty where the check has none."""
    trouble: str
    """Why it does not, in one line."""
    expected: str = ""
    """What had to be there, a row a line."""
    found: str = ""
    """What was there, a row a line."""


@dataclass(frozen=True, slots=True)
class Component:
    """One measured, or unmeasured, part of a score.

    Raises:
        UsageError: a pass without evidence or without a positive count; points that do not fit.
    """

    state: State
    """How it was measured, or why it was not."""
    earned: int = 0
    """Points; at most `possible`."""
    possible: int = 0
    """Points; both 0 where nothing was measured."""
    reason: str = ""
    """Why not full, in one line."""
    evidence: tuple[Evidence, ...] = ()
    """What the points rest on; a pass has some."""
    differences: tuple[Difference, ...] = ()
    """The checks that do not hold, where there are checks."""

    def __post_init__(self) -> None:
        if self.state in MEASURED and not 0 <= self.earned <= self.possible:
            raise UsageError(f"{self.earned} of {self.possible} points cannot be earned")
        if self.state is State.PASS:
            self._require_proof()
        if self.state is State.PARTIAL and not 0 < self.earned < self.possible:
            raise UsageError(f"{self.earned} of {self.possible} points is not a part of them")
        if self.state is State.FAIL and self.earned:
            raise UsageError(f"a failed component cannot earn {self.earned} points")

    def _require_proof(self) -> None:
        has_count = any((found.count or 0) > 0 for found in self.evidence)
        has_proof = any(
            found.command or found.sha256 or found.exit_status is not None
            for found in self.evidence
        )
        if not has_count or not has_proof or self.earned != self.possible or not self.possible:
            raise UsageError(
                "a pass needs evidence and a positive count",
                hint="say which command ran, how it ended, and how many tests or rows there were",
            )

    @property
    def score(self) -> Fraction | None:
        """Return what was earned of 1, or None where nothing was measured."""
        return Fraction(self.earned, self.possible) if self.state in MEASURED else None


def passed(*evidence: Evidence, points: int = 1) -> Component:
    """Return a component that earned everything."""
    return Component(State.PASS, points, points, evidence=evidence)


def failed(reason: str, *evidence: Evidence, points: int = 1) -> Component:
    """Return a component that was measured and earned nothing."""
    return Component(State.FAIL, 0, points, reason, evidence)


def graded(earned: int, possible: int, reason: str, *evidence: Evidence) -> Component:
    """Return a component by its points: all, none, or some of them."""
    if possible and earned == possible:
        return Component(State.PASS, earned, possible, evidence=evidence)
    state = State.PARTIAL if earned else State.FAIL
    return Component(state, earned, possible, reason, evidence)


def unmeasured(state: State, reason: str, *evidence: Evidence) -> Component:
    """Return a component without a score.

    Raises:
        UsageError: the state is one of a component that was measured.
    """
    if state in MEASURED:
        raise UsageError(f"'{state}' is a measured state")
    return Component(state, 0, 0, reason, evidence)


_NOT_RUN = Component(State.NOT_RUN, reason="not run")
_NO_ACCOUNT = Component(State.NOT_APPLICABLE, reason="nothing beside the answer can be changed")
_NO_TAMPERING = Component(State.NOT_APPLICABLE, reason="the answer tried nothing")


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The five components of one answer."""

    deploy: Component = field(default=_NOT_RUN)
    """What must work before anything else is looked at."""
    tests: Component = field(default=_NOT_RUN)
    """Assertions about how it was done."""
    functional: Component = field(default=_NOT_RUN)
    """The outcome that was asked for."""
    bulk: Component = field(default=_NOT_RUN)
    """What holds on many rows, or in many wordings."""
    no_tweaks: Component = field(default=_NOT_RUN)
    """What was submitted is what was run, and runs again to the same end."""
    collateral: Component = field(default=_NO_ACCOUNT)
    """Whether nothing else was changed; it has no weight and decides whether all is right."""
    containment: Component = field(default=_NO_TAMPERING)
    """Failed where the answer reached for its own score or for the machine; without a weight."""
    is_destructive: bool = field(default=False, kw_only=True)
    """Whether data is gone that nobody asked to remove: such an answer never passes."""

    @classmethod
    def all_of(cls, component: Component) -> Scorecard:
        """Return a card on which every weighted component is the same."""
        return cls(*(component for _ in WEIGHTS))

    def parts(self) -> Iterator[tuple[str, Component]]:
        """Yield names and weighted components in the order of the weights."""
        for name in WEIGHTS:
            yield name, getattr(self, name)

    @property
    def lower(self) -> Fraction:
        """Return the total in percent, what was not measured counted as nothing."""
        return sum(
            (WEIGHTS[name] * (part.score or Fraction(0)) for name, part in self.parts()),
            Fraction(0),
        )

    @property
    def upper(self) -> Fraction:
        """Return the total in percent, what was not measured counted as full."""
        return self.lower + (100 - self.coverage)

    @property
    def coverage(self) -> int:
        """Return the percent of the weights that was measured."""
        return sum(WEIGHTS[name] for name, part in self.parts() if part.state in MEASURED)

    @property
    def verdict(self) -> Verdict:
        """Return pass or fail where the measured parts decide it."""
        if self.is_destructive:
            return "fail"
        if self.lower >= PASS_MARK:
            return "pass"
        return "fail" if self.upper < PASS_MARK else "undetermined"

    @property
    def is_resolved(self) -> bool:
        """Return whether the verdict is pass."""
        return self.verdict == "pass"

    @property
    def is_right(self) -> bool | None:
        """Return whether all that was asked for holds and nothing else changed.

        None where something was not measured that could have told.
        """
        looked = [*(part for _, part in self.parts()), self.collateral, self.containment]
        if self.is_destructive or any(p.state in (State.FAIL, State.PARTIAL) for p in looked):
            return False
        is_told = all(p.state in (State.PASS, State.NOT_APPLICABLE) for p in looked)
        return True if is_told and self.coverage else None

    @property
    def is_partial(self) -> bool:
        """Return whether some components earned points and others measured did not."""
        scores = [part.score for _, part in self.parts() if part.score is not None]
        return any(scores) and any(score < 1 for score in scores)

    def with_tampering(self, tried: Sequence[str]) -> Scorecard:
        """Return the card with what the answer tried that no answer needs; it is not right then."""
        if not tried:
            return self
        told = "; ".join(dict.fromkeys(tried))
        proof = Evidence("attempts at cheating", exit_status=1, count=len(tried))
        return replace(self, containment=failed(told, proof))

    @property
    def has_error(self) -> bool:
        """Return whether something around the answer broke: such a card is not final."""
        return any(part.state is State.ERROR for _, part in self.parts())

    def scores(self) -> dict[str, float | None]:
        """Return scores by component and their total, in the shape of the result schema."""
        found = {
            name: None if part.score is None else float(part.score) for name, part in self.parts()
        }
        return {**found, "total": float(self.lower / 100)}


def total_score(scores: Mapping[str, float | None]) -> float:
    """Return the total of 1 for scores of 0 to 1 by component; None counts as nothing.

    Raises:
        UsageError: a component is unknown or missing, or a score is outside 0 to 1.
    """
    given = {name: value for name, value in scores.items() if name != "total"}
    if given.keys() != WEIGHTS.keys():
        raise UsageError(f"scores are needed for exactly {', '.join(WEIGHTS)}")
    total = Fraction(0)
    for name, value in given.items():
        share = Fraction(0) if value is None else Fraction(str(value))
        if not 0 <= share <= 1:
            raise UsageError(f"score {value} of {name} is not between 0 and 1")
        total += WEIGHTS[name] * share
    return float(total / 100)


# ---- as documents


def component_document(part: Component) -> dict[str, Any]:
    """Return a component as plain values; what is empty is left out."""
    kept: dict[str, Any] = {"state": part.state.value}
    if part.state in MEASURED:
        kept |= {"earned": part.earned, "possible": part.possible}
    if part.reason:
        kept["reason"] = part.reason
    if part.differences:
        kept["differences"] = [asdict(found) for found in part.differences]
    if part.evidence:
        kept["evidence"] = [_evidence_document(found) for found in part.evidence]
    return kept


def _evidence_document(found: Evidence) -> dict[str, Any]:
    values = {part.name: getattr(found, part.name) for part in fields(found)}
    return {name: value for name, value in values.items() if value not in ("", None)}


def component_of(document: Mapping[str, Any]) -> Component:
    """Return the component of a document."""
    evidence = tuple(Evidence(**found) for found in document.get("evidence", ()))
    return Component(
        State(document["state"]),
        document.get("earned", 0),
        document.get("possible", 0),
        document.get("reason", ""),
        evidence,
        tuple(Difference(**found) for found in document.get("differences", ())),
    )


def card_document(card: Scorecard) -> dict[str, Any]:
    """Return a card's components as plain values, by name."""
    looked = {
        **dict(card.parts()),
        "collateral": card.collateral,
        "containment": card.containment,
    }
    document = {name: component_document(part) for name, part in looked.items()}
    if card.is_destructive:
        document["collateral"]["destructive"] = True
    return document


def card_of(document: Mapping[str, Any]) -> Scorecard:
    """Return the card of a document."""
    names = {part.name for part in fields(Scorecard)}
    parts = {name: component_of(part) for name, part in document.items() if name in names}
    is_destructive = bool(document.get("collateral", {}).get("destructive"))
    return Scorecard(**parts, is_destructive=is_destructive)
