"""Schedules, as tasks, alerts and metrics have them: kept and shown, never followed.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql/create-task
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from skills_nb.embedded import errors

_EVERY = re.compile(r"\s*(\d+)\s*(?:(SECOND|MINUTE|HOUR)S?|([MSH]))\s*", re.I)
_CRON = re.compile(r"\s*USING\s+CRON\s+((?:\S+\s+){5})(\S+)\s*", re.I)
_SECONDS = {"S": 1, "M": 60, "H": 3_600}
_LEAST, _MOST = 10, 8 * 24 * 3_600
_PART = re.compile(r"(?:\*|(\w+)(?:-(\w+))?)(?:/(\d+))?")
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
_NAMED = {
    **{name: number for number, name in enumerate(_MONTHS, start=1)},
    **{name: number for number, name in enumerate(_DAYS)},
}
_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
"""Of minutes, hours, days of a month, months and days of a week."""


def checked_schedule(value: Any) -> str:
    """Return a schedule that can be read: an interval or a cron expression.

    Raises:
        SqlError: it is neither, is shorter than ten seconds or longer than eight days, or names
            times or a zone that there are not (1008).
    """
    text = str(value)
    if not isinstance(value, str) or not (_is_interval(text) or _is_cron(text)):
        raise errors.invalid_value(text, "SCHEDULE")
    return text


def _is_interval(text: str) -> bool:
    found = _EVERY.fullmatch(text)
    if found is None:
        return False
    unit = (found[2] or found[3])[0].upper()
    return _LEAST <= int(found[1]) * _SECONDS[unit] <= _MOST


def _is_cron(text: str) -> bool:
    found = _CRON.fullmatch(text)
    if found is None or found[2].upper() not in _zones():
        return False
    fields = zip(found[1].upper().split(), _RANGES, strict=True)
    return all(_fits(part, *held) for field, held in fields for part in field.split(","))


def _fits(part: str, least: int, most: int) -> bool:
    """Tell whether a part of a field is `*`, a value or two, maybe with a step; L is the last."""
    found = _PART.fullmatch(part)
    if found is None or found[3] == "0":
        return False
    numbers = [_number(word) for word in (found[1], found[2]) if word is not None]
    return all(number is None or least <= number <= most for number in numbers) and all(
        number is not None or word in ("L", None)
        for number, word in zip(numbers, (found[1], found[2]), strict=False)
    )


def _number(word: str) -> int | None:
    """Return what a number or a name stands for; `5L` is the last Friday, L alone has none."""
    bare = word.removesuffix("L")
    return int(bare) if bare.isdigit() else _NAMED.get(word)


@cache
def _zones() -> frozenset[str]:
    return frozenset(zone.upper() for zone in available_timezones())
