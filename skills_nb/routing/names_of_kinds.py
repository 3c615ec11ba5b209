"""Tell from how an object is called or introduced what kind of object it is.

Room: routing. `MV_SALES` and `METER_PIPE` say of what kind they are, and so does the word before a
name: "suspend the alert NIGHT_LOAD". The rest of a name says nothing of a subject.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from skills_nb.routing.words import Word, nameless, read_words, word_set

_PREPOSITIONS = "from in into of on onto over across between to for"
_KINDS = (
    "agent alert app budget connector dashboard format function integration listing model monitor "
    "notebook policy pool repository secret service share tag"
)
_CAPITALS = re.compile(
    rf"\b(?:(?:{_PREPOSITIONS.replace(' ', '|')}) (?P<table>[A-Z]{{4,}}S)"
    rf"|(?:{_KINDS.replace(' ', '|')}) (?P<other>[A-Z][A-Z\d_]{{2,}}))\b(?! [A-Z]{{2}}|[.\w])"
)
"""Capitals in the plural behind a small preposition are mostly a table: `doubles in POLICIES`; and
behind a kind, any are: `suspend service THUMBNAILS`."""
_ABBREVIATED = {
    "dt": "dynamic table",
    "eai": "external access integration",
    "ext": "external table",
    "ff": "file format",
    "fmt": "file format",
    "int": "storage integration",
    "mv": "materialized view",
    "pipe": "pipe",
    "pool": "compute pool",
    "proc": "stored procedure",
    "sp": "stored procedure",
    "sv": "semantic view",
    "usp": "stored procedure",
    "vw": "view",
}
"""How the names of objects begin or end by custom, and of what kind these are."""
_EVERYWHERE = word_set("tabl rol user warehous stag stream task servic model view")
"""Lemmas of kinds that are named beside much else, and then are not what it is about."""
_LONGEST = 3
"""Words that a kind is called by at most."""


def capitals_in(intent: str) -> frozenset[str]:
    """Return what is in capitals where the name of an object stands, in small letters."""
    return frozenset(
        (found["table"] or found["other"]).lower() for found in _CAPITALS.finditer(intent)
    )


def with_kind(word: Word) -> tuple[Word, ...]:
    """Return a name and the words for the kind that it says; nothing where it says none."""
    parts = word.text.split("_")
    if not word.is_name or len(parts) == 1:
        return ()
    kind = _ABBREVIATED.get(parts[0]) or _ABBREVIATED.get(parts[-1], "")
    return (nameless(word.text), *read_words(kind)) if kind else ()


def makers_of_named(
    words: Sequence[Word], makers: Mapping[str, tuple[int, ...]]
) -> tuple[int, ...]:
    """Return the targets that make the kind which stands before a name; none if there are two."""
    found: set[tuple[int, ...]] = set()
    for at, word in enumerate(words):
        if not word.is_name or (at and words[at - 1].is_name):
            continue
        for length in range(min(_LONGEST, at), 0, -1):
            kind = " ".join(each.lemma for each in words[at - length : at])
            if kind in makers and kind not in _EVERYWHERE:
                found.add(makers[kind])
                break
    return found.pop() if len(found) == 1 else ()
