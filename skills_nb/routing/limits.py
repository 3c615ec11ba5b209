"""Where a clause turns from what is wished to what must not be: "mask it, but don't touch ORDERS".

Room: routing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing import phrases
from skills_nb.routing.words import Word, word_set

_LEADING = word_set("and but so please also just though then we you i should must")
"""What may stand before the limiting word at the head of a clause."""
_FORBIDDING = word_set("never not without except excluding exclude avoid skip leave")
_SHORTEST_SENTENCE = 3
_INSIDE = word_set("without except excluding")
"""These limit what was said before them, wherever they stand."""
_UNTIL = word_set("until unless before")
"""What holds until something else is so is an order of things, no limit."""
_NO_MORE = re.compile(r"\b(?:nothing (?:else|more|beyond)|(?:not|no) more (?:\w+ )?than)\b")
"""Who may see "nothing else" is kept to what was said before."""
_KEPT = re.compile(
    r"^keep (?:the|its|their|all|existing|old|every) (?:\w+ ){0,2}\w+$(?<!fresh)(?<!current)"
    r"(?<!date)(?<!sync)(?<!safe)(?<!secret)(?<!hidden)(?<!private)(?<!secure)"
)
"""What is to stay as it is beside a change: "move the table and keep the grants"."""
_LEFT = word_set("alone out untouched unchanged")
"""With `leave` these forbid; "leave the data in S3" does not."""


def limit_in(words: Sequence[Word]) -> int | None:
    """Return where in a clause begins what must not be done or is left out, or None."""
    texts = [word.text for word in words]
    start = _start(texts)
    if _forbids(texts[start:]):
        return start
    return next((at for at, text in enumerate(texts) if at and text in _INSIDE), None)


def is_limit(words: Sequence[Word]) -> bool:
    """Tell whether a clause says nothing else than what must not be done or is left out."""
    texts = [word.text for word in words]
    rest = texts[_start(texts) :]
    is_kept = rest[:1] and rest[0] not in phrases.WORK and _NO_MORE.search(" ".join(rest))
    stays = texts[0] in ("and", "but") and _KEPT.search(" ".join(rest))
    return _forbids(rest) or bool(is_kept or stays)


def _start(texts: Sequence[str]) -> int:
    return next((at for at, text in enumerate(texts) if text not in _LEADING), len(texts))


def _forbids(texts: Sequence[str]) -> bool:
    if len(texts) < 2 or not _UNTIL.isdisjoint(texts):
        return False
    if texts[0] in ("do", "does", "must", "should", "can") and texts[1] == "not":
        return len(texts) > 2
    if texts[0] == "no":
        # "No copy" is a limit; "no share goes out until …" is an order of things.
        return len(texts) <= _SHORTEST_SENTENCE
    if texts[0] == "leave":
        return not _LEFT.isdisjoint(texts)
    return texts[0] in _FORBIDDING
