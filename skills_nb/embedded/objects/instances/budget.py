"""Budgets: a limit on what some warehouses, or the whole account, spend in a month.

Room: embedded. What was spent comes from the times that statements really took (`metering`).
Notifications are kept and shown; none is sent.

See https://docs.snowflake.com/en/sql-reference/classes/budget
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import InstanceDetail
from skills_nb.embedded.objects.instances.instance_kind import register_class
from skills_nb.embedded.objects.instances.instance_methods import (
    Given,
    InstanceClass,
    Method,
    Rows,
    State,
    no_arguments,
)
from skills_nb.embedded.session import metering
from skills_nb.embedded.session.context import Context

ROOT = ("SNOWFLAKE", "LOCAL", "ACCOUNT_ROOT_BUDGET")
_SEES = ("ADMIN", "VIEWER")
_ADMIN = ("ADMIN",)
_REFERENCE = re.compile(r"ENT_REF_([A-Z_]+)_(\d+)_[0-9A-F]+")
_LINKED = (
    Kind.COMPUTE_POOL,
    Kind.DATABASE,
    Kind.PIPE,
    Kind.SCHEMA,
    Kind.TABLE,
    Kind.TASK,
    Kind.WAREHOUSE,
)
_RESOURCES = "RESOURCE_ID:n NAME DOMAIN SCHEMA_NAME DATABASE_NAME"
_SPENT = "MEASUREMENT_DATE:d SERVICE_TYPE CREDITS_SPENT:r"


def _set_limit(session: Context, state: State, given: Given) -> str:
    limit = given["SPENDING_LIMIT"]
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or limit < 0:
        raise errors.invalid_value(str(limit), "SPENDING_LIMIT")
    state["limit"] = limit
    return f"The spending limit has been updated to {limit:g} credits."


def _limit(session: Context, state: State, given: Given) -> float:
    return float(state.get("limit", -1))


def _set_email(session: Context, state: State, given: Given) -> str:
    """Keep the addresses; an integration that is named must be there."""
    first = str(given["FIRST"])
    second = given.get("SECOND")
    if second is not None:
        found = access.existing(session, Kind.INTEGRATION, (first.upper(),))
        state["integration"] = found.name
        first = str(second)
    state["emails"] = [one.strip() for one in first.split(",") if one.strip()]
    return "The email integration has been updated."


def _reader(key: str, empty: Any) -> Callable[[Context, State, Given], Any]:
    def run(session: Context, state: State, given: Given) -> Any:
        value = state.get(key, empty)
        return ",".join(value) if isinstance(value, list) else value

    return run


def _set_muted(session: Context, state: State, given: Given) -> str:
    if not isinstance(given["MUTE"], bool):
        raise errors.invalid_value(str(given["MUTE"]), "MUTE")
    state["muted"] = given["MUTE"]
    return "The notification mute flag has been updated."


def _set_threshold(session: Context, state: State, given: Given) -> str:
    percent = given["PERCENT"]
    if isinstance(percent, bool) or not isinstance(percent, (int, float)) or percent <= 0:
        raise errors.invalid_value(str(percent), "PERCENT")
    state["threshold"] = int(percent)
    return f"The notification threshold has been set to {int(percent)}%."


def _add_integration(session: Context, state: State, given: Given) -> str:
    found = access.existing(session, Kind.INTEGRATION, (str(given["NAME"]).upper(),))
    held = state.setdefault("integrations", [])
    if found.name not in held:
        held.append(found.name)
    return f"The integration {found.name} has been added."


def _remove_integration(session: Context, state: State, given: Given) -> str:
    name = str(given["NAME"]).upper()
    if name not in state.get("integrations", []):
        raise errors.not_found("Integration", (name,))
    state["integrations"].remove(name)
    return f"The integration {name} has been removed."


def _integrations(session: Context, state: State, given: Given) -> Rows:
    return [(name, None, None) for name in state.get("integrations", [])]


# ---- the account's own budget

SWITCHES = {"ACTIVATE": True, "DEACTIVATE": False}
"""Methods of the account's own budget alone."""


def switch(session: Context, *, active: bool) -> str:
    """Make or drop the account's own budget, which is there once it was activated.

    See https://docs.snowflake.com/en/sql-reference/classes/budget/methods/activate
    """
    access.require_administrator(session)
    catalog = session.account.catalog
    standing = catalog.find(Kind.BUDGET, ROOT)
    if active and standing is None:
        detail = InstanceDetail(json.dumps({"active": True}))
        now = session.account.clock()
        catalog.create(Kind.BUDGET, ROOT, detail, owner="ACCOUNTADMIN", now=now)
    if not active and standing is not None:
        catalog.forget(standing)
    return f"The account budget has been {'activated' if active else 'deactivated'}."


# ---- resources


def reference_to(entity: Entity) -> str:
    """Return what SYSTEM$REFERENCE gives for an object."""
    kind = entity.kind.value.replace(" ", "_")
    return f"ENT_REF_{kind}_{entity.id}_{entity.id * 2654435761 % 2**32:08X}"


def _resource(session: Context, given: Given) -> Entity:
    found = _REFERENCE.fullmatch(str(given["RESOURCE"]))
    entity = session.account.catalog.by_id(int(found[2])) if found else None
    if entity is None or reference_to(entity) != str(given["RESOURCE"]):
        raise errors.invalid_argument("a reference that SYSTEM$REFERENCE gave is needed")
    if entity.kind not in _LINKED:
        raise errors.unsupported(f"a {entity.kind.value} in a budget")
    return entity


def _add(session: Context, state: State, given: Given) -> str:
    entity = _resource(session, given)
    _refuse_root(state)
    access.require(session, entity, "APPLYBUDGET")
    held = state.setdefault("resources", [])
    if entity.id not in held:
        held.append(entity.id)
    return "Successfully added resource to resource group."


def _remove(session: Context, state: State, given: Given) -> str:
    entity = _resource(session, given)
    _refuse_root(state)
    if entity.id not in state.get("resources", []):
        raise errors.not_found(entity.kind.title, entity.path)
    state["resources"].remove(entity.id)
    return "Successfully removed resource from resource group."


def _refuse_root(state: State) -> None:
    if "active" in state:
        raise errors.unsupported("resources of the account's own budget: it holds all of them")


def _linked(session: Context, state: State) -> list[Entity]:
    found = [session.account.catalog.by_id(one) for one in state.get("resources", [])]
    return [entity for entity in found if entity is not None and entity.dropped_on is None]


def _resources(session: Context, state: State, given: Given) -> Rows:
    return [
        (
            entity.id,
            entity.name,
            entity.kind.value.replace(" ", "_"),
            entity.path[1] if entity.kind.depth == 3 else None,
            entity.path[0] if entity.kind.depth > 1 else None,
        )
        for entity in _linked(session, state)
    ]


# ---- spending


def _spending(session: Context, state: State, given: Given) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/classes/budget/methods/get_spending_history.

    Only warehouses spend anything here.
    """
    counted = None if "active" in state else {e.id for e in _linked(session, state)}
    bounds = _day(given.get("TIME_LOWER_BOUND")), _day(given.get("TIME_UPPER_BOUND"))
    spent: dict[date, float] = defaultdict(float)
    for (name, hour), seconds in metering.hours(session).items():
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,))
        day = hour.date()
        if warehouse is None or (counted is not None and warehouse.id not in counted):
            continue
        if (bounds[0] or day) <= day <= (bounds[1] or day):
            spent[day] += seconds / 3600 * metering.credits_per_hour(warehouse)
    return [(day, "WAREHOUSE_METERING", spent[day]) for day in sorted(spent)]


def _day(value: Any) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise errors.invalid_value(str(value), "TIME_LOWER_BOUND") from None


_STORED = {
    "GET_NOTIFICATION_EMAIL": ("emails", ""),
    "GET_NOTIFICATION_INTEGRATION_NAME": ("integration", ""),
    "GET_NOTIFICATION_MUTE_FLAG": ("muted", False),
    "GET_NOTIFICATION_THRESHOLD": ("threshold", 110),
}
_CLASS = InstanceClass(
    no_arguments,
    {
        "SET_SPENDING_LIMIT": Method(_set_limit, "SPENDING_LIMIT", roles=_ADMIN, changes=True),
        "GET_SPENDING_LIMIT": Method(_limit, roles=_SEES),
        "SET_EMAIL_NOTIFICATIONS": Method(_set_email, "FIRST SECOND=", roles=_ADMIN, changes=True),
        "SET_NOTIFICATION_MUTE_FLAG": Method(_set_muted, "MUTE", roles=_ADMIN, changes=True),
        "SET_NOTIFICATION_THRESHOLD": Method(_set_threshold, "PERCENT", roles=_ADMIN, changes=True),
        "ADD_NOTIFICATION_INTEGRATION": Method(
            _add_integration, "NAME", roles=_ADMIN, changes=True
        ),
        "REMOVE_NOTIFICATION_INTEGRATION": Method(
            _remove_integration, "NAME", roles=_ADMIN, changes=True
        ),
        "GET_NOTIFICATION_INTEGRATIONS": Method(
            _integrations,
            columns="INTEGRATION_NAME LAST_NOTIFICATION_TIME:t ADDED_DATE:t",
            roles=_SEES,
        ),
        **{
            name: Method(_reader(key, empty), roles=_SEES) for name, (key, empty) in _STORED.items()
        },
        "ADD_RESOURCE": Method(_add, "RESOURCE", roles=_ADMIN, changes=True),
        "REMOVE_RESOURCE": Method(_remove, "RESOURCE", roles=_ADMIN, changes=True),
        "GET_LINKED_RESOURCES": Method(_resources, columns=_RESOURCES, roles=_ADMIN),
        "GET_SPENDING_HISTORY": Method(
            _spending, "TIME_LOWER_BOUND= TIME_UPPER_BOUND=", columns=_SPENT, roles=_SEES
        ),
    },
    _SEES,
    "https://docs.snowflake.com/en/sql-reference/classes/budget",
)
register_class(Kind.BUDGET, _CLASS)
