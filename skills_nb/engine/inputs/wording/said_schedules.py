"""When a person wants something to run again and again, as the schedule of a task.

Room: laws. `every weekday at 7`, `on the first of the month`, `every 15 minutes`. A day without an
hour is at two at night, in UTC as every hour; what is left open is not guessed.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SCHEDULE = "schedule"
"""The input that holds it."""
_HOUR_OF_NIGHT, _HOUR_OF_MORNING = 2, 7
_DAYS = ("sun", "mon", "tues", "wednes", "thurs", "fri", "satur")
_DAY = rf"(?:{'|'.join(_DAYS)})days?"
_NEXT = r"(?:,? and |, | & )(?:(?:on|every|each) )?"
_WEEKDAYS = re.compile(
    rf"\b(?:every|each|on) (?P<days>{_DAY}(?:{_NEXT}{_DAY})*)\b|\b(?P<alone>{_DAY})(?= at \d)",
    re.IGNORECASE,
)
_WORKDAYS = re.compile(
    r"\b(?:(?:every|each) (?:weekday|work(?:ing)? ?day|business day)|(?:on )?weekdays"
    r"|(?:on )?work(?:ing)? ?days|monday (?:to|through) friday)\b",
    re.IGNORECASE,
)
_WEEKENDS = re.compile(r"\b(?:(?:every|each) weekend|(?:on )?weekends)\b", re.IGNORECASE)
_NTH_WORDS = {"first": "1", "last": "L"}
_OF_MONTH = re.compile(
    r"\b(?:on )?(?:the )?(?:(?P<word>first|last)|(?P<number>[12]?\d|3[01])(?:st|nd|rd|th))"
    r"(?: day)? (?:of|in) (?:the|every|each|a) month\b",
    re.IGNORECASE,
)
_MONTHLY = re.compile(r"\b(?:every|each|once a) month\b|\bmonthly\b", re.IGNORECASE)
_WEEKLY = re.compile(r"\b(?:every|each|once a) week\b|\bweekly\b", re.IGNORECASE)
_DAILY = re.compile(
    r"\b(?:every|each|once a) (?:day|(?P<night>night|evening)|(?P<morning>morning))\b"
    r"|\bdaily\b|\bnightly\b",
    re.IGNORECASE,
)
_HOURLY = re.compile(r"\b(?:every|each|once an) hour\b|\bhourly\b", re.IGNORECASE)
_SPAN = re.compile(r"\b(?:every|each) (?P<number>\d{1,4}) (?P<unit>minute|hour)s?\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\bat (?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?: ?(?P<half>am|pm)\b)?(?: ?o'?clock)?"
    r"(?![\w:.]*\d)|\bat (?P<named>midnight|noon)\b",
    re.IGNORECASE,
)
_EVENING = 12
_MOST_HOUR, _MOST_MINUTE, _MOST_MINUTES = 23, 59, 11520
_CRON = re.compile(r"USING CRON \S+ \S+ \S+ \S+ \S+ \S+|\d{1,5} (?:MINUTES?|HOURS?)")
EXAMPLES = ("every hour", "every night at 2", "every weekday at 7", "every Monday at 7")
"""What a person may answer, among much else."""


def schedules_said(words: str) -> Iterator[str]:
    """Yield the schedule that a text speaks of, as a task has it; nothing where that is open."""
    if (span := _SPAN.search(words)) is not None:
        minutes = int(span["number"]) * (60 if span["unit"].lower() == "hour" else 1)
        if 0 < minutes <= _MOST_MINUTES:
            yield f"{minutes} MINUTE"
    elif _HOURLY.search(words) is not None:
        yield "USING CRON 0 * * * * UTC"
    elif (days := _days(words)) is not None and (clock := _clock(words)) is not None:
        yield f"USING CRON {clock} {days} UTC"


def read_schedule(text: str) -> str | None:
    """Return an answer as the schedule of a task, where it is one; else None."""
    whole = " ".join(text.split())
    return whole if _CRON.fullmatch(whole) else next(schedules_said(whole), None)


def recurs_on_days(words: str) -> bool:
    """Tell whether a text speaks of days that come again: `every weekday`, `first of the month`."""
    found = (_WORKDAYS, _WEEKENDS, _OF_MONTH)
    plural = re.search(rf"\bon {_DAY[:-2]}s\b", words, re.IGNORECASE)
    return plural is not None or any(one.search(words) is not None for one in found)


def _days(words: str) -> str | None:
    """Return the last three fields of a cron expression: day, month, days of the week."""
    if (nth := _OF_MONTH.search(words)) is not None:
        return f"{nth['number'] or _NTH_WORDS[nth['word'].lower()]} * *"
    if _WORKDAYS.search(words) is not None:
        return "* * 1-5"
    if _WEEKENDS.search(words) is not None:
        return "* * 0,6"
    if (found := _WEEKDAYS.search(words)) is not None:
        said = (found["days"] or found["alone"]).lower()
        return f"* * {','.join(str(n) for n, day in enumerate(_DAYS) if f'{day}day' in said)}"
    if _MONTHLY.search(words) is not None:
        return "1 * *"
    if _WEEKLY.search(words) is not None:
        return "* * 1"
    return "* * *" if _DAILY.search(words) is not None else None


def _clock(words: str) -> str | None:
    """Return the first two fields of a cron expression; None where the time is none."""
    found = _CLOCK.search(words)
    if found is None:
        daily = _DAILY.search(words)
        is_morning = daily is not None and daily["morning"]
        return f"0 {_HOUR_OF_MORNING if is_morning else _HOUR_OF_NIGHT}"
    if found["named"]:
        return "0 12" if found["named"].lower() == "noon" else "0 0"
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        hour = hour % _EVENING + (_EVENING if found["half"].lower() == "pm" else 0)
    return f"{minute} {hour}" if hour <= _MOST_HOUR and minute <= _MOST_MINUTE else None
