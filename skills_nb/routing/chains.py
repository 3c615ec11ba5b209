"""Find several wishes in one intent, and the order in which they have to be met.

Room: routing. A clause opens a phase of its own when another domain explains it much better than
the domain of the whole does.
Spec: Cross-domain execution; FORMATS, Knots (chain order).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from skills_nb.model.skills import Domain
from skills_nb.routing.clauses import Clause
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.hearing import Heard, score_clause
from skills_nb.routing.ranking import Ranked, rank_scores

_WISH_NEEDS, _WISH_GAINS = 12.0, 4.0
_NOUNS_NEED, _NOUNS_GAIN = 18.0, 9.0
"""What evidence a clause needs to open a phase, and how much more than the whole's domain has in
it; a clause that is no wish by its grammar needs more."""
_SEQUENCED_GAINS = 1.5
"""Who says when it is to be done ("and then", "but before that") means a thing of its own."""

_NEEDED = 8.0
"""What evidence suffices where the phases of a chain need what the domain makes."""
_LIKELY = 0.3
"""How likely a phase's target must be; less is an echo of other clauses."""
_POINTING_COSTS, _CHECKING_COSTS = 4.0, 5.0
"""A clause about `it` often only adds to the wish before; one that checks, nearly always."""


class Wish(Protocol):
    """What has a place in a chain."""

    @property
    def domain(self) -> str:
        """Return the domain that it is a matter of."""
        ...

    @property
    def place(self) -> int:
        """Return when it was said: a smaller number is earlier."""
        ...

    @property
    def comes_first(self) -> bool:
        """Return whether it was said to go before the others."""
        ...

    @property
    def comes_later(self) -> bool:
        """Return whether it was said to go after what was said before."""
        ...


_W = TypeVar("_W", bound=Wish)


@dataclass(frozen=True, slots=True)
class Stage:
    """A domain in a chain that somebody is in the middle of."""

    domain: str
    place: int
    comes_first: bool = False
    comes_later: bool = False


@dataclass(frozen=True, slots=True)
class Phase:
    """One domain's part of an intent."""

    domain: str
    best: Ranked
    place: int
    """The first clause that speaks of it."""
    comes_first: bool = False
    comes_later: bool = False


def find_phases(
    heard: Heard, ranked: Sequence[Ranked], evidence: Evidence, domains: Mapping[str, Domain]
) -> tuple[Phase, ...]:
    """Return one phase per domain in which a result is asked for, in the order of speaking."""
    if heard.speech.wants_fact or len(heard.clauses) < 2:
        return ()
    scored = [score_clause(clause, evidence) for clause in heard.clauses]
    speech = heard.speech
    home, in_list = ranked[0].domain, speech.turn == "tells" and not speech.wishes
    owners = [
        _owner(clause, _domain_tops(scores, evidence), home, in_list=in_list)
        for clause, scores in zip(heard.clauses, scored, strict=True)
    ]
    phases = [_phase(domain, owners, scored, heard, evidence) for domain in dict.fromkeys(owners)]
    found = tuple(phase for phase in phases if phase is not None)
    return (*found, *_called_for(found, scored, heard, evidence, domains))


def _called_for(
    found: Sequence[Phase],
    scored: Sequence[Sequence[float]],
    heard: Heard,
    evidence: Evidence,
    domains: Mapping[str, Domain],
) -> tuple[Phase, ...]:
    """Return the phase of a wish that alone says too little, where the others need what it makes.

    "Get the exports into tables, mask them": whoever masks needs tables, so the first part is about
    making them, although exports could be many things.
    """
    known = [domains[phase.domain] for phase in found if phase.domain in domains]
    made = {resource for domain in known for resource in domain.produces}
    missing = {resource for domain in known for resource in domain.requires} - made
    makers = [name for name, domain in domains.items() if not missing.isdisjoint(domain.produces)]
    needed = _NEEDED if len(found) > 1 else _WISH_NEEDS
    best: tuple[float, int, str] | None = None
    for place, (clause, scores) in enumerate(zip(heard.clauses, scored, strict=True)):
        tops = _domain_tops(scores, evidence)
        is_own_wish = clause.is_wish and not (clause.is_context or clause.points_back)
        for maker in makers if is_own_wish else ():
            top = tops.get(maker, 0.0)
            if top >= max(needed, *tops.values()) and (best is None or top > best[0]):
                best = (top, place, maker)
    if best is None:
        return ()
    _, place, maker = best
    own = _of_domain(scored[place], maker, evidence)
    ranked = rank_scores(own, heard.found, heard.speech, evidence)
    outcome = next((each for each in ranked if each.mode == "playbook"), ranked[0])
    clause = heard.clauses[place]
    # That it is this domain's matter is as sure as its best target; an outcome is what others need.
    sure = replace(outcome, confidence=ranked[0].confidence)
    return (Phase(maker, sure, place, clause.comes_first, clause.comes_later),)


def _of_domain(scores: Sequence[float], domain: str, evidence: Evidence) -> list[float]:
    return [
        score if target.domain == domain else 0.0
        for score, target in zip(scores, evidence.targets, strict=True)
    ]


def _owner(clause: Clause, tops: Mapping[str, float], home: str, *, in_list: bool) -> str:
    """Return the domain that a clause speaks of.

    Where the whole is a list without a verb ("files in, personal fields hidden, KPIs on top"),
    every clause is a wish.
    """
    best = max(tops, key=lambda domain: (tops[domain], domain), default=home)
    is_wish = clause.is_wish or in_list
    needs, gains = (_WISH_NEEDS, _WISH_GAINS) if is_wish else (_NOUNS_NEED, _NOUNS_GAIN)
    gains = _SEQUENCED_GAINS if is_wish and clause.is_timed else gains
    needs += _POINTING_COSTS if clause.points_back and not clause.is_timed else 0.0
    gains += _CHECKING_COSTS if clause.checks else 0.0
    strong = tops.get(best, 0.0) >= needs and tops[best] - tops.get(home, 0.0) >= gains
    return best if strong and not clause.is_context else home


def _phase(
    domain: str,
    owners: Sequence[str],
    scored: Sequence[Sequence[float]],
    heard: Heard,
    evidence: Evidence,
) -> Phase | None:
    places = [at for at, owner in enumerate(owners) if owner == domain]
    total = [sum(column) for column in zip(*(scored[at] for at in places), strict=True)]
    own = _of_domain(total, domain, evidence)
    ranked = rank_scores(own, heard.found, heard.speech, evidence)
    if not ranked or ranked[0].score < _WISH_NEEDS or ranked[0].confidence < _LIKELY:
        return None
    clauses = [heard.clauses[at] for at in places]
    return Phase(
        domain,
        ranked[0],
        next((at for at in places if heard.clauses[at].awaits), places[0]),
        any(clause.comes_first for clause in clauses),
        any(clause.awaits for clause in clauses)
        or clauses[0].comes_later
        or (clauses[0].points_back and not clauses[0].comes_before),
    )


def _domain_tops(scores: Sequence[float], evidence: Evidence) -> dict[str, float]:
    tops: dict[str, float] = {}
    for target, score in zip(evidence.targets, scores, strict=True):
        if target.ref and score > tops.get(target.domain, 0.0):
            tops[target.domain] = score
    return tops


def in_order(phases: Sequence[_W], domains: Mapping[str, Domain]) -> tuple[_W, ...]:
    """Order phases: what requires after what produces, then as the speaker says, then by use."""
    waiting = sorted(phases, key=lambda phase: (not phase.comes_first, phase.place))
    done: list[_W] = []
    while waiting:
        done.append(_next(waiting, domains))
        waiting.remove(done[-1])
    return tuple(done)


def _next(waiting: Sequence[_W], domains: Mapping[str, Domain]) -> _W:
    ready = [one for one in waiting if not _held_back(one, waiting, domains, "requires")]
    free = [one for one in ready if not _held_back(one, waiting, domains, "uses")]
    return (free or ready or waiting)[0]


def _held_back(one: Wish, waiting: Sequence[Wish], domains: Mapping[str, Domain], how: str) -> bool:
    """Tell whether a phase has to wait for another one of these."""
    mine = domains.get(one.domain)
    wanted = () if mine is None else mine.requires if how == "requires" else mine.uses
    for other in waiting:
        theirs = domains.get(other.domain)
        if theirs is None or other.domain == one.domain or set(wanted).isdisjoint(theirs.produces):
            continue
        said_otherwise = how == "uses" and (one.comes_first or other.comes_later)
        if not said_otherwise:
            return True
    return False
