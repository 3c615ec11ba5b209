"""Values on their way to a handler and back, by the type that the routine declares.

Room: embedded. Each travels as JSON: numbers and moments as texts that lose nothing.

See https://docs.snowflake.com/en/developer-guide/udf-stored-procedure-data-type-mapping
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

DOCUMENTS = ("VARIANT", "OBJECT", "ARRAY", "GEOGRAPHY", "GEOMETRY")
Kind = tuple[str, int]
"""A type's name, and its digits after the point."""


def _moment(value: str) -> datetime:
    return datetime.fromisoformat(value)


def _zoned(value: dict[str, Any]) -> datetime:
    return _moment(value["t"]).astimezone(timezone(timedelta(minutes=value["o"])))


def _decimal(value: Any, scale: int) -> Decimal:
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-scale))


def reader(kind: Kind) -> Callable[[Any], Any] | None:
    """Return what makes of JSON the value that a handler expects; None where it is that already."""
    name, scale = kind
    if name == "FIXED" and scale:
        return lambda value: _decimal(value, scale)
    if name in DOCUMENTS:
        return json.loads
    return _READERS.get(name)


_READERS: dict[str, Callable[[Any], Any]] = {
    "REAL": float,
    "BINARY": bytes.fromhex,
    "DATE": date.fromisoformat,
    "TIME": time.fromisoformat,
    "TIMESTAMP_NTZ": _moment,
    "TIMESTAMP_LTZ": lambda value: _moment(value).astimezone(UTC),
    "TIMESTAMP_TZ": _zoned,
}


def read(value: Any, using: Callable[[Any], Any] | None) -> Any:
    """Return what a handler gets; a moment beyond Python's years stays a text."""
    if value is None or using is None:
        return value
    try:
        return using(value)
    except ValueError:
        return value


_SHORT = {"FIXED": int, "REAL": float, "TEXT": str, "BOOLEAN": bool}


def written(kind: Kind, value: Any) -> str | None:
    """Return the text that stands for what a handler returned; None for NULL."""
    if value is None:
        return None
    if type(value) is _SHORT.get(kind[0]):
        return str(value)
    name, _ = kind
    if name in DOCUMENTS:
        return json.dumps(_plain(value), default=str)
    if name == "BINARY":
        return (value.encode() if isinstance(value, str) else bytes(value)).hex()
    if name.startswith("TIMESTAMP") and isinstance(value, date):
        return _moment_written(name, value)
    if name == "DATE" and isinstance(value, datetime):
        return value.date().isoformat()
    if name in ("FIXED", "REAL") and isinstance(value, bool):
        return str(int(value))
    if name == "TEXT":
        return str(value)
    return str(_plain(value))


def _plain(value: Any) -> Any:
    """Return a number of another package as one of Python's."""
    item = getattr(value, "item", None)
    if callable(item) and not isinstance(value, (str, bytes, dict, list)):
        with suppress(TypeError, ValueError):
            return item()
    return value


def _moment_written(name: str, value: date) -> str:
    moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    if name == "TIMESTAMP_NTZ":
        return moment.replace(tzinfo=None).isoformat(" ")
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    if name == "TIMESTAMP_LTZ":
        return aware.isoformat(" ")
    offset = int((aware.utcoffset() or timedelta()).total_seconds() // 60)
    return f"{{'t': '{aware.isoformat(' ')}', 'o': {offset}}}"


def tagged(value: Any) -> tuple[str, Any]:
    """Return what a procedure returned, with the name of its Python type."""
    value = _plain(value)
    match value:
        case None | bool() | str():
            return "plain", value
        case int() | Decimal():
            return type(value).__name__, str(value)
        case float():
            return "float", repr(value)
        case bytes() | bytearray():
            return "bytes", value.hex()
        case datetime() | date() | time():
            return _family(value), value.isoformat()
        case list() | dict():
            return "json", json.dumps(value, default=str)
        case _:
            return "plain", str(value)


def _family(value: date | time) -> str:
    if isinstance(value, datetime):
        return "datetime"
    return "date" if isinstance(value, date) else "time"
