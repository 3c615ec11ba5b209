"""Arrow rows: a query's result as the connector reads it without a text a cell.

Room: embedded. Pure. It takes pyarrow where that is installed, which whoever asks for a DataFrame
has; everybody else gets the rows as JSON. Whole numbers come as narrow as they are.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-pandas
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from decimal import Context, Decimal
from importlib.util import find_spec
from typing import Any

from skills_nb.embedded.types.data_types import PLACES, SfType
from skills_nb.embedded.types.values import Column, Result

_BATCH = 65_536
"""Rows of one record batch."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UTC_OFFSET = 1440
"""Minutes east of UTC are sent as minutes + 1440."""
_OF_PARTS = 16
"""How long a moment is that is sent with its fraction and its zone."""
_WIDTHS = (8, 16, 32, 64)
_WIDE = Context(prec=60)
"""More digits than a NUMBER has: usually Python rounds to 28."""


def is_at_hand() -> bool:
    """Tell whether pyarrow is installed, without loading it."""
    return find_spec("pyarrow") is not None


def written(result: Result) -> str | None:
    """Write a result as an Arrow stream, in base64; '' where it has no rows, as Snowflake.

    None where a number has more digits than Arrow sends; it comes as JSON.
    """
    import pyarrow  # type: ignore[import-untyped]

    if not result.rows:
        return ""
    listed = zip(*result.rows, strict=True)
    try:
        arrays = [_array(v, c.type, pyarrow) for v, c in zip(listed, result.columns, strict=True)]
    except pyarrow.ArrowInvalid:
        return None
    return base64.b64encode(stream(result.columns, arrays)).decode()


def stream(columns: Sequence[Column], arrays: Sequence[Any]) -> Any:
    """Write columns as an Arrow stream."""
    import pyarrow

    fields = [
        pyarrow.field(c.name, array.type, nullable=c.nullable, metadata=_about(c))
        for c, array in zip(columns, arrays, strict=True)
    ]
    schema, sink = pyarrow.schema(fields), pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, schema) as opened:
        for batch in pyarrow.table(list(arrays), schema=schema).to_batches(max_chunksize=_BATCH):
            opened.write_batch(batch)
    return sink.getvalue()


def _about(column: Column) -> dict[str, str]:
    """Say what a column is in Snowflake's words."""
    kind = column.type
    length = kind.length or 0
    width = _OF_PARTS if kind.kind == "TIMESTAMP_TZ" else length
    return {
        "logicalType": "OBJECT" if kind.kind in PLACES else kind.kind,
        "precision": str(kind.precision or (38 if kind.kind == "FIXED" else 0)),
        "scale": str(_scale(kind)),
        "charLength": str(length),
        "byteLength": str(length * 4 if kind.kind == "TEXT" else width),
        "finalType": "T",
    }


def _scale(kind: SfType) -> int:
    """Count the digits that are sent; of a moment always nine."""
    return (kind.scale or 0) if kind.kind == "FIXED" else 9 if kind.kind.startswith("TIME") else 0


def _array(values: Sequence[Any], kind: SfType, pyarrow: Any) -> Any:
    if kind.kind == "FIXED":
        return _numbers(values, kind.scale or 0, pyarrow)
    write, shape = _WRITERS.get(kind.kind, (_text, lambda arrow: arrow.string()))
    return pyarrow.array([None if v is None else write(v) for v in values], type=shape(pyarrow))


def _numbers(values: Sequence[Any], scale: int, pyarrow: Any) -> Any:
    """Send whole numbers, each the value without its point, or decimals where they are too long."""
    if scale == 0 and all(v is None or type(v) is int for v in values):
        scaled: Sequence[int | None] = values
    else:
        scaled = [None if v is None else _unscaled(v, scale) for v in values]
    there = [v for v in scaled if v is not None]
    width = width_of(min(there), max(there)) if there else _WIDTHS[0]
    if width is not None:
        return pyarrow.array(scaled, type=getattr(pyarrow, f"int{width}")())
    exact = [None if v is None else Decimal(v).scaleb(-scale, _WIDE) for v in scaled]
    return pyarrow.array(exact, type=pyarrow.decimal128(38, scale))


def width_of(least: int, greatest: int) -> int | None:
    """Return how many bits whole numbers take as Arrow sends them; None where more than any."""
    bits = max(_bits(least), _bits(greatest))
    return next((width for width in _WIDTHS if bits <= width), None)


def _unscaled(value: Any, scale: int) -> int:
    return int(value) if scale == 0 else int(Decimal(value).scaleb(scale, _WIDE))


def _bits(value: int) -> int:
    """Count the bits of a signed number."""
    return (value if value >= 0 else ~value).bit_length() + 1


def _text(value: Any) -> str:
    return str(value)


def _nanos(value: time) -> int:
    seconds = value.hour * 3600 + value.minute * 60 + value.second
    return seconds * 10**9 + value.microsecond * 1000


def _instant(value: datetime) -> dict[str, int]:
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    since = aware - _EPOCH
    return {"epoch": since.days * 86400 + since.seconds, "fraction": since.microseconds * 1000}


def _zoned(value: datetime) -> dict[str, int]:
    east = value.utcoffset() or timedelta()
    return _instant(value) | {"timezone": int(east.total_seconds() // 60) + UTC_OFFSET}


def _struct(*more: str) -> Callable[[Any], Any]:
    def shape(arrow: Any) -> Any:
        names: Sequence[str] = ("fraction", *more)
        return arrow.struct([("epoch", arrow.int64()), *((name, arrow.int32()) for name in names)])

    return shape


_Writer = tuple[Callable[[Any], Any], Callable[[Any], Any]]
_WRITERS: dict[str, _Writer] = {
    "BOOLEAN": (bool, lambda arrow: arrow.bool_()),
    "BINARY": (bytes, lambda arrow: arrow.binary()),
    "DATE": (lambda value: value, lambda arrow: arrow.date32()),
    "REAL": (float, lambda arrow: arrow.float64()),
    "TIME": (_nanos, lambda arrow: arrow.int64()),
    "TIMESTAMP_LTZ": (_instant, _struct()),
    "TIMESTAMP_NTZ": (_instant, _struct()),
    "TIMESTAMP_TZ": (_zoned, _struct("timezone")),
}
"""How a value is written, and as which type of Arrow's; everything else is a text."""
