"""Which of the things that an account holds a goal names, in whatever form it says them.

Room: laws. `visits per ward` names the table VISITS and the column WARD, `order items` names
ORDER_ITEMS and "order items". Only whole names count; singular and plural are one.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from skills_nb.errors import UsageError
from skills_nb.sql.identifiers import split_name

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 4
"""Words that a name may be said in."""
_SHORTEST = 2
"""Letters that a word has at least to be a name by itself."""


def word_roots(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, singular and plural alike."""
    return frozenset(_root(word) for word in _WORD.findall(text.lower()))


def says(text: str, phrase: str) -> bool:
    """Tell whether a text says a phrase, its words together, singular and plural alike.

    They may be written as one: `xlarge` says `X-Large`.
    """
    words, wanted = _roots(text), _roots(phrase)
    runs = (words[at : at + size] for size in (1, len(wanted)) for at in range(len(words)))
    return bool(wanted) and any("".join(run) == "".join(wanted) for run in runs)


def named_among(goal: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices whose name a goal says, in their order; of equal ones, all.

    A name that is said in more words wins over one that is a part of it: `order items` names
    ORDER_ITEMS, not ORDERS or ITEMS.
    """
    spoken = _spoken(goal)
    found = {choice: key for choice in choices if (key := _key(choice)) in spoken}
    covered = {part for key in found.values() for part in _parts_of(key)}
    return tuple(choice for choice, key in found.items() if key not in covered)


def spoken_names(goal: str) -> tuple[str, ...]:
    """Return what names in a goal would be like: small letters, `_` between words, no plural s."""
    return tuple(sorted(_spoken(goal)))


def _spoken(goal: str) -> frozenset[str]:
    words = _roots(goal)
    runs = (
        "_".join(words[at : at + length])
        for length in range(1, _LONGEST + 1)
        for at in range(len(words) - length + 1)
    )
    return frozenset(run for run in runs if len(run) >= _SHORTEST)


def _key(choice: str) -> str:
    try:
        last = split_name(choice)[-1]
    except UsageError:
        last = choice
    return "_".join(_root(word) for word in _WORD.findall(last.lower()))


def _parts_of(key: str) -> Iterator[str]:
    words: Sequence[str] = key.split("_")
    for length in range(1, len(words)):
        for at in range(len(words) - length + 1):
            yield "_".join(words[at : at + length])


def _roots(text: str) -> list[str]:
    return [_root(word) for word in _WORD.findall(text.lower())]


def _root(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word
