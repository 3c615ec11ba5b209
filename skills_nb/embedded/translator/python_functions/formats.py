"""Values as texts: moments by their formats, numbers by `number_formats`.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/date-time-input-output
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions import number_formats
from skills_nb.embedded.translator.python_functions.moment_functions import SHORT

_MOMENT = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<part>YYYY|UUUU|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|AM|PM|MI|SS|FF\d?'
    rf"|TZHTZM|TZH:TZM|TZH|TZM|TZD|{SHORT})|(?P<plain>.)",
    re.I | re.S,
)


def _char(value: Any, form: str | None = None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_char."""
    if value is None:
        return None
    match value:
        case datetime():
            return moment(value, form or _default(value))
        case date() | time():
            return moment(
                value, form or ("YYYY-MM-DD" if isinstance(value, date) else "HH24:MI:SS")
            )
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return number_formats.write(Decimal(str(value)), form) if form else str(value)
        case bytes():
            return _bytes(value, form or "HEX")
        case _:
            return str(value)


def _default(value: datetime) -> str:
    plain = "YYYY-MM-DD HH24:MI:SS.FF3"
    return plain if value.tzinfo is None else f"{plain} TZHTZM"


def _bytes(value: bytes, form: str) -> str:
    match form.upper():
        case "HEX":
            return value.hex().upper()
        case "BASE64":
            return b64encode(value).decode()
        case "UTF-8" | "UTF8":
            return value.decode()
        case _:
            raise RefusalError(100125, "22023", f"Invalid binary format '{form}'")


def moment(value: date | time, form: str) -> str:
    """Write a date, time or timestamp."""
    if form.upper() == "AUTO":
        form = "YYYY-MM-DD"
    made = []
    for found in _MOMENT.finditer(form):
        if (quoted := found["quoted"]) is not None:
            made.append(quoted)
        elif found["plain"] is not None:
            made.append(found["plain"])
        else:
            made.append(_part(value, found["part"]))
    return "".join(made)


_DATES: dict[str, Callable[[Any], str]] = {
    "YYYY": lambda v: f"{v.year:04d}",
    "UUUU": lambda v: f"{v.year:04d}",
    "YY": lambda v: f"{v.year % 100:02d}",
    "Y": lambda v: f"{v.year % 100}",
    "MO": lambda v: f"{v.month}",
    "D": lambda v: f"{v.day}",
    "MMMM": lambda v: f"{v:%B}",
    "MON": lambda v: f"{v:%b}",
    "MM": lambda v: f"{v.month:02d}",
    "DD": lambda v: f"{v.day:02d}",
    "DY": lambda v: f"{v:%a}",
}
_TIMES: dict[str, Callable[[Any], str]] = {
    "HH24": lambda v: f"{v.hour:02d}",
    "HH": lambda v: f"{v.hour:02d}",
    "HH12": lambda v: f"{v.hour % 12 or 12:02d}",
    "MI": lambda v: f"{v.minute:02d}",
    "SS": lambda v: f"{v.second:02d}",
    "AM": lambda v: "AM" if v.hour < 12 else "PM",
    "PM": lambda v: "AM" if v.hour < 12 else "PM",
    "P": lambda v: "A" if v.hour < 12 else "P",
    "H24": lambda v: f"{v.hour}",
    "H": lambda v: f"{v.hour}",
    "H12": lambda v: f"{v.hour % 12 or 12}",
    "ME": lambda v: f"{v.minute}",
    "S": lambda v: f"{v.second}",
}


def _part(value: date | time, word: str) -> str:
    name = word.upper()
    if name in _DATES:
        return _DATES[name](value) if isinstance(value, date) else _unknown(word)
    held = value if isinstance(value, (datetime, time)) else time()
    if name in _TIMES:
        made = _TIMES[name](held)
        return made.lower() if word.islower() and name in ("AM", "PM", "P") else made
    if name.startswith("FF"):
        return f"{held.microsecond * 1000:09d}"[: int(name[2:] or 9)]
    return _zone(held, name)


def _unknown(word: str) -> str:
    raise RefusalError(100092, "22007", f"Date/time format element '{word}' does not fit the value")


def _zone(value: datetime | time, name: str) -> str:
    offset = value.utcoffset() or timedelta()
    minutes = int(offset.total_seconds() // 60)
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    hours, rest = f"{sign}{minutes // 60:02d}", f"{minutes % 60:02d}"
    match name:
        case "TZH":
            return hours
        case "TZM":
            return rest
        case "TZH:TZM":
            return f"{hours}:{rest}"
        case _:
            return hours + rest


def _read_number(text: str | None, form: str, safe: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_decimal (with a format)."""
    if text is None:
        return None
    found = number_formats.read(text, form)
    if found is not None or safe:
        return found
    raise RefusalError(100140, "22007", f"Can't parse '{text}' as number with format '{form}'")


def _quotient(left: str | None, right: str | None, digits: int, is_cut: bool) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (division)."""
    if left is None or right is None:
        return None
    return number_formats.quotient(Decimal(left), Decimal(right), int(digits), is_cut)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "quotient": _quotient,
    "to_char": _char,
    "to_number": _read_number,
}
