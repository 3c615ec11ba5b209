"""Metering: credits from the times that statements really took.

Room: embedded. A statement's seconds count for its warehouse at the rate of the warehouse's present
size; Snowflake's minimum of a minute a start is left out, since nothing starts here.

See https://docs.snowflake.com/en/sql-reference/account-usage/warehouse_metering_history
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind, WarehouseDetail
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context

COLUMNS = (
    "START_TIME:t END_TIME:t WAREHOUSE_ID:n WAREHOUSE_NAME CREDITS_USED:r CREDITS_USED_COMPUTE:r "
    "CREDITS_USED_CLOUD_SERVICES:r CREDITS_ATTRIBUTED_COMPUTE_QUERIES:r"
)
_SIZES = ("X-Small", "Small", "Medium", "Large", "X-Large", "2X-Large", "3X-Large", "4X-Large")
COMPUTING = [
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "COPY",
    "UNLOAD",
    "CALL",
    "CREATE_TABLE_AS_SELECT",
    "MULTI_TABLE_INSERT",
]
"""Types of statements that a warehouse works on."""
_HOUR = timedelta(hours=1)


def credits_per_hour(warehouse: Entity) -> float:
    """Return what an hour of a warehouse costs."""
    detail = warehouse.detail
    assert isinstance(detail, WarehouseDetail)
    size = _SIZES.index(detail.size) if detail.size in _SIZES else len(_SIZES)
    return float(2**size)


def computed(session: Context) -> list[tuple[str, datetime, datetime]]:
    """Return warehouse, start and end of every statement that computed."""
    return session.account.store.history(
        session.cursor,
        ("warehouse_name", "start_time", "end_time"),
        duck_sql.of(
            "WHERE warehouse_name IS NOT NULL AND query_type IN ({words})",
            words=duck_sql.listed(map(duck_sql.text, COMPUTING)),
        ),
        [],
    )


def hours(session: Context) -> dict[tuple[str, datetime], float]:
    """Return the seconds of computing by warehouse and full hour."""
    found: dict[tuple[str, datetime], float] = defaultdict(float)
    for name, start, end in computed(session):
        while start < end:
            hour = start.replace(minute=0, second=0, microsecond=0)
            until = min(end, hour + _HOUR)
            found[(name, hour)] += (until - start).total_seconds()
            start = until
    return found


def metering_history(session: Context) -> tuple[str, list[tuple[Any, ...]]]:
    """Return a row for each warehouse and hour in which it computed."""
    rows: list[tuple[Any, ...]] = []
    for (name, hour), seconds in sorted(hours(session).items()):
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,))
        if warehouse is None:
            continue
        used = seconds / 3600 * credits_per_hour(warehouse)
        rows.append((hour, hour + _HOUR, warehouse.id, name, used, used, 0.0, used))
    return COLUMNS, rows


def used_since(session: Context, names: frozenset[str] | None, since: datetime) -> float:
    """Return the credits of some warehouses (None: all) from an hour on."""
    total = 0.0
    for (name, hour), seconds in hours(session).items():
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,))
        if warehouse is None or hour + _HOUR <= since or (names is not None and name not in names):
            continue
        total += seconds / 3600 * credits_per_hour(warehouse)
    return total
