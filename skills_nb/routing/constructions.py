"""Find what several words say together that none of them says alone: "only HR may see pay".

Room: routing. English grammar; no product and no skill. What is found is a feature like the terms
of the vocabulary, so that a router's keywords and examples say it in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from skills_nb.routing.words import Word, word_set

ONLY_SOME, ONLY_OWN = "§only-some-may-read", "§only-their-own"
UNSEEN = "§used-but-not-shown"
PER_GROUP = "§figure-per-group"
GIVEN = "§share-with-somebody"
SORTED = "§into-one-of-several"
APP_OVER = "§app-over-tables"
COMPARED = "§two-tables-compared"

_ALL = frozenset({ONLY_SOME, ONLY_OWN, UNSEEN, PER_GROUP, GIVEN, SORTED, APP_OVER, COMPARED})
_NONE, _ONLY = word_set("nobody none noone"), word_set("only just")
_MAY = word_set("may can should must shall able allowed")
_READ = word_set("read see query select use access view write")
_READS = word_set("sees reads views gets")
_ROWS = word_set("row rows column columns field fields value values")
_OWN = word_set("own his her its their theirs")
_PAIR = 2
_AROUND, _NEAR = 7, 3
"""How many words from "only" it may be said who reads what, and whose own."""
_WORKED_WITH = word_set("join filter match search")
_SHOWN = word_set("select show output see read display return project")
_REFUSED = word_set("not never without")
_FAR = 9
"""How many words after what is allowed it may be said what is not."""
_SUMMED = word_set(
    """maximum max minimum min average avg mean median sum total totals highest lowest largest
    smallest count counts sums"""
)
_PARTS = word_set("percentage percent ratio proportion rate number amount value")
"""These are figures where it is said of what: "number of visits per day"."""
_PER = word_set("per by each")
_RANKED = word_set("top latest newest oldest biggest first last cheapest best worst")
_SHARE = word_set("share sharing shares")
_TOWARDS, _INSIDE = word_set("to with"), word_set("role roles user users")
"""Who shares with a role grants it something, and needs no share."""
_SORTING = word_set("sort put divide split group bucket file assign classify label separate")
_APPS = word_set("app dashboard board page streamlit explorer browser cockpit")
_OVER = word_set("over on of from showing shows show see browse")
_DATA = word_set("table tables schema mart view views")
_COMPARING = word_set(
    """compare compared comparing diff difference differences differ differs different identical
    same equal match matches against"""
)
_BESIDE = word_set("and with to against versus than not as of")
_DECIDING, _EACH, _IS = word_set("whether if"), word_set("each every"), word_set("is are it they")
_ENDS = frozenset(".;:!?()\n")
"""Marks that end a sentence; a comma does not."""


def constructions(words: Sequence[Word], at: int) -> Iterator[str]:
    """Yield the features of the constructions that the word at a position begins."""
    word = words[at]
    if word.text in _ONLY:
        yield from _only(words, at)
    elif word.text in _NONE or (word.text == "no" and _next(words, at) == "one"):
        yield from _nobody(words, at)
    elif word.lemma in _WORKED_WITH and _is_unseen(words[at + 1 : at + 1 + _FAR]):
        yield UNSEEN
    elif _is_given(word.text, _clause(words[at + 1 : at + 1 + _AROUND])):
        yield GIVEN
    elif _is_over_data(words, at):
        yield APP_OVER
    elif _is_sorted(words, at):
        yield SORTED
    elif _is_compared(words, at):
        yield COMPARED
    elif _is_figure(words, at):
        yield PER_GROUP


def is_construction(name: str) -> bool:
    """Tell whether a feature is one of these, or one of these beside a word."""
    return not _ALL.isdisjoint(name.split(" "))


def _only(words: Sequence[Word], at: int) -> Iterator[str]:
    """Read `only HR may see pay` and `each sees only his own`, not `only the first page`."""
    after = _clause(words[at + 1 : at + 1 + _AROUND])
    before = _clause(words[max(0, at - _AROUND) : at][::-1])
    if not _OWN.isdisjoint(after[:_NEAR]) or "own" in before:
        yield ONLY_OWN
    elif _is_kept(before, after):
        yield ONLY_SOME


def _is_kept(before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether somebody reads what others do not; rows that are "only for HR" are kept, too."""
    said = [*before, *after]
    is_for_some = after[:1] == ["for"] and not _ROWS.isdisjoint(before)
    return is_for_some or _may_read(said) or not _READS.isdisjoint(said)


def _nobody(words: Sequence[Word], at: int) -> Iterator[str]:
    """Read `nobody but HR may see pay` and `nobody in dev sees it`, not `what nobody reads`."""
    after = _clause(words[at + 1 : at + 1 + _AROUND])
    if _may_read(after) or not _READS.isdisjoint(after[1:]):
        yield ONLY_SOME


def _may_read(said: Sequence[str]) -> bool:
    return not (_MAY.isdisjoint(said) or _READ.isdisjoint(said))


def _is_unseen(after: Sequence[Word]) -> bool:
    """Tell whether what may be worked with is not to be shown: "join on it, but not output it"."""
    sentence = [*takewhile(lambda word: word.text not in _ENDS, after)]
    refused = any(word.text in _REFUSED for word in sentence)
    return refused and any(word.lemma in _SHOWN for word in sentence)


def _is_figure(words: Sequence[Word], at: int) -> bool:
    if words[at].text in _PARTS and _next(words, at) == "of":
        return _is_per_group(words, at, _AROUND)
    summed = words[at].text in _SUMMED and _is_per_group(words, at, _NEAR)
    return summed or (words[at].text in _RANKED and _is_row_of_table(words, at))


def _is_over_data(words: Sequence[Word], at: int) -> bool:
    """Tell whether an app is to show tables that are told: "a small board over SHOP.MART"."""
    if words[at].text not in _APPS or words[at].is_name:
        return False
    after = [*takewhile(lambda word: word.text not in _ENDS, words[at + 1 : at + 1 + _FAR])]
    over = next((place for place, word in enumerate(after) if word.text in _OVER), None)
    return over is not None and any(word.is_name or word.text in _DATA for word in after[over:])


def _is_compared(words: Sequence[Word], at: int) -> bool:
    """Tell whether two tables are said to be alike or not: "A.X or A.Y differ"."""
    text, after = words[at].text, _next(words, at)
    if words[at].is_name or not (text in _COMPARING or (text, after) == ("but", "not")):
        return False
    named = [place for place in range(len(words)) if _begins_name(words, place)]
    begins = named or [place for place, word in enumerate(words) if word.text == "table"]
    if len(begins) != _PAIR:
        return False
    return any(word.text in _BESIDE for word in words[begins[0] : begins[1]])


def _begins_name(words: Sequence[Word], at: int) -> bool:
    return words[at].is_name and not (at and words[at - 1].is_name)


def _is_sorted(words: Sequence[Word], at: int) -> bool:
    text = words[at].text
    if text in _SORTING:
        return _is_choice(words[at + 1 :])
    return text in _DECIDING and _is_either(words, at)


def _is_either(words: Sequence[Word], at: int) -> bool:
    """Tell whether each is told to be one thing or another: "for each call, if it is A or B"."""
    sentence = [word.text for word in takewhile(lambda word: word.text not in _ENDS, words[at:])]
    each = not _EACH.isdisjoint(word.text for word in words)
    return each and "or" in sentence and not _IS.isdisjoint(sentence[: _NEAR + 1])


def _is_per_group(words: Sequence[Word], at: int, reach: int) -> bool:
    """Tell whether a figure per group is asked for; "a view with the sum per day" is a view."""
    before = _clause(words[max(0, at - _NEAR) : at][::-1])
    return "with" not in before and not _PER.isdisjoint(_clause(words[at + 1 : at + 1 + reach]))


def _is_choice(after: Sequence[Word]) -> bool:
    """Tell whether each gets one of several labels: "sort them into bug, wish or praise"."""
    sentence = [word.text for word in takewhile(lambda word: word.text not in _ENDS, after)]
    if "into" not in sentence:
        return False
    labels = sentence[sentence.index("into") + 1 :]
    return labels[1:2] == [","] and len(labels) > _NEAR


def _is_row_of_table(words: Sequence[Word], at: int) -> bool:
    """Tell whether the first rows of a table that is named are asked for, by a measure or group."""
    after = [*takewhile(lambda word: word.text not in _ENDS, words[at + 1 :])]
    by = any(word.text in _PER for word in after[:_AROUND])
    some = any(word.text.isdigit() for word in words[max(0, at - 1) : at + 2])
    return (by or some) and any(word.is_name for word in after)


def _is_given(text: str, after: Sequence[str]) -> bool:
    """Tell whether data are shared with others; "my calendar" is nobody's data."""
    if text == "shared":
        return not _TOWARDS.isdisjoint(after[:1])
    others = not _TOWARDS.isdisjoint(after) and _INSIDE.isdisjoint(after)
    return text in _SHARE and others and after[0] != "my"


def _clause(words: Sequence[Word]) -> list[str]:
    return [word.text for word in takewhile(lambda word: not word.is_mark, words)]


def _next(words: Sequence[Word], at: int) -> str:
    return words[at + 1].text if at + 1 < len(words) else ""
