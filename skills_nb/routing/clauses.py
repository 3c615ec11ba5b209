"""Split an intent into clauses, each of which may hold a wish of its own.

Room: routing. Whether a clause does hold a wish is decided by its evidence, so splitting at a
joint that joins mere nouns costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from skills_nb.routing import phrases
from skills_nb.routing.asides import is_aside, quote_in
from skills_nb.routing.negation import is_limit
from skills_nb.routing.speech_acts import is_wish, says_nothing, tells_circumstances
from skills_nb.routing.timing import read_timing, tells_time
from skills_nb.routing.words import ONE_BY_ONE, Word, word_set

_JOINTS = word_set(
    "and then plus also but though although while afterwards finally next whereas before into"
)
"""Words that may begin a new wish."""
_CONTEXT = word_set(
    """because since if when as although though currently already unless until before with without
    using via by once while"""
)
"""A clause that begins so tells circumstances or the manner, not a wish."""
_SEQUENCE = word_set("then afterwards finally next later subsequently before")
_ADDING = word_set("plus then next afterwards finally")
"""What begins so is one more result, even where no verb says it ("plus quality checks")."""
_CHECKING = word_set("check verify test confirm prove validate")
_KEEPS_INFORMED = re.compile(
    r"^(?:(?:and|then|please) )*(?:(?:tell|show|warn|inform) (?:me|us)|let (?:me|us) know)\b"
)
_TRIAL = re.compile(
    r"(?:(?:but|and|please|so|then|just|only) )*(?:try|test|do|run)(?: (?:it|this|that|them|out))*"
    r" (?:on|with|for) (?:(?:an?|the|just|only|one|our) )*"
    r"(?:few|some|couple|handful|sample|subset|clone|copy|first|two|three|ten|hundred|\d+)\b"
)
"""Who tries on a few rows or on a clone first says how, and wants nothing more."""
_FIRST = word_set("first firstly beforehand upfront")
_POINTING = word_set("it them they ones")
_REASONS = word_set("it they")
"""Who tells how "it" is gives a reason for what was said ("stop it, it costs money")."""
_RELATIVE, _MODAL = word_set("where which who that"), word_set("can could may should will must")
_DEMONSTRATIVE = word_set("that this those these")
_AFTER = word_set("after once when")
"""What is said with these has to be so before the rest."""
_SPEAKERS = word_set("i we please")
_BEGINNING = 8
"""Within so many words a speaker says that several wishes follow."""
_COUNTED = word_set("two three four five several")
_ONE_MORE = frozenset((joint, article) for joint in ("and", "plus") for article in ("a", "an"))
"""A run that begins so names one thing more, for which a single noun is enough."""
_WISHES = word_set("thing things wish wishes job jobs topics tasks points requests items")
_DANGLING = 2
"""A clause with fewer subject words belongs to the next one ("classify and summarise reviews")."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of an intent."""

    words: tuple[Word, ...]
    """In the order of speaking."""
    is_context: bool = False
    """It tells circumstances; it supports a wish but is none."""
    is_wish: bool = False
    """By its grammar something is to be done or to be so."""
    says_nothing: bool = False
    """Its words could be about anything ("look into it")."""
    points_back: bool = False
    """It speaks of `it` or `them`, which was said before."""
    checks: bool = False
    """It only wants to see that what was said before is right."""
    comes_first: bool = False
    """The speaker says that it has to be done first."""
    comes_later: bool = False
    """The speaker says that it has to be done after what was said before."""
    comes_before: bool = False
    """The speaker says that it has to be done before what was said before."""
    is_limit: bool = False
    """It says what must not be done, or what is left out of a wish."""
    awaits: bool = False
    """It is said with `before`: it waits for what else is said, even what is said after it."""

    @property
    def is_timed(self) -> bool:
        """Whether the speaker says when it has to be done."""
        said = self.comes_first or self.comes_later or self.comes_before
        return said and not self.is_context


def split_clauses(words: Sequence[Word]) -> tuple[Clause, ...]:
    """Return the clauses in the order of doing, as far as one is said.

    Every word that is no mark is in exactly one.
    """
    end = quote_in(words)
    quoted = tuple(word for word in words[end:] if not word.is_mark)
    words = words[:end]
    runs = runs_of(words)
    listed = _is_list(words, runs)
    joined = _joined(runs, listed=listed)
    is_listed = listed or _counts_wishes(words)
    clauses = [_clause(run, is_listed=is_listed, begins=not at) for at, run in enumerate(joined)]
    if quoted:
        clauses.append(Clause(quoted, says_nothing=True))
    return _in_order_of_doing([*_pointing_back(clauses)])


def _pointing_back(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses; one that says "that history" of a history told before points back."""
    told: set[str] = set()
    for clause in clauses:
        again = any(
            one.text in _DEMONSTRATIVE and not other.is_function and other.stem in told
            for one, other in pairwise(clause.words)
        )
        yield replace(clause, points_back=True) if again else clause
        told |= {word.stem for word in clause.words if not word.is_function}


def _counts_wishes(words: Sequence[Word]) -> bool:
    """Tell whether a speaker says that several wishes follow: "two things: …"."""
    texts = [word.text for word in words[:_BEGINNING]]
    return any(one in _COUNTED and other in _WISHES for one, other in pairwise(texts))


def _is_list(words: Sequence[Word], runs: Sequence[Sequence[Word]]) -> bool:
    """Tell whether stages are listed: "kafka -> table -> agent", "load, mask, in that order"."""
    leads_on = sum(run[0].text == "to" for run in runs) >= _DANGLING
    return leads_on or ONE_BY_ONE in " ".join(word.text for word in words)


def runs_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words between marks and joints, in the order of speaking."""
    runs: list[list[Word]] = [[]]
    for at, word in enumerate(words):
        if word.is_mark:
            runs.append([])
        elif _opens(words, at) or _returns(runs[-1], word):
            runs.append([word])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]


def _opens(words: Sequence[Word], at: int) -> bool:
    """Tell whether a word may begin a new wish; "but not for them" belongs to the one before."""
    if words[at].text == "and" and _goes_on(words, at):
        return False
    if words[at].text in _JOINTS:
        if words[at].text == "afterwards" and (at + 1 == len(words) or words[at + 1].is_mark):
            return False
        after = words[at + 1].text if at + 1 < len(words) else ""
        return after != "not" and not (words[at].text == "into" and after == "snowflake")
    return tells_time(words, at)


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Tell whether a relative clause has one verb more: "a page where I pick one and see all"."""
    before = [*takewhile(lambda word: not word.is_mark, reversed(words[:at]))]
    said = [word.text for word in before]
    place = next((place for place, text in enumerate(said) if text in _RELATIVE), None)
    after = words[at + 1].text if at + 1 < len(words) else ""
    if place is None:
        return False
    verb = after in phrases.WORK | {"see", "read"} and not _MODAL.isdisjoint(said[:place])
    return verb or (after[-1:] == "s" and after[:-1] in phrases.WORK - phrases.ALSO_NOUNS)


def _returns(run: Sequence[Word], word: Word) -> bool:
    """Tell whether a speaker who began with the time comes to the point: "after the audit we"."""
    began = bool(run) and run[0].text in _AFTER | {"before"} and word.text in _SPEAKERS
    return began and sum(not each.is_function for each in run) >= _DANGLING


def _in_order_of_doing(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Put what is said to go before the rest in its place: "share it, but before that mask it"."""
    ordered: list[Clause] = []
    waiting: list[Clause] = []
    for clause in clauses:
        if clause.awaits and not ordered:
            waiting.append(clause)
        elif clause.comes_before and ordered:
            ordered[-1:] = [clause, replace(ordered[-1], comes_later=True)]
        else:
            ordered.append(clause)
            ordered += waiting
            waiting = []
    return (*ordered, *waiting)


def _joined(runs: Sequence[list[Word]], *, listed: bool) -> list[list[Word]]:
    """Join what cannot stand alone with what follows it, or at the end with what precedes it.

    Where wishes are listed ("kafka -> table -> agent"), a single word stands alone.
    """
    joined: list[list[Word]] = []
    pending: list[Word] = []
    enough = 1 if listed else _DANGLING
    for run in runs:
        pending = pending + run
        if sum(_stands(word) for word in pending) >= (1 if _is_thing(pending) else enough):
            joined.append(pending)
            pending = []
    alone = bool(pending) and not pending[0].is_function and any(map(_stands, pending))
    if joined and not alone:
        joined[-1] = joined[-1] + pending
    elif pending:
        joined.append(pending)
    return joined


def _is_thing(run: Sequence[Word]) -> bool:
    """Tell whether a run names one thing that is to be made: "and a dashboard"."""
    texts = tuple(word.text for word in run[:2])
    return texts in _ONE_MORE


def _stands(word: Word) -> bool:
    return not word.is_function or word.is_name or word.text in _POINTING


def _clause(run: Sequence[Word], *, is_listed: bool, begins: bool) -> Clause:
    timing = read_timing(run)
    rest = run[timing.skipped :]
    texts = [word.text for word in run]
    opening = rest[0].text
    is_trial = bool(_TRIAL.match(" ".join(texts)))
    first = not (is_trial or _FIRST.isdisjoint(texts))
    told = opening in _CONTEXT or tells_circumstances(rest)
    return Clause(
        tuple(run),
        is_context=timing.is_condition or (told and not timing.is_wish),
        is_wish=not is_trial
        and (timing.is_wish or first or is_listed or is_wish(rest) or opening in _ADDING),
        says_nothing=is_trial
        or (told and opening in _REASONS)
        or says_nothing(run)
        or is_aside(run, begins=begins),
        is_limit=is_limit(run),
        points_back=not _POINTING.isdisjoint(texts[1:]),
        checks=_checks(texts),
        comes_first=first,
        comes_later=timing.goes_after
        or not (timing.goes_before or _SEQUENCE.isdisjoint(texts[:2])),
        comes_before=timing.goes_before or (opening in _AFTER and not timing.is_wish),
        awaits=timing.awaits or opening == "before",
    )


def _checks(texts: Sequence[str]) -> bool:
    if _KEEPS_INFORMED.search(" ".join(texts)):
        return True
    begin = texts[1:2] if texts[0] in ("and", "also") else texts[:1]
    return not _CHECKING.isdisjoint(begin)
