"""Formats: numbers and moments as texts, and back.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql-format-models and
https://docs.snowflake.com/en/sql-reference/date-time-input-output
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError

_MOMENT = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<part>YYYY|UUUU|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|AM|PM|MI|SS|FF\d?'
    r"|TZHTZM|TZH:TZM|TZH|TZM|TZD)|(?P<plain>.)",
    re.I | re.S,
)
_NUMBER = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<digits>[90GD.,XVB]+)|(?P<sign>S|MI)|(?P<money>\$)|(?P<fill>FM)'
    r"|(?P<short>TM9?|TME)|(?P<power>EEEE?)|(?P<plain>.)",
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
            return number(Decimal(str(value)), form) if form else str(value)
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
}


def _part(value: date | time, word: str) -> str:
    name = word.upper()
    if name in _DATES:
        return _DATES[name](value) if isinstance(value, date) else _unknown(word)
    held = value if isinstance(value, (datetime, time)) else time()
    if name in _TIMES:
        made = _TIMES[name](held)
        return made.lower() if word.islower() and name in ("AM", "PM") else made
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


def number(value: Decimal, form: str) -> str:
    """Write a number; digits that do not fit become `#`."""
    filled = not form.upper().startswith("FM")
    sections = [(f.lastgroup, f[f.lastgroup or 0]) for f in _NUMBER.finditer(form)]
    picture = next((text for kind, text in sections if kind == "digits"), "")
    if any(kind == "short" for kind, _ in sections):
        return format(value, "f")
    if any(kind == "power" for kind, _ in sections):
        return _scientific(value, picture)
    money = any(kind == "money" for kind, _ in sections)
    body = _body(value, picture, money)
    sign = next((text for kind, text in sections if kind == "sign"), None)
    made = _signed(body, value, sign, before=_before(sections))
    around = [text if kind in ("quoted", "plain") else None for kind, text in sections]
    place = next((i for i, text in enumerate(around) if text is None), 0)
    head = "".join(text or "" for text in around[:place])
    tail = "".join(text or "" for text in around[place:])
    return f"{head}{made if filled else made.strip()}{tail}"


def _before(sections: list[tuple[str | None, str]]) -> bool:
    kinds = [kind for kind, _ in sections if kind in ("digits", "sign")]
    return kinds[:1] == ["sign"]


def _body(value: Decimal, picture: str, money: bool) -> str:
    spelled = picture.upper().replace("D", ".").replace("G", ",").replace("B", "")
    whole, point, fraction = spelled.partition(".")
    if "X" in whole:
        return f"{int(value):X}".rjust(len(whole))
    shown = abs(value).quantize(Decimal(1).scaleb(-len(fraction)), ROUND_HALF_UP)
    digits, _, decimals = format(shown, "f").partition(".")
    places = len(whole.replace(",", ""))
    zeros = whole.replace(",", "")
    needed = len(zeros) - zeros.index("0") if "0" in zeros else 1 if places else 0
    digits = digits.zfill(needed) if places else digits.lstrip("0")
    if len(digits) > places:
        return ("$" if money else "") + re.sub(r"[90]", "#", whole + point + fraction)
    return _laid_out(digits, whole, "$" if money else "") + point + decimals


def _laid_out(digits: str, whole: str, money: str) -> str:
    left = list(digits)
    made = ""
    for mark in reversed(whole):
        if not left:
            break
        made = ("," if mark == "," else left.pop()) + made
    return (money + made.lstrip(",")).rjust(len(whole) + len(money))


def _signed(body: str, value: Decimal, sign: str | None, *, before: bool) -> str:
    minus = value < 0 and any(c in "123456789#" for c in body)
    bare = body.lstrip(" ")
    pad = " " * (len(body) - len(bare))
    if sign is None:
        return f"{pad}{'-' if minus else ' '}{bare}"
    shown = "-" if minus else "+" if sign.upper() == "S" else " "
    return f"{pad}{shown}{bare}" if before else f"{pad}{bare}{shown}"


def _scientific(value: Decimal, picture: str) -> str:
    fraction = len(picture.upper().replace("D", ".").partition(".")[2])
    mantissa, _, power = f"{value:.{fraction}E}".partition("E")
    sign = "" if mantissa.startswith("-") else " "
    return f"{sign}{mantissa}E{int(power)}"


def _read_number(text: str | None, form: str, safe: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_decimal (with a format)."""
    if text is None:
        return None
    bare = re.sub(r"[$,\s]", "", text) if re.search(r"[$,G]", form, re.I) else text.strip()
    if bare.endswith("-"):
        bare = f"-{bare[:-1]}"
    if re.search("X", form, re.I):
        bare = str(int(bare, 16)) if re.fullmatch(r"[0-9A-Fa-f]+", bare) else text
    if re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)(E[+-]?\d+)?", bare, re.I) and _fits(bare, form):
        return bare
    if safe:
        return None
    raise RefusalError(100140, "22007", f"Can't parse '{text}' as number with format '{form}'")


def _fits(text: str, form: str) -> bool:
    """Tell whether the picture has a place for each digit."""
    if re.search(r"TM|X|E{2,}", form, re.I):
        return True
    whole, _, fraction = re.sub(r"[Dd]", ".", form).partition(".")
    digits, _, decimals = text.lstrip("+-").partition(".")
    return len(digits.lstrip("0")) <= len(re.findall("[90]", whole)) and len(decimals) <= len(
        re.findall("[90]", fraction)
    )


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "to_char": _char,
    "to_number": _read_number,
}
