"""What is in an account beside its databases: roles, people, warehouses, monitors.

Room: embedded. Source: the manual's SHOW ROLES, SHOW USERS, SHOW WAREHOUSES, SHOW RESOURCE
MONITORS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.embedded.tools.mirror.asking import commented, is_true, shown
from skills_nb.model.events.values import AccountContext
from skills_nb.ports import SqlReader
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal

_ENDING = (("suspend_at", "SUSPEND"), ("suspend_immediately_at", "SUSPEND_IMMEDIATE"))


def roles(reader: SqlReader, context: AccountContext) -> dict[str, Mapping[str, Any]]:
    """Return the account's roles by name; those that are only known to the session have no row."""
    found = {str(row["name"]): row for row in shown(reader, "SHOW ROLES")}
    return {**{role: {} for role in context.available_roles}, **found}


def definitions(
    reader: SqlReader, context: AccountContext, roles: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the statements that make them again."""
    for name, row in sorted(roles.items()):
        yield f"CREATE ROLE IF NOT EXISTS {quote(name)}{commented(row)}"
    users = {str(row["name"]) for row in shown(reader, "SHOW USERS")} | {context.current_user}
    yield from (f"CREATE USER IF NOT EXISTS {quote(user)}" for user in sorted(users))
    for row in shown(reader, "SHOW WAREHOUSES"):
        yield from _warehouse(row)
    for row in shown(reader, "SHOW RESOURCE MONITORS"):
        yield from _monitor(row)


def _warehouse(row: Mapping[str, Any]) -> Iterator[str]:
    name = quote(str(row["name"]))
    yield f"CREATE WAREHOUSE IF NOT EXISTS {name}"
    properties = [f"WAREHOUSE_SIZE = {literal(str(row['size']))}"]
    if row.get("auto_suspend") is not None:
        properties.append(f"AUTO_SUSPEND = {int(row['auto_suspend'])}")
    if row.get("auto_resume") is not None:
        properties.append(f"AUTO_RESUME = {is_true(row['auto_resume'])}")
    yield f"ALTER WAREHOUSE {name} SET {' '.join(properties)}{commented(row)}"
    for low, high in _pairs(row, "min_cluster_count", "max_cluster_count"):
        yield f"ALTER WAREHOUSE {name} SET MIN_CLUSTER_COUNT = {low} MAX_CLUSTER_COUNT = {high}"
    monitor = str(row.get("resource_monitor") or "null")
    if monitor != "null":
        yield f"ALTER WAREHOUSE {name} SET RESOURCE_MONITOR = {quote(monitor)}"


def _pairs(row: Mapping[str, Any], low: str, high: str) -> Iterator[tuple[int, int]]:
    # Only editions with clusters of warehouses tell these.
    if row.get(low) is not None and row.get(high) is not None:
        yield int(row[low]), int(row[high])


def _monitor(row: Mapping[str, Any]) -> Iterator[str]:
    told = [f"CREATE RESOURCE MONITOR IF NOT EXISTS {quote(str(row['name']))} WITH"]
    if row.get("credit_quota") is not None:
        told.append(f"CREDIT_QUOTA = {int(float(row['credit_quota']))}")
    if row.get("frequency") not in (None, "MONTHLY"):
        told.append(f"FREQUENCY = {row['frequency']} START_TIMESTAMP = IMMEDIATELY")
    triggers = [f"ON {at} PERCENT DO NOTIFY" for at in _percents(row.get("notify_at"))]
    for column, action in _ENDING:
        triggers += [f"ON {at} PERCENT DO {action}" for at in _percents(row.get(column))]
    yield " ".join([*told, *(["TRIGGERS", *triggers] if triggers else [])])


def _percents(value: Any) -> list[str]:
    return [part.strip(" %") for part in str(value).split(",") if part.strip(" %")] if value else []
