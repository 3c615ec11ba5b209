"""Arrow columns: DuckDB's as the connector reads them, a column at a time.

Room: embedded. Pure. No value becomes an object of Python's, but those that are printed: what is
semi-structured.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-pandas
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded.storage.spooled_rows import Extent, SpooledRows, python_values, unscaled
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.wire import arrow_rows

_MOST = 10**38
"""No number has so many digits."""
_MOMENTS = {"TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"}
_IN_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_NANOS = 10**9


def has_room(rows: SpooledRows) -> bool:
    """Tell whether Arrow has room for all numbers of a result."""
    found = (_extent(rows, i) for i in range(len(rows.columns)))
    return all(each is None or max(-each[0], each[1]) < _MOST for each in found)


def _extent(rows: SpooledRows, index: int) -> Extent | None:
    """Return the least and the greatest number of a column, counted as it is sent."""
    extent, kind = rows.extents[index], rows.columns[index].type
    if extent is None:
        return None
    more: int = 10 ** _missing(kind, rows.schema.field(index).type)
    return extent[0] * more, extent[1] * more


def _missing(kind: SfType, held: Any) -> int:
    """Count the digits after the point that are shown and not held."""
    return (kind.scale or 0) - int(getattr(held, "scale", 0))


def sent(rows: SpooledRows, index: int, array: Any) -> Any:
    """Return a column of a piece as it is sent."""
    column = rows.columns[index]
    kind = column.type.kind
    if kind == "FIXED":
        return _numbers(array, column.type, _extent(rows, index))
    if kind in _MOMENTS:
        return _moments(array, kind)
    if kind == "TIME":
        return _time(array)
    if kind in SEMI_STRUCTURED:
        return _texts(python_values(array, column, rows.show))
    return array.cast(_shape(kind))


def _shape(kind: str) -> Any:
    import pyarrow  # type: ignore[import-untyped]

    shapes = {
        "REAL": pyarrow.float64(),
        "BOOLEAN": pyarrow.bool_(),
        "BINARY": pyarrow.binary(),
        "DATE": pyarrow.date32(),
    }
    return shapes.get(kind, pyarrow.string())


def _texts(values: list[Any]) -> Any:
    import pyarrow

    return pyarrow.array(values, pyarrow.string())


def _numbers(array: Any, kind: SfType, extent: Extent | None) -> Any:
    """Send whole numbers without their point, as narrow as the whole result lets them be."""
    import pyarrow

    if extent is None:
        return pyarrow.nulls(len(array), pyarrow.int8())
    if _missing(kind, array.type):
        array = array.cast(pyarrow.decimal128(38, kind.scale or 0))
    width = arrow_rows.width_of(*extent)
    if width is not None:
        return unscaled(array).cast(getattr(pyarrow, f"int{width}")())
    return array.cast(pyarrow.decimal128(38, kind.scale or 0))


def _time(array: Any) -> Any:
    """Count nanoseconds since midnight."""
    import pyarrow

    return array.cast(pyarrow.time64("ns")).cast(pyarrow.int64())


def _moments(array: Any, kind: str) -> Any:
    """Send an instant as its second and the rest, a moment with a zone of its own with that."""
    import pyarrow
    from pyarrow import compute

    instant = array.field("t") if kind == "TIMESTAMP_TZ" else array
    parts = dict(zip(("epoch", "fraction"), _parted(instant), strict=True))
    if kind == "TIMESTAMP_TZ":
        minutes = compute.add(array.field("o").cast(pyarrow.int32()), arrow_rows.UTC_OFFSET)
        parts["timezone"] = minutes
    return pyarrow.StructArray.from_arrays(
        list(parts.values()), list(parts), mask=compute.is_null(array)
    )


def _parted(instant: Any) -> tuple[Any, Any]:
    """Return the seconds since 1970, and the nanoseconds after them, which are never negative."""
    import pyarrow
    from pyarrow import compute

    each = _IN_A_SECOND[instant.type.unit]
    counted = instant.cast(pyarrow.int64())
    whole = compute.divide(counted, each)  # towards zero
    rest = compute.subtract(counted, compute.multiply(whole, each))
    before = compute.less(rest, 0)
    seconds = compute.subtract(whole, before.cast(pyarrow.int64()))
    after = compute.if_else(before, compute.add(rest, each), rest)
    return seconds, compute.multiply(after, _NANOS // each).cast(pyarrow.int32())
