"""Warehouses at work: load, metered hours, and what was done to them.

Room: embedded. All of it is read from the query history; nothing queues here, so there is running
and never waiting.

See https://docs.snowflake.com/en/sql-reference/account-usage/warehouse_load_history and
https://docs.snowflake.com/en/sql-reference/account-usage/warehouse_events_history
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session import metering
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.system_views import statement_history
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.sql.governance import SqlSyntaxError, UnsupportedSqlError, ast, parse

_LOADS = "AVG_RUNNING:r AVG_QUEUED_LOAD:r AVG_QUEUED_PROVISIONING:r AVG_BLOCKED:r"
_SLICE, _FINE, _SHORT = timedelta(minutes=5), timedelta(seconds=5), timedelta(hours=8)
_RANGE = ("DATE_RANGE_START", "DATE_RANGE_END", "WAREHOUSE_NAME")


# ---- load


def _seconds(session: Context, step: timedelta) -> dict[tuple[datetime, str], float]:
    """Return how long statements ran by slice of time and warehouse."""
    found: dict[tuple[datetime, str], float] = defaultdict(float)
    for name, start, end in metering.computed(session):
        while start < end:
            into = timedelta(seconds=start.timestamp() % step.total_seconds())
            until = min(end, start - into + step)
            found[(start - into, name)] += (until - start).total_seconds()
            start = until
    return found


def load_history(session: Context) -> Rows:
    """Tell the load in slices of five minutes.

    See https://docs.snowflake.com/en/sql-reference/account-usage/warehouse_load_history
    """
    rows: list[Row] = []
    for (start, name), seconds in sorted(_seconds(session, _SLICE).items()):
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,))
        number = warehouse.id if warehouse is not None else None
        load = seconds / _SLICE.total_seconds()
        rows.append((start, start + _SLICE, number, name, load, 0.0, 0.0, 0.0))
    return f"START_TIME:t END_TIME:t WAREHOUSE_ID:n WAREHOUSE_NAME {_LOADS}", rows


def load_function(
    session: Context, roles: frozenset[str], database: str, arguments: Arguments
) -> Rows:
    """Tell the load of the last ten minutes, or of the range that is asked for.

    See https://docs.snowflake.com/en/sql-reference/functions/warehouse_load_history
    """
    asked = Asked(arguments, _RANGE)
    end = asked.instant(session, "DATE_RANGE_END") or session.account.clock()
    start = asked.instant(session, "DATE_RANGE_START") or end - timedelta(minutes=10)
    step = _FINE if end - start < _SHORT else _SLICE
    wanted = _wanted(session, roles, asked)
    rows: list[Row] = [
        (at, at + step, name, seconds / step.total_seconds(), 0.0, 0.0, 0.0)
        for (at, name), seconds in sorted(_seconds(session, step).items())
        if start <= at <= end and wanted(name)
    ]
    return f"START_TIME:t END_TIME:t WAREHOUSE_NAME {_LOADS}", rows


def _wanted(session: Context, roles: frozenset[str], asked: Asked) -> Callable[[str], bool]:
    """Return what tells the warehouses that are asked for and may be seen."""
    named = asked.text("WAREHOUSE_NAME")
    everything = access.may_globally(session, "MONITOR USAGE", roles) or access.administers(
        session, roles
    )

    def wanted(name: str) -> bool:
        found = session.account.catalog.find(Kind.WAREHOUSE, (name,))
        may = everything or (found is not None and access.may(session, "MONITOR", found, roles))
        return may and (named is None or name.upper() == named.upper())

    return wanted


# ---- credits


def metering_function(
    session: Context, roles: frozenset[str], database: str, arguments: Arguments
) -> Rows:
    """Tell the credits by hour and warehouse.

    See https://docs.snowflake.com/en/sql-reference/functions/warehouse_metering_history
    """
    asked = Asked(arguments, _RANGE)
    start = asked.instant(session, "DATE_RANGE_START")
    if start is None:
        start = session.account.clock() - timedelta(hours=24)
    end = asked.instant(session, "DATE_RANGE_END") or session.account.clock()
    wanted = _wanted(session, roles, asked)
    _, hours = metering.metering_history(session)
    spec = (
        "START_TIME:t END_TIME:t WAREHOUSE_NAME CREDITS_USED:r CREDITS_USED_COMPUTE:r "
        "CREDITS_USED_CLOUD_SERVICES:r"
    )
    return spec, [
        (at, until, name, used, compute, cloud)
        for at, until, _, name, used, compute, cloud, _ in hours
        if until > start and at <= end and wanted(name)
    ]


# ---- events


_EVENTS = (
    "TIMESTAMP:t WAREHOUSE_ID:n WAREHOUSE_NAME CLUSTER_NUMBER:n EVENT_NAME EVENT_REASON "
    "EVENT_STATE USER_NAME ROLE_NAME QUERY_ID SIZE CLUSTER_COUNT:n WAREHOUSE_TYPE "
    "RESOURCE_CONSTRAINT"
)
_REASONS = {
    "CREATE_WAREHOUSE": "WAREHOUSE_CREATE",
    "DROP_WAREHOUSE": "WAREHOUSE_DROP",
    "RESUME_WAREHOUSE": "WAREHOUSE_RESUME",
    "SUSPEND_WAREHOUSE": "WAREHOUSE_SUSPEND",
    "RESIZE_WAREHOUSE": "WAREHOUSE_RESIZE",
    "ALTER_WAREHOUSE": "WAREHOUSE_ALTER",
}


_OF_WAREHOUSES = duck_sql.of("query_type LIKE '%WAREHOUSE' AND error_code IS NULL")


def events(session: Context) -> Rows:
    """Tell what statements did to warehouses.

    See https://docs.snowflake.com/en/sql-reference/account-usage/warehouse_events_history
    """
    rows: list[Row] = []
    for found in statement_history.stored(session, _OF_WAREHOUSES):
        for name, event in _events_of(found):
            warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,))
            number = warehouse.id if warehouse is not None else None
            who = (found["user_name"], found["role_name"], found["query_id"])
            what = (event, _REASONS[event], "COMPLETED", *who)
            rows.append((found["end_time"], number, name, None, *what, *(None,) * 4))
    return _EVENTS, rows


def _events_of(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield warehouse and event of a statement that succeeded."""
    try:
        statement = parse(found["query_text"])
    except (SqlSyntaxError, UnsupportedSqlError):
        return  # its names came from variables
    match statement:
        case ast.CreateWarehouse(name=name):
            yield name[-1], "CREATE_WAREHOUSE"
        case ast.Drop(kind="WAREHOUSE", name=name):
            yield name[-1], "DROP_WAREHOUSE"
        case ast.Alter(kind="WAREHOUSE", name=name, actions=actions):
            for action in actions:
                yield name[-1] if name else found["warehouse_name"], _event(action)
        case _:
            return


def _event(action: ast.Action) -> str:
    match action:
        case ast.Suspend():
            return "SUSPEND_WAREHOUSE"
        case ast.Resume():
            return "RESUME_WAREHOUSE"
        case ast.SetProperties(properties=given) if "WAREHOUSE_SIZE" in given:
            return "RESIZE_WAREHOUSE"
        case _:
            return "ALTER_WAREHOUSE"
