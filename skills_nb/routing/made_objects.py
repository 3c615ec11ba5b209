"""Find the kind of object that an intent is about by its grammar: what is to be made, or asked of.

Room: routing. "A procedure that archives old rows" is about a procedure, whatever it does, and
"can a listing reach another region" about a listing. Which skill makes which kind of object, the
pages of the library say themselves: the statements on them create it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from skills_nb.model.library import Library
from skills_nb.routing import phrases
from skills_nb.routing.words import Word, read_words, word_set

_CREATES = re.compile(
    r"\bCREATE (?:[\[{(]? ?OR (?:REPLACE|ALTER) ?[\])}]? ?)?(?P<kind>(?:[A-Z]+ ){1,3}?)"
    r"(?:\[? ?IF NOT EXISTS|[<\[a-z\"'{`])"
)
_NO_KIND = word_set("ON IN OR TO")
"""Words of grants and of syntax, which no kind of object is called by."""
_MAKING = word_set("create make write build define add set develop code draft script")
_MAKING_PLAYBOOKS = word_set("build create set deploy share")
"""What the name of a playbook begins with that makes something; others work on what there is."""
_WANTING = word_set("need want like have give put")
"""With these an article says that something is to be made: "give me a view"."""
_ARTICLES = word_set("a an another new one")
_BETWEEN = word_set("me us up for another a an new one small simple little short own empty")
"""Words that may stand between the verb and the kind of object."""
_FURTHER = word_set("that which for on over with in to showing who whose where containing")
"""What begins a description of the object."""
_RESULT = frozenset((word, article) for word in ("as", "into") for article in ("a", "an"))
"""What follows is made in the end: "publish it as a listing"."""
_LONGEST, _SEVERAL = 3, 2
"""Words that a kind is called by at most; how often a page creates a kind that it is not named
after, for the kind to be its matter."""
_LISTING = word_set("which what")
_THERE = frozenset({("do", "we"), ("have", "we"), ("are", "there")})
_ENDING = frozenset(".;!?\n") | {"and", "then", "plus", "so"}
"""What ends the description of a thing."""
_NOTHING: tuple[tuple[int, ...], int] = ((), 0)
_SPEAKERS = word_set("i we you would could")
_ASKING = word_set("can could does do is will may should")

Makers = Mapping[str, tuple[int, ...]]
"""Lemmas of the name of a kind, to the places of the targets that make it."""


def makers_of(library: Library, numbers: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return which targets make which kind of object, the primitive first.

    A playbook that is named after the kind and rests on its primitive makes it as well.
    """
    created: dict[str, Counter[str]] = defaultdict(Counter)
    for name, primitive in library.primitives.items():
        for text in primitive.sections.values():
            for found in _CREATES.finditer(text):
                kind = found["kind"].split()
                if _NO_KIND.isdisjoint(kind):
                    created[" ".join(kind).lower()][name] += 1
    makers: dict[str, tuple[int, ...]] = {}
    for kind, counted in sorted(created.items()):
        name = _maker(kind, counted)
        made = [f"primitives/{name}", *_playbooks(kind, name, library)] if name else []
        known = tuple(numbers[ref] for ref in made if ref in numbers)
        if known:
            makers[" ".join(word.lemma for word in read_words(kind))] = known
    return makers


def _maker(kind: str, counted: Counter[str]) -> str:
    """Return the primitive that a kind is the matter of: named after it, else creating it most."""
    last = kind.split()[-1].removesuffix("y")
    named = [name for name in counted if last in name]
    best = max(named or counted, key=lambda name: (_said(kind, name), counted[name], -len(name)))
    is_most = counted[best] >= _SEVERAL and 2 * counted[best] > counted.total()
    return best if named or is_most else ""


def _said(kind: str, name: str) -> int:
    return sum(word.removesuffix("y") in name for word in kind.split())


def _playbooks(kind: str, primitive: str, library: Library) -> list[str]:
    said = kind.split()
    return [
        f"playbooks/{name}"
        for name, playbook in library.playbooks.items()
        if primitive in playbook.depends_on
        and name.split("-")[0] in _MAKING_PLAYBOOKS
        and all(word in name.split("-") or f"{word}s" in name.split("-") for word in said)
    ]


def made_by(words: Sequence[Word], makers: Makers) -> tuple[int, ...]:
    """Return the targets that make what a clause is about; empty where its grammar does not say."""
    return _made(_without_marks(words), makers)[0]


def description_in(words: Sequence[Word], makers: Makers) -> range:
    """Return where it stands what a thing that is to be made is for, or what it holds.

    "A table for complaints with a text and a date" is about a table, not about texts.
    """
    found, end = _made(_without_marks(words), makers)
    if not found or end == 0:
        return range(0)
    places = [place for place, word in enumerate(words) if not word.is_mark]
    begin = places[end - 1] + 1
    after = range(begin, len(words))
    return range(begin, next((at for at in after if words[at].text in _ENDING), len(words)))


def _without_marks(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if not word.is_mark]


_Made = tuple[tuple[int, ...], int]
"""Who makes a kind, and how many words are said up to the end of its name."""


def _made(said: Sequence[Word], makers: Makers) -> _Made:
    for place, (one, other) in enumerate(pairwise(said)):
        if (one.text, other.text) in _RESULT:
            return _kind_at(said, place + 2, makers, "made")[0], 0
    at = 0
    while at < len(said) and said[at].text in phrases.FILLERS | _SPEAKERS:
        at += 1
    first = said[at].text if at < len(said) else ""
    if first in _ASKING:
        return _kind_at(said, at + 1, makers, "asked")[0], 0
    if first in _LISTING:
        return _kind_listed(said, at + 1, makers), 0
    wants = first in _WANTING and any(word.text in _ARTICLES for word in said[at + 1 : at + 4])
    if wants or first in _MAKING:
        return _kind_at(said, at + 1, makers, "made")
    return _NOTHING if first in phrases.WORK else _kind_at(said, at, makers, "described")


def _kind_listed(said: Sequence[Word], start: int, makers: Makers) -> tuple[int, ...]:
    """Return who makes the kind of which somebody asks what there is: "which models do we have"."""
    for end in range(start + _LONGEST, start, -1):
        found = makers.get(" ".join(word.lemma for word in said[start:end]))
        if found:
            after = tuple(word.text for word in said[end : end + 2])
            return found[:1] if after[:1] == ("exist",) or after in _THERE else ()
    return ()


def _kind_at(
    said: Sequence[Word], start: int, makers: Makers, how: Literal["asked", "made", "described"]
) -> _Made:
    """Return who makes the kind that is named there, one other word before it left out of account.

    A kind that is `asked` of stands behind an article; one that is `described` goes on with "that",
    "for" and the like; one to be `made` ends what is said, or goes on with grammar or a name.
    """
    at = start
    while at < len(said) and said[at].text in _BETWEEN:
        at += 1
    if how == "asked" and said[at - 1].text not in _ARTICLES:
        return _NOTHING
    for begin in (at, at + 1):
        if begin > at and (how == "asked" or at >= len(said) or said[at].is_function):
            return _NOTHING
        for end in range(begin + _LONGEST, begin, -1):
            found = makers.get(" ".join(word.lemma for word in said[begin:end]))
            if found and end <= len(said) and (how == "asked" or _ends(said, end, how)):
                return found, end
    return _NOTHING


def _ends(said: Sequence[Word], end: int, how: str) -> bool:
    """Tell whether the name of a kind ends there: a stage curtain is no stage."""
    if end == len(said):
        return how == "made"
    after = said[end]
    return after.text in _FURTHER or (how == "made" and (after.is_function or after.is_name))
