"""Find what a speaker turns away ("rows, not masking") or must not be ("but don't touch ORDERS").

Room: routing. Of what is turned away only contrast counts. That something does not work, or does
not exist, turns nothing away, and neither does whom a wish leaves out ("mask it, but not for
auditors").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing import phrases
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
