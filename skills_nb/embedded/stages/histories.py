"""Histories of loads, for INFORMATION_SCHEMA and ACCOUNT_USAGE.

Room: embedded. Who may see a table may see what was loaded into it.

See https://docs.snowflake.com/en/sql-reference/account-usage/copy_history and
https://docs.snowflake.com/en/sql-reference/account-usage/load_history
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded import names, refusals
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.files.records import LoadRecord, all_of

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

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


def copy_row(session: Lookups, record: LoadRecord, table: Entity) -> tuple[Any, ...]:
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


def all_copies(session: Lookups) -> Rows:
    """Return every load into tables that are known."""
    found = [(r, session.account.catalog.by_id(r.table_id)) for r in all_of(session)]
    return COPY_COLUMNS, [copy_row(session, r, t) for r, t in found if t is not None]


def copies(session: Lookups, roles: frozenset[str], name: str) -> Rows:
    """Return the loads into one table that the roles may see."""
    path = session.qualify(names.typed_path(name))
    table = session.relation(path)
    if table is None or not session.account.rights.visible(roles, table):
        raise refusals.not_found("Table", path)
    listed = all_of(session, "table_id = ?", [table.id])
    return COPY_COLUMNS, [copy_row(session, record, table) for record in listed]


def loads(session: Lookups, roles: frozenset[str], database: str) -> Rows:
    """Return loads by COPY into one database's tables, pipes left out."""
    rows: list[tuple[Any, ...]] = []
    for record in all_of(session, "pipe_id IS NULL"):
        table = session.account.catalog.by_id(record.table_id)
        if table is None or table.path[0] != database or table.dropped_on is not None:
            continue
        if session.account.rights.visible(roles, table):
            rows.append(_load_row(record, table))
    return LOAD_COLUMNS, rows


def all_loads(session: Lookups) -> Rows:
    """Return loads by COPY in the whole account, pipes left out."""
    found = [
        (r, session.account.catalog.by_id(r.table_id)) for r in all_of(session, "pipe_id IS NULL")
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
