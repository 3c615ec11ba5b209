"""What people said before, and which skill they meant: how much a sentence sounds like those.

Room: routing. Naive Bayes over single words, those of grammar included ("who", "can", "not" tell a
question from an order). A target of which no sentence is known is neither helped nor harmed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from skills_nb.routing.words import Word, read_intent

_DOUBT = 1.5
"""Sentences that every target is taken to have beside its own, in which each word is as frequent
as it is anywhere: so one sentence alone decides nothing."""


@dataclass(frozen=True, slots=True)
class Heard:
    """How often words were said of each target."""

    shares: Mapping[str, float] = field(default_factory=dict)
    """Word to the share of all sentences that have it, 0 to 1."""
    said_of: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """Word to the targets it was said of, and in how many of their sentences."""
    sentences: Mapping[int, int] = field(default_factory=dict)
    """Target to how many of its sentences are known."""

    def likeness(self, words: Iterable[Word]) -> dict[int, float]:
        """Return how much these words sound like each target, in units of its logarithm."""
        known = [word for word in {spoken(word) for word in words} if word in self.shares]
        missing = {
            number: len(known) * log(_DOUBT / (count + _DOUBT))
            for number, count in self.sentences.items()
        }
        for word in known:
            for number, count in self.said_of[word]:
                missing[number] += log(1 + count / (_DOUBT * self.shares[word]))
        return missing


def spoken(word: Word) -> str:
    """Return a word as it is compared: whatever an object is called, it is a name."""
    return "NAME" if word.is_name else word.stem


def heard_from(utterances: Mapping[int, Sequence[str]]) -> Heard:
    """Return what the sentences of each target say of its words."""
    of: dict[str, Counter[int]] = defaultdict(Counter)
    for number, sentences in utterances.items():
        for sentence in sentences:
            for word in {spoken(word) for word in read_intent(sentence)}:
                of[word][number] += 1
    total = sum(map(len, utterances.values()))
    return Heard(
        {word: sum(counts.values()) / total for word, counts in of.items()},
        {word: sorted(counts.items()) for word, counts in of.items()},
        {number: len(sentences) for number, sentences in utterances.items() if sentences},
    )
