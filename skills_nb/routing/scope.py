"""Tell what is not ours: work inside other products, and requests of daily life.

Room: routing. The meta-router's options without a target name both; the library decides what is
outside, this module only how it is recognised:

1. The outside options have more evidence than any target.
2. An outside name is where the work happens ("in Power BI", or the name comes first), and the
   best target, or that of a part, knows nothing of that name. A name told as background of a wish
   ("our model was trained in SageMaker, register it here") is no such place.
3. Data or code are to leave Snowflake for another platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import pair
from skills_nb.routing.ranking import RankedTarget
from skills_nb.routing.understanding import HeardIntent
from skills_nb.routing.words import Word, read_words, stem, word_set

_OURS = re.compile(r"\bsnow(flake|sight|park|pipe|convert|sql)?\b|\bcortex\b|\bstreamlit\b")
_PLACE = word_set("in inside on within our my the an a your this")
_AWAY = re.compile(
    r"\b(convert|conver|migrat|mov|translat|transpil|port|switch|transfer|leav|replac)\w*\b[^,.;:!?]*"
    r"\bsnowflake\b(?: \w+){0,3} (?:to|into|with|for|by) (?P<where>\w+(?: \w+)?)|"
    r"\bfrom snowflake to (?P<other>\w+(?: \w+)?)"
)
_SOURCE = "§source-platform"
_MOVING = {"§move-over", "§dialect", "§old-system", *map(stem, ("move", "convert", "rewrite"))}
"""Who speaks of moving or rewriting wants to get away from the platform that is named."""
_FETCHED = re.compile(
    r"\b(?:pull|bring|get|take|carry|ship|haul|lift|move)\b(?: \w+){1,4} (?:over|across|off)\b"
    r"|\bcomes? (?:over|across|to us)\b|\bover here\b"
)
"""A verb and its particle with the platform between them ("pull the Exadata tables over")."""
_LONGEST_NAME = 3
_BESIDE = 3
"""So many words after a product its own object is named at the latest."""
_WHO = word_set("user users company people team supplier customer customers partner")
_BARE = 12.0
"""Evidence that a target needs beside the name of another platform."""


def out_of_scope(
    heard: HeardIntent,
    ranked: Sequence[RankedTarget],
    evidence: Evidence,
    parts: Sequence[RankedTarget] = (),
) -> str:
    """Return why an intent is not for this library, or an empty string.

    `parts` are the best targets of the wishes in it, where there are several.
    """
    plain = " ".join(word.text for word in heard.words if not word.is_mark)
    names_own = any(word.is_name for word in heard.words)
    if _leaves(" ".join(word.text for word in heard.words), evidence):
        return "Something is to leave Snowflake for another platform."
    if _OURS.search(plain):
        return ""
    reason = "" if names_own and ranked else _overruled(heard, ranked, evidence)
    if reason:
        return reason
    comes_over = not _MOVING.isdisjoint(heard.found) or bool(_FETCHED.search(plain))
    for name, place in _outside_names(heard.words, evidence):
        if comes_over and evidence.lexicon.at(name, 0):
            continue
        if (
            _is_background(name, heard)
            or _is_somebody(heard.words, place + len(name))
            or (names_own and not _holds(heard.words, place + len(name)))
        ):
            continue
        bests = (ranked[0], *parts)
        if _is_where(heard.words, place) and not any(
            _explains(name, best, heard, evidence) for best in bests
        ):
            said = " ".join(word.text for word in name)
            return f"The work is inside '{said}', which this library does not cover."
    return ""


def _overruled(heard: HeardIntent, ranked: Sequence[RankedTarget], evidence: Evidence) -> str:
    outside = [(heard.scores[at], at) for at, each in enumerate(evidence.targets) if not each.ref]
    score, number = max(outside, default=(0.0, -1))
    if number >= 0 and (not ranked or score > ranked[0].score):
        return f"This is about something else: {evidence.targets[number].description}."
    return ""


def _leaves(said: str, evidence: Evidence) -> bool:
    found = _AWAY.search(said)
    if found is None:
        return False
    there = found["where"] or found["other"]
    words = read_words(there)
    return any(True for _ in _outside_names(words, evidence))


def _outside_names(
    words: Sequence[Word], evidence: Evidence
) -> Iterator[tuple[Sequence[Word], int]]:
    """Yield every name of another product or platform, and where it begins."""
    for at in (at for at, word in enumerate(words) if not word.is_name):
        for length in range(_LONGEST_NAME, 0, -1):
            name = words[at : at + length]
            if len(name) == length and tuple(word.text for word in name) in evidence.outside:
                yield name, at
                break
        else:
            platform = evidence.lexicon.at(words, at)
            if platform is not None and platform[1] == _SOURCE:
                yield words[at : at + platform[0]], at


def _is_background(name: Sequence[Word], heard: HeardIntent) -> bool:
    """Tell whether a name is said only of how things are, while something else is wanted."""
    told = any(clause.is_context and set(name) <= set(clause.words) for clause in heard.clauses)
    return told and any(clause.is_wish and not clause.is_context for clause in heard.clauses)


def _is_somebody(words: Sequence[Word], after: int) -> bool:
    """Tell whether a name says who somebody is: "the Tableau user", "the printer company"."""
    return any(word.text in _WHO for word in words[after : after + 1])


def _holds(words: Sequence[Word], after: int) -> bool:
    """Tell whether a product holds the object that is named: "the MongoDB collection a.b.c"."""
    return any(word.is_name for word in words[after : after + _BESIDE])


def _is_where(words: Sequence[Word], place: int) -> bool:
    """Tell whether the name says where the work happens: it comes first, or after `in`."""
    before = [word for word in words[:place] if not word.is_mark]
    return all(word.is_function for word in before) or before[-1].text in _PLACE


def _explains(
    name: Sequence[Word], best: RankedTarget, heard: HeardIntent, evidence: Evidence
) -> bool:
    """Tell whether the best target has to do with the name, and with more than the name."""
    own = [word.stem for word in name if not word.is_function]
    pairs = [pair(one, other) for one, other in pairwise(own)]
    platform = [_SOURCE] if evidence.lexicon.at(name, 0) else []
    known = any(evidence.weight(each, best.number) for each in platform or pairs or own)
    said = sum(
        strength * evidence.weight(feature, best.number)
        for feature, strength in heard.found.items()
        if {*own, _SOURCE}.isdisjoint(feature.split(" "))
    )
    return known and said >= _BARE
