"""One column against all rules: candidates with their coverage and confidence, best first.

Room: embedded (classification). Pure. A rule that the name announces sees every distinct value; a
rule that it does not announce sees a screen of a few dozen first, and the rest only when the
screen looks like it, which is what keeps thirty columns of ten thousand values quick.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.classification.evidence import (
    HALF,
    SOME,
    Confidence,
    Coverage,
    Strength,
    weigh,
)
from skills_nb.embedded.classification.names import NameEvidence, read_name
from skills_nb.embedded.classification.rule import Check, Rule
from skills_nb.embedded.classification.rules import NOT_SENSITIVE, RULES, phrase_index
from skills_nb.embedded.classification.samples import Family, Values, rounded


@dataclass(frozen=True)
class Candidate:
    """A native category that a column may be of."""

    rule: Rule
    """The rule that speaks for it."""
    confidence: Confidence
    """How sure the evidence makes us."""
    coverage: float
    """The share of valid values that any of its checks accepts."""
    details: tuple[tuple[str, float], ...]
    """Subcategories with their share, largest first; only those worth naming."""
    order: tuple[int, ...]
    """What sorts the candidates of a column, largest first."""


def candidates(name: str, family: Family, values: Values) -> tuple[Candidate, ...]:
    """Weigh every rule that the data type allows; best first."""
    spoken = _name_evidence(name)
    found = (
        _candidate(position, rule, spoken.get(position, NameEvidence.NONE), values)
        for position, rule in enumerate(RULES)
        if family in rule.families
    )
    return tuple(sorted(filter(None, found), key=lambda found: found.order, reverse=True))


def _name_evidence(name: str) -> dict[int, NameEvidence]:
    """Look the name's phrases up; where it may end at a place, the longest known phrase counts."""
    index = phrase_index()
    read = read_name(name)
    spoken: dict[int, NameEvidence] = {}
    for runs in read.phrases:
        phrase = next((run for run in runs if run in index or run in NOT_SENSITIVE), "")
        for position, evidence in index.get(phrase, ()):
            said = read.person if phrase == "name" else evidence
            spoken[position] = max(said, spoken.get(position, NameEvidence.NONE))
    return spoken


def _candidate(position: int, rule: Rule, name: NameEvidence, values: Values) -> Candidate | None:
    if name is NameEvidence.NONE and (rule.needs_name or not values.distinct):
        return None
    accepted = [(check, _accepted(check, name, values)) for check in rule.checks]
    seen = _coverage(accepted, name, values)
    confidence = weigh(name, seen)
    if confidence is None:
        return None
    reach = Strength.PLAUSIBLE + (seen.suggestive >= HALF) + (seen.distinctive >= HALF)
    order = (confidence, name, reach, round(seen.plausible * 10_000), -position)
    return Candidate(rule, confidence, seen.plausible, _details(accepted, values), order)


def _accepted(check: Check, name: NameEvidence, values: Values) -> frozenset[str]:
    """Collect what a check accepts; without a name it must be telling and pass the screen."""
    if name is NameEvidence.NONE:
        screen = values.screen()
        if check.strength is Strength.PLAUSIBLE:
            return frozenset()
        if sum(map(check.accepts, screen)) < SOME * len(screen):
            return frozenset()
    return values.matching(check.accepts)


def _coverage(
    accepted: list[tuple[Check, frozenset[str]]], name: NameEvidence, values: Values
) -> Coverage:
    """Measure what the checks of each strength, and stronger ones, cover.

    Without a name, one check has to carry it: thirty countries' check digits together accept a
    third of all numbers.
    """

    def covered(least: Strength) -> float:
        found = [texts for check, texts in accepted if check.strength >= least]
        if name is NameEvidence.NONE:
            return max(map(values.share, found), default=0.0)
        return values.share(frozenset[str]().union(*found))

    return Coverage(
        plausible=covered(Strength.PLAUSIBLE),
        suggestive=covered(Strength.SUGGESTIVE),
        distinctive=covered(Strength.DISTINCTIVE),
        distinct=values.distinct,
    )


def _details(
    accepted: list[tuple[Check, frozenset[str]]], values: Values
) -> tuple[tuple[str, float], ...]:
    found: dict[str, frozenset[str]] = {}
    for check, texts in accepted:
        if check.subcategory:
            found[check.subcategory] = found.get(check.subcategory, frozenset()) | texts
    shares = ((name, rounded(values.share(texts))) for name, texts in found.items())
    telling = [(name, share) for name, share in shares if share >= SOME]
    return tuple(sorted(telling, key=lambda entry: (-entry[1], entry[0])))
