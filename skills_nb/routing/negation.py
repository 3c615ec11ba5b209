"""Find what a speaker turns away: "rows, not masking", "instead of a batch".

Room: routing. Only contrast counts. That something does not work, or does not exist, turns
nothing away, and neither does whom a wish leaves out ("mask it, but not for auditors").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing.words import Word, word_set

_REACH = 4
"""How many words after the turning word are turned away."""
_REFUSED, _REPLACED = -0.6, 0.3
"""What a word counts that is not wanted, or that is to give way to something else. The latter
still tells what the matter is about."""
_BREAKS = word_set("but just only and")
_SPOILT = word_set(
    "bad broken invalid wrong corrupt faulty malformed duplicate header headers empty"
)
"""Rows that nobody wants: who skips them says what is to happen to them."""
_EXEMPTING = word_set("for to by in on if when")
"""After `not` or `except` they begin whom or what a wish leaves out; the wish itself stands."""


_NEEDLESS = re.compile(
    r"^no (?:\w+ ){1,4}(?:needed|required|necessary)$"
    r"|\b(?:not|never) (?:important|needed|required|necessary|relevant)$|\birrelevant$"
    r"|\bdoes not matter$"
)
"""A part that ends so says what is not asked for ("no UI needed")."""


def negated_words(words: Sequence[Word]) -> dict[int, float]:
    """Return the positions of the words that the speaker does not mean, and what they count."""
    away = _needless(words)
    for at in range(len(words)):
        length, sign = _contrast(words, at)
        if length:
            away.update(dict.fromkeys(_scope(words, at + length), sign))
    return away


def _needless(words: Sequence[Word]) -> dict[int, float]:
    """Return the positions of the parts that say what is not asked for."""
    away: dict[int, float] = {}
    start = 0
    for end in [*(at for at, word in enumerate(words) if word.is_mark), len(words)]:
        if _NEEDLESS.search(" ".join(word.text for word in words[start:end])):
            away.update(dict.fromkeys(range(start, end), _REFUSED))
        start = end + 1
    return away


def _contrast(words: Sequence[Word], at: int) -> tuple[int, float]:
    """Return how many words the turning phrase has (0 where it turns nothing away) and its sign."""
    text = words[at].text
    after = words[at + 1].text if at + 1 < len(words) else ""
    if (text, after) in (("instead", "of"), ("rather", "than")):
        return 2, _REPLACED
    if after in _EXEMPTING:
        return 0, 0.0
    if text == "not":
        before = words[at - 1] if at else None
        alone = before is None or before.is_mark or before.text in _BREAKS
        forbids = before is not None and before.text == "do" and _begins(words, at - 1)
        return (1, _REFUSED) if alone or forbids else (0, 0.0)
    if text == "skip" and after in _SPOILT:
        return 0, 0.0
    return (1, _REFUSED) if text in ("skip", "except") and _begins(words, at) else (0, 0.0)


def _begins(words: Sequence[Word], at: int) -> bool:
    return at == 0 or words[at - 1].is_mark or words[at - 1].text in ("and", "but", "so", "please")


def _scope(words: Sequence[Word], start: int) -> range:
    end = start
    while end < len(words) and end < start + _REACH:
        if words[end].is_mark or words[end].text in _BREAKS:
            break
        end += 1
    return range(start, end)
