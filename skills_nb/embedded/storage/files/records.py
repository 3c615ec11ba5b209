"""Records of loads: which file went into which table, so that it does not go in twice.

Room: embedded. They are rows of the store, so that they come and go with the rows they tell of.

See https://docs.snowflake.com/en/sql-reference/functions/copy_history
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.object_details import PipeDetail
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import EVERY, DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.load_history import COLUMNS, TABLE
from skills_nb.embedded.types import names

_REMEMBERED = timedelta(days=64)


@dataclass(frozen=True, slots=True)
class LoadRecord:
    """What became of one file in one COPY."""

    table_id: int
    """Number of the table."""
    stage: str
    """`@DB.SCHEMA.STAGE/`."""
    file_name: str
    """Path within the stage."""
    digest: str
    """Of the file's bytes: the same content is loaded once."""
    file_size: int
    """In bytes."""
    loaded_at: datetime
    """When it was loaded, or tried, UTC."""
    status: str
    """LOADED, PARTIALLY_LOADED or LOAD_FAILED."""
    row_count: int
    """Rows that were loaded."""
    row_parsed: int
    """Rows that were read."""
    error_count: int
    """Rows that did not fit."""
    error_limit: int
    """Errors at which the file would have been given up."""
    first_error: str | None
    """None where every row fitted."""
    first_error_line: int | None
    """From 1; None where every row fitted."""
    first_error_column: str | None
    """None where every row fitted, and where the trouble is no column's."""
    pipe_id: int | None
    """Number of the pipe that loaded it; None for a COPY by hand."""
    counts: bool = True
    """False once TRUNCATE has made the file loadable again."""


def add(session: Context, record: LoadRecord) -> None:
    """Keep a record, in the session's transaction."""
    marks = duck_sql.marks(len(COLUMNS))
    made = duck_sql.of("INSERT INTO {table} VALUES {marks}", table=TABLE, marks=marks)
    session.run(made, list(astuple(record)))


def loaded(
    session: Context, table_id: int, stage: str, now: datetime
) -> frozenset[tuple[str, str]]:
    """Return name and digest of the files that a table already has from a stage."""
    found = session.cursor.execute(
        duck_sql.of(
            "SELECT file_name, digest FROM {table} WHERE table_id = ? AND stage = ? AND counts "
            "AND status <> 'LOAD_FAILED' AND loaded_at > ?",
            table=TABLE,
        ),
        [table_id, stage, now - _REMEMBERED],
    )
    return frozenset((str(name), str(digest)) for name, digest in found.fetchall())


def forget(session: Context, table_id: int) -> None:
    """Let a table's files be loaded again; the history stays."""
    made = duck_sql.of(
        "UPDATE {table} SET counts = FALSE WHERE table_id = ? AND counts", table=TABLE
    )
    session.run(made, [int(table_id)])


def all_of(
    session: Context, where: DuckSql = EVERY, values: list[Any] | None = None
) -> list[LoadRecord]:
    """Read records, oldest first."""
    asked = duck_sql.of(
        "SELECT {names} FROM {table} WHERE {where} ORDER BY loaded_at, file_name",
        names=duck_sql.names(field.name for field in fields(LoadRecord)),
        table=TABLE,
        where=where,
    )
    rows = session.cursor.execute(asked, values or [])
    return [LoadRecord(*row) for row in rows.fetchall()]


def status(session: Context, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_pipe_status.

    Raises:
        SqlError: the pipe is not there or is hidden (2003).
    """
    entity = access.existing(session, Kind.PIPE, names.typed_path(name))
    detail = entity.detail
    assert isinstance(detail, PipeDetail)
    told: dict[str, Any] = {
        "executionState": "PAUSED" if detail.paused else "RUNNING",
        "pendingFileCount": 0,
    }
    loads = all_of(session, duck_sql.of("pipe_id = ?"), [entity.id])
    if loads:
        last = loads[-1]
        told["lastIngestedTimestamp"] = last.loaded_at.isoformat()
        told["lastIngestedFilePath"] = last.file_name
    return json.dumps(told)
