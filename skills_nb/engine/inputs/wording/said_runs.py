"""Words together that may be a value which some column holds.

Room: laws. Pure. In `loans at North Side` it may be `north side`, `north` or `side`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from skills_nb.engine.inputs.wording.named_choices import spoken_key
from skills_nb.engine.inputs.wording.plain_words import PLAIN

_LONGEST = 4
"""Words that a value may be said in."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_JOINT = re.compile(r"[ \-/'_.]")
"""What stands between words that belong together."""


def runs_of_words(text: str) -> Iterator[str]:
    """Yield words together, at least one of which says something by itself, the longest first."""
    seen: dict[str, None] = {}
    for run in _runs(text):
        if any(word[0] not in PLAIN and not word[0].isdigit() for word in run):
            seen[text[run[0].start() : run[-1].end()]] = None
    yield from seen


def runs_around(text: str, names: Container[str]) -> Iterator[str]:
    """Yield words together one of which is a column's name: `red barn`, where BARN is a column.

    Args:
        text: a goal in small letters.
        names: what the columns are called, by `spoken_key`.
    """
    for run in _runs(text):
        said = [word[0] for word in run]
        is_around = any(spoken_key(word) in names for word in said)
        tells = all(word not in PLAIN for word in (said[0], said[-1]))
        if len(run) > 1 and is_around and tells:
            yield text[run[0].start() : run[-1].end()]


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    for words in stretches(text):
        for size in range(min(_LONGEST, len(words)), 0, -1):
            for at in range(len(words) - size + 1):
                yield words[at : at + size]


def stretches(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the words that stand together, with no gap and no mark between them."""
    stretch: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if stretch and _JOINT.fullmatch(text, stretch[-1].end(), word.start()) is None:
            yield stretch
            stretch = []
        stretch.append(word)
    if stretch:
        yield stretch
