"""Bring an intent into the form in which it is weighed: clauses, their features, the manner.

Room: routing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skills_nb.routing.asides import quote_in
from skills_nb.routing.clauses import Clause, split_clauses
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import Subject, features, subjects
from skills_nb.routing.made_objects import description_in, made_by
from skills_nb.routing.names_of_kinds import capitals_in, makers_of_named, with_kind
from skills_nb.routing.negation import negated_words
from skills_nb.routing.speech_acts import Speech, listen
from skills_nb.routing.words import Word, nameless, read_intent, read_words, word_set

_BY_NAME = 12.0
"""What it is worth that a skill is called by its name."""
_OFFERED, _FEWEST = 2.0, 2
"""What each word of a phrase is worth by which a skill offers a job on what is named, and how many
words it has at least: one word alone is said of much else."""
_MADE = 5.0
"""What it is worth that a skill makes the kind of object that an intent is about."""
_NAMED_KIND = 4.0
"""What it is worth that a skill makes the kind of object that is named."""
_DESCRIBED = 0.6
"""What a word counts that tells what a thing to be made is for, or what it holds."""
_KINDS = word_set(
    "wh warehouse task stream pipe stage role user policy tag view mv share db database schema proc"
)
"""What the name of an object often says of its kind."""
_LIKENESS = 0.5
"""What it is worth that a target sounds more like an intent than another."""
_FOREIGN = frozenset({"§source-platform", "§dialect"})
"""Terms of the vocabulary by which a statement is somebody else's SQL."""
_MISSING = 2
"""By how many letters the length of a misspelt word may differ from the word that was meant."""


@dataclass(frozen=True, slots=True)
class HeardIntent:
    """An intent as routing understood it."""

    text: str
    """As it was said."""
    words: tuple[Word, ...]
    """In the order of speaking, misspelt ones corrected."""
    meanings: tuple[Subject, ...]
    """What its words are about, in the order of speaking."""
    clauses: tuple[Clause, ...]
    """In the order of speaking."""
    found: dict[str, float]
    """What all of its words speak for, by feature."""
    scores: list[float]
    """How much speaks for each target, by its place in the evidence."""
    firm: Sequence[float]
    """The same without what people said before: how sure it is what this is about."""
    speech: Speech
    """What the whole is: a request, a question, …."""
    corrected: tuple[tuple[str, str], ...] = ()
    """Words that were taken for misspelt, and what they were taken for."""
    turned_away: tuple[str, ...] = ()
    """Words that the speaker does not mean."""


def hear(intent: str, evidence: Evidence) -> HeardIntent:
    """Return an intent as routing understands it."""
    capitals = capitals_in(intent)
    said = tuple(_named(word, intent, capitals, evidence) for word in read_intent(intent))
    words = tuple(meant for word in said for meant in with_kind(word) or _meant(word, evidence))
    signs = negated_words(words)
    meanings = _weighed(words, signs, evidence)
    found = features(meanings)
    scores = evidence.score(found)
    _honour_names(scores, words, signs, evidence)
    _honour_kind(scores, words, evidence)
    for number in makers_of_named(words, evidence.makers):
        scores[number] += _NAMED_KIND
    speech = listen(words)
    if speech.names_object and not speech.wants_fact:
        _honour_offers(scores, words, signs, evidence)
    firm = tuple(scores)
    _weigh_likeness(scores, words, evidence)
    return HeardIntent(
        text=intent,
        words=words,
        meanings=tuple(meanings),
        clauses=split_clauses(words),
        found=found,
        scores=scores,
        firm=firm,
        speech=speech,
        corrected=tuple(
            (word.text, " ".join(meant.text for meant in _meant(word, evidence)))
            for word in said
            if not word.is_name and _meant(word, evidence) != (word,)
        ),
        turned_away=tuple(
            words[at].text
            for at, sign in sorted(signs.items())
            if sign < 0 and not words[at].is_function
        ),
    )


def _weighed(
    words: Sequence[Word], signs: Mapping[int, float], evidence: Evidence
) -> list[Subject]:
    """Return what the words are about; a statement that is quoted is another one's words.

    What it says counts only where it is to be said in another dialect.
    """
    described = description_in(words, evidence.makers)
    signs = {**dict.fromkeys(described, _DESCRIBED), **signs}
    end = quote_in(words)
    said = subjects(words[:end], evidence.lexicon, signs)
    if end == len(words) or not any(one.symbol in _FOREIGN for one in said):
        return said
    return subjects(words, evidence.lexicon, signs)


def _honour_names(
    scores: list[float], words: Sequence[Word], signs: Mapping[int, float], evidence: Evidence
) -> None:
    """Add what it is worth that a skill is called by its name, the more, the less else is said.

    `CLINIC.RAW.VISITS` says that there is a table, but does not call the skill about tables.
    """
    told = [
        word
        for at, word in enumerate(words)
        if not (word.is_mark or word.is_function or at in signs)
    ]
    said = {word.stem for word in told}
    called = {word.stem for word in told if not word.is_name}
    for number, target in enumerate(evidence.targets):
        if target.name and target.name <= called:
            scores[number] += _BY_NAME * len(target.name) / len(said)


def _honour_offers(
    scores: list[float], words: Sequence[Word], signs: Mapping[int, float], evidence: Evidence
) -> None:
    """Add what it is worth that a skill offers in these words to work on what is named.

    `drop CLINIC.RAW.VISITS` says "drop table".
    """
    said = frozenset(
        word.lemma
        for at, word in enumerate(words)
        if not (word.is_mark or at in signs or (word.is_name and word.is_function))
    )
    most: dict[int, int] = {}
    for offer in evidence.offers:
        length = offer.most_said(said)
        if length >= _FEWEST:
            most[offer.number] = max(length, most.get(offer.number, 0))
    for number, length in most.items():
        scores[number] += _OFFERED * length


def _honour_kind(scores: list[float], words: Sequence[Word], evidence: Evidence) -> None:
    """Add what it is worth that a skill makes what is to be made or is asked of."""
    for number in made_by(words, evidence.makers):
        scores[number] += _MADE


def score_clause(clause: Clause, evidence: Evidence) -> list[float]:
    """Return one score per target for a clause alone."""
    words = clause.words
    scores = evidence.score_part(features(subjects(words, evidence.lexicon, negated_words(words))))
    _honour_kind(scores, words, evidence)
    _weigh_likeness(scores, words, evidence)
    return scores


def _weigh_likeness(scores: list[float], words: Sequence[Word], evidence: Evidence) -> None:
    """Take from each target by how much less these words sound like it than like the closest.

    Nothing is added: what people said before tells targets apart and makes nobody surer.
    """
    alike = evidence.heard.likeness(words)
    most = max((alike.get(at, 0.0) for at, score in enumerate(scores) if score > 0), default=0.0)
    for number, score in enumerate(scores):
        if score > 0:
            scores[number] = score - _LIKENESS * (most - alike.get(number, 0.0))


def _named(word: Word, intent: str, capitals: frozenset[str], evidence: Evidence) -> Word:
    """Return a word as the name of an object where it is one by its form: `DAILY_REVENUE`.

    `WH_BI` and `LOAD_TASK` say of what kind they are, and stay words; a misspelt parameter is none.
    """
    is_form = "_" in word.text and word.text.upper() in intent and not word.is_name
    says_kind = not _KINDS.isdisjoint(word.text.split("_"))
    known = evidence.spelling
    is_known = word.stem in known.known or (is_form and known.nearest(word.stem) is not None)
    is_name = word.text in capitals
    return nameless(word.text) if is_name or (is_form and not (says_kind or is_known)) else word


def _meant(word: Word, evidence: Evidence) -> tuple[Word, ...]:
    """Return a word as it was meant: spelt right, or as the words that a name is made of.

    `wh_bi` and `load_task` are names that somebody gave; what they are called tells what they are.
    """
    if word.is_mark or word.is_function or word.stem in evidence.spelling.known:
        return (word,)
    near = evidence.spelling.nearest(word.stem)
    if near and abs(len(near) - len(word.text)) <= _MISSING:
        return read_words(near)
    parts = [part for part in word.text.split("_") if part.isalpha()]
    return read_words(" ".join(parts)) if len(parts) > 1 else (word,)
