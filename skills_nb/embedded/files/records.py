"""Records of loads: which file went into which table, so that it does not go in twice.

Room: embedded. They are rows of the store, so that they come and go with the rows they tell of.

See https://docs.snowflake.com/en/sql-reference/functions/copy_history
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded import names, refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.object_details import PipeDetail

TABLE = '"_account".load_history'
COLUMNS = {
    "table_id": "BIGINT",
    "stage": "VARCHAR",
    "file_name": "VARCHAR",
    "digest": "VARCHAR",
    "file_size": "BIGINT",
    "loaded_at": "TIMESTAMPTZ",
    "status": "VARCHAR",
    "row_count": "BIGINT",
    "row_parsed": "BIGINT",
    "error_count": "BIGINT",
    "error_limit": "BIGINT",
    "first_error": "VARCHAR",
    "first_error_line": "BIGINT",
    "first_error_column": "VARCHAR",
    "pipe_id": "BIGINT",
    "counts": "BOOLEAN",
}
"""Column of the stored table to its DuckDB type, in order."""
_REMEMBERED = timedelta(days=64)


@dataclass(frozen=True, slots=True)
class LoadRecord:
    """What became of one file in one COPY."""

    table_id: int
    stage: str
    """`@DB.SCHEMA.STAGE/`."""
    file_name: str
    digest: str
    file_size: int
    loaded_at: datetime
    status: str
    """LOADED, PARTIALLY_LOADED or LOAD_FAILED."""
    row_count: int
    row_parsed: int
    error_count: int
    error_limit: int
    first_error: str | None
    first_error_line: int | None
    first_error_column: str | None
    pipe_id: int | None
    counts: bool = True
    """False once TRUNCATE has made the file loadable again."""


def create_sql() -> str:
    """Return the statement that makes the stored table."""
    listed = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    return f"CREATE TABLE IF NOT EXISTS {TABLE} ({listed})"


def add(session: Any, record: LoadRecord) -> None:
    """Keep a record, in the session's transaction."""
    marks = ", ".join("?" for _ in COLUMNS)
    session.run(f"INSERT INTO {TABLE} VALUES ({marks})", list(astuple(record)))


def loaded(session: Any, table_id: int, stage: str, now: datetime) -> frozenset[tuple[str, str]]:
    """Return name and digest of the files that a table already has from a stage."""
    found = session.cursor.execute(
        f"SELECT file_name, digest FROM {TABLE} WHERE table_id = ? AND stage = ? AND counts "
        "AND status <> 'LOAD_FAILED' AND loaded_at > ?",
        [table_id, stage, now - _REMEMBERED],
    )
    return frozenset((str(name), str(digest)) for name, digest in found.fetchall())


def forget(session: Any, table_id: int) -> None:
    """Let a table's files be loaded again; the history stays."""
    session.run(f"UPDATE {TABLE} SET counts = FALSE WHERE table_id = {int(table_id)} AND counts")


def all_of(session: Any, where: str = "TRUE", values: list[Any] | None = None) -> list[LoadRecord]:
    """Read records, oldest first."""
    names = ", ".join(field.name for field in fields(LoadRecord))
    rows = session.cursor.execute(
        f"SELECT {names} FROM {TABLE} WHERE {where} ORDER BY loaded_at, file_name", values or []
    )
    return [LoadRecord(*row) for row in rows.fetchall()]


def status(session: Any, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_pipe_status."""
    path = session.qualify(names.typed_path(name))
    entity = session.account.catalog.find(Kind.PIPE, path)
    rights, roles = session.account.rights, session.active_roles()
    if entity is None or not rights.visible(roles, entity):
        raise refusals.not_found("Pipe", path)
    detail = entity.detail
    assert isinstance(detail, PipeDetail)
    told: dict[str, Any] = {
        "executionState": "PAUSED" if detail.paused else "RUNNING",
        "pendingFileCount": 0,
    }
    loads = all_of(session, "pipe_id = ?", [entity.id])
    if loads:
        last = loads[-1]
        told["lastIngestedTimestamp"] = last.loaded_at.isoformat()
        told["lastIngestedFilePath"] = last.file_name
    return json.dumps(told)
