"""Histories of loads, for INFORMATION_SCHEMA and ACCOUNT_USAGE.

Room: embedded. Who may see a table may see what was loaded into it.

See https://docs.snowflake.com/en/sql-reference/account-usage/copy_history and
https://docs.snowflake.com/en/sql-reference/account-usage/load_history
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.storage.files.records import LoadRecord, all_of
from skills_nb.embedded.types import names

_PIPED = duck_sql.of("pipe_id IS NOT NULL AND status <> 'LOAD_FAILED'")
Rows = tuple[str, list[tuple[Any, ...]]]
COPY_COLUMNS = (
    "FILE_NAME STAGE_LOCATION LAST_LOAD_TIME:t ROW_COUNT:n ROW_PARSED:n FILE_SIZE:n "
    "FIRST_ERROR_MESSAGE FIRST_ERROR_LINE_NUMBER:n FIRST_ERROR_CHARACTER_POS:n "
    "FIRST_ERROR_COLUMN_NAME ERROR_COUNT:n ERROR_LIMIT:n STATUS TABLE_CATALOG_NAME "
    "TABLE_SCHEMA_NAME TABLE_NAME PIPE_CATALOG_NAME PIPE_SCHEMA_NAME PIPE_NAME PIPE_RECEIVED_TIME:t"
)
LOAD_COLUMNS = (
    "SCHEMA_NAME FILE_NAME TABLE_NAME LAST_LOAD_TIME:t STATUS ROW_COUNT:n ROW_PARSED:n "
    "FIRST_ERROR_MESSAGE FIRST_ERROR_LINE_NUMBER:n FIRST_ERROR_CHARACTER_POSITION:n "
    "FIRST_ERROR_COL_NAME ERROR_COUNT:n ERROR_LIMIT:n"
)
_STATES = {
    "LOADED": "Loaded",
    "PARTIALLY_LOADED": "Partially loaded",
    "LOAD_FAILED": "Load failed",
}


def copy_row(session: Context, record: LoadRecord, table: Entity) -> tuple[Any, ...]:
    """Return a record as COPY_HISTORY shows it."""
    pipe = session.account.catalog.by_id(record.pipe_id) if record.pipe_id else None
    return (
        record.file_name,
        record.stage,
        record.loaded_at,
        record.row_count,
        record.row_parsed,
        record.file_size,
        record.first_error,
        record.first_error_line,
        1 if record.first_error else None,
        record.first_error_column,
        record.error_count,
        record.error_limit,
        _STATES[record.status],
        *table.path,
        *(pipe.path if pipe is not None else (None, None, None)),
        record.loaded_at if pipe is not None else None,
    )


def all_copies(session: Context) -> Rows:
    """Return every load into tables that are known."""
    found = [(r, session.account.catalog.by_id(r.table_id)) for r in all_of(session)]
    return COPY_COLUMNS, [copy_row(session, r, t) for r, t in found if t is not None]


def copies(session: Context, roles: frozenset[str], name: str) -> Rows:
    """Return the loads into one table that the roles may see.

    Raises:
        SqlError: the table is not there or is hidden (2003).
    """
    table = access.existing(session, Kind.TABLE, names.typed_path(name), roles)
    listed = all_of(session, duck_sql.of("table_id = ?"), [table.id])
    return COPY_COLUMNS, [copy_row(session, record, table) for record in listed]


def loads(session: Context, roles: frozenset[str], database: str) -> Rows:
    """Return loads by COPY into one database's tables, pipes left out."""
    rows: list[tuple[Any, ...]] = []
    for record in all_of(session, duck_sql.of("pipe_id IS NULL")):
        table = session.account.catalog.by_id(record.table_id)
        if table is None or table.path[0] != database or table.dropped_on is not None:
            continue
        if access.sees(session, table, roles):
            rows.append(_load_row(record, table))
    return LOAD_COLUMNS, rows


def all_loads(session: Context) -> Rows:
    """Return loads by COPY in the whole account, pipes left out."""
    found = [
        (r, session.account.catalog.by_id(r.table_id))
        for r in all_of(session, duck_sql.of("pipe_id IS NULL"))
    ]
    return f"TABLE_ID:n CATALOG_NAME {LOAD_COLUMNS}", [
        (r.table_id, t.path[0], *_load_row(r, t)) for r, t in found if t is not None
    ]


def _load_row(record: LoadRecord, table: Entity) -> tuple[Any, ...]:
    return (
        table.path[1],
        f"{record.stage}{record.file_name}",
        table.name,
        record.loaded_at,
        record.status,
        record.row_count,
        record.row_parsed,
        record.first_error,
        record.first_error_line,
        1 if record.first_error else None,
        record.first_error_column,
        record.error_count,
        record.error_limit,
    )


# ---- pipes

_HOUR = timedelta(hours=1)


def _by_pipe(session: Context) -> list[tuple[datetime, Entity, int, int]]:
    """Return hour, pipe, bytes and files of what pipes loaded."""
    found: dict[tuple[datetime, int], list[int]] = {}
    for record in all_of(session, _PIPED):
        hour = record.loaded_at.replace(minute=0, second=0, microsecond=0)
        found.setdefault((hour, record.pipe_id or 0), []).append(record.file_size)
    pipes = ((hour, session.account.catalog.by_id(n), sizes) for (hour, n), sizes in found.items())
    return [(hour, e, sum(sizes), len(sizes)) for hour, e, sizes in pipes if e is not None]


def pipe_usage(session: Context) -> Rows:
    """Tell what pipes loaded; a refresh here costs no credits of its own.

    See https://docs.snowflake.com/en/sql-reference/account-usage/pipe_usage_history
    """
    spec = (
        "PIPE_ID:n PIPE_NAME START_TIME:t END_TIME:t CREDITS_USED:r BYTES_INSERTED:n "
        "BYTES_BILLED:n FILES_INSERTED:n"
    )
    return spec, [
        (pipe.id, pipe.name, hour, hour + _HOUR, 0.0, size, size, files)
        for hour, pipe, size, files in _by_pipe(session)
    ]


def pipe_usage_function(
    session: Context, roles: frozenset[str], database: str, arguments: Arguments
) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/pipe_usage_history."""
    asked = Asked(arguments, ("DATE_RANGE_START", "DATE_RANGE_END", "PIPE_NAME"))
    name = asked.text("PIPE_NAME")
    wanted = session.qualify(names.typed_path(name)) if name is not None else None
    start = asked.instant(session, "DATE_RANGE_START")
    end = asked.instant(session, "DATE_RANGE_END")
    spec = (
        "START_TIME:t END_TIME:t PIPE_NAME CREDITS_USED:r BYTES_INSERTED:n BYTES_BILLED:n "
        "FILES_INSERTED:n"
    )
    return spec, [
        (hour, hour + _HOUR, ".".join(pipe.path), 0.0, size, size, files)
        for hour, pipe, size, files in _by_pipe(session)
        if access.sees(session, pipe, roles)
        and (wanted is None or pipe.path == wanted)
        and (start is None or hour + _HOUR > start)
        and (end is None or hour <= end)
    ]
