"""CREATE statements of monitors, database roles, data metric functions, instances and shares.

Room: embedded. An instance is made by its constructor and its methods. A share is made empty: what
it lends are grants, and consumers come when those are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import InstanceDetail, MonitorDetail, ShareDetail
from skills_nb.embedded.catalog.pipeline_details import MetricArgument, MetricDetail
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.export.objects import comment, is_founding, lasting
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal


def monitors(account: Account) -> Iterator[str]:
    """Make resource monitors, which warehouses and the account name."""
    for entity in lasting(account, Kind.RESOURCE_MONITOR):
        d = entity.detail
        assert isinstance(d, MonitorDetail)
        words = [] if d.quota is None else [f"CREDIT_QUOTA = {d.quota}"]
        words += [f"FREQUENCY = {d.frequency}"] if d.start else []
        words += [f"START_TIMESTAMP = {literal(d.start)}"] if d.start else []
        words += [f"END_TIMESTAMP = {literal(d.end)}"] if d.end else []
        words += [f"TRIGGERS {_triggers(d)}"] if d.triggers else []
        yield f"CREATE RESOURCE MONITOR {quote(entity.name)} WITH {' '.join(words)}".rstrip()
        changes = [] if d.start else [f"FREQUENCY = {d.frequency}"]
        if d.notify_users:
            changes.append(f"NOTIFY_USERS = ({', '.join(map(quote, d.notify_users))})")
        if entity.comment:
            changes.append(f"COMMENT = {literal(entity.comment)}")
        if changes:
            yield f"ALTER RESOURCE MONITOR {quote(entity.name)} SET {' '.join(changes)}"


def _triggers(detail: MonitorDetail) -> str:
    return " ".join(f"ON {t.percent} PERCENT DO {t.action}" for t in detail.triggers)


def database_roles(account: Account, fresh: Account) -> Iterator[str]:
    """Make database roles, in databases that are there."""
    for entity in lasting(account, Kind.DATABASE_ROLE):
        if not is_founding(fresh, entity):
            yield f"CREATE DATABASE ROLE {render_name(entity.path)}{comment(entity)}"


def metrics(account: Account) -> Iterator[str]:
    """Make data metric functions."""
    for entity in lasting(account, Kind.DATA_METRIC_FUNCTION):
        d = entity.detail
        assert isinstance(d, MetricDetail)
        secure = "SECURE " if d.secure else ""
        arguments = ", ".join(map(_table_argument, d.arguments))
        yield (
            f"CREATE {secure}DATA METRIC FUNCTION {render_name(entity.path)} ({arguments}) "
            f"RETURNS NUMBER{comment(entity)} AS {literal(d.body)}"
        )


def _table_argument(argument: MetricArgument) -> str:
    columns = ", ".join(f"{quote(c.name)} {c.type.sql}" for c in argument.columns)
    return f"{quote(argument.name)} TABLE({columns})"


# ---- instances


def instances(account: Account, fresh: Account) -> Iterator[str]:
    """Make instances of classes and set what their methods have set."""
    for kind in (Kind.CUSTOM_CLASSIFIER, Kind.CLASSIFICATION_PROFILE, Kind.BUDGET):
        for entity in lasting(account, kind):
            if is_founding(fresh, entity):
                continue
            assert isinstance(entity.detail, InstanceDetail)
            state = json.loads(entity.detail.state)
            name = render_name(entity.path)
            profile = kind is Kind.CLASSIFICATION_PROFILE and state
            yield f"CREATE {kind.value} {name}({_constant(state) if profile else ''})"
            if kind is Kind.CUSTOM_CLASSIFIER:
                yield from _expressions(name, state)
            if kind is Kind.BUDGET:
                yield from _limits(name, state)


def _expressions(name: str, state: dict[str, Any]) -> Iterator[str]:
    for category, held in state.items():
        for rule in held if isinstance(held, list) else [held]:
            listed = (
                category,
                rule["privacy_category"],
                rule["value_regex"],
                rule["col_name_regex"],
                rule["description"],
                rule["threshold"],
            )
            yield f"CALL {name}!ADD_REGEX({', '.join(map(_constant, listed))})"


def _limits(name: str, state: dict[str, Any]) -> Iterator[str]:
    """Set what a budget says; what it is linked to is left to the comparison to refuse."""
    if "limit" in state:
        yield f"CALL {name}!SET_SPENDING_LIMIT({state['limit']})"
    if "emails" in state:
        said = [state["integration"]] if "integration" in state else []
        listed = ", ".join(map(literal, [*said, ", ".join(state["emails"])]))
        yield f"CALL {name}!SET_EMAIL_NOTIFICATIONS({listed})"
    if "threshold" in state:
        yield f"CALL {name}!SET_NOTIFICATION_THRESHOLD({state['threshold']})"
    if "muted" in state:
        yield f"CALL {name}!SET_NOTIFICATION_MUTE_FLAG({_constant(state['muted'])})"


def _constant(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case int() | float():
            return str(value)
        case dict():
            pairs = (f"{literal(key)}: {_constant(item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list():
            return "[" + ", ".join(map(_constant, value)) + "]"
        case _:
            return literal(str(value))


# ---- shares


def shares(account: Account) -> Iterator[str]:
    """Make shares, which hold nothing yet."""
    for entity in lasting(account, Kind.SHARE):
        yield f"CREATE SHARE {quote(entity.name)}{comment(entity)}"
        if not _lending(entity).secure_objects_only:
            yield f"ALTER SHARE {quote(entity.name)} SET SECURE_OBJECTS_ONLY = FALSE"


def consumers(account: Account) -> Iterator[str]:
    """Lend shares, which hold by now what they lend."""
    for entity in lasting(account, Kind.SHARE):
        if accounts := _lending(entity).accounts:
            yield f"ALTER SHARE {quote(entity.name)} ADD ACCOUNTS = {', '.join(accounts)}"


def _lending(entity: Entity) -> ShareDetail:
    assert isinstance(entity.detail, ShareDetail)
    return entity.detail
