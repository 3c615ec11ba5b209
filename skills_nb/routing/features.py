"""Find what a run of words is about: stems, terms of the vocabulary, and words that stand close.

Room: routing. A feature is a string: a stem, `§term` for a term of the controlled vocabulary, or
two of these joined by a blank (alphabetical, so that word order does not matter).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skills_nb.routing.constructions import ONLY_SOME, constructions
from skills_nb.routing.speech_acts import brings
from skills_nb.routing.words import Word, read_lines

_REACH = 3
"""How many subject words apart two words may stand and still be a pair."""
_COVERED = 0.5
"""What a stem counts beside the term that covers it."""


_ERROR_NUMBER = 4
"""Digits that the number of an error has at least."""
_OUTSIDE = "§cloud-storage"
"""The vocabulary's term for places outside that files come from or go to."""
TO_OUTSIDE = "§to-outside"
_DIRECTIONS = {"from": "§from-outside", "to": TO_OUTSIDE, "into": TO_OUTSIDE}
_OTHERS = frozenset({"their", "his", "her"})
"""What is put into somebody else's place leaves ours."""
_INSIDE = frozenset({"in", "under", "at", "of"})
_STORING = frozenset({"save", "store", "put", "write", "archive"})
"""What the speaker wants stored in a place outside goes there; what others store, comes from it."""
_PLACED = frozenset({"in", "on", "onto", "at"})
_FILLERS = frozenset({"and", "then", "please", "also", "the", "our", "all"})
_GIVING = frozenset({"give", "send", "show", "hand"})
_SPEAKER = frozenset({"me", "us"})
_NOBODYS = _SPEAKER | {"ai", "llm", "gpt", "claude", "cortex", "snowflake"}
"""Who is let do something, but is given no right by it."""
_LET, _ALLOW, _GRANT = "let", "allow", "§grant"
"""Who is let do something and has a name in the account is a role or a user: that is a grant."""
_SOURCE = 0.4
"""What the stage counts that files come from: they are what is to be moved."""
_STAGE = "stag"
"""Stem of the word that the name of a stage is read as."""
_USES = frozenset({"read", "see", "query", "select", "use", "access", "view", "write"})
"""What somebody is let do with data."""
_HOLDERS = frozenset({"role", "roles", "user", "users"})
_CHANGES = frozenset(
    {"create", "insert", "update", "delete", "truncate", "drop", "run", "execute", "operate"}
)
"""What a role is let do besides; "let the task delete old rows" gives nobody a right."""
_NOBODY = "§nobody"
"""The vocabulary's term, which mostly tells of what lies unused."""


_Phrases = Sequence[tuple[tuple[str, ...], str]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases that the controlled vocabulary knows, by the lemmas of their first two words."""

    phrases: Mapping[str, Mapping[str, _Phrases]] = field(default_factory=dict)
    """Longest first; a phrase of one word stands under an empty second."""

    def at(self, words: Sequence[Word], start: int) -> tuple[int, str] | None:
        """Return length and term of the longest phrase that begins there, or None.

        A word of grammar alone is no phrase, though `not` may look like `notes`.
        """
        seconds = self.phrases.get(words[start].lemma)
        if seconds is None:
            return None
        second = words[start + 1].lemma if start + 1 < len(words) else ""
        for lemmas, term in seconds.get(second, ()) if second else ():
            length = len(lemmas)
            if lemmas == tuple(word.lemma for word in words[start : start + length]):
                return length, term
        alone = None if words[start].is_function else seconds.get("")
        return (1, alone[0][1]) if alone else None


def build_lexicon(synonyms: Mapping[str, str]) -> Lexicon:
    """Index the vocabulary's phrases; every term stands for itself too."""
    known = {**{term: term for term in synonyms.values()}, **synonyms}
    found: dict[str, dict[str, dict[tuple[str, ...], str]]] = {}
    for words, term in zip(read_lines(known), known.values(), strict=True):
        lemmas = tuple(word.lemma for word in words if not word.is_mark)
        if lemmas:
            second = lemmas[1] if len(lemmas) > 1 else ""
            same = found.setdefault(lemmas[0], {}).setdefault(second, {})
            same[lemmas] = "§" + term.replace(" ", "-")
    return Lexicon(
        {
            first: {
                second: sorted(phrases.items(), key=lambda item: (-len(item[0]), item))
                for second, phrases in seconds.items()
            }
            for first, seconds in found.items()
        }
    )


class Subject(NamedTuple):
    """A word or phrase that carries meaning, and whether the speaker turns it away."""

    symbol: str
    """Its term, or else its stem."""
    stems: tuple[str, ...]
    """Of its words, in the order of speaking; one where no phrase of the vocabulary was said."""
    sign: float = 1.0
    """1; below zero where the speaker says that it is not this."""
    direction: str = ""
    """For a place outside, a feature that tells whether things come from there or go there."""


def subjects(
    words: Sequence[Word], lexicon: Lexicon, signs: Mapping[int, float] | None = None
) -> list[Subject]:
    """Return the words that carry meaning, phrases of the vocabulary as one.

    `signs` are the positions that the speaker turns away, and what they count then.
    """
    signs = signs or {}
    found: list[Subject] = []
    at = 0
    while at < len(words):
        hit = lexicon.at(words, at)
        built = [*constructions(words, at)]
        length, sign = 1, signs.get(at, 1.0) if signs else 1.0
        found += [Subject(symbol, (symbol,), sign) for symbol in built]
        if ONLY_SOME in built and hit is not None and hit[1] == _NOBODY:
            length = hit[0]
        elif hit is not None:
            length, term = hit
            stems = tuple(w.stem for w in words[at : at + length] if not w.is_function)
            direction = _direction(words, at) if term == _OUTSIDE else ""
            found.append(Subject(term, stems, sign, direction))
        elif _is_place_of_files(words[at]):
            begin = at
            while begin and words[begin - 1].is_name:
                begin -= 1
            direction = _direction(words, begin) or _leads(words, begin)
            worth = sign * (_SOURCE if direction == _DIRECTIONS["from"] else 1.0)
            found.append(Subject(words[at].stem, (words[at].stem,), worth, direction))
        elif _is_permission(words, at):
            allowed = _GRANT if words[at + 1].is_name else _ALLOW
            found.append(Subject(allowed, (_ALLOW,), sign))
        elif _says_something(words[at]) and not _is_for_speaker(words, at):
            found.append(Subject(words[at].stem, (words[at].stem,), sign))
        at += length
    return found


def _direction(words: Sequence[Word], at: int) -> str:
    """Return whether things come from the place at this position or go there, if it is said.

    What comes from a bucket is loaded and what goes to it is unloaded, whichever verb is used. What
    others bring there ("the scanners dump a csv into S3") is to be fetched.
    """
    said = _sentence(words, at)
    for word in reversed(said[-_REACH:]):
        if word.text in _DIRECTIONS:
            is_brought = word.text != "from" and brings([word.text for word in said])
            return _DIRECTIONS["from" if is_brought else word.text]
        if word.text in _OTHERS:
            return _DIRECTIONS["to"]
        if word.text in _PLACED and _is_to_be_stored(said):
            return _DIRECTIONS["to"]
    return ""


def _sentence(words: Sequence[Word], at: int) -> Sequence[Word]:
    """Return the words before a position, back to the last mark; "sftp -> S3" has none."""
    begin = at
    while begin and not (words[begin - 1].is_mark and words[begin].text != "to"):
        begin -= 1
    return [word for word in words[begin:at] if not word.is_mark]


def _is_to_be_stored(said: Sequence[Word]) -> bool:
    """Tell whether it begins with a verb of storing: "save the old logs on S3"."""
    first = next((word.text for word in said if word.text not in _FILLERS), "")
    return first in _STORING


def _is_place_of_files(word: Word) -> bool:
    """Tell whether a word is the name of a stage: `@SHOP.IN.FILES`."""
    return word.is_name and word.stem == _STAGE


def _leads(words: Sequence[Word], at: int) -> str:
    """Return that files come out of a stage where they go on into a table that is said after it."""
    before = [word.text for word in words[max(0, at - _REACH) : at]]
    after = [word.text for word in words[at + 1 :]]
    into = "into" in after and "stage" not in after
    return _DIRECTIONS["from"] if into and not _INSIDE.isdisjoint(before) else ""


def _is_for_speaker(words: Sequence[Word], at: int) -> bool:
    """Tell whether a word only asks for an answer: "give me a report" gives nothing away."""
    said_to = words[at + 1].text if at + 1 < len(words) else ""
    return words[at].text in _GIVING and said_to in _SPEAKER


def _is_permission(words: Sequence[Word], at: int) -> bool:
    """Tell whether somebody is let do something with data: `let the nurses read the table`.

    "Let me see" and "let's see" let nobody: somebody must stand between.
    """
    if words[at].text != _LET or at + 2 >= len(words) or words[at + 1].text in _NOBODYS:
        return False
    used = _USES | _CHANGES if words[at + 1].text in _HOLDERS else _USES
    return any(word.text in used for word in words[at + 2 : at + 2 + _REACH])


def _says_something(word: Word) -> bool:
    """Tell whether a word carries meaning; a short number is anybody's, a long one an error's."""
    if word.is_mark or word.is_function:
        return False
    return not word.text.isdigit() or len(word.text) >= _ERROR_NUMBER


def features(meanings: Sequence[Subject]) -> dict[str, float]:
    """Return each feature with its strength; what is turned away counts against."""
    counted: dict[str, float] = {}
    for at, one in enumerate(meanings):
        _keep(counted, one.symbol, one.sign)
        if one.direction:
            _keep(counted, one.direction, one.sign)
        if one.symbol[0] == "§":
            for stem in one.stems:
                _keep(counted, stem, _COVERED * one.sign)
        for other in meanings[at + 1 : at + 1 + _REACH]:
            if other.symbol != one.symbol:
                _keep(counted, pair(one.symbol, other.symbol), min(one.sign, other.sign))
    return counted


def pair(one: str, other: str) -> str:
    """Return the feature of two meanings that stand close."""
    return f"{one} {other}" if one < other else f"{other} {one}"


def _keep(counted: dict[str, float], name: str, strength: float) -> None:
    before = counted.get(name)
    if before is None or abs(strength) > abs(before):
        counted[name] = strength
