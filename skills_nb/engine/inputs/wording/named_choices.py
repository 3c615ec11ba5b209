"""Which of the things that an account holds a goal names, in whatever form it says them.

Room: laws. `visits per ward` names the table VISITS and the column WARD, `order items` names
ORDER_ITEMS and "order items". Only whole names count; singular and plural are one.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from skills_nb.engine.inputs.wording.plain_words import PLAIN
from skills_nb.errors import UsageError
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.names_in_text import object_names

_WORD = re.compile(r"[^\W_]+")
_INTO = re.compile(r"\b(?:copy|append|insert|add|transfer|move)\b.* (?:into|to)\b", re.I)
"""What is about one thing and another, which may be called alike."""
_LONGEST = 4
"""Words that a name may be said in."""
GROUPING = re.compile(
    r"\b(?:per|by|each|every|across)(?: (?:day|week|month|quarter|year)(?:,| and| &))?"
    r"(?: (?:the|each|every|of))*\W*$",
    re.I,
)
"""What stands before something that rows are grouped by."""
_AND = re.compile(r'"?(?:,| and|, and| &)(?: (?:the|by|per))* "?', re.IGNORECASE)
"""What joins a second thing to one that rows are grouped by: `by telescope and target`."""
WHICH = re.compile(r"\b(?:which|what|whose)(?: [^\W_]+)?\W*$", re.IGNORECASE)
"""What stands before something that is ranked."""
RANKED = re.compile(
    r"\b(?:most|least|fewest|highest|lowest|largest|biggest|smallest|heaviest|top|best|worst|busiest|popular)\b",
    re.IGNORECASE,
)
_UNITS_TEXT = """chf cm dkk dollar eur euro g gbp h hl hour kg km kn kwh l lb litre m mb min minute
ml mm mwh nok pct percent pln sec sek t ton tonne usd"""
UNITS = frozenset(_UNITS_TEXT.split())
"""Units at the end of a column's name, which need not be said: FEE_EUR is `the fee`."""
_WITH_E = ("sses", "xes", "ches", "shes")
"""Ends of words whose plural takes an e: addresses, boxes, branches."""
_SHORT_WORD = 3
"""Letters that a word without a plural has at most."""
_NEAR = 0.8
"""How much of two words is the same, at least, where one of them may be the other misspelt."""
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
    spoken = frozenset(map(as_one, _spoken(goal)))
    listed = tuple(choices)
    found = {
        choice: key
        for choice, keys in zip(listed, _keys_of(listed), strict=True)
        if (key := next((one for one in keys if as_one(one) in spoken), ""))
    }
    covered = {part for key in found.values() for part in _parts_of(key)}
    # `copy visits into old visits` says VISITS by itself, too.
    alone = {key for _, _, key in mentions(goal, {key: key for key in found.values()})}
    is_moved = _INTO.search(goal) is not None
    return tuple(
        choice for choice, key in found.items() if key not in covered or (is_moved and key in alone)
    )


def tables_named(goal: str, tables: Iterable[str]) -> tuple[str, ...]:
    """Return the tables whose name a goal says; where it says none in full, by their last word.

    `deliveries` is short for FLOUR_DELIVERIES where nothing is called DELIVERIES.
    """
    listed = tuple(tables)
    exact = named_among(goal, listed)
    if exact:
        return _in_place_said(goal, exact)
    spoken = _spoken(goal)
    return tuple(one for one in listed if (key := last_word_key(one)) and key in spoken)


def _in_place_said(goal: str, tables: tuple[str, ...]) -> tuple[str, ...]:
    """Return, of tables that are called alike, those whose database or schema a goal names."""
    last = {_key(table) for table in tables}
    if len(tables) < _SHORTEST or len(last) != 1:
        return tables
    said = frozenset(map(as_one, _spoken(goal)))
    places = {one: [as_one(spoken_key(part)) for part in split_name(one)[:-1]] for one in tables}
    shared = set.intersection(*(set(own) for own in places.values()))
    told = tuple(one for one, own in places.items() if said & (set(own) - shared - last))
    return told or tables


def last_word_key(table: str) -> str:
    """Return the last word of a table's name by which its rows are called; empty for none.

    Rows are called by a plural: those of PLANT_ORDERS are orders, those of ROUTE_LOG no logs.
    """
    words = _WORD.findall(_last_of(table).replace("_", " "))
    last = words[-1].lower() if len(words) > 1 else ""
    is_plural = len(last) > _SHORT_WORD and last.endswith("s") and not last.endswith("ss")
    return _root(last) if is_plural and last not in PLAIN else ""


def mentions(text: str, named: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield where a text says a name, and what is called so; of names that overlap, the longer one.

    Args:
        text: a person's words.
        named: what is called so, by `spoken_key`.
    """
    words = list(_WORD.finditer(text))
    called = {as_one(key): name for key, name in named.items()}
    at = 0
    while at < len(words):
        runs = ((len(run), as_one(_said(run))) for run in reversed([*_runs(words, at, text)]))
        size, key = next(((size, run) for size, run in runs if run in called), (1, ""))
        if key:
            yield words[at].start(), words[at + size - 1].end(), called[key]
        at += size


def _runs(words: Sequence[re.Match[str]], at: int, text: str) -> Iterator[Sequence[re.Match[str]]]:
    """Yield the runs of words from one on that are whole names: CLAIMS_DESK says no claims."""
    if text[words[at].start() - 1 : words[at].start()] == "_":
        return
    for run in (words[at:end] for end in range(at + 1, min(at + _LONGEST, len(words)) + 1)):
        if text[run[-1].end() : run[-1].end() + 1] != "_":
            yield run


def _said(words: Iterable[re.Match[str]]) -> str:
    return "_".join(_root(word[0].lower()) for word in words)


def grouped_by(goal: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices that a goal names behind `per`, `by`, `each` or `every`."""
    listed = tuple(choices)
    keys = [*zip(listed, _keys_of(listed), strict=True)]
    by_key = {key: choice for choice, both in keys for key in both}
    grouping: dict[str, None] = {}
    ended = -1
    for start, end, choice in mentions(goal, by_key):
        is_next = ended >= 0 and _AND.fullmatch(goal, ended, start) is not None
        if is_next or GROUPING.search(goal[:start]) is not None:
            grouping[choice] = None
            ended = end
    return tuple(grouping)


def ranked_by(goal: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices that a goal asks which of them comes first: `which vessel has most`."""
    if RANKED.search(goal) is None:
        return ()
    listed = tuple(choices)
    keys = [*zip(listed, _keys_of(listed), strict=True)]
    by_key = {key: choice for choice, both in keys for key in both}
    found = mentions(goal, by_key)
    return tuple(choice for at, _, choice in found if WHICH.search(goal[:at]) is not None)


def near_choices(goal: str, choices: Iterable[str], table: str = "") -> tuple[str, ...]:
    """Return the choices that a goal may name with a slip of typing: `custmers` for CUSTOMERS.

    Args:
        goal: a person's words.
        choices: names of tables, or of columns.
        table: the table of the columns; whoever says its name has made no slip.
    """
    own = {as_one(_key(table)), as_one(last_word_key(table))} - {""} if table else set()
    spoken = (as_one(one) for one in _spoken(goal))
    said = [key for key in spoken if key not in PLAIN and not any(o in key for o in own)]
    return tuple(one for one in choices if any(_is_near(as_one(_key(one)), key) for key in said))


def _is_near(name: str, said: str) -> bool:
    is_alike = min(len(name), len(said)) > _SHORT_WORD and abs(len(name) - len(said)) <= 1
    is_alike = is_alike and name[0] == said[0]
    return is_alike and SequenceMatcher(None, name, said).ratio() >= _NEAR


def alone_called_so(choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices of which no other is called alike: their last name is enough."""
    listed = tuple(choices)
    counted = Counter(map(_key, listed))
    return tuple(choice for choice in listed if counted[_key(choice)] == 1)


def with_full_names(goal: str, choices: Iterable[str]) -> str:
    """Return a goal with each of the choices that it says by its last name written in full.

    `how many visits` becomes `how many CLINIC.RAW.VISITS`. Of choices that are called alike it is
    the first.
    """
    named = tables_named(goal, choices)
    by_key = {key: choice for choice in reversed(named) for key in _keys_said(goal, choice)}
    taken = [
        (name.start, name.end)
        for name in object_names(goal)
        if len(name.parts) > 1 and not is_column_of(name.parts, by_key)
    ]
    pieces, behind = [], 0
    for start, end, choice in mentions(goal, by_key):
        if any(begin <= start < stop for begin, stop in taken):
            continue
        is_quoted = goal[start - 1 : start] == '"' == goal[end : end + 1]
        pieces += [goal[behind : start - is_quoted], choice]
        behind = end + is_quoted
    return "".join((*pieces, goal[behind:]))


def _keys_said(goal: str, choice: str) -> tuple[str, ...]:
    """Return what a goal says of a choice that it names: all of its name, or its last word."""
    if named_among(goal, (choice,)):
        return (_key(choice),)
    return (last_word_key(choice),)


def is_column_of(parts: Sequence[str], named: Container[str]) -> bool:
    """Tell whether a name of two parts says a column of a table that is named: `students.email`."""
    first, *rest = (spoken_key(part) for part in parts)
    return len(rest) == 1 and first in named and rest[0] not in named


def spoken_names(goal: str) -> tuple[str, ...]:
    """Return what names in a goal would be like: small letters, `_` between words, no plural s."""
    return tuple(sorted(_spoken(goal)))


def _spoken(goal: str) -> frozenset[str]:
    words = list(_WORD.finditer(goal))
    runs = (_said(run) for at in range(len(words)) for run in _runs(words, at, goal))
    return frozenset(run for run in runs if len(run) >= _SHORTEST)


def _key(choice: str) -> str:
    return spoken_key(_last_of(choice))


def _last_of(choice: str) -> str:
    try:
        return split_name(choice)[-1]
    except UsageError:
        return choice


def _keys_of(choices: Sequence[str]) -> list[tuple[str, ...]]:
    """Return how each choice is said: in full, and without its unit where that is only its own."""
    full = [_key(choice) for choice in choices]
    short = [_without_unit(key) for key in full]
    counted = Counter(short)
    return [
        (key, less) if less != key and counted[less] == 1 else (key,)
        for key, less in zip(full, short, strict=True)
    ]


def short_key(name: str) -> str:
    """Return a name as it is said without the unit at its end."""
    return _without_unit(spoken_key(name))


def _without_unit(key: str) -> str:
    shorter, _, last = key.rpartition("_")
    return shorter if shorter and last in UNITS else key


def as_one(key: str) -> str:
    """Return a `spoken_key` written as one word: `e-mail`, `E_MAIL` and `email` are one name."""
    return _root(key.replace("_", ""))


def spoken_key(name: str) -> str:
    """Return a name as it is said: small letters, `_` between its words, no plural s."""
    return "_".join(_roots(name))


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
    if word.endswith(_WITH_E):
        return word[:-2]
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word
