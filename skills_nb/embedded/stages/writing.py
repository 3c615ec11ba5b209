"""Writing: the answer of a query as the content of a file.

Room: embedded. Pure.
"""

from __future__ import annotations

import io
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from skills_nb.embedded import refusals
from skills_nb.embedded.files.formats import Format
from skills_nb.embedded.types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.values import Outcome


def csv_body(outcome: Outcome, form: Format, *, header: bool) -> bytes:
    """Write rows as delimited text."""
    lines = []
    delimiter = form.field_delimiter
    if header:
        lines.append(delimiter.join(_enclosed(c.name, form) for c in outcome.columns))
    kinds = [c.type for c in outcome.columns]
    lines += [
        delimiter.join(_field(v, kind, form) for v, kind in zip(row, kinds, strict=True))
        for row in outcome.rows
    ]
    ending = form.record_delimiter or "\n"
    return "".join(line + ending for line in lines).encode()


def _field(value: Any, kind: SfType, form: Format) -> str:
    if value is None:
        return form.null_if[0] if form.null_if else ""
    text = shown(value, kind)
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
    return text + value.astimezone(UTC).strftime(" %z")


def json_body(outcome: Outcome) -> bytes:
    """Write one document a line; the query must yield one VARIANT, OBJECT or ARRAY column."""
    if len(outcome.columns) != 1 or outcome.columns[0].type.kind not in SEMI_STRUCTURED:
        raise refusals.invalid_property(
            "JSON file format can be used only to unload a single column of type VARIANT, OBJECT "
            "or ARRAY."
        )
    return "".join(f"{row[0]}\n" for row in outcome.rows if row[0] is not None).encode()


def parquet_body(outcome: Outcome, compression: str, *, header: bool) -> bytes:
    """Write an Arrow table as Parquet."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    method = {"AUTO": "snappy", "SNAPPY": "snappy", "NONE": "none"}.get(compression)
    if method is None:
        raise refusals.unsupported(f"PARQUET COMPRESSION = {compression}")
    names = [c.name if header else f"_COL_{i}" for i, c in enumerate(outcome.columns)]
    arrays = [
        pyarrow.array([_arrow(row[i]) for row in outcome.rows], type=_arrow_type(c.type, pyarrow))
        for i, c in enumerate(outcome.columns)
    ]
    made = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=names), made, compression=method)
    return made.getvalue()


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
