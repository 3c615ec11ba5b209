"""Encoding: columns and values as the connector's JSON result format has them.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.values import Column, Result

_EPOCH_DAY = date(1970, 1, 1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UTC_OFFSET = 1440
"""Minutes east of UTC are sent as minutes + 1440."""


def row_type(column: Column) -> dict[str, Any]:
    """Describe a column."""
    kind = column.type.kind
    return {
        "name": column.name,
        "database": "",
        "schema": "",
        "table": "",
        "nullable": column.nullable,
        "type": kind.lower(),
        "length": column.type.length,
        "byteLength": _byte_length(column.type),
        "precision": column.type.precision,
        "scale": column.type.scale,
        "collation": None,
    }


def _byte_length(sf_type: SfType) -> int | None:
    """Return how many bytes a value may take; the connector's fifth version counts on it."""
    if sf_type.kind == "TEXT" and sf_type.length:
        return sf_type.length * 4
    return sf_type.length if sf_type.kind == "BINARY" else None


def row_set(result: Result) -> list[list[str | None]]:
    """Write the rows."""
    writers = [_writer(column.type) for column in result.columns]
    return [
        [None if value is None else write(value) for value, write in zip(row, writers, strict=True)]
        for row in result.rows
    ]


def _writer(sf_type: SfType) -> Callable[[Any], str]:
    return _WRITERS.get(sf_type.kind, str)


def _boolean(value: Any) -> str:
    return "1" if value else "0"


def _date(value: date) -> str:
    return str((value - _EPOCH_DAY).days)


def _time(value: time) -> str:
    seconds = value.hour * 3600 + value.minute * 60 + value.second
    return f"{seconds}.{value.microsecond:06d}000"


def _seconds(value: datetime) -> str:
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    delta = aware - _EPOCH
    micros = (delta.days * 86400 + delta.seconds) * 1_000_000 + delta.microseconds
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    return f"{sign}{micros // 1_000_000}.{micros % 1_000_000:06d}000"


def _zoned(value: datetime) -> str:
    east = value.utcoffset() or timedelta()
    return f"{_seconds(value)} {int(east.total_seconds() // 60) + _UTC_OFFSET}"


def _binary(value: Any) -> str:
    return bytes(value).hex().upper()


def _real(value: Any) -> str:
    return repr(float(value))


_WRITERS: dict[str, Callable[[Any], str]] = {
    "BOOLEAN": _boolean,
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP_NTZ": _seconds,
    "TIMESTAMP_LTZ": _seconds,
    "TIMESTAMP_TZ": _zoned,
    "BINARY": _binary,
    "REAL": _real,
}
