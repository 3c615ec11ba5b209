"""Dates and times as people write them: which of them a column of texts holds.

Room: commands (loads). 03/04/2024 is in March or in April: a column in which no day tells stays
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from skills_nb.commands.loads.tabled import Fit, shortened

_TIME = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(:(?P<second>\d{2})(\.(?P<part>\d{1,9}))?)?"
    r"( ?(?P<half>[AaPp][Mm]))?"
)
_REST = rf"([ T]{_TIME} ?(?P<zone>Z|[+-]\d{{2}}:?\d{{2}})?)?"
Order = Literal["ymd", "dmy", "slashed", "named", "month"]
_DAYS: tuple[tuple[Order, str], ...] = (
    ("ymd", r"(?P<a>\d{4})[-/](?P<b>\d{1,2})[-/](?P<c>\d{1,2})"),
    ("dmy", r"(?P<a>\d{1,2})\.(?P<b>\d{1,2})\.(?P<c>\d{4})"),
    ("slashed", r"(?P<a>\d{1,2})[/-](?P<b>\d{1,2})[/-](?P<c>\d{4})"),
    ("named", r"(?P<a>\d{1,2})[- ](?P<b>[A-Za-z]{3,9})[- ,]+(?P<c>\d{4})"),
    ("month", r"(?P<b>[A-Za-z]{3,9}) (?P<a>\d{1,2}),? (?P<c>\d{4})"),
)
_FORMS = tuple((order, re.compile(day + _REST)) for order, day in _DAYS)
_SHORT_YEAR = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_ONLY_TIME = re.compile(_TIME)
_FULL_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS = {
    name: number for number, full in enumerate(_FULL_MONTHS, start=1) for name in (full, full[:3])
}


class _Written(NamedTuple):
    """A date as it was written."""

    order: Order
    parts: tuple[str, str, str]
    time: str
    zone: str


def moment_fit(values: Sequence[str]) -> Fit | None:
    """Return how a column's texts are dates, times or moments; None where they are none.

    A fit of type VARCHAR says why they stay text though they look like dates.
    """
    if all(_SHORT_YEAR.fullmatch(value.strip()) for value in values):
        return Fit("VARCHAR", str, f"'{values[0]}' has no century")
    if all(_time(value) for value in values):
        return Fit("TIME", _time)
    written = [_written(value) for value in values]
    if any(each is None for each in written):
        return None
    known = [each for each in written if each is not None]
    if len({each.order for each in known}) > 1:
        return None
    is_day_first = _is_day_first(known)
    if is_day_first is None:
        return Fit("VARCHAR", str, f"'{shortened(values[0])}' may begin with the day or the month")
    if not all(_date(each, is_day_first=is_day_first) for each in known):
        return None
    return _fit(known, is_day_first=is_day_first)


def _written(value: str) -> _Written | None:
    for order, form in _FORMS:
        found = form.fullmatch(value.strip())
        if found is not None:
            has_time = found["hour"] is not None
            time = _time_text(found) if has_time else ""
            if time is None:
                return None
            zone = (found["zone"] or "").replace("Z", "+00:00")
            zone = zone if len(zone) != 5 else f"{zone[:3]}:{zone[3:]}"
            return _Written(order, (found["a"], found["b"], found["c"]), time, zone)
    return None


def _time(value: str) -> str | None:
    return _time_text(_ONLY_TIME.fullmatch(value.strip()))


def _time_text(found: re.Match[str] | None) -> str | None:
    """Write a time as SQL reads it; None where there is none, or no such one."""
    if found is None:
        return None
    hour, half = int(found["hour"]), (found["half"] or "").upper()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "PM" else 0)
    minute, second = int(found["minute"]), int(found["second"] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    part = f".{found['part']}" if found["part"] else ""
    return f"{hour:02}:{minute:02}:{second:02}{part}"


def _is_day_first(values: Sequence[_Written]) -> bool | None:
    """Tell whether the day stands before the month; None where no value tells."""
    slashed = [each.parts for each in values if each.order == "slashed"]
    if not slashed:
        return True
    if any(int(parts[0]) > 12 for parts in slashed):
        return True
    return False if any(int(parts[1]) > 12 for parts in slashed) else None


def _date(written: _Written, *, is_day_first: bool) -> date | None:
    a, b, c = written.parts
    try:
        match written.order:
            case "ymd":
                return date(int(a), int(b), int(c))
            case "named" | "month":
                return date(int(c), _MONTHS.get(b.lower(), 0), int(a))
            case _ if is_day_first:
                return date(int(c), int(b), int(a))
            case _:
                return date(int(c), int(a), int(b))
    except ValueError:
        return None


def _fit(values: Sequence[_Written], *, is_day_first: bool) -> Fit | None:
    def read(value: str) -> str:
        written = _written(value)
        day = _date(written, is_day_first=is_day_first) if written is not None else None
        if written is None or day is None:
            raise ValueError(f"'{shortened(value)}' is no date")
        return " ".join(filter(None, (day.isoformat(), written.time, written.zone)))

    zoned = {bool(each.zone) for each in values if each.time}
    if not zoned:
        return Fit("DATE", read)
    if len(zoned) > 1:
        return Fit("VARCHAR", str, "some moments have a time zone and some have none")
    return Fit("TIMESTAMP_TZ" if zoned == {True} else "TIMESTAMP_NTZ", read)


def as_moment(value: str, kind: str) -> str:
    """Return a text as a DATE, TIME or timestamp reads it, in a form that has one meaning.

    Raises:
        ValueError: it is none, or could be two.
    """
    fit = moment_fit([value])
    if fit is None or fit.type == "VARCHAR":
        why = fit.note if fit is not None else f"'{shortened(value)}' is no {_CALLED[kind]}"
        raise ValueError(why)
    wanted, given = kind == "TIME", fit.type == "TIME"
    if wanted != given or (kind == "DATE" and fit.type != "DATE"):
        raise ValueError(f"'{shortened(value)}' is no {_CALLED[kind]}")
    return fit.read(value) or ""


_CALLED = {
    "DATE": "date",
    "TIME": "time",
    **dict.fromkeys(("TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"), "moment"),
}
