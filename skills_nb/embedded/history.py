"""The query history: one row a statement.

Room: embedded. Values only.

See https://docs.snowflake.com/en/sql-reference/account-usage/query_history
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

HISTORY_COLUMNS = {
    "query_id": "VARCHAR",
    "query_text": "VARCHAR",
    "database_name": "VARCHAR",
    "schema_name": "VARCHAR",
    "query_type": "VARCHAR",
    "session_id": "BIGINT",
    "user_name": "VARCHAR",
    "role_name": "VARCHAR",
    "warehouse_name": "VARCHAR",
    "query_tag": "VARCHAR",
    "execution_status": "VARCHAR",
    "error_code": "VARCHAR",
    "error_message": "VARCHAR",
    "start_time": "TIMESTAMPTZ",
    "end_time": "TIMESTAMPTZ",
    "rows_produced": "BIGINT",
    "transaction_id": "VARCHAR",
    "reads": "VARCHAR",
}
"""Column of the stored table to its DuckDB type, in order."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """What became of one statement."""

    query_id: str
    query_text: str
    database_name: str | None
    schema_name: str | None
    query_type: str
    session_id: int
    user_name: str
    role_name: str | None
    warehouse_name: str | None
    query_tag: str
    execution_status: str
    """SUCCESS, FAIL or INCIDENT."""
    error_code: str | None
    error_message: str | None
    start_time: datetime
    end_time: datetime
    rows_produced: int | None
    transaction_id: str | None
    reads: str | None
    """JSON: objects read, each with its columns, for ACCESS_HISTORY."""
