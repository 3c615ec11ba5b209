"""Shaping: a file's rows into the columns of a table.

Room: embedded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.executor import queries
from skills_nb.embedded.executor.columnar_loading import columns_at_once
from skills_nb.embedded.executor.convert import ConversionError, converted, trouble_of
from skills_nb.embedded.executor.load_options import LoadOptions
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import reading
from skills_nb.embedded.storage.files.files import StagedFile
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.rows import (
    ParsedRow,
    Trouble,
    header_of,
    rows_of,
)
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.values import Outcome


@dataclass(frozen=True, slots=True)
class FileRows:
    """What a file offers to a table."""

    file: StagedFile
    """Where they come from."""
    columns: tuple[ColumnDef, ...]
    """Columns that the rows fill, in order."""
    rows: tuple[tuple[Any, ...], ...]
    """As the columns' types want them."""
    errors: tuple[ParsedRow, ...]
    """Rows that do not fit, each with its trouble."""
    parsed: int
    """Rows that were read, those that do not fit among them."""
    at_once: Any = None
    """The rows as an Arrow table, where they need not be seen one by one; `rows` is empty then."""


def shaped(
    columns: tuple[ColumnDef, ...],
    chosen: bool,
    file: StagedFile,
    form: Format,
    options: LoadOptions,
) -> FileRows:
    """Read a file and convert its rows; `chosen` says that the statement lists the columns.

    Raises:
        SqlError: columns are listed and to be matched by name (1420), documents would have to fill
            several columns (2019), or PARSE_HEADER matches nothing (0A000).
    """
    body = file.place.read_bytes()
    if options.match_by != "NONE":
        if chosen:
            raise errors.invalid_property(
                "MATCH_BY_COLUMN_NAME cannot be used with a list of columns."
            )
        return _matched(columns, body, file, form, options)
    if form.parse_header:
        raise errors.unsupported("PARSE_HEADER without MATCH_BY_COLUMN_NAME")
    if form.type != "CSV" and (len(columns) != 1 or columns[0].type.kind not in SEMI_STRUCTURED):
        raise wrong.several_columns()
    return _converted(columns, rows_of(body, file.name, form), file, form, options)


def _converted(
    columns: tuple[ColumnDef, ...],
    parsed: Iterator[ParsedRow],
    file: StagedFile,
    form: Format,
    options: LoadOptions,
) -> FileRows:
    good: list[tuple[Any, ...]] = []
    bad: list[ParsedRow] = []
    for row in parsed:
        trouble = row.trouble or _count_trouble(row, len(columns), form)
        if trouble is None:
            made = _row(row.values, columns, form, options)
            if not isinstance(made, Trouble):
                good.append(made)
                continue
            trouble = made
        bad.append(replace(row, trouble=trouble))
    return FileRows(file, columns, tuple(good), tuple(bad), len(good) + len(bad))


def _count_trouble(row: ParsedRow, expected: int, form: Format) -> Trouble | None:
    if len(row.values) == expected or not form.error_on_column_count_mismatch:
        return None
    return Trouble(
        f"Number of columns in file ({len(row.values)}) does not match that of the corresponding "
        f"table ({expected}), use file format option error_on_column_count_mismatch=false to "
        "ignore this error",
        100080,
    )


def _row(
    values: tuple[Any, ...], columns: tuple[ColumnDef, ...], form: Format, options: LoadOptions
) -> tuple[Any, ...] | Trouble:
    out: list[Any] = []
    padded = (*values, *((None,) * (len(columns) - len(values))))
    for value, column in zip(padded, columns, strict=False):
        cut = _cleaned(value, column, form)
        if options.truncate and column.type.kind == "TEXT" and isinstance(cut, str):
            cut = cut[: column.type.length]
        try:
            out.append(converted(cut, column, form))
        except ConversionError as error:
            return trouble_of(error, column.name)
    return tuple(out)


def _cleaned(value: Any, column: ColumnDef, form: Format) -> Any:
    """Apply NULL_IF and TRIM_SPACE to what a document says; of a CSV they were read already."""
    if form.type == "CSV" or not isinstance(value, str) or column.type.kind in SEMI_STRUCTURED:
        return value
    text = value.strip() if form.trim_space else value
    return None if text in form.null_if else text


# ---- MATCH_BY_COLUMN_NAME


def _matched(
    columns: tuple[ColumnDef, ...],
    body: bytes,
    file: StagedFile,
    form: Format,
    options: LoadOptions,
) -> FileRows:
    """Fill columns by the names of a document's fields, or of a CSV header.

    See https://docs.snowflake.com/en/sql-reference/sql/copy-into-table (MATCH_BY_COLUMN_NAME)
    """
    parsed = rows_of(body, file.name, form)
    if form.type == "CSV":
        if not form.parse_header:
            raise errors.invalid_property(
                "MATCH_BY_COLUMN_NAME with CSV needs the file format option PARSE_HEADER = TRUE."
            )
        header = header_of(parsed)
        documents = (_as_document(row, header, form) for row in parsed)
    else:
        documents = (row for row in parsed)
    read = [_with_names(row) for row in documents]
    present = {_key(k, options) for row in read if not row.trouble for k in row.values[0]}
    is_matched = [_key(c.name, options) in present for c in columns]
    # The others become NULL, whatever their default; only numbers that count themselves go on.
    pairs = zip(columns, is_matched, strict=True)
    used = tuple(c for c, matched in pairs if matched or c.identity is None)
    picked = (_picked(row, used, options) for row in read)
    lenient = replace(form, error_on_column_count_mismatch=False)
    return _converted(used, picked, file, lenient, options)


def _key(name: str, options: LoadOptions) -> str:
    return name.upper() if options.match_by == "CASE_INSENSITIVE" else name


def _as_document(row: ParsedRow, header: tuple[str, ...], form: Format) -> ParsedRow:
    trouble = row.trouble or _count_trouble(row, len(header), form)
    if trouble is not None:
        return replace(row, trouble=trouble)
    return replace(row, values=(dict(zip(header, row.values, strict=False)),))


def _with_names(row: ParsedRow) -> ParsedRow:
    if row.trouble is not None or isinstance(row.values[0], dict):
        return row
    return replace(row, trouble=Trouble("A document without named fields", 100069))


def _picked(row: ParsedRow, used: tuple[ColumnDef, ...], options: LoadOptions) -> ParsedRow:
    if row.trouble is not None:
        return row
    folded = {_key(k, options): v for k, v in row.values[0].items()}
    return replace(row, values=tuple(folded.get(_key(c.name, options)) for c in used))


# ---- transformations


def transformed(
    session: Context,
    query: exp.Select,
    columns: tuple[ColumnDef, ...],
    file: StagedFile,
    form: Format,
) -> FileRows:
    """Run the SELECT of a COPY over one file and convert what it yields.

    Raises:
        SqlError: the SELECT yields another number of columns than the table takes (2020).
    """
    whole = columns_at_once(session, query, columns, file, form)
    if whole is not None:
        return FileRows(file, columns, (), (), whole.num_rows, whole)
    table = query.args["from_"].this
    table.set(reading.ONLY_FILE, file)
    table.set(reading.DEFAULT_FORMAT, form)
    outcome = queries.select(session, query, describe_only=False)
    if len(outcome.columns) != len(columns):
        raise errors.wrong_count(
            f"Insert value list does not match column list expecting {len(columns)} but got "
            f"{len(outcome.columns)}"
        )
    parsed = (ParsedRow(n, row) for n, row in enumerate(_plain(outcome), start=1))
    made = form
    if form.type == "CSV":
        # Read already, and what the query made of it is its own.
        made = replace(form, type="JSON", null_if=(), trim_space=False)
    return _converted(columns, parsed, file, made, LoadOptions())


def _plain(outcome: Outcome) -> Iterator[tuple[Any, ...]]:
    """Read values of VARIANT columns back from their JSON."""
    places = {i for i, c in enumerate(outcome.columns) if c.type.kind in SEMI_STRUCTURED}
    for row in outcome.rows:
        yield tuple(_document(v) if i in places else v for i, v in enumerate(row))


def _document(value: Any) -> Any:
    return json.loads(value, parse_float=Decimal) if isinstance(value, str) else value
