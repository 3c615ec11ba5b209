"""Bring an intent into the form in which it is weighed: clauses, their features, the manner.

Room: routing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skills_nb.routing.clauses import Clause, split_clauses
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import Subject, features, subjects
from skills_nb.routing.negation import turned_away
from skills_nb.routing.speech import Speech, listen
from skills_nb.routing.words import Word, read_words

_BY_NAME = 12.0
"""What it is worth that a skill is called by its name."""
_MISSING = 2
"""By how many letters the length of a misspelt word may differ from the word that was meant."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An intent as routing understood it."""

    text: str
    words: tuple[Word, ...]
    meanings: tuple[Subject, ...]
    """What its words are about, in the order of speaking."""
    clauses: tuple[Clause, ...]
    found: dict[str, float]
    """Features of the whole."""
    scores: list[float]
    """Per target of the evidence."""
    speech: Speech
    corrected: tuple[tuple[str, str], ...] = ()
    """Words that were taken for misspelt, and what they were taken for."""
    turned_away: tuple[str, ...] = ()
    """Words that the speaker does not mean."""


def hear(intent: str, evidence: Evidence) -> Heard:
    """Return an intent as routing understands it."""
    said = read_words(intent)
    words = tuple(meant for word in said for meant in _meant(word, evidence))
    signs = turned_away(words)
    meanings = subjects(words, evidence.lexicon, signs)
    found = features(meanings)
    scores = evidence.score(found)
    _honour_names(scores, words, signs, evidence)
    return Heard(
        text=intent,
        words=words,
        meanings=tuple(meanings),
        clauses=split_clauses(words),
        found=found,
        scores=scores,
        speech=listen(words),
        corrected=tuple(
            (word.text, " ".join(meant.text for meant in _meant(word, evidence)))
            for word in said
            if _meant(word, evidence) != (word,)
        ),
        turned_away=tuple(
            words[at].text
            for at, sign in sorted(signs.items())
            if sign < 0 and not words[at].is_function
        ),
    )


def _honour_names(
    scores: list[float], words: Sequence[Word], signs: Mapping[int, float], evidence: Evidence
) -> None:
    """Add what it is worth that a skill is called by its name, the more, the less else is said."""
    said = {
        word.stem
        for at, word in enumerate(words)
        if not (word.is_mark or word.is_function or at in signs)
    }
    for number, target in enumerate(evidence.targets):
        if target.name and target.name <= said:
            scores[number] += _BY_NAME * len(target.name) / len(said)


def score_clause(clause: Clause, evidence: Evidence) -> list[float]:
    """Return one score per target for a clause alone."""
    words = clause.words
    return evidence.score_part(features(subjects(words, evidence.lexicon, turned_away(words))))


def _meant(word: Word, evidence: Evidence) -> tuple[Word, ...]:
    """Return a word as it was meant: spelt right, or as the words that a name is made of.

    `WH_BI` and `LOAD_TASK` are names that somebody gave; what they are called tells what they are.
    """
    if word.is_mark or word.is_function or word.stem in evidence.spelling.known:
        return (word,)
    near = evidence.spelling.nearest(word.stem)
    if near and abs(len(near) - len(word.text)) <= _MISSING:
        return read_words(near)
    parts = [part for part in word.text.split("_") if part.isalpha()]
    return read_words(" ".join(parts)) if len(parts) > 1 else (word,)
