"""Split an intent into clauses, each of which may hold a wish of its own.

Room: routing. Whether a clause does hold a wish is decided by its evidence, so splitting at a
joint that joins mere nouns costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skills_nb.routing.speech import is_wish, tells_circumstances
from skills_nb.routing.words import Word, word_set

_JOINTS = word_set("and then plus also but while afterwards finally next whereas before into")
"""Words that may begin a new wish."""
_CONTEXT = word_set(
    """because since if when as although though currently already unless until before with without
    using via by once while"""
)
"""A clause that begins so tells circumstances or the manner, not a wish."""
_SEQUENCE = word_set("then afterwards finally next later subsequently before")
_ADDING = word_set("plus then afterwards finally")
"""What begins so is one more result, even where no verb says it ("plus quality checks")."""
_CHECKING = word_set("check verify test confirm prove validate")
_FIRST = word_set("first firstly beforehand upfront")
_POINTING = word_set("it them they ones")
_DANGLING = 2
"""A clause with fewer subject words belongs to the next one ("classify and summarise reviews")."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of an intent, in the order of speaking."""

    words: tuple[Word, ...]
    is_context: bool = False
    """It tells circumstances; it supports a wish but is none."""
    is_wish: bool = False
    """By its grammar something is to be done or to be so."""
    points_back: bool = False
    """It speaks of `it` or `them`, which was said before."""
    checks: bool = False
    """It only wants to see that what was said before is right."""
    comes_first: bool = False
    """The speaker says that it has to be done first."""
    comes_later: bool = False
    """The speaker says that it has to be done after what was said before."""


def split_clauses(words: Sequence[Word]) -> tuple[Clause, ...]:
    """Return the clauses; every word that is no mark is in exactly one."""
    runs: list[list[Word]] = [[]]
    for word in words:
        if word.is_mark:
            runs.append([])
        elif word.text in _JOINTS:
            runs.append([word])
        else:
            runs[-1].append(word)
    return tuple(_clause(run) for run in _joined(run for run in runs if run))


def _joined(runs: Iterable[list[Word]]) -> list[list[Word]]:
    """Join what cannot stand alone with what follows it, or at the end with what precedes it."""
    joined: list[list[Word]] = []
    pending: list[Word] = []
    for run in runs:
        pending = pending + run
        if sum(_stands(word) for word in pending) >= _DANGLING:
            joined.append(pending)
            pending = []
    if pending and joined:
        joined[-1] = joined[-1] + pending
    elif pending:
        joined.append(pending)
    return joined


def _stands(word: Word) -> bool:
    return not word.is_function or word.text in _POINTING


def _clause(run: Sequence[Word]) -> Clause:
    texts = [word.text for word in run]
    return Clause(
        tuple(run),
        is_context=texts[0] in _CONTEXT or tells_circumstances(run),
        is_wish=is_wish(run) or texts[0] in _ADDING,
        points_back=not _POINTING.isdisjoint(texts[1:]),
        checks=_checks(texts),
        comes_first=not _FIRST.isdisjoint(texts),
        comes_later=not _SEQUENCE.isdisjoint(texts[:2]),
    )


def _checks(texts: Sequence[str]) -> bool:
    begin = texts[1:2] if texts[0] in ("and", "also") else texts[:1]
    return not _CHECKING.isdisjoint(begin)
