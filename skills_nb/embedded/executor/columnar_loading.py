"""Columnar loading: a Parquet file into a table without an object a value.

Room: embedded. It takes what is the same either way: columns of the file, each by its name, into
columns that hold all of their values as they are. Whatever is converted, cut or refused goes row by
row (`shaping`), which knows the words for it.

See https://docs.snowflake.com/en/sql-reference/sql/copy-into-table (transformations)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.files import StagedFile
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.rows import parquet_table
from skills_nb.embedded.types.data_types import MAX_BINARY, MAX_TEXT, SfType, parse_type

_PLAIN_NULLS = frozenset({"\\N", "NULL", ""})
"""Texts for NULL that no number, date or time could be meant by."""
_EXACT = 2**53
"""Up to here a float of 64 bits holds every whole number."""
_MICROS = 6
"""Digits of a second that are kept."""


def columns_at_once(
    session: Context,
    query: exp.Select,
    columns: tuple[ColumnDef, ...],
    file: StagedFile,
    form: Format,
) -> Any | None:
    """Return the columns `c0`, `c1`, … to load as an Arrow table; None where rows have to be seen.

    Raises:
        SqlError: the file is no Parquet file (100069).
    """
    named = [_picked(node) for node in query.expressions]
    is_plain = form.type == "PARQUET" and not form.trim_space and {*form.null_if} <= _PLAIN_NULLS
    if not is_plain or len(named) != len(columns) or query.args.get("distinct"):
        return None
    table = parquet_table(file.place.read_bytes(), file.name)
    made = {}
    for i, (picked, column) in enumerate(zip(named, columns, strict=True)):
        array = _array(table, picked, column)
        fitting = None if array is None else _fitting(array, column, form, session)
        if fitting is None:
            return None
        made[f"c{i}"] = fitting
    import pyarrow  # type: ignore[import-untyped]

    return pyarrow.table(made)


def _picked(node: exp.Expr) -> tuple[str, str | None] | None:
    """Read `$1:"name"` or `$1:"name"::TYPE`; None for everything else."""
    node = node.unalias()
    kind = None
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        kind = node.to.sql(dialect="snowflake")
        node = node.this
    if not isinstance(node, exp.JSONExtract) or not isinstance(node.this, exp.Parameter):
        return None
    path = node.expression.expressions if isinstance(node.expression, exp.JSONPath) else []
    is_key = len(path) == 2 and isinstance(path[1], exp.JSONPathKey)
    if not is_key or node.this.name != "1" or not isinstance(path[1].this, str):
        return None
    return path[1].this, kind


def _array(table: Any, picked: tuple[str, str | None] | None, column: ColumnDef) -> Any | None:
    """Return a column of the file that is meant for a column of the table as it is."""
    if picked is None or table.column_names.count(picked[0]) != 1:
        return None
    array = table.column(picked[0])
    if array.null_count and not column.nullable:
        return None
    if picked[1] is None:
        return array
    cast = parse_type(picked[1])
    return array if cast is not None and _is_within(cast, column.type) else None


def _is_within(cast: SfType, kind: SfType) -> bool:
    """Tell whether a cast leaves every value that the column takes as it is."""
    if cast.kind != kind.kind:
        return False
    if kind.kind == "FIXED":
        return (cast.precision, cast.scale) == (kind.precision, kind.scale)
    if kind.kind in ("TEXT", "BINARY"):
        return (cast.length or MAX_TEXT) >= (kind.length or MAX_TEXT)
    return (cast.scale or 0) >= (kind.scale or 0)


# ---- what a column takes as it is


def _fitting(array: Any, column: ColumnDef, form: Format, session: Context) -> Any | None:
    import pyarrow

    if array.null_count == len(array):
        return array.cast(pyarrow.string()) if pyarrow.types.is_null(array.type) else array
    kind = column.type.kind
    if kind == "BINARY":
        is_hexadecimal = (form.binary_format, session.customs.binary_input) == ("HEX", "HEX")
        if form.binary_as_text or not is_hexadecimal:
            return None
    if kind == "TEXT":
        return _texts(array, column.type, form)
    reader = _READERS.get(kind)
    return reader(array, column.type) if reader is not None else None


def _texts(array: Any, kind: SfType, form: Format) -> Any | None:
    from pyarrow import array as listed
    from pyarrow import compute, types

    if not (types.is_string(array.type) or types.is_large_string(array.type)):
        return None
    longest = compute.max(compute.utf8_length(array)).as_py()
    nulls = compute.is_in(array, listed(list(form.null_if), array.type))
    is_kept = longest <= (kind.length or MAX_TEXT) and not compute.any(nulls).as_py()
    return array if is_kept else None


def _bytes(array: Any, kind: SfType) -> Any | None:
    from pyarrow import compute, types

    if not types.is_binary(array.type):
        return None
    longest = compute.max(compute.binary_length(array)).as_py()
    return array if longest <= (kind.length or MAX_BINARY) else None


def _numbers(array: Any, kind: SfType) -> Any | None:
    """Take whole numbers, decimals that have no more digits, and floats as they are written."""
    import pyarrow
    from pyarrow import compute

    given, scale = array.type, kind.scale or 0
    limit = 10 ** ((kind.precision or 38) - scale)
    if pyarrow.types.is_float64(given):
        return _rounded(array, limit)
    if pyarrow.types.is_decimal128(given):
        if given.scale > scale:
            return None
    elif not pyarrow.types.is_integer(given):
        return None
    found = compute.min_max(array).as_py()
    return array if -limit < found["min"] and found["max"] < limit else None


def _rounded(array: Any, limit: int) -> Any | None:
    """Return floats as whole numbers or as their texts, which round as they are written."""
    import pyarrow
    from pyarrow import compute

    most = compute.max(compute.abs(array)).as_py()
    if not most < min(_EXACT, limit - 1) or not compute.all(compute.is_finite(array)).as_py():
        return None
    is_whole = compute.all(compute.equal(array, compute.floor(array))).as_py()
    return array.cast(pyarrow.int64() if is_whole else pyarrow.string())


def _floats(array: Any, kind: SfType) -> Any | None:
    from pyarrow import compute, types

    if not types.is_float64(array.type):
        return None
    return array if compute.all(compute.is_finite(array)).as_py() else None


def _moments(array: Any, kind: SfType) -> Any | None:
    """Take moments without a zone as such, and instants as such, to the microsecond."""
    import pyarrow

    if not pyarrow.types.is_timestamp(array.type) or _is_cut(kind):
        return None
    zone = "UTC" if kind.kind == "TIMESTAMP_LTZ" else None
    return _in_micros(array, pyarrow.timestamp("us", zone)) if array.type.tz == zone else None


def _times(array: Any, kind: SfType) -> Any | None:
    import pyarrow

    if not pyarrow.types.is_time(array.type) or _is_cut(kind):
        return None
    return _in_micros(array, pyarrow.time64("us"))


def _is_cut(kind: SfType) -> bool:
    return kind.scale is not None and kind.scale < _MICROS


def _in_micros(array: Any, wanted: Any) -> Any | None:
    import pyarrow

    try:
        return array.cast(wanted)
    except pyarrow.ArrowInvalid:  # nanoseconds below a microsecond
        return None


def _of(check: str) -> Callable[[Any, SfType], Any | None]:
    def reader(array: Any, kind: SfType) -> Any | None:
        from pyarrow import types

        return array if getattr(types, check)(array.type) else None

    return reader


_READERS: dict[str, Callable[[Any, SfType], Any | None]] = {
    "FIXED": _numbers,
    "REAL": _floats,
    "BINARY": _bytes,
    "BOOLEAN": _of("is_boolean"),
    "DATE": _of("is_date32"),
    "TIME": _times,
    "TIMESTAMP_NTZ": _moments,
    "TIMESTAMP_LTZ": _moments,
}
