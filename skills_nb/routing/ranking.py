"""Rank the targets, with the mode each would be answered in, and say how sure that is.

Room: routing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from skills_nb.routing.evidence import Evidence, is_exact
from skills_nb.routing.speech_acts import Speech
from skills_nb.routing.understanding import HeardIntent

Mode = Literal["playbook", "guided", "reference"]

_FACT_IN_PLAYBOOK = 0.6
"""What a playbook keeps when a fact is asked for."""
_FIGURE_IN_PLAYBOOK = 0.75
"""What it keeps where a number or a list is asked for, which one query answers."""
_BROAD_PLAYBOOK = 1.1
_PLAYBOOK_FOR_ONE = 0.92
"""What a playbook keeps where one object is named: mostly a small job on it is wanted."""
_CANDIDATES = 8
_SURE_AT = 9.0
"""Evidence at which an answer is as likely right as wrong."""
_STEEPNESS = 0.55
_DOUBT = 0.35
"""What a second target just as strong takes away."""
_SPREAD = 0.9
"""Evidence by which one target must lead another to be nearly three times as likely."""
_REASONS = 4
_NAMED = 6.0
"""What the exact name of a function, view or parameter is worth."""
_OBJECT = 5.0
"""What it is worth that an object of the account is named: few words are enough beside it."""


@dataclass(frozen=True, slots=True)
class RankedTarget:
    """A target with what speaks for it."""

    number: int
    """Its place in the evidence."""
    ref: str
    """`playbooks/x` or `primitives/y`; empty for a subject that is not ours."""
    domain: str
    """The target's; empty for a subject that is not ours."""
    mode: Mode
    """How it would be gone through."""
    description: str
    """The router's option that leads to it, for people."""
    score: float
    """How much speaks for it; only compared with the others'."""
    confidence: float
    """How likely it is what was meant, 0 to 1."""


def rank(heard: HeardIntent, evidence: Evidence) -> tuple[RankedTarget, ...]:
    """Return the targets that the whole intent could mean, best first."""
    return rank_scores(heard.scores, heard.found, heard.speech, evidence, heard.firm)


def rank_scores(
    scores: Sequence[float],
    found: Mapping[str, float],
    speech: Speech,
    evidence: Evidence,
    firm: Sequence[float] = (),
) -> tuple[RankedTarget, ...]:
    """Return targets by score, weighed by how the intent was said.

    `firm` are the scores by which it is judged how sure that is, where they are not the same.
    """
    weighed = [
        (score * _fitness(target.mode, speech), number)
        for number, (score, target) in enumerate(zip(scores, evidence.targets, strict=True))
        if score > 0 and target.ref
    ]
    best = sorted(weighed, key=lambda item: (-item[0], item[1]))[:_CANDIDATES]
    if not best:
        return ()
    number = best[0][1]
    most = firm[number] * _fitness(evidence.targets[number].mode, speech) if firm else best[0][0]
    sure = _sureness(most, [score for score, _ in best], number, found, speech, evidence)
    likely = [exp((score - best[0][0]) / _SPREAD) for score, _ in best]
    return tuple(
        _ranked(number, score, sure * chance / sum(likely), speech, evidence)
        for (score, number), chance in zip(best, likely, strict=True)
    )


def _ranked(
    number: int, score: float, confidence: float, speech: Speech, evidence: Evidence
) -> RankedTarget:
    target = evidence.targets[number]
    mode = mode_of(target.mode, target.ref, speech)
    return RankedTarget(
        number, target.ref, target.domain, mode, target.description, score, confidence
    )


def _sureness(
    most: float,
    scores: Sequence[float],
    best: int,
    found: Mapping[str, float],
    speech: Speech,
    evidence: Evidence,
) -> float:
    """Return how sure it is that the intent is about any of these targets."""
    second = scores[1] / scores[0] if len(scores) > 1 else 0.0
    strength = most * (1 - _DOUBT * second)
    if any(evidence.weight(name, best) for name in found if is_exact(name)):
        strength += _NAMED
    if speech.names_object:
        strength += _OBJECT
    return 1 / (1 + exp(-_STEEPNESS * (strength - _SURE_AT)))


def mode_of(mode: str, ref: str, speech: Speech) -> Mode:
    """Return in which mode a target answers this manner of speaking."""
    if ref.startswith("playbooks/"):
        return "playbook"
    return "reference" if mode == "reference" or speech.wants_fact else "guided"


def _fitness(mode: str, speech: Speech) -> float:
    if mode != "playbook":
        return 1.0
    if speech.wants_fact:
        return _FACT_IN_PLAYBOOK
    if speech.turn == "asks" and speech.asks_figure:
        return _FIGURE_IN_PLAYBOOK
    if speech.broad:
        return _BROAD_PLAYBOOK
    return _PLAYBOOK_FOR_ONE if speech.names_object else 1.0


def reasons(number: int, found: Mapping[str, float], evidence: Evidence) -> tuple[str, ...]:
    """Return the features that speak for a target, strongest first."""
    weights = [
        (strength * evidence.weight(name, number), name)
        for name, strength in found.items()
        if strength > 0
    ]
    weights.sort(key=lambda item: (-item[0], item[1]))
    return tuple(name for weight, name in weights[:_REASONS] if weight > 0)
