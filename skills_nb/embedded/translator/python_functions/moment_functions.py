"""Moments read from texts and numbers.

Room: embedded. Pure. The answer is a text that DuckDB casts.

See https://docs.snowflake.com/en/sql-reference/date-time-input-output
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Context, Decimal
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from skills_nb.embedded.errors.python_refusals import RefusalError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_AUTO = (
    "YYYY-MM-DD",
    'YYYY-MM-DD"T"HH24:MI:SS.FFTZH:TZM',
    "YYYY-MM-DD HH24:MI:SS.FFTZH:TZM",
    'YYYY-MM-DD"T"HH24:MI:SS.FF',
    "YYYY-MM-DD HH24:MI:SS.FF",
    'YYYY-MM-DD"T"HH24',
    "YYYY-MM-DD HH24",
    "DD-MON-YYYY HH24:MI:SS.FF",
    "MM/DD/YYYY HH24:MI:SS.FF",
    "DY, DD MON YYYY HH24:MI:SS.FF TZHTZM",
    "DY, DD MON YYYY HH12:MI:SS.FF AM TZHTZM",
    "DY, DD MON YYYY HH24:MI:SS.FF",
    "DY, DD MON YYYY HH12:MI:SS.FF AM",
    "DY MON DD HH24:MI:SS TZHTZM YYYY",
    "DD-MON-YYYY",
    "MM/DD/YYYY",
    "HH24:MI:SS.FFTZH:TZM",
    "HH24:MI:SS.FF",
    "HH12:MI:SS.FF AM",
)
AUTO = "AUTO"
_CENTURY = 1970
_WIDE = Context(prec=60)
"""More digits than a NUMBER has: usually Python rounds to 28."""
SHORT = r"(?<![a-z])(?:MO|H24|H12|ME|[YDHSP])(?![a-z\d])"
"""Elements without leading zeros, which are none within a word that stands for itself."""
_PART = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<part>YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|AM|PM|MI|SS(?P<dot>\.FF\d?)?'
    rf"|FF\d?|TZHTZM|TZH:TZM|TZH|{SHORT})|(?P<space>\s+)|(?P<plain>.)",
    re.I | re.S,
)
_ZONE = r"\s*(?P<zone>Z|[+-]\d{1,2}(?::?\d{2})?)"
_SHAPES = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short>\d{1,2})",
    "Y": r"(?P<short>\d{1,2})",
    "MMMM": r"(?P<name>[a-z]+)",
    "MON": r"(?P<name>[a-z]{3,9})",
    **dict.fromkeys(("MM", "MO"), r"(?P<month>\d{1,2})"),
    **dict.fromkeys(("DD", "D"), r"(?P<day>\d{1,2})"),
    "DY": r"[a-z]{3}",
    **dict.fromkeys(("HH24", "HH12", "HH", "H24", "H12", "H"), r"(?P<hour>\d{1,2})"),
    **dict.fromkeys(("AM", "PM"), r"(?P<half>am|pm)"),
    "P": r"(?P<half>a|p)",
    **dict.fromkeys(("MI", "ME"), r"(?P<minute>\d{1,2})"),
    **dict.fromkeys(("SS", "S"), r"(?P<second>\d{1,2})"),
    "TZHTZM": _ZONE,
    "TZH:TZM": _ZONE,
    "TZH": _ZONE,
}
_SECONDS = r"(?::?(?P<second>\d{1,2})(?:\.(?P<fraction>\d{1,9}))?)?"
_WORDS = {
    "DATE": ("Date", 100040),
    "TIME": ("Time", 100108),
    "TIMESTAMP": ("Timestamp", 100035),
}


@lru_cache(maxsize=256)
def _shape(form: str, *, lenient: bool) -> re.Pattern[str]:
    made = ""
    for found in _PART.finditer(form):
        word = (found["part"] or "").upper()
        if found["quoted"] is not None:
            made += re.escape(found["quoted"])
        elif found["space"]:
            made += r"\s+"
        elif found["plain"] is not None:
            made += re.escape(found["plain"])
        elif word.startswith("SS.") and lenient:
            made = made.removesuffix(":") + _SECONDS
        elif word.startswith("SS."):
            made += _SHAPES["SS"] + r"\.(?P<fraction>\d{1,9})"
        elif word.startswith("FF"):
            made += r"(?P<fraction>\d{1,9})"
        else:
            # A day and an hour that stand together in a format may be apart in a text.
            made += r"\s*" + _SHAPES[word] if word.startswith("H") else _SHAPES[word]
    try:
        return re.compile(made, re.I)
    except re.error as error:
        raise RefusalError(100095, "22007", f"Invalid date/time format '{form}'") from error


def _moment(
    value: Any,
    kind: str,
    form: Any = None,
    safe: bool = False,
    customary: str = AUTO,
    century: int = _CENTURY,
    zone: str = "UTC",
) -> str | None:
    """Read a value as DATE, TIME or TIMESTAMP (with its zone, where `kind` ends in TZ).

    A TIMESTAMP_TZ without a zone of its own is in the session's, `zone`.

    Without a format of its own a text is read in the customary one, two digits of a year as one
    of the hundred years that begin with `century`.
    """
    if value is None:
        return None
    zoned = kind.endswith("TZ")
    bare = kind.removesuffix("TZ").removesuffix("_")
    if form is None and isinstance(value, str) and customary != AUTO:
        form = customary
    try:
        found = _read(value, form, int(century), whole=kind == "DATE")
    except (ValueError, OverflowError):
        found = None
    if found is not None and kind == "TIMESTAMP_TZ":
        return _held(found, ZoneInfo(zone), counted=isinstance(value, (int, float, Decimal)))
    if found is not None:
        return _written(found, bare, zoned=zoned)
    if safe:
        return None
    word, errno = _WORDS[bare]
    if isinstance(form, str):
        said = f"Can't parse '{value}' as {bare.lower()} with format '{form}'"
        raise RefusalError(100096, "22007", said)
    raise RefusalError(errno, "22007", f"{word} '{value}' is not recognized")


def _held(found: datetime, zone: ZoneInfo, *, counted: bool) -> str:
    """Write a moment as DuckDB reads the struct of its instant and its offset."""
    if counted:
        found = found.astimezone(zone)
    elif found.tzinfo is None:
        found = found.replace(tzinfo=zone)
    offset = found.utcoffset() or timedelta()
    return f"{{t: {found.isoformat(' ')}, o: {int(offset.total_seconds() // 60)}}}"


def seen(held: Mapping[str, Any]) -> datetime:
    """Return the moment that such a struct holds, at its own offset."""
    instant: datetime = held["t"]
    return instant.astimezone(timezone(timedelta(minutes=held["o"])))


def held(moment: datetime | None) -> dict[str, Any] | None:
    """Return the struct that DuckDB keeps of a moment with a zone of its own."""
    if moment is None:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    offset = aware.utcoffset() or timedelta()
    return {"t": aware, "o": int(offset.total_seconds() // 60)}


def rows_seen(rows: Iterable[tuple[Any, ...]], kinds: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """Return rows whose moments with a zone of their own are moments again."""
    if "TIMESTAMP_TZ" not in kinds:
        return tuple(rows)
    return tuple(
        tuple(seen(value) if isinstance(value, dict) else value for value in row) for row in rows
    )


def _written(found: datetime, kind: str, *, zoned: bool) -> str:
    match kind:
        case "DATE":
            return found.date().isoformat()
        case "TIME":
            return found.time().isoformat()
        case _:
            if zoned:
                return found.isoformat(" ")  # without a zone it is read in the session's
            return found.replace(tzinfo=None).isoformat(" ")


def _read(value: Any, form: Any, century: int, *, whole: bool) -> datetime | None:
    """Read a value; `whole` where only its day is asked for."""
    match value:
        case datetime():
            return value
        case date():
            return datetime.combine(value, time())
        case time():
            return datetime.combine(_EPOCH.date(), value)
        case bool():
            return None
        case int() | float() | Decimal():
            exact = whole or isinstance(value, float)  # which has not so many digits
            return _since_epoch(Decimal(str(value)), int(form or 0), whole=exact)
        case _:
            return _of_text(str(value).strip(), form, century, whole=whole)


def _since_epoch(value: Decimal, scale: int, *, whole: bool) -> datetime:
    nanos = int(value.scaleb(9 - scale, _WIDE))
    if nanos % 1000 and not whole:
        raise too_fine()
    return _EPOCH + timedelta(microseconds=nanos // 1000)


def too_fine() -> RefusalError:
    """Return the refusal of a moment between two microseconds."""
    said = "SQL compilation error:\nUnsupported feature 'nanoseconds below a microsecond'."
    return RefusalError(2, "0A000", said)


def _of_text(text: str, form: Any, century: int, *, whole: bool) -> datetime | None:
    if isinstance(form, str) and form.upper() != AUTO:
        found = _shape(form, lenient=False).fullmatch(text)
        return _composed(found, century, whole=whole) if found else None
    if re.fullmatch(r"-?\d+", text):
        return _since_epoch(Decimal(text), _guessed_scale(abs(int(text))), whole=whole)
    shapes = (_shape(one, lenient=True).fullmatch(text) for one in _AUTO)
    found = next((one for one in shapes if one), None)
    return _composed(found, century, whole=whole) if found else None


def _guessed_scale(value: int) -> int:
    """Tell seconds, milliseconds, microseconds and nanoseconds apart by size."""
    for scale, below in ((0, 31_536_000_000), (3, 31_536_000_000_000), (6, 31_536_000_000_000_000)):
        if value < below:
            return scale
    return 9


def _composed(found: re.Match[str], century: int, *, whole: bool) -> datetime:
    part = {name: text for name, text in found.groupdict().items() if text is not None}
    hour = int(part.get("hour", 0))
    if "half" in part:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if part["half"][0] in "pP" else 0)
    short = int(part.get("short", _CENTURY % 100))
    first = century if "short" in part else _CENTURY
    return datetime(
        int(part["year"]) if "year" in part else first + (short - first) % 100,
        _month(part["name"]) if "name" in part else int(part.get("month", 1)),
        int(part.get("day", 1)),
        hour,
        int(part.get("minute", 0)),
        int(part.get("second", 0)),
        _micros(part.get("fraction", "0"), whole=whole),
        tzinfo=_zone(part["zone"]) if "zone" in part else None,
    )


def _micros(fraction: str, *, whole: bool) -> int:
    if fraction[6:].strip("0") and not whole:
        raise too_fine()
    return int(fraction.ljust(6, "0")[:6])


def _month(name: str) -> int:
    """Number a month that is written in full or as its first three letters."""
    number = _MONTHS.index(name[:3].lower())
    if len(name) > 3 and name.lower() != month_name[number + 1].lower():
        raise ValueError(name)
    return number + 1


def _zone(text: str) -> timezone:
    if text.upper() == "Z":
        return UTC
    digits = text[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-offset if text[0] == "-" else offset)


def _weekday(text: str | None) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/next_day."""
    if text is None:
        return None
    word = text.lstrip()[:2].lower()
    if word not in _WEEKDAYS:
        said = f"invalid value [{text}] for parameter 'day of week'"
        raise RefusalError(1008, "22023", f"SQL compilation error:\n{said}")
    return _WEEKDAYS.index(word)


_WEEKDAYS = ("su", "mo", "tu", "we", "th", "fr", "sa")
FUNCTIONS: Mapping[str, Callable[..., Any]] = {"moment": _moment, "weekday": _weekday}
