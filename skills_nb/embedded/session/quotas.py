"""Quotas: how much of a resource monitor's credits is used, and what that keeps from computing.

Room: embedded. What runs is never stopped, since credits are only known when a statement is done.

See https://docs.snowflake.com/en/user-guide/resource-monitors
"""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta

from skills_nb.embedded.catalog.entities import ACCOUNT_ID, Entity, Kind, Parameter, WarehouseDetail
from skills_nb.embedded.catalog.object_details import MonitorDetail
from skills_nb.embedded.errors.sessions import quota_used
from skills_nb.embedded.session import metering
from skills_nb.embedded.session.context import Context


def check(session: Context, warehouse: Entity) -> None:
    """Let a warehouse compute.

    Raises:
        SqlError: a resource monitor has used up its quota (90073).
    """
    monitor = exhausted(session, warehouse)
    if monitor is not None:
        raise quota_used(warehouse.name, monitor.name)


def exhausted(session: Context, warehouse: Entity) -> Entity | None:
    """Return the monitor that keeps a warehouse from computing, if one does."""
    catalog = session.account.catalog
    assert isinstance(warehouse.detail, WarehouseDetail)
    held = catalog.get(Parameter, (ACCOUNT_ID, "RESOURCE_MONITOR"))
    for name in (warehouse.detail.resource_monitor, held.value if held is not None else ""):
        found = catalog.find(Kind.RESOURCE_MONITOR, (name,)) if name else None
        if found is not None and _suspends(session, found):
            return found
    return None


def _suspends(session: Context, monitor: Entity) -> bool:
    """Tell whether so much of the quota is used that a trigger suspends."""
    d = _detail(monitor)
    reached = [t.percent for t in d.triggers if t.action.startswith("SUSPEND")]
    if not reached or d.quota is None:
        return False
    return used(session, monitor) * 100 >= d.quota * min(reached)


def _detail(monitor: Entity) -> MonitorDetail:
    assert isinstance(monitor.detail, MonitorDetail)
    return monitor.detail


def used(session: Context, monitor: Entity) -> float:
    """Return the credits used in the present interval."""
    names = None if watches_account(session, monitor) else watched(session, monitor)
    since = _interval_start(monitor, _detail(monitor), session.account.clock())
    return metering.used_since(session, names, since)


def watches_account(session: Context, monitor: Entity) -> bool:
    """Tell whether ALTER ACCOUNT made this the monitor of all warehouses."""
    held = session.account.catalog.get(Parameter, (ACCOUNT_ID, "RESOURCE_MONITOR"))
    return held is not None and held.value == monitor.name


def watched(session: Context, monitor: Entity) -> frozenset[str]:
    """Return the warehouses that a monitor was given to."""
    return frozenset(
        w.name
        for w in session.account.catalog.children(Kind.WAREHOUSE)
        if isinstance(w.detail, WarehouseDetail) and w.detail.resource_monitor == monitor.name
    )


_CALENDAR = datetime(2024, 1, 1, tzinfo=UTC)
"""A first of January that is a Monday: where resets fall without a start."""


def instant_of(kept: str) -> datetime | None:
    """Return when a monitor begins or ends; None where nothing, or nothing readable, is kept."""
    try:
        found = datetime.fromisoformat(kept)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _interval_start(entity: Entity, detail: MonitorDetail, now: datetime) -> datetime:
    """Return when the present interval began, or counting, if that was later.

    Credits are reset at midnight UTC, on the day that the frequency and the start make.
    """
    start = instant_of(detail.start)
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if start is None:
        return last_reset(detail.frequency, day, _CALENDAR) or entity.created_on
    return max(last_reset(detail.frequency, day, start) or start, start)


def last_reset(frequency: str, day: datetime, start: datetime) -> datetime | None:
    """Return the last day of a reset, for counting that started some day; None for never."""
    match frequency:
        case "DAILY":
            return day
        case "WEEKLY":
            return day - timedelta(days=(day.weekday() - start.weekday()) % 7)
        case "MONTHLY":
            this = _on(day, day.month, start.day)
            before = day.replace(day=1) - timedelta(days=1)
            return this if this <= day else _on(before, before.month, start.day)
        case "YEARLY":
            this = _on(day, start.month, start.day)
            before = day.replace(year=day.year - 1, day=1)
            return this if this <= day else _on(before, start.month, start.day)
        case _:
            return None


def _on(year: datetime, month: int, day: int) -> datetime:
    """Return a day of a month, its last where it has no such day."""
    last = calendar.monthrange(year.year, month)[1]
    return year.replace(month=month, day=min(day, last))
