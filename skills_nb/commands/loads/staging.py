"""The file that is loaded, and the plan that loads it.

Room: commands (loads). One road for every source and every account: the rows are written anew as
one CSV file whose form has one meaning, put into the person's own stage, and copied from there.
That needs no privilege beyond those on the table, keeps every digit as text until Snowflake reads
it, can be looked at before it is sent, and leaves each statement on the thread; `write_pandas`
would send what no plan shows, and needs pandas and a stage of its own.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skills_nb.commands.loads.columns import LoadColumn
from skills_nb.commands.loads.tabled import Rejected, Tabled, shortened
from skills_nb.commands.loads.targets import OWN_DATABASE, Target
from skills_nb.sql.load_copies import OWN_FOLDER
from skills_nb.sql.tokens import literal
from skills_nb.system import plain_files

_ROWS, _LEFT_OUT, _THREAD = "rows.csv.gz", "left-out.csv", "thread"
_LONGEST_TEXT = 16_777_216


@dataclass(frozen=True, slots=True)
class Fitted:
    """Rows as they are going to be loaded."""

    lines: tuple[str, ...]
    """Each a record of the file, its line break included."""
    rejected: tuple[Rejected, ...]
    """Rows that are left out, in the source's order."""


def fitted(data: Tabled, columns: Sequence[LoadColumn], required: frozenset[str]) -> Fitted:
    """Write every row, or say why it is left out.

    Args:
        data: the rows.
        columns: the table's columns that they fill.
        required: names of columns that must not be empty.
    """
    lines: list[str] = []
    rejected = list(data.rejected)
    for number, row in zip(data.numbers, data.rows, strict=True):
        fields: list[str] = []
        for column in columns:
            value = row[column.place]
            try:
                fields.append(_field(value, column, is_required=column.name in required))
            except ValueError as problem:
                rejected.append(Rejected(number, column.name, shortened(value), str(problem)))
                break
        else:
            lines.append(",".join(fields) + "\n")
    rejected.sort(key=lambda each: each.row)
    return Fitted(tuple(lines), tuple(rejected))


def _field(value: object, column: LoadColumn, *, is_required: bool) -> str:
    text = None if value is None else column.fit.read(value)
    if text is None:
        if is_required:
            raise ValueError("it is empty, and the column must not be")
        return ""
    if len(text) > _LONGEST_TEXT:
        raise ValueError("it is longer than the 16 MB that a text may have")
    return '"' + text.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class Staged:
    """Files of one load, in the home folder."""

    folder: Path
    """Only its person can read it."""
    rows: Path
    """What is going to be loaded."""
    left_out: Path | None
    """The rows that are not; None where all are."""


def staged(home: Path, data: Tabled, made: Fitted, attempt: int) -> Staged:
    """Write the files of a load.

    Args:
        home: the home folder.
        data: what was read.
        made: what of it is loaded.
        attempt: tells one load from another of the same rows, which an account would skip.
    """
    body = "".join(made.lines).encode()
    folder = home / "loads" / f"{hashlib.sha256(body).hexdigest()[:10]}-{attempt}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    rows = folder / _ROWS
    _write(rows, gzip.compress(body, mtime=0))
    if not made.rejected:
        return Staged(folder, rows, None)
    left_out = folder / _LEFT_OUT
    _write(left_out, _left_out_text(data, made.rejected).encode())
    return Staged(folder, rows, left_out)


def _write(path: Path, body: bytes) -> None:
    with open(
        plain_files.open_bytes(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
    ) as file:
        file.write(body)


def _left_out_text(data: Tabled, rejected: Sequence[Rejected]) -> str:
    """Write the rows that are left out, each with the reason before it."""
    by_number = dict(zip(data.numbers, data.rows, strict=True))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["row", "column", "why", *data.names])
    for each in rejected:
        row = by_number.get(each.row, (each.value,))
        writer.writerow([each.row, each.column, each.why, *("" if v is None else v for v in row)])
    return text.getvalue()


def remember(staging: Staged, thread_id: str) -> None:
    """Note whose files these are, so that they go when the thread is over."""
    _write(staging.folder / _THREAD, thread_id.encode())


def sweep(home: Path, is_over: Callable[[str], bool]) -> None:
    """Delete the rows of loads whose threads are over; what was left out stays.

    Args:
        home: the home folder.
        is_over: tells it of a thread's id; asked only where there are rows to delete.
    """
    for note in (home / "loads").glob(f"*/{_THREAD}"):
        rows = note.parent / _ROWS
        if rows.exists() and is_over(note.read_text("utf-8")):
            rows.unlink(missing_ok=True)


# ---- SQL


def statements(target: Target, columns: Sequence[LoadColumn], staging: Staged) -> list[str]:
    """Return what is sent, in order."""
    made: list[str] = []
    if target.makes_database:
        made.append(f"CREATE DATABASE {OWN_DATABASE}")
    if not target.columns:
        listed = ", ".join(f"{column.sql} {column.fit.type}" for column in columns)
        made.append(f"CREATE TABLE {target.fqn} ({listed})")
    place = f"@~/{OWN_FOLDER}/{staging.folder.name}"
    file = literal(f"file://{shown_path(staging.rows)}")
    made.append(f"PUT {file} {literal(place)} AUTO_COMPRESS = FALSE")
    return [*made, _copy(target, columns, f"{place}/")]


def shown_path(file: Path) -> str:
    """Return a file as a person and the connector find it: from here, where it is below here."""
    try:
        return file.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.absolute().as_posix()


def _copy(target: Target, columns: Sequence[LoadColumn], place: str) -> str:
    listed = ", ".join(column.sql for column in columns)
    is_nested = any(_is_nested(column) for column in columns)
    source = literal(place)
    if is_nested:
        fields = (_parsed(number, column) for number, column in enumerate(columns, start=1))
        source = f"(SELECT {', '.join(fields)} FROM {source})"
    dates = " DATE_FORMAT = 'YYYY-MM-DD'" if any(c.fit.type == "DATE" for c in columns) else ""
    return (
        f"COPY INTO {target.fqn} ({listed}) FROM {source} FILE_FORMAT = (TYPE = CSV "
        f"FIELD_OPTIONALLY_ENCLOSED_BY = '\"' NULL_IF = () EMPTY_FIELD_AS_NULL = TRUE "
        f"ESCAPE_UNENCLOSED_FIELD = NONE BINARY_FORMAT = HEX{dates}) "
        "ON_ERROR = ABORT_STATEMENT PURGE = TRUE"
    )


def _parsed(number: int, column: LoadColumn) -> str:
    return f"PARSE_JSON(${number})" if _is_nested(column) else f"${number}"


def _is_nested(column: LoadColumn) -> bool:
    return column.fit.type.partition("(")[0] in ("VARIANT", "OBJECT", "ARRAY")
