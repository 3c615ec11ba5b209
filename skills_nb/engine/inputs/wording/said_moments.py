"""Which days and spans of time a person names, as conditions on a column of dates or times.

Room: laws. `since 3 October`, `last week`, `in 2025`, `between 2026-10-01 and 2026-10-07`. A day
without a year is the latest such day; spans that move with the calendar are told from the
account's own date, so that they mean the same when the statement runs again.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from calendar import day_name, month_abbr, month_name
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from skills_nb.engine.inputs.wording.said_counts import NUMBER, number_said
from skills_nb.sql.tokens import literal

_MONTHS = {
    name.lower(): number
    for names in (month_name, month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=lambda name: -len(name)))
_WEEKDAYS = tuple(name.lower() for name in day_name)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_CLOCK = r"(?:[t ]\d{1,2}:\d{2}(?::\d{2})?)?"
_DAY = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}{_CLOCK}|{_ORDINAL}(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
    rf"|(?:{_MONTH}) {_ORDINAL}\b(?:,? \d{{4}})?)"
)
_UNIT = "hour|day|week|month|quarter|year"
_SINCE = frozenset({"since", "from", "starting"})
_UNTIL = frozenset({"until", "till", "up to", "by", "through"})
_BOUND = "since|starting|from|after|before|until|till|up to|through|by"
_WITHIN = "in|during|of|for|on|at|within|over"

TWO_MONTHS = re.compile(
    rf"\b(?:{_MONTH})\b(?: \d{{4}})? (?:and|or|to|with|vs\.?|versus|against|&)"
    rf"(?: (?:in|of|that of|those of))? (?:{_MONTH})\b",
    re.IGNORECASE,
)
"""Two months beside each other."""

Column = str
"""The name of a column, as SQL."""


class MomentSaid(NamedTuple):
    """Where a text speaks of a time, and what that means for a column."""

    start: int
    """Of its first character, 0-based."""
    end: int
    """Behind its last character."""
    condition: Callable[[Column], str]
    """Returns the SQL condition on a column."""


def moments_said(text: str, today: date) -> Iterator[MomentSaid]:
    """Yield the times that a text in small letters speaks of, none within another.

    Args:
        text: a person's words, in small letters.
        today: the day on which they were said.
    """
    taken: list[tuple[int, int]] = []
    for pattern, read in _FORMS:
        for found in pattern.finditer(text):
            start, end = found.span()
            if any(begin < end and start < stop for begin, stop in taken):
                continue
            condition = read(found, today)
            if condition is not None:
                taken.append((start, end))
                yield MomentSaid(start, end, condition)


_Condition = Callable[[Column], str] | None


# ---- days


def _days_between(found: re.Match[str], today: date) -> _Condition:
    first, last = _day(found["first"], today), _day(found["last"], today)
    if first is None or last is None:
        return None
    return _from_to(first, last + timedelta(days=1))


def _one_day(found: re.Match[str], today: date) -> _Condition:
    moment = _moment(found["day"])
    if moment is not None:
        return _bounded(found["bound"], literal(moment), literal(moment))
    day = _day(found["day"], today)
    if day is None:
        return None
    after = day + timedelta(days=1)
    return _bounded(found["bound"], _text(day), _text(after)) or _from_to(day, after)


def _bounded(word: str | None, start: str, after: str) -> _Condition:
    """Return a condition with one bound: where what is named begins, and what comes after it."""
    word = " ".join((word or "").split())
    if word in _SINCE:
        return lambda column: f"{column} >= {start}"
    if word in _UNTIL:
        is_instant = start == after
        return lambda column: f"{column} {'<=' if is_instant else '<'} {after}"
    if word == "before":
        return lambda column: f"{column} < {start}"
    if word == "after":
        is_instant = start == after
        return lambda column: f"{column} {'>' if is_instant else '>='} {after}"
    return None


def _from_to(first: date, behind: date) -> Callable[[Column], str]:
    return lambda column: f"{column} >= {_text(first)} AND {column} < {_text(behind)}"


def _moment(text: str) -> str | None:
    """Return a day with a time of day, as SQL reads it; None where only a day is named."""
    found = re.fullmatch(r"(\d{4}-\d{2}-\d{2})[t ](\d{1,2}:\d{2}(?::\d{2})?)", text)
    return f"{found[1]} {found[2]}" if found else None


def _day(text: str, today: date) -> date | None:
    """Return the day that a text names; None where the calendar has no such day."""
    try:
        if text[:4].isdigit():
            return date.fromisoformat(text[:10])
        number = re.search(r"\d{1,2}(?!\d)", text)
        month = next(_MONTHS[word] for word in re.findall(r"[a-z]+", text) if word in _MONTHS)
        year = re.search(r"\d{4}$", text)
        day = int(number[0]) if number else 0
        if year is not None:
            return date(int(year[0]), month, day)
        this = date(today.year, month, day)
        return this if this <= today else date(today.year - 1, month, day)
    except ValueError:
        return None


def _text(day: date) -> str:
    return literal(day.isoformat())


def _weekday(found: re.Match[str], today: date) -> _Condition:
    """Read the latest such day before today; whether today is meant on that day nobody can tell."""
    days = (today.weekday() - _WEEKDAYS.index(found["weekday"])) % 7
    if days == 0 and not found["last"]:
        return None
    day = today - timedelta(days=days or 7)
    after = day + timedelta(days=1)
    return _bounded(found["bound"], _text(day), _text(after)) or _from_to(day, after)


# ---- months and years


def _two_months(found: re.Match[str], today: date) -> _Condition:
    """Read both months, or all from the first to the last of them."""
    one, other = (_months_of(found, part, today) for part in ("one", "other"))
    if found["span"]:
        return _from_to(one[0], other[1]) if one[0] < other[1] else None
    first, second = _from_to(*one), _from_to(*other)
    return lambda column: f"({first(column)} OR {second(column)})"


def _months_of(found: re.Match[str], part: str, today: date) -> tuple[date, date]:
    month, year = _MONTHS[found[part]], found[f"{part}_year"] or found["other_year"]
    first = date(int(year) if year else today.year - (month > today.month), month, 1)
    return first, date(first.year + month // 12, month % 12 + 1, 1)


def _one_month(found: re.Match[str], today: date) -> _Condition:
    month = _MONTHS[found["month"]]
    year = int(found["year"]) if found["year"] else today.year - (month > today.month)
    first = date(year, month, 1)
    behind = date(year + month // 12, month % 12 + 1, 1)
    return _bounded(found["bound"], _text(first), _text(behind)) or _from_to(first, behind)


def _one_year(found: re.Match[str], today: date) -> _Condition:
    first = date(int(found["year"]), 1, 1)
    behind = date(first.year + 1, 1, 1)
    return _bounded(found["bound"], _text(first), _text(behind)) or _from_to(first, behind)


def _one_quarter(found: re.Match[str], today: date) -> _Condition:
    number = _NTH[found["nth"]] if found["nth"] else int(found["number"])
    month = 3 * number - 2
    year = int(found["year"]) if found["year"] else today.year - (month > today.month)
    first = date(year, month, 1)
    behind = date(year + number // 4, (month + 2) % 12 + 1, 1)
    return _bounded(found["bound"], _text(first), _text(behind)) or _from_to(first, behind)


# ---- spans that move


def _last_spans(found: re.Match[str], today: date) -> _Condition:
    return _counted(found, ">=")


def _older_than(found: re.Match[str], today: date) -> _Condition:
    return _counted(found, "<")


def _counted(found: re.Match[str], operator: str) -> _Condition:
    unit, number = found["unit"].upper(), int(number_said(found["number"]))
    now = "CURRENT_TIMESTAMP" if unit == "HOUR" else "CURRENT_DATE"
    return lambda column: f"{column} {operator} DATEADD({unit}, -{number}, {now})"


def _last_span(found: re.Match[str], today: date) -> _Condition:
    unit = found["unit"].upper()
    this = f"DATE_TRUNC({literal(unit)}, CURRENT_DATE)"
    before = f"DATEADD({unit}, -1, {this})"
    if unit == "HOUR":
        return lambda column: f"{column} >= DATEADD(HOUR, -1, CURRENT_TIMESTAMP)"
    return lambda column: f"{column} >= {before} AND {column} < {this}"


def _this_span(found: re.Match[str], today: date) -> _Condition:
    unit = found["unit"].upper()
    return lambda column: f"{column} >= DATE_TRUNC({literal(unit)}, CURRENT_DATE)"


def _named_day(found: re.Match[str], today: date) -> _Condition:
    if found["day"] == "today":
        return lambda column: f"{column} >= CURRENT_DATE"
    if (found["bound"] or "") == "since":
        return lambda column: f"{column} >= DATEADD(DAY, -1, CURRENT_DATE)"
    return lambda column: f"{column} >= DATEADD(DAY, -1, CURRENT_DATE) AND {column} < CURRENT_DATE"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){pattern}(?![\w-])")


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Condition]], ...] = (
    (
        _form(
            rf"(?:between|from) (?P<first>{_DAY}) (?:and|to|until|till|through) (?P<last>{_DAY})"
        ),
        _days_between,
    ),
    (_form(rf"(?:(?P<bound>{_BOUND})|(?:{_WITHIN}))? ?(?P<day>{_DAY})"), _one_day),
    (
        _form(
            rf"(?:(?P<span>between|from) |(?:{_WITHIN}) )?(?P<one>{_MONTH})\b"
            r"(?: (?P<one_year>\d{4}))?"
            r" (?:and|or|to|until|till|with|vs\.?|versus|against|&)"
            rf"(?: (?:in|of|that of|those of))? (?P<other>{_MONTH})\b(?: (?P<other_year>\d{{4}}))?"
        ),
        _two_months,
    ),
    (
        _form(
            rf"(?:(?P<bound>{_BOUND})|(?:{_WITHIN})) (?P<month>{_MONTH})\b(?: (?P<year>\d{{4}}))?"
        ),
        _one_month,
    ),
    (_form(rf"(?P<bound>(?!))?(?P<month>{_MONTH}) (?P<year>\d{{4}})"), _one_month),
    (
        _form(
            rf"(?:(?P<bound>since|after|before|until|till) |(?:{_WITHIN}|from) )?(?:the )?"
            rf"(?:(?P<nth>{'|'.join(_NTH)}) quarter|q(?P<number>[1-4]))"
            r"(?:(?: of)? (?P<year>\d{4}))?"
        ),
        _one_quarter,
    ),
    (
        _form(
            rf"(?:(?P<bound>{_BOUND}) |on |(?=last ))(?P<last>last )?"
            rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
        ),
        _weekday,
    ),
    (_form(rf"(?:(?P<bound>{_BOUND})|(?:{_WITHIN})) (?P<year>(?:19|20)\d{{2}})"), _one_year),
    (
        _form(
            rf"(?:(?:{_WITHIN}) )?(?:the )?(?:last|past|previous) (?P<number>{NUMBER})"
            rf"[ -](?P<unit>{_UNIT})s?"
        ),
        _last_spans,
    ),
    (_form(rf"older than (?P<number>{NUMBER}) (?P<unit>{_UNIT})s?"), _older_than),
    (
        _form(rf"(?:(?:{_WITHIN}) )?(?:the )?(?:last|past|previous) (?P<unit>{_UNIT})"),
        _last_span,
    ),
    (_form(rf"(?:(?:{_WITHIN}) )?this (?P<unit>{_UNIT})"), _this_span),
    (_form(r"(?:(?P<bound>since|from) )?(?P<day>yesterday|today)"), _named_day),
)
"""The ways in which people name a time, those that say most first, and how each is read."""
