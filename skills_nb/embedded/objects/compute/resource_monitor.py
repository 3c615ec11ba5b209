"""Resource monitors: quotas and triggers, and how much of the quota is used.

Room: embedded. Used credits come from the times that statements really took. A trigger that
suspends keeps its warehouses from computing once it is reached; nobody is sent a notification.

See https://docs.snowflake.com/en/user-guide/resource-monitors
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import MonitorDetail, MonitorTrigger
from skills_nb.embedded.objects.compute import monitor_times
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import Exporting, Listing, ObjectKind, Phase, register
from skills_nb.embedded.session import quotas
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

_FREQUENCIES = ("MONTHLY", "DAILY", "WEEKLY", "YEARLY", "NEVER")


def create(session: Context, statement: ast.CreateResourceMonitor) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-resource-monitor."""
    access.require_administrator(session, session.primary_roles())
    now = instant_of(session.moment)
    made = _read(MonitorDetail(), statement.properties, statement.triggers, now)
    return creation.create(session, statement, Kind.RESOURCE_MONITOR, lambda: made)


def _read(
    before: MonitorDetail,
    given: Mapping[str, Any],
    triggers: tuple[ast.Trigger, ...],
    now: datetime,
) -> MonitorDetail:
    made = before
    for key, value in given.items():
        match key:
            case "CREDIT_QUOTA" if value is None or (
                isinstance(value, int) and not isinstance(value, bool) and value > 0
            ):
                made = replace(made, quota=value)
            case "FREQUENCY" if ast.text_of(value).upper() in _FREQUENCIES:
                made = replace(made, frequency=ast.text_of(value).upper())
            case "START_TIMESTAMP":
                made = replace(made, start=_moment(value, key, now))
            case "END_TIMESTAMP":
                made = replace(made, end=_moment(value, key, now))
            case "NOTIFY_USERS" if isinstance(value, tuple):
                made = replace(made, notify_users=tuple(ast.text_of(v) for v in value))
            case "CREDIT_QUOTA" | "FREQUENCY" | "NOTIFY_USERS":
                raise errors.invalid_value(str(value), key)
            case _:
                raise errors.invalid_property(f"invalid property '{key}'")
    if triggers:
        _check_triggers(triggers)
        made = replace(made, triggers=tuple(MonitorTrigger(t.percent, t.action) for t in triggers))
    return made


def _moment(value: Any, key: str, now: datetime) -> str:
    if value is None:
        return ""
    if isinstance(value, (tuple, Mapping)):
        raise errors.invalid_value(str(value), key)
    return monitor_times.moment(ast.text_of(value), key, now).isoformat()


_MOST = {"NOTIFY": 5, "SUSPEND": 1, "SUSPEND_IMMEDIATE": 1}


def _check_triggers(triggers: tuple[ast.Trigger, ...]) -> None:
    """See https://docs.snowflake.com/en/user-guide/resource-monitors (actions).

    Raises:
        SqlError: there are more triggers of an action than a monitor may have (1420).
    """
    for action, count in Counter(t.action for t in triggers).items():
        most = _MOST[action]
        if count > most:
            raise errors.invalid_property(
                f"A resource monitor can have at most {most} {action} trigger{'s'[: most - 1]}."
            )


def _alter(session: Context, entity: Entity, action: ast.Action) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-resource-monitor."""
    if isinstance(action, ast.RenameTo):
        return False
    assert isinstance(entity.detail, MonitorDetail)
    if not isinstance(action, ast.SetProperties):
        raise errors.unsupported(f"ALTER RESOURCE MONITOR {type(action).__name__.upper()}")
    given = {k: v for k, v in action.properties.items() if k != "COMMENT"}
    made = _read(entity.detail, given, action.triggers, instant_of(session.moment))
    comment = action.properties.get("COMMENT", entity.comment)
    session.account.catalog.change(entity, detail=made, comment=str(comment or ""))
    return True


def _row(session: Context, e: Entity) -> tuple[Any, ...]:
    """Return a monitor's row of SHOW RESOURCE MONITORS."""
    d = e.detail
    assert isinstance(d, MonitorDetail)
    names = quotas.watched(session, e)
    whole = quotas.watches_account(session, e)
    used = quotas.used(session, e)
    remaining = d.quota - used if d.quota is not None else None
    return (
        e.name,
        d.quota,
        used if names or whole else 0.0,
        remaining,
        "ACCOUNT" if whole else "WAREHOUSE" if names else None,
        d.frequency,
        quotas.instant_of(d.start) or e.created_on,
        quotas.instant_of(d.end),
        *(_at(d, action) for action in ("NOTIFY", "SUSPEND", "SUSPEND_IMMEDIATE")),
        e.created_on,
        e.owner,
        e.comment,
        ", ".join(d.notify_users),
    )


def _at(detail: MonitorDetail, action: str) -> str | None:
    listed = [f"{t.percent}%" for t in detail.triggers if t.action == action]
    return ",".join(listed) or None


register(
    ObjectKind(
        kind=Kind.RESOURCE_MONITOR,
        plurals=("RESOURCE MONITORS",),
        create={ast.CreateResourceMonitor: create},
        alter=_alter,
        listing=Listing(
            "name credit_quota:r used_credits:r remaining_credits:r level frequency "
            "start_time:t end_time:t notify_at suspend_at suspend_immediately_at created_on:t "
            "owner comment notify_users",
            _row,
        ),
        privileges=("MODIFY", "MONITOR"),
        export=Exporting(Phase.OWN),
    )
)
