"""Split an intent into clauses, and find what its speaker turns away.

Room: routing. A clause is a stretch of words that may hold a wish of its own; whether it does is
decided by its evidence, so splitting too often costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.routing.words import Word

_JOINTS = frozenset(
    """and then plus also but while afterwards with where so which that because since
    finally next whereas""".split()
)
"""Words that may begin a new wish."""
_CONTEXT = frozenset("because since if when as although though currently already unless".split())
"""A clause that begins so tells circumstances, not a wish."""
_SEQUENCE = frozenset("then afterwards finally next later subsequently".split())
_FIRST = frozenset("first firstly beforehand upfront".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of an intent, in the order of speaking."""

    words: tuple[Word, ...]
    is_context: bool = False
    """It tells circumstances; it supports a wish but is none."""
    comes_first: bool = False
    """The speaker says that it has to be done first."""
    comes_later: bool = False
    """The speaker says that it has to be done after what was said before."""


def split_clauses(words: Sequence[Word]) -> tuple[Clause, ...]:
    """Return the clauses; every word that is no mark is in exactly one."""
    clauses: list[Clause] = []
    run: list[Word] = []
    for word in words:
        if word.is_mark or word.text in _JOINTS:
            clauses += _clause(run)
            run = [] if word.is_mark else [word]
        else:
            run.append(word)
    return (*clauses, *_clause(run))


def _clause(run: Sequence[Word]) -> list[Clause]:
    texts = [word.text for word in run]
    if not any(not word.is_function for word in run):
        return []
    return [
        Clause(
            tuple(run),
            is_context=texts[0] in _CONTEXT,
            comes_first=not _FIRST.isdisjoint(texts),
            comes_later=not _SEQUENCE.isdisjoint(texts[:2]),
        )
    ]
