"""Find several wishes in one intent, and the order in which they have to be met.

Room: routing. A clause opens a phase of its own when another domain explains it much better than
the domain of the whole does.
Spec: Cross-domain execution; FORMATS, Knots (chain order).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from skills_nb.model.routers import Domain
from skills_nb.routing.clauses import Clause
from skills_nb.routing.domain_owners import find_owners
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import TO_OUTSIDE, Subject, features, subjects
from skills_nb.routing.made_objects import made_by
from skills_nb.routing.negation import limit_in, negated_words
from skills_nb.routing.ranking import RankedTarget, rank_scores
from skills_nb.routing.speech_acts import listen
from skills_nb.routing.understanding import HeardIntent, score_clause
from skills_nb.routing.words import Word

_LEAST, _STRONG = 10.0, 12.0
"""What evidence a phase has at least; and one that makes what others require."""
_LEAST_ON_NAMED = 7.0
"""What evidence a phase has at least that names its object: one verb is enough beside it."""
_NEEDED = 8.0
"""What evidence suffices where the phases of a chain need what the domain makes."""
_CLEAR = 20.0
"""What evidence a wish has that says enough of its own: it needs no other reading."""
_LIKELY = 0.3
"""How likely a phase's target must be; less is an echo of other clauses."""
_KNOWN = 2.0
"""What a word must say for a target to be explained by it."""
_OF_THE_REST = 15.0
"""By how much another domain must explain better what the best target leaves unexplained."""
_SEVERAL = 2
_LOADS, _UNLOADS = "§load", "§unload"
"""The vocabulary's terms for what comes in and what goes out."""


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

    @property
    def takes_out(self) -> bool:
        """Return whether it only takes something out, so that nobody waits for what it makes."""
        ...


_W = TypeVar("_W", bound=Wish)


@dataclass(frozen=True, slots=True)
class Stage:
    """A domain in a chain that somebody is in the middle of."""

    domain: str
    """Its name in the vocabulary."""
    place: int
    """Where it stands as long as nothing else orders it: lower comes first."""
    comes_first: bool = False
    """The speaker says that it has to be done first."""
    comes_later: bool = False
    """The speaker says that it has to be done after what was said before."""
    takes_out: bool = False
    """It only takes something out of the account."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One domain's part of an intent."""

    domain: str
    """Its name in the vocabulary."""
    best: RankedTarget
    """The target that the part most likely means."""
    place: int
    """The first clause that speaks of it."""
    comes_first: bool = False
    """The speaker says that it has to be done first."""
    comes_later: bool = False
    """The speaker says that it has to be done after what was said before."""
    words: tuple[Word, ...] = ()
    """Of the clauses that speak of it, in the order of speaking; empty where none does alone."""
    takes_out: bool = False
    """It only takes something out of the account."""


def find_phases(
    heard: HeardIntent,
    ranked: Sequence[RankedTarget],
    evidence: Evidence,
    domains: Mapping[str, Domain],
) -> tuple[Phase, ...]:
    """Return one phase per domain in which a result is asked for, in the order of speaking."""
    phases = _of_clauses(heard, ranked, evidence, domains)
    return phases if len(phases) >= _SEVERAL else _left_over(heard, ranked[0], evidence)


def _left_over(heard: HeardIntent, best: RankedTarget, evidence: Evidence) -> tuple[Phase, ...]:
    """Return two phases where the words that the best target knows nothing of say a wish too.

    "Share the masked patient table": no joint parts the two, but nothing of the masking explains
    the share.
    """
    meanings = _meant_as_wishes(heard, evidence)
    known = [evidence.weight(one.symbol, best.number) >= _KNOWN for one in meanings]
    rest = [one for one, is_known in zip(meanings, known, strict=True) if not is_known]
    if (
        heard.speech.turn == "asks"
        or made_by(heard.words, evidence.makers)
        or heard.speech.wants_fact
        or all(known)
        or any(one.sign < 1 for one in rest)
    ):
        return ()
    said = features(rest)
    scores = evidence.score_part(said)
    tops = _domain_tops(scores, evidence)
    other = max(tops, key=lambda domain: (tops[domain], domain), default=best.domain)
    lead = tops.get(other, 0.0) - tops.get(best.domain, 0.0)
    if lead < _OF_THE_REST or other not in evidence.named_domains(said):
        return ()
    found = rank_scores(_of_domain(scores, other, evidence), heard.found, heard.speech, evidence)
    place = 1 if known[0] else -1
    return (Phase(best.domain, best, 0), Phase(other, found[0], place))


def _meant_as_wishes(heard: HeardIntent, evidence: Evidence) -> Sequence[Subject]:
    """Return what the words are about that may be a wish; a reason or a limit is none."""
    idle = [one for one in heard.clauses if one.says_nothing or one.is_limit]
    if not idle or len(idle) == len(heard.clauses):
        return heard.meanings
    words = [word for one in heard.clauses if one not in idle for word in one.words]
    return subjects(words, evidence.lexicon, negated_words(words))


def _of_clauses(
    heard: HeardIntent,
    ranked: Sequence[RankedTarget],
    evidence: Evidence,
    domains: Mapping[str, Domain],
) -> tuple[Phase, ...]:
    if len(heard.clauses) < _SEVERAL:
        return ()
    scored = [score_clause(_unlimited(clause), evidence) for clause in heard.clauses]
    speech = heard.speech
    home, in_list = ranked[0].domain, speech.turn == "tells" and not speech.wishes
    tops = [_domain_tops(scores, evidence) for scores in scored]
    owners = find_owners(heard.clauses, tops, home, in_list=in_list)
    if speech.wants_fact:
        said = zip(owners, heard.clauses, strict=True)
        wanted = {owner for owner, clause in said if _is_work(clause)}
        if len(wanted) < _SEVERAL:
            return ()
        heard = replace(heard, speech=replace(speech, turn="commands", asks_for_words=False))
    phases = [_phase(domain, owners, scored, heard, evidence) for domain in dict.fromkeys(owners)]
    found = _without_weak_makers([phase for phase in phases if phase is not None], domains)
    return (*found, *_called_for(found, scored, heard, evidence, domains))


def _unlimited(clause: Clause) -> Clause:
    """Return a clause without what it leaves out: "let them read it without copying anything"."""
    at = limit_in(clause.words)
    return replace(clause, words=clause.words[:at]) if at else clause


def _without_weak_makers(
    found: Sequence[Phase], domains: Mapping[str, Domain]
) -> tuple[Phase, ...]:
    """Leave out who makes what others require and says little of how: see `_called_for`.

    Who names what is to be worked on has said enough.
    """
    required = {
        resource
        for phase in found
        if phase.domain in domains
        for resource in domains[phase.domain].requires
    }
    return tuple(
        phase
        for phase in found
        if phase.best.score >= _STRONG
        or any(word.is_name for word in phase.words)
        or phase.domain not in domains
        or required.isdisjoint(domains[phase.domain].produces)
    )


def _is_work(clause: Clause) -> bool:
    """Tell whether a clause asks for work, though the whole sounds like a question."""
    speech = listen(clause.words)
    return speech.about_own or (
        clause.is_wish
        and not (clause.is_context or speech.turn == "asks")
        and not (speech.names_fact or speech.reports_trouble)
    )


def _called_for(
    found: Sequence[Phase],
    scored: Sequence[Sequence[float]],
    heard: HeardIntent,
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
    needed = _NEEDED if len(found) > 1 else _STRONG
    best: tuple[float, int, str] | None = None
    for place, (clause, scores) in enumerate(zip(heard.clauses, scored, strict=True)):
        tops = _domain_tops(scores, evidence)
        is_own_wish = clause.is_wish and not (
            clause.is_context or clause.points_back or clause.is_limit or clause.says_nothing
        )
        says_enough = any(tops.get(domain.name, 0.0) >= _CLEAR for domain in known)
        for maker in makers if is_own_wish and not says_enough else ():
            top = tops.get(maker, 0.0)
            if top >= max((needed, *tops.values())) and (best is None or top > best[0]):
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
    return (Phase(maker, sure, place, clause.comes_first, clause.comes_later, clause.words),)


def _of_domain(scores: Sequence[float], domain: str, evidence: Evidence) -> list[float]:
    return [
        score if target.domain == domain else 0.0
        for score, target in zip(scores, evidence.targets, strict=True)
    ]


def _phase(
    domain: str,
    owners: Sequence[str],
    scored: Sequence[Sequence[float]],
    heard: HeardIntent,
    evidence: Evidence,
) -> Phase | None:
    places = [at for at, owner in enumerate(owners) if owner == domain]
    total = [sum(column) for column in zip(*(scored[at] for at in places), strict=True)]
    own = _of_domain(total, domain, evidence)
    ranked = rank_scores(own, heard.found, heard.speech, evidence)
    clauses = [heard.clauses[at] for at in places]
    is_named = any(word.is_name for clause in clauses for word in clause.words)
    least = _LEAST_ON_NAMED if is_named else _LEAST
    if not ranked or ranked[0].score < least or sum(each.confidence for each in ranked) < _LIKELY:
        return None
    return Phase(
        domain,
        ranked[0],
        next((at for at in places if heard.clauses[at].awaits), places[0]),
        any(clause.comes_first for clause in clauses),
        any(clause.awaits for clause in clauses)
        or clauses[0].comes_later
        or (clauses[0].points_back and not clauses[0].comes_before),
        tuple(word for clause in clauses for word in clause.words),
        _takes_out([word for clause in clauses for word in clause.words], evidence),
    )


def _takes_out(words: Sequence[Word], evidence: Evidence) -> bool:
    """Tell whether what is said leaves the account as files: nothing that others need is made."""
    said = {one.symbol for one in subjects(words, evidence.lexicon)}
    leads = {one.direction for one in subjects(words, evidence.lexicon)}
    return _LOADS not in said and (_UNLOADS in said or TO_OUTSIDE in leads)


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
        if theirs is None or other.domain == one.domain or other.takes_out:
            continue
        if set(wanted).isdisjoint(theirs.produces):
            continue
        said_otherwise = how == "uses" and (one.comes_first or other.comes_later)
        if not said_otherwise:
            return True
    return False
