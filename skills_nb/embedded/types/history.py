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
    """Unique in the account."""
    query_text: str
    """As it was sent; secrets redacted."""
    database_name: str | None
    """What was current when it began; None for none."""
    schema_name: str | None
    """What was current when it began; None for none."""
    query_type: str
    """As QUERY_HISTORY names it: `SELECT`, `CREATE_TABLE_AS_SELECT`, …."""
    session_id: int
    """Number of the session."""
    user_name: str
    """Stored name."""
    role_name: str | None
    """Primary role when it began; None for none."""
    warehouse_name: str | None
    """What was in use; None for none."""
    query_tag: str
    """QUERY_TAG when it began; empty for none."""
    execution_status: str
    """SUCCESS, FAIL or INCIDENT, as ACCOUNT_USAGE names it."""
    error_code: str | None
    """Snowflake's number with leading zeros, such as `002003`; None for success."""
    error_message: str | None
    """None for success."""
    start_time: datetime
    """With its zone."""
    end_time: datetime
    """With its zone."""
    rows_produced: int | None
    """Rows answered or changed; None where it failed."""
    transaction_id: str | None
    """None outside of transactions."""
    reads: str | None
    """JSON: objects read, each with its columns, for ACCESS_HISTORY."""
