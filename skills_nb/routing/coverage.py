"""What an answer leaves out: wishes that no target of it knows anything of, and what is forbidden.

Room: routing. Every clause of an intent is a matter of one of the targets, or it is told as not
covered; what begins with `don't`, `never`, `without` or `except` is no wish but a limit to one.
Spec: Cross-domain execution (decomposition of an intent).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills_nb.routing.clauses import Clause, runs_of
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.features import features, subjects
from skills_nb.routing.negation import limit_in
from skills_nb.routing.ranking import RankedTarget
from skills_nb.routing.understanding import HeardIntent
from skills_nb.routing.words import Word, word_set

_PART = 0.35
"""Which part of what is known of a clause its target must know, for the clause to be its matter."""
_PART_OF_LOSS = 0.9
"""The same for a wish after which something is gone."""
_LOSING = word_set("delete drop remove truncate purge erase wipe archive clean")
_ABOUT = word_set(
    "for in on at by with from to of as per via during within under over across due because about"
)
"""What begins with these tells circumstances of what is said beside it."""
_JOINTS = word_set("and or then plus also but so please next afterwards finally too")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a person should know of an answer before it is followed; in the person's words."""

    not_covered: tuple[str, ...] = ()
    """Wishes that nothing of the answer meets, in the order of speaking."""
    limits: tuple[str, ...] = ()
    """What must not be done, or whom or what a wish leaves out."""


def coverage_of(heard: HeardIntent, chosen: Sequence[RankedTarget], evidence: Evidence) -> Coverage:
    """Return what targets leave out of what was said."""
    limits = tuple(dict.fromkeys(_limits(heard)))
    if heard.speech.wants_fact:
        return Coverage((), limits)
    numbers = [one.number for one in chosen]
    # A single wish is what the targets were chosen for: nothing stands beside it.
    beside = heard.clauses if len(heard.clauses) > 1 else ()
    left = [clause.words for clause in beside if _is_left_out(clause, numbers, evidence)]
    domains = {one.domain for one in chosen}
    left += [run for run in _single(heard, left) if _is_elsewhere(run, numbers, domains, evidence)]
    ordered = sorted(left, key=lambda words: _place(heard.words, words))
    said = (original_words(heard.text, _without_joints(words)) for words in ordered)
    return Coverage(tuple(dict.fromkeys(filter(None, said))), limits)


def _limits(heard: HeardIntent) -> Iterator[str]:
    for clause in heard.clauses:
        at = limit_in(clause.words)
        if at is not None:
            yield original_words(heard.text, clause.words[at:])


def _is_left_out(clause: Clause, numbers: Sequence[int], evidence: Evidence) -> bool:
    at = limit_in(clause.words)
    words = clause.words if at is None else clause.words[:at]
    rest = _without_joints(words)
    if clause.is_context or clause.says_nothing or not rest:
        return False
    if not clause.is_wish and rest[0].text in _ABOUT:
        return False
    return bool(subjects(words, evidence.lexicon)) and not _is_met(words, numbers, evidence)


def _is_met(words: Sequence[Word], numbers: Sequence[int], evidence: Evidence) -> bool:
    """Tell whether one of the targets knows what words are about, about as well as any."""
    scores = evidence.score_part(features(subjects(words, evidence.lexicon)))
    mine = max((scores[number] for number in numbers), default=0.0)
    part = _PART_OF_LOSS if _loses(words) else _PART
    best = max(range(len(scores)), key=scores.__getitem__)
    # What is best explained by something that is no matter of the library is not met at all.
    is_ours = bool(evidence.targets[best].ref) or mine >= scores[best]
    return mine > 0 and is_ours and mine >= part * scores[best]


def _loses(words: Sequence[Word]) -> bool:
    """Tell a wish after which something is gone: it is never taken for a part of another one."""
    rest = _without_joints(words)
    return bool(rest) and rest[0].text in _LOSING


def _single(heard: HeardIntent, left: Sequence[Sequence[Word]]) -> Iterator[tuple[Word, ...]]:
    """Yield single words between marks, as in "tables, masking, sharing"."""
    told = {id(word) for words in left for word in words}
    for run in runs_of(heard.words):
        said = [word for word in run if not word.is_function]
        if len(said) == 1 and not any(id(word) in told for word in run):
            yield tuple(run)


def _is_elsewhere(
    run: Sequence[Word], numbers: Sequence[int], domains: set[str], evidence: Evidence
) -> bool:
    """Tell whether a word names a domain in which nothing is done."""
    named = evidence.named_domains(features(subjects(run, evidence.lexicon)))
    return bool(named) and named.isdisjoint(domains) and not _is_met(run, numbers, evidence)


def _place(words: Sequence[Word], part: Sequence[Word]) -> int:
    return next((at for at, word in enumerate(words) if word is part[0]), 0)


def _without_joints(words: Sequence[Word]) -> tuple[Word, ...]:
    at = 0
    while at < len(words) and words[at].text in _JOINTS:
        at += 1
    return tuple(words[at:])


def said_apart(text: str, words: Sequence[Word]) -> str:
    """Return a clause as it stands in a text, without the joints before it; empty if unknown.

    Names keep their quotes and dots: only what is found as it was written is returned.
    """
    rest = _without_joints(words)
    return _found(text, rest) if rest else ""


def original_words(text: str, words: Sequence[Word]) -> str:
    """Return the stretch of a text that words were read from, else the words themselves."""
    plain = [word.text for word in words]
    return _found(text, words) or " ".join(plain)


def _found(text: str, words: Sequence[Word]) -> str:
    plain = [word.text for word in words]
    if not plain:
        return ""
    pattern = r"[\W_]+".join(re.escape(word) for word in plain)
    pattern = pattern.replace(r"do[\W_]+not", r"(?:do\W+not|don\W?t)")
    pattern = pattern.replace(r"can[\W_]+not", r"(?:can\W*not|can\W?t)")
    found = re.search(rf'(?<!\w)"?{pattern}(?!\w)"?', text, re.IGNORECASE)
    return " ".join(found[0].split()) if found is not None else ""
