"""What was used: credits and bytes.

Room: embedded. Credits come from the times of statements; bytes are estimated from rows.

See https://docs.snowflake.com/en/sql-reference/account-usage
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session import metering
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views import statement_history
from skills_nb.embedded.system_views.information_schema.table_storage import stored_tables
from skills_nb.embedded.types.system_rows import (
    Row,
    Rows,
)

_SERVICE = "WAREHOUSE_METERING"


def metering_history(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/metering_history."""
    _, hours = metering.metering_history(session)
    spec = (
        "SERVICE_TYPE START_TIME:t END_TIME:t ENTITY_ID:n ENTITY_TYPE NAME DATABASE_ID:n "
        "DATABASE_NAME SCHEMA_ID:n SCHEMA_NAME CREDITS_USED_COMPUTE:r "
        "CREDITS_USED_CLOUD_SERVICES:r CREDITS_USED:r BYTES:n ROWS:n FILES:n"
    )
    nowhere = (None,) * 4
    return spec, [
        (
            *(_SERVICE, start, end, number, "WAREHOUSE", name),
            *(*nowhere, compute, cloud, used, None, None, None),
        )
        for start, end, number, name, used, compute, cloud, _ in hours
    ]


def metering_daily(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/metering_daily_history."""
    _, hours = metering.metering_history(session)
    days: dict[Any, float] = defaultdict(float)
    for row in hours:
        days[row[0].date()] += row[4]
    spec = (
        "SERVICE_TYPE USAGE_DATE:d CREDITS_USED_COMPUTE:r CREDITS_USED_CLOUD_SERVICES:r "
        "CREDITS_USED:r CREDITS_ADJUSTMENT_CLOUD_SERVICES:r CREDITS_BILLED:r"
    )
    return spec, [(_SERVICE, day, used, 0.0, used, 0.0, used) for day, used in sorted(days.items())]


def query_attribution(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/query_attribution_history."""
    rows: list[Row] = []
    for found in statement_history.stored(session, duck_sql.of("warehouse_name IS NOT NULL")):
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (found["warehouse_name"],))
        if warehouse is None:
            continue
        seconds = (found["end_time"] - found["start_time"]).total_seconds()
        rows.append(
            (
                found["query_id"],
                None,
                found["query_id"],
                warehouse.id,
                warehouse.name,
                *statement_history.hashes(found["query_text"]),
                found["query_tag"],
                found["user_name"],
                found["start_time"],
                found["end_time"],
                seconds / 3600 * metering.credits_per_hour(warehouse),
                None,
            )
        )
    spec = (
        "QUERY_ID PARENT_QUERY_ID ROOT_QUERY_ID WAREHOUSE_ID:n WAREHOUSE_NAME QUERY_HASH "
        "QUERY_PARAMETERIZED_HASH QUERY_TAG USER_NAME START_TIME:t END_TIME:t "
        "CREDITS_ATTRIBUTED_COMPUTE:r CREDITS_USED_QUERY_ACCELERATION:r"
    )
    return spec, rows


def staged_bytes(session: Context) -> int:
    """Return the size of all files in stages."""
    files = session.account.files.root().rglob("*")
    return sum(f.stat().st_size for f in files if f.is_file())


def storage(session: Context) -> Rows:
    """Tell of today alone what is kept; of the days before nothing is remembered.

    See https://docs.snowflake.com/en/sql-reference/account-usage/storage_usage
    """
    kept = sum(t.active + t.kept for t in stored_tables(session))
    spec = "USAGE_DATE:d STORAGE_BYTES:n STAGE_BYTES:n FAILSAFE_BYTES:n"
    return spec, [(session.account.clock().date(), kept, staged_bytes(session), 0)]
