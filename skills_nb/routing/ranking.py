"""Rank the targets, with the mode each would be answered in, and say how sure that is.

Room: routing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from skills_nb.routing.evidence import Evidence
from skills_nb.routing.hearing import Heard
from skills_nb.routing.speech import Speech

Mode = Literal["playbook", "guided", "reference"]

_FACT_IN_PLAYBOOK = 0.6
_BROAD_PLAYBOOK = 1.1
_SURE_AT = 10.6
"""Evidence at which an answer is as likely right as wrong."""
_STEEPNESS = 0.55
_DOUBT = 0.35
"""What a second target just as strong takes away."""
_REASONS = 4
_NAMED = 6.0
"""What the exact name of a function, view or parameter is worth."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A target with what speaks for it."""

    number: int
    ref: str
    domain: str
    mode: Mode
    description: str
    score: float
    share: float
    """Of the best target's score."""
    because: tuple[str, ...] = ()
    """The words that decided, strongest first."""


def rank(heard: Heard, evidence: Evidence) -> tuple[Ranked, ...]:
    """Return the targets that the intent could mean, best first."""
    return rank_scores(heard.scores, heard.found, heard.speech, evidence)


def rank_scores(
    scores: Sequence[float], found: Mapping[str, float], speech: Speech, evidence: Evidence
) -> tuple[Ranked, ...]:
    """Return targets by score, weighed by how the intent was said."""
    weighed = [
        (score * _fitness(evidence.targets[number].mode, speech), number)
        for number, score in enumerate(scores)
        if score > 0 and evidence.targets[number].ref
    ]
    weighed.sort(key=lambda item: (-item[0], item[1]))
    top = weighed[0][0] if weighed else 1.0
    return tuple(
        Ranked(
            number,
            (target := evidence.targets[number]).ref,
            target.domain,
            mode_of(target.mode, target.ref, speech),
            target.description,
            score,
            score / top,
            _because(number, found, evidence) if place == 0 else (),
        )
        for place, (score, number) in enumerate(weighed[:12])
    )


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
    return _BROAD_PLAYBOOK if speech.broad else 1.0


def _because(number: int, found: Mapping[str, float], evidence: Evidence) -> tuple[str, ...]:
    weights = [
        (strength * evidence.weight(name, number), name)
        for name, strength in found.items()
        if strength > 0
    ]
    weights.sort(key=lambda item: (-item[0], item[1]))
    return tuple(name for weight, name in weights[:_REASONS] if weight > 0)


def confidence(heard: Heard, ranked: Sequence[Ranked]) -> float:
    """Return how likely the best target is what was meant, 0 to 1."""
    if not ranked:
        return 0.0
    second = ranked[1].share if len(ranked) > 1 else 0.0
    strength = ranked[0].score * (1 - _DOUBT * second)
    if any("_" in name or "$" in name for name in ranked[0].because if " " not in name):
        strength += _NAMED
    return 1 / (1 + exp(-_STEEPNESS * (strength - _SURE_AT)))
