"""The stored table that tells which file went into which table.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql

TABLE = duck_sql.place(("_account", "load_history"))
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


def create_sql() -> DuckSql:
    """Return the statement that makes the stored table."""
    return duck_sql.of(
        "CREATE TABLE IF NOT EXISTS {table} ({columns})",
        table=TABLE,
        columns=duck_sql.columns(COLUMNS),
    )
