"""Cells of an answer on the wire as Python has them, like the connector reads them.

Room: work. Pure. The account sends texts, and says beside them which type each column has.
Source: the connector's converter, for results in JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = date(1970, 1, 1)
_UTC_OFFSET = 1440
"""Minutes east of UTC are sent as minutes + 1440."""
_MICROS = 6
"""Digits that Python keeps of a second."""


def readers_of(
    columns: Sequence[Mapping[str, Any]], zone: str
) -> tuple[Callable[[str], Any] | None, ...]:
    """Return what reads the cells of each column; None where the text is the value.

    Args:
        columns: as the wire describes them.
        zone: the session's TIMEZONE.
    """
    return tuple(_reader_of(column, zone) for column in columns)


def read_row(
    row: Sequence[str | None], readers: Sequence[Callable[[str], Any] | None]
) -> tuple[Any, ...]:
    """Return one row's values."""
    return tuple(
        text if text is None or read is None else read(text)
        for text, read in zip(row, readers, strict=True)
    )


def _reader_of(column: Mapping[str, Any], zone: str) -> Callable[[str], Any] | None:
    kind = str(column["type"]).upper()
    if kind == "FIXED":
        return Decimal if column.get("scale") else int
    if kind in ("TIMESTAMP_LTZ", "TIMESTAMP"):
        return partial(_local, zone=_zone(zone))
    return _READERS.get(kind)


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # The account knows a zone that this machine has no table of.
        return UTC


def _boolean(text: str) -> bool:
    return text in ("1", "TRUE")


def _date(text: str) -> date:
    return _EPOCH_DAY + timedelta(days=int(text))


def _time(text: str) -> time:
    return _moment(text).time()


def _moment(text: str) -> datetime:
    """Return seconds since 1970 as a moment without a zone; what is below a microsecond is cut."""
    whole, _, fraction = text.lstrip("-").partition(".")
    micros = int(whole) * 10**_MICROS + int(fraction[:_MICROS].ljust(_MICROS, "0"))
    return _EPOCH + timedelta(microseconds=-micros if text.startswith("-") else micros)


def _local(text: str, zone: tzinfo) -> datetime:
    return _moment(text).replace(tzinfo=UTC).astimezone(zone)


def _zoned(text: str) -> datetime:
    moment, _, offset = text.partition(" ")
    east = timezone(timedelta(minutes=int(offset) - _UTC_OFFSET))
    return _local(moment, east)


_READERS: Mapping[str, Callable[[str], Any]] = {
    "REAL": float,
    "DECFLOAT": Decimal,
    "BOOLEAN": _boolean,
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP_NTZ": _moment,
    "TIMESTAMP_TZ": _zoned,
    "BINARY": bytes.fromhex,
}
