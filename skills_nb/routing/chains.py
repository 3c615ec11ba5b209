"""Find several wishes in one intent, and the order in which they have to be met.

Room: routing.
Spec: Cross-domain execution; FORMATS, Knots (chain order).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skills_nb.model.skills import Domain
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.hearing import Heard, score_clause
from skills_nb.routing.ranking import Ranked, rank_scores

_OWN_WISH = 16.0
_GAIN = 9.0


@dataclass(frozen=True, slots=True)
class Phase:
    """One domain's part of an intent."""

    domain: str
    best: Ranked
    place: int
    """The first clause that speaks of it."""
    comes_first: bool = False
    comes_later: bool = False


def find_phases(heard: Heard, ranked: Sequence[Ranked], evidence: Evidence) -> tuple[Phase, ...]:
    """Return one phase per domain in which a result is asked for, in the order of speaking."""
    if heard.speech.wants_fact or len(heard.clauses) < 2:
        return ()
    scored = [score_clause(clause, evidence) for clause in heard.clauses]
    home = ranked[0].domain
    owners = [home] * len(scored)
    for place, scores in enumerate(scored):
        tops = _domain_tops(scores, evidence)
        best = max(tops, key=lambda domain: (tops[domain], domain), default=home)
        if (
            not heard.clauses[place].is_context
            and tops.get(best, 0.0) >= _OWN_WISH
            and tops[best] - tops.get(home, 0.0) >= _GAIN
        ):
            owners[place] = best
    phases = []
    for domain in dict.fromkeys(owners):
        places = [place for place, owner in enumerate(owners) if owner == domain]
        total = [sum(column) for column in zip(*(scored[place] for place in places), strict=True)]
        tops = _domain_tops(total, evidence)
        if tops.get(domain, 0.0) < _OWN_WISH:
            continue
        best = next(
            r for r in rank_scores(total, heard.found, heard.speech, evidence) if r.domain == domain
        )
        phases.append(
            Phase(
                domain,
                best,
                places[0],
                any(heard.clauses[place].comes_first for place in places),
                any(heard.clauses[place].comes_later for place in places),
            )
        )
    return tuple(phases)


def _domain_tops(scores: Sequence[float], evidence: Evidence) -> dict[str, float]:
    tops: dict[str, float] = {}
    for target, score in zip(evidence.targets, scores, strict=True):
        if target.ref and score > tops.get(target.domain, 0.0):
            tops[target.domain] = score
    return tops


def in_order(phases: Sequence[Phase], domains: Mapping[str, Domain]) -> tuple[Phase, ...]:
    """Order phases: what requires comes after what produces, then as said, then what uses."""
    waiting = sorted(phases, key=lambda phase: (not phase.comes_first, phase.place))
    done: list[Phase] = []
    while waiting:
        ready = [p for p in waiting if not any(_needs(p, o, domains, "requires") for o in waiting)]
        ready = ready or waiting
        calm = [
            p
            for p in ready
            if not any(
                _needs(p, o, domains, "uses") and not (o.comes_later or p.comes_first)
                for o in waiting
            )
        ]
        done.append((calm or ready)[0])
        waiting.remove(done[-1])
    return tuple(done)


def _needs(phase: Phase, other: Phase, domains: Mapping[str, Domain], how: str) -> bool:
    one, two = domains.get(phase.domain), domains.get(other.domain)
    if one is None or two is None or phase.domain == other.domain:
        return False
    wanted = one.requires if how == "requires" else one.uses
    return not set(wanted).isdisjoint(two.produces)
