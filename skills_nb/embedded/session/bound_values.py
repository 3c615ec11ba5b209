"""Bound values: read as their declared types, so that no text of a value is ever part of SQL.

Room: embedded. Pure. A value that is not of its type is refused in Snowflake's words.

See https://docs.snowflake.com/en/developer-guide/sql-api/submitting-requests
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Context, Decimal
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.types import data_types

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UTC_OFFSET = 1440
"""Minutes east of UTC are sent as minutes + 1440."""
_MOST_SCALE = 37
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,6})?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,30}", re.ASCII)
_BEYOND = re.compile(r"[+-]?(?:nan|inf(?:inity)?)", re.ASCII | re.I)
_FINE = re.compile(r"\.\d{6}\d*[1-9]", re.ASCII)
_DIGITS = re.compile(r"(?:[0-9a-fA-F]{2})*")
_TRUE = frozenset({"true", "t", "yes", "y", "on", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "off", "0"})
_EXACT = Context(prec=data_types.MOST_DIGITS)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a client bound to one placeholder."""

    kind: str
    """The declared type: FIXED, TEXT, …"""
    value: Any
    """As it was sent: a scalar, or a list of them for a batch of rows."""


Bindings = Mapping[str, Bound]
"""Values by the number of their placeholder."""


def received(sent: Any) -> dict[str, Bound]:
    """Read the bindings of a request.

    Raises:
        SqlError: they do not have the form of bindings (1003).
    """
    if not sent:
        return {}
    if not isinstance(sent, Mapping):
        raise errors.bad_binding("the bindings", "an object of values by their number")
    return {str(number): _one(str(number), given) for number, given in sent.items()}


def _one(number: str, given: Any) -> Bound:
    if isinstance(given, Bound):
        return given
    if not isinstance(given, Mapping) or "value" not in given:
        raise errors.bad_binding(f"binding {number}", "an object with a type and a value")
    kind, value = given.get("type"), given["value"]
    if kind is not None and not isinstance(kind, str):
        raise errors.bad_binding(f"the type of binding {number}", "a text")
    listed = value if isinstance(value, list) else [value]
    if any(isinstance(item, (list, Mapping)) for item in listed):
        raise errors.bad_binding(f"the value of binding {number}", "a scalar, or a list of them")
    return Bound(kind or "TEXT", value)


def read(kind: str, value: Any) -> Any:
    """Return a bound value as a Python value of its declared type; None for NULL.

    Raises:
        SqlError: it is not of the type, or the account does not know the type (0A000).
    """
    if value is None:
        return None
    reader = _READERS.get(kind)
    if reader is None:
        raise errors.unsupported(f"binding of type {kind}")
    return reader(kind, _text(value))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, default=str)


def _string(kind: str, text: str) -> str:
    """Take a text, which has to be one that can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise errors.invalid_utf8(text) from error
    return text


def _fixed(kind: str, text: str) -> Decimal:
    """Read a number of up to 38 digits; what is behind them is rounded."""
    found = _NUMBER.fullmatch(text.strip())
    number = Decimal(found[0]) if found else None
    if number is None or number.adjusted() >= data_types.MOST_DIGITS:
        raise errors.unrecognized("Numeric value", text)
    scale = min(_MOST_SCALE, data_types.MOST_DIGITS - max(number.adjusted() + 1, 1))
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > scale:
        number = number.quantize(Decimal(1).scaleb(-scale), "ROUND_HALF_UP", _EXACT)
    return number


def _real(kind: str, text: str) -> float:
    trimmed = text.strip()
    if _NUMBER.fullmatch(trimmed) or _BEYOND.fullmatch(trimmed):
        return float(trimmed)
    raise errors.unrecognized("Numeric value", text)


def _boolean(kind: str, text: str) -> bool:
    word = text.strip().lower()
    if word not in _TRUE and word not in _FALSE:
        raise errors.unrecognized("Boolean value", text)
    return word in _TRUE


def _binary(kind: str, text: str) -> bytes:
    if not _DIGITS.fullmatch(text):
        raise errors.not_hexadecimal(text)
    return bytes.fromhex(text)


def _date(kind: str, text: str) -> date:
    """Read milliseconds since 1970, as the connector sends them, or a date as ISO 8601 has it."""
    try:
        if _WHOLE.fullmatch(text):
            return (_EPOCH + timedelta(milliseconds=int(text))).date()
        return date.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise errors.unrecognized("Date", text) from error


def _time(kind: str, text: str) -> time:
    """Read nanoseconds since midnight."""
    try:
        if _WHOLE.fullmatch(text):
            found = (_EPOCH + timedelta(microseconds=int(text) // 1000)).time()
        else:
            found = time.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise errors.unrecognized("Time", text) from error
    _refuse_finer(text)
    return found.replace(tzinfo=None)


def _refuse_finer(text: str) -> None:
    """Refuse nanoseconds, counted or behind a point, that make no whole number of microseconds.

    Raises:
        SqlError: they do not, and nothing here keeps them (0A000).
    """
    is_finer = int(text) % 1000 if _WHOLE.fullmatch(text) else _FINE.search(text)
    if is_finer:
        raise errors.unsupported("nanoseconds below a microsecond")


def _timestamp(kind: str, text: str) -> datetime:
    """Read nanoseconds since 1970, with minutes east of UTC for TIMESTAMP_TZ."""
    try:
        found = _instant(kind, text)
    except (ValueError, OverflowError) as error:
        raise errors.unrecognized("Timestamp", text) from error
    return found.replace(tzinfo=None) if kind == "TIMESTAMP_NTZ" else found


def _instant(kind: str, text: str) -> datetime:
    nanos, _, east = text.partition(" ")
    if not _WHOLE.fullmatch(nanos):
        found = datetime.fromisoformat(text)
        _refuse_finer(text)
        return found
    if east and not _WHOLE.fullmatch(east):
        raise ValueError(east)
    made = _EPOCH + timedelta(microseconds=int(nanos) // 1000)
    if east:
        zone = timezone(timedelta(minutes=int(east) - _UTC_OFFSET))
        made = made.astimezone(zone) if kind == "TIMESTAMP_TZ" else made
    _refuse_finer(nanos)
    return made


_SHAPES: dict[str, type | tuple[type, ...]] = {"OBJECT": dict, "ARRAY": list, "VARIANT": object}


def _document(kind: str, text: str) -> str:
    """Read JSON, and write it again."""
    try:
        found = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise errors.not_json(text) from error
    if not isinstance(found, _SHAPES[kind]):
        raise errors.not_json(text)
    return _string(kind, text)


def _refused(word: str) -> Any:
    raise ValueError(word)


_READERS: dict[str, Callable[[str, str], Any]] = {
    "ARRAY": _document,
    "BINARY": _binary,
    "BOOLEAN": _boolean,
    "DATE": _date,
    "FIXED": _fixed,
    "OBJECT": _document,
    "REAL": _real,
    "TEXT": _string,
    "TIME": _time,
    "TIMESTAMP_LTZ": _timestamp,
    "TIMESTAMP_NTZ": _timestamp,
    "TIMESTAMP_TZ": _timestamp,
    "VARIANT": _document,
}
