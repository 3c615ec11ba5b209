"""Conditions that are said without a column's name: `older than 60`, `not yet returned`.

Room: laws. Only what can be about one column alone is read; the rest stays words, and is asked.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skills_nb.engine.inputs.wording.table_columns import MEASURES, TableColumn

_NUMBER = r"\d+(?:\.\d+)?"
_UNITS = (
    r"(?: (?:years?(?: old| of age)?|euros?|eur|dollars?|usd|pounds?|francs?|kronor|kr|kg|cm"
    r"|km|minutes?|hours?|days?|weeks?|months?|seconds?|pages?)\b)?"
)
_YEARS = re.compile(r" years?(?: old| of age)?")
_MONEY = re.compile(r" (?:euros?|eur|dollars?|usd|pounds?|francs?|kronor|kr)")
_WHO = r"(?:(?:who|that|which) )?(?:(?:is|are|was|were) )?"
_MORE = "|".join(sorted(MEASURES, key=lambda word: -len(word)))
_MEASURED = re.compile(
    rf"\b{_WHO}(?P<word>{_MORE}) than (?:[$€£] ?)?(?P<number>{_NUMBER})(?P<unit>{_UNITS})(?![\w.])"
)
_AND_MORE = re.compile(
    rf"\b{_WHO}(?:aged )?(?P<number>{_NUMBER})(?P<unit>(?: years?)?) (?:and|or) "
    r"(?P<word>older|younger|over|under)\b"
)
_AGED = re.compile(
    rf"\b{_WHO}aged (?P<word>over|above|under|below) (?P<number>{_NUMBER})(?P<unit>)(?![\w.])"
)
_SIGNS = {"over": ">", "above": ">", "older": ">", "under": "<", "below": "<", "younger": "<"}
BIRTH = frozenset({"birth", "birthday", "birthdate", "dob", "born"})
_NOT_YET = (
    r"(?:(?:is|are|was|were|has|have|had) )?(?:not yet|never|still not|yet to be|still to be|not)"
    r"|(?:is|are|was|were|has|have|had)n['’]t"
)
_DONE = re.compile(
    rf"\b(?:(?:who|that|which) )?(?:(?P<open>{_NOT_YET})|(?:(?:is|are|was|were|has|have) )?already)"
    r"(?: yet| ever)?(?: been)? (?P<word>[a-z]{3,})(?: yet)?\b"
)
_SHORTEST = 4
"""Letters that the beginning of a word has at least, to say what the whole word says."""


class StateSaid(NamedTuple):
    """Where a text says something of rows without a column's name."""

    start: int
    """Of its first character, 0-based."""
    end: int
    """Behind its last character."""
    condition: str
    """In SQL."""
    word: str
    """By which the column is known."""


def states_said(text: str, columns: Sequence[TableColumn]) -> Iterator[StateSaid]:
    """Yield what a text in small letters says of rows, where one column alone can be meant.

    Args:
        text: a person's words, in small letters.
        columns: those of the table.
    """
    taken: list[tuple[int, int]] = []
    found = [(match, read) for pattern, read in _FORMS for match in pattern.finditer(text)]
    for match, read in found:
        if any(begin < match.end() and match.start() < end for begin, end in taken):
            continue
        condition = read(match, columns)
        if condition is not None:
            taken.append(match.span())
            yield StateSaid(*match.span(), condition, match["word"])


def _measured(found: re.Match[str], columns: Sequence[TableColumn]) -> str | None:
    sign, parts = MEASURES[found["word"]]
    return _compared(found, sign, parts, columns)


def _aged(found: re.Match[str], columns: Sequence[TableColumn]) -> str | None:
    return _compared(found, _SIGNS[found["word"]], MEASURES["older"][1], columns)


def _and_more(found: re.Match[str], columns: Sequence[TableColumn]) -> str | None:
    return _compared(found, f"{_SIGNS[found['word']]}=", MEASURES["older"][1], columns)


def _compared(
    found: re.Match[str], sign: str, parts: frozenset[str], columns: Sequence[TableColumn]
) -> str | None:
    named = [one for one in columns if one.kind == "number" and one.parts & parts]
    if len(named) == 1 and _is_in(found["unit"], named[0], parts):
        return f"{named[0].sql} {sign} {found['number']}"
    return None if named else _born(found, sign, parts, columns)


def _is_in(unit: str, column: TableColumn, parts: frozenset[str]) -> bool:
    """Tell whether a column holds what is said in a unit; one without a unit says it as it is."""
    if not unit:
        return True
    is_usual = _YEARS if "age" in parts else _MONEY if "price" in parts else None
    if is_usual is not None and is_usual.fullmatch(unit):
        return True
    return unit.strip().removesuffix("s") in column.parts


def _born(
    found: re.Match[str], sign: str, parts: frozenset[str], columns: Sequence[TableColumn]
) -> str | None:
    """Return an age as the day of birth that it comes from."""
    born = [one for one in columns if one.kind == "moment" and one.parts & BIRTH]
    is_age = "age" in parts and (not found["unit"] or _YEARS.fullmatch(found["unit"]))
    if len(born) != 1 or not is_age or "." in found["number"]:
        return None
    turned = sign.translate(str.maketrans("<>", "><"))
    return f"{born[0].sql} {turned} DATEADD(YEAR, -{found['number']}, CURRENT_DATE)"


def _done(found: re.Match[str], columns: Sequence[TableColumn]) -> str | None:
    """Return whether something has happened as its time being there or not."""
    times = [one for one in columns if one.kind == "moment" and _is_of(found["word"], one.parts)]
    if len(times) != 1:
        return None
    return f"{times[0].sql} IS {'' if found['open'] else 'NOT '}NULL"


def _is_of(word: str, parts: Iterable[str]) -> bool:
    return any(word == part or (len(part) >= _SHORTEST and word.startswith(part)) for part in parts)


_FORMS = (
    (_MEASURED, _measured),
    (_AND_MORE, _and_more),
    (_AGED, _aged),
    (_DONE, _done),
)
