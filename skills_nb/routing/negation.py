"""Find what a speaker turns away: "rows, not masking", "instead of a batch".

Room: routing. Only contrast counts. That something does not work, or does not exist, turns
nothing away.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.routing.words import Word

_REACH = 4
"""How many words after the turning word are turned away."""
_REPORTING = frozenset(
    "do does did is are was were can could would will has have had be should must may".split()
)
"""Before `not`, these make a report; at the beginning of a clause `do not` makes a contrast."""


def turned_away(words: Sequence[Word]) -> frozenset[int]:
    """Return the positions of the words that the speaker does not mean."""
    away: set[int] = set()
    for at, word in enumerate(words):
        length = _contrast(words, at)
        if (
            word.text in ("not", "no", "instead", "rather", "without", "never", "skip", "except")
            and length
        ):
            away.update(_scope(words, at + length))
    return frozenset(away)


def _contrast(words: Sequence[Word], at: int) -> int:
    """Return how many words the turning phrase has, or 0 where it turns nothing away."""
    text = words[at].text
    before = words[at - 1] if at else None
    after = words[at + 1].text if at + 1 < len(words) else ""
    if text == "instead" and after == "of" or text == "rather" and after == "than":
        return 2
    if text == "not":
        starts = before is None or before.is_mark or before.text in ("and", "but", "just", "only")
        commands = before is not None and before.text == "do" and _begins(words, at - 1)
        return 1 if starts or commands else 0
    return 1 if text in ("skip", "except") and _begins(words, at) else 0


def _begins(words: Sequence[Word], at: int) -> bool:
    return at == 0 or words[at - 1].is_mark or words[at - 1].text in ("and", "but", "so", "please")


def _scope(words: Sequence[Word], start: int) -> range:
    end = start
    while end < len(words) and end < start + _REACH:
        if words[end].is_mark or words[end].text in ("but", "just", "only", "and"):
            break
        end += 1
    return range(start, end)
