"""Whether how many rows a statement changes is left to chance, so that trying it tells nothing.

Room: sql. Source: the manual's "Data generation functions" and SAMPLE.
"""

from __future__ import annotations

from skills_nb.sql.tokens import tokenize

_CHANCE = frozenset({"RANDOM", "UNIFORM", "NORMAL", "ZIPF", "RANDSTR", "UUID_STRING"})
_SAMPLE = frozenset({"SAMPLE", "TABLESAMPLE"})
_CHOICE = frozenset({"WHERE", "ON", "HAVING", "QUALIFY", "WHEN", "IF", "LIMIT", "DISTINCT"})


def makes_chance(sql: str) -> bool:
    """Return whether a text makes values that are others each time."""
    return not _words(sql).isdisjoint(_CHANCE | _SAMPLE)


def chooses(sql: str) -> bool:
    """Return whether a text picks rows by their values."""
    return not _words(sql).isdisjoint(_CHOICE)


def is_left_to_chance(sql: str) -> bool:
    """Return whether another try may be about other rows: by a sample, or by values of chance."""
    words = _words(sql)
    is_drawn = not words.isdisjoint(_CHANCE) and not words.isdisjoint(_CHOICE)
    return is_drawn or not words.isdisjoint(_SAMPLE)


def _words(sql: str) -> frozenset[str]:
    """Return the words of a text, those inside its strings among them: a block may run them."""
    found: set[str] = set()
    for token in tokenize(sql):
        inside = tokenize(token.value) if " " in token.value else ()
        found.update(one.word for one in (token, *inside))
    return frozenset(found)
