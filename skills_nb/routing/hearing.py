"""Bring an intent into the form in which it is weighed: clauses, their features, the manner.

Room: routing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skills_nb.routing.clauses import Clause, split_clauses
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import features, subjects
from skills_nb.routing.negation import turned_away
from skills_nb.routing.speech import Speech, listen
from skills_nb.routing.words import Word, read_words


@dataclass(frozen=True, slots=True)
class Heard:
    """An intent as routing understood it."""

    text: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    found: dict[str, float]
    """Features of the whole."""
    scores: list[float]
    """Per target of the evidence."""
    speech: Speech
    corrected: tuple[tuple[str, str], ...] = ()
    """Words that were taken for misspelt, and what they were taken for."""

    @property
    def manner(self) -> str:
        """Return how it was said, as a sentence."""
        if self.speech.wants_fact:
            return "It asks for a fact, so the answer is a reference."
        return "It asks for something to be done."


def hear(intent: str, evidence: Evidence) -> Heard:
    """Return an intent as routing understands it."""
    said = read_words(intent)
    words = tuple(_respelt(word, evidence) for word in said)
    found = features(subjects(words, evidence.lexicon, turned_away(words)))
    corrected = tuple(
        (old.text, new.stem) for old, new in zip(said, words, strict=True) if old is not new
    )
    return Heard(
        intent,
        words,
        split_clauses(words),
        found,
        evidence.score(found),
        listen(intent, words),
        corrected,
    )


def score_clause(clause: Clause, evidence: Evidence) -> list[float]:
    """Return one score per target for a clause alone."""
    words = clause.words
    return evidence.score(features(subjects(words, evidence.lexicon, turned_away(words))))


def _respelt(word: Word, evidence: Evidence) -> Word:
    if word.is_mark or word.is_function or word.stem in evidence.spelling.known:
        return word
    near = evidence.spelling.nearest(word.stem)
    return replace(word, stem=near) if near else word
