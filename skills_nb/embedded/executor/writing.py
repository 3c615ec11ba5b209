"""Writing: the answer of a query as the content of a file.

Room: embedded. Pure.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.executor.convert import is_auto, strptime_format
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.types.values import Outcome


@dataclass(slots=True)
class Part:
    """What goes into one file."""

    content: bytearray
    """Before compression."""
    rows: int = 0
    """How many rows are in it."""


def csv_parts(outcome: Outcome, form: Format, *, header: bool, most: int) -> list[Part]:
    """Write rows as delimited text, in files of at most so many bytes."""
    delimiter, ending = form.field_delimiter, form.record_delimiter or "\n"
    kinds = [c.type for c in outcome.columns]
    first = delimiter.join(_enclosed(c.name, form) for c in outcome.columns) + ending
    lines = (
        delimiter.join(_field(v, kind, form) for v, kind in zip(row, kinds, strict=True)) + ending
        for row in outcome.rows
    )
    return _parts(lines, first if header else "", most)


def _parts(lines: Iterable[str], header: str, most: int) -> list[Part]:
    """Put lines into files, each with the header; a line longer than a file has one of its own."""
    parts = [Part(bytearray(header.encode()))]
    for line in lines:
        packed = line.encode()
        if parts[-1].rows and len(parts[-1].content) + len(packed) > most:
            parts.append(Part(bytearray(header.encode())))
        parts[-1].content += packed
        parts[-1].rows += 1
    return parts


def _field(value: Any, kind: SfType, form: Format) -> str:
    if value is None:
        return form.null_if[0] if form.null_if else ""
    text = formatted(value, kind, form)
    if kind.kind in ("FIXED", "REAL") and not form.enclosed_by:
        return text
    return _enclosed(text, form)


def _enclosed(text: str, form: Format) -> str:
    quote = form.enclosed_by
    if quote:
        return quote + text.replace(quote, quote * 2) + quote
    escape = form.escape_unenclosed
    if not escape:
        return text
    out = text.replace(escape, escape * 2)
    for special in (form.field_delimiter, "\n", "\r"):
        if special:
            out = out.replace(special, escape + special)
    return out


def formatted(value: Any, kind: SfType, form: Format) -> str:
    """Write one value as the file format says."""
    match value:
        case datetime() if not is_auto(form.timestamp_format):
            return _in_format(value, form.timestamp_format)
        case date() if not isinstance(value, datetime) and not is_auto(form.date_format):
            return _in_format(value, form.date_format)
        case time() if not is_auto(form.time_format):
            return _in_format(value, form.time_format)
        case bytes() if form.binary_format == "BASE64":
            return base64.b64encode(value).decode("ascii")
        case bytes() if form.binary_format in ("UTF8", "UTF-8"):
            return value.decode()
        case _:
            return shown(value, kind)


def _in_format(value: date | time, written: str) -> str:
    """Write a date or time with Snowflake's elements; fractions of a second as many as asked."""
    digits = re.search(r"FF(\d?)", written, re.IGNORECASE)
    text = value.strftime(strptime_format(written))
    if digits is None or digits[1] in ("", "6", "9"):
        return text
    fraction = f"{getattr(value, 'microsecond', 0):06d}"
    return text.replace(fraction, fraction[: int(digits[1])], 1)


def shown(value: Any, kind: SfType) -> str:
    """Write one value as text."""
    match value:
        case bool():
            return "true" if value else "false"
        case bytes():
            return value.hex().upper()
        case datetime():
            return _instant(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _instant(value: datetime) -> str:
    text = value.strftime("%Y-%m-%d %H:%M:%S.") + f"{value.microsecond // 1000:03d}"
    if value.tzinfo is None:
        return text
    return text + value.strftime(" %z")


def json_parts(outcome: Outcome, *, most: int) -> list[Part]:
    """Write one document a line; the query must yield one VARIANT, OBJECT or ARRAY column.

    Raises:
        SqlError: the query yields anything else (1420).
    """
    if len(outcome.columns) != 1 or outcome.columns[0].type.kind not in SEMI_STRUCTURED:
        raise errors.invalid_property(
            "JSON file format can be used only to unload a single column of type VARIANT, OBJECT "
            "or ARRAY."
        )
    return _parts((f"{row[0]}\n" for row in outcome.rows if row[0] is not None), "", most)


def parquet_parts(
    outcome: Outcome, compression: str, *, header: bool, most: int | None
) -> list[Part]:
    """Write an Arrow table as Parquet.

    Raises:
        SqlError: the compression is not supported, or the file would be larger than allowed
            (0A000).
    """
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    method = {"AUTO": "snappy", "SNAPPY": "snappy", "NONE": "none"}.get(compression)
    if method is None:
        raise errors.unsupported(f"PARQUET COMPRESSION = {compression}")
    names = [c.name if header else f"_COL_{i}" for i, c in enumerate(outcome.columns)]
    arrays = [
        pyarrow.array([_arrow(row[i]) for row in outcome.rows], type=_arrow_type(c.type, pyarrow))
        for i, c in enumerate(outcome.columns)
    ]
    made = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=names), made, compression=method)
    if most is not None and made.tell() > most:
        raise errors.unsupported("MAX_FILE_SIZE smaller than the only PARQUET file")
    return [Part(bytearray(made.getvalue()), len(outcome.rows))]


def _arrow(value: Any) -> Any:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _arrow_type(kind: SfType, pyarrow: Any) -> Any:
    match kind.kind:
        case "FIXED":
            return pyarrow.decimal128(kind.precision or 38, kind.scale or 0)
        case "REAL":
            return pyarrow.float64()
        case "BOOLEAN":
            return pyarrow.bool_()
        case "DATE":
            return pyarrow.date32()
        case "TIME":
            return pyarrow.time64("us")
        case "TIMESTAMP_NTZ":
            return pyarrow.timestamp("us")
        case "TIMESTAMP_LTZ" | "TIMESTAMP_TZ":
            return pyarrow.timestamp("us", tz="UTC")
        case "BINARY":
            return pyarrow.binary()
        case _:
            return pyarrow.string()
