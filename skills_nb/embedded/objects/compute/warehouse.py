"""Warehouses.

Room: embedded. Nothing is slower on a small one: size and clusters are kept and shown.

See https://docs.snowflake.com/en/sql-reference/sql/create-warehouse
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, WarehouseDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.lifecycle import changes, creation
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Properties,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.session import quotas
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def detail_of(warehouse: Entity) -> WarehouseDetail:
    """Return a warehouse's detail."""
    assert isinstance(warehouse.detail, WarehouseDetail)
    return warehouse.detail


def create(session: Context, statement: ast.CreateWarehouse) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-warehouse."""
    made = with_properties(statement.properties)

    def enter(entity: Entity) -> None:
        session.frame = replace(session.frame, warehouse=entity.name)

    return creation.create(session, statement, Kind.WAREHOUSE, lambda: made, enter)


_SIZES = {
    "XSMALL": "X-Small",
    "X-SMALL": "X-Small",
    "SMALL": "Small",
    "MEDIUM": "Medium",
    "LARGE": "Large",
    "XLARGE": "X-Large",
    "X-LARGE": "X-Large",
    "XXLARGE": "2X-Large",
    "X2LARGE": "2X-Large",
    "2X-LARGE": "2X-Large",
    "XXXLARGE": "3X-Large",
    "X3LARGE": "3X-Large",
    "3X-LARGE": "3X-Large",
    "X4LARGE": "4X-Large",
    "4X-LARGE": "4X-Large",
    "X5LARGE": "5X-Large",
    "5X-LARGE": "5X-Large",
    "X6LARGE": "6X-Large",
    "6X-LARGE": "6X-Large",
}


def _seconds_or_never(key: str, value: Any) -> int | None:
    return None if value is None or value == 0 else properties.as_whole(key, value)


def _size(key: str, value: Any) -> str:
    shown = properties.as_text(key, value).upper()
    if shown not in _SIZES:
        raise errors.invalid_value(shown, key)
    return _SIZES[shown]


_CONSTRAINTS = (
    "STANDARD_GEN_1",
    "STANDARD_GEN_2",
    *(f"MEMORY_{size}{machine}" for size in ("1X", "16X", "64X") for machine in ("", "_X86")),
)


READERS: properties.Readers = {
    "WAREHOUSE_SIZE": ("size", _size),
    "WAREHOUSE_TYPE": ("type", properties.one_of("STANDARD", "SNOWPARK-OPTIMIZED")),
    "AUTO_SUSPEND": ("auto_suspend", _seconds_or_never),
    "AUTO_RESUME": ("auto_resume", properties.as_flag),
    "INITIALLY_SUSPENDED": ("suspended", properties.as_flag),
    "MIN_CLUSTER_COUNT": ("min_cluster_count", properties.as_whole),
    "MAX_CLUSTER_COUNT": ("max_cluster_count", properties.as_whole),
    "SCALING_POLICY": ("scaling_policy", properties.one_of("STANDARD", "ECONOMY")),
    "RESOURCE_MONITOR": ("resource_monitor", properties.as_name),
    "STATEMENT_TIMEOUT_IN_SECONDS": ("statement_timeout_s", properties.as_whole),
    "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": ("queued_timeout_s", properties.as_whole),
    "MAX_CONCURRENCY_LEVEL": ("max_concurrency_level", properties.as_whole),
    "ENABLE_QUERY_ACCELERATION": ("acceleration", properties.as_flag),
    "QUERY_ACCELERATION_MAX_SCALE_FACTOR": ("acceleration_scale", properties.within(0, 100)),
    "RESOURCE_CONSTRAINT": ("resource_constraint", properties.one_of(*_CONSTRAINTS)),
    "GENERATION": ("generation", properties.one_of("1", "2")),
}


def with_properties(
    given: Mapping[str, Any], before: WarehouseDetail | None = None
) -> WarehouseDetail:
    """Read a warehouse's properties, over what was there before."""
    return replace(before or WarehouseDetail(), **properties.read(READERS, given))


def drop(session: Context, entity: Entity) -> None:
    """Drop a warehouse; the session has none afterwards, if it was its own."""
    session.account.catalog.forget(entity)
    if session.warehouse == entity.name:
        session.frame = replace(session.frame, warehouse=None)


def _row(session: Context, e: Entity) -> Row:
    """Return a warehouse's row of SHOW WAREHOUSES."""
    d = detail_of(e)
    rests = d.suspended or quotas.exhausted(session, e) is not None
    started = 0 if rests else 1
    default = session.user_detail().default_warehouse == e.name
    return (
        e.name,
        "SUSPENDED" if rests else "STARTED",
        d.type,
        d.size,
        d.min_cluster_count,
        d.max_cluster_count,
        started,
        0,
        0,
        "Y" if default else "N",
        "Y" if session.warehouse == e.name else "N",
        "N",
        d.auto_suspend,
        str(d.auto_resume).lower(),
        "",
        "",
        "",
        "",
        e.created_on,
        e.created_on,
        e.altered_on or e.created_on,
        e.owner,
        e.comment,
        str(d.acceleration).lower(),
        d.acceleration_scale,
        d.resource_monitor or "null",
        0,
        0,
        0,
        0,
        str(e.id),
        d.scaling_policy,
        None,
        "ROLE",
        d.resource_constraint or None,
        d.generation or None,
    )


def _describe(session: Context, entity: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-warehouse."""
    return "created_on:t name kind", [(entity.created_on, entity.name, entity.kind.value)]


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a warehouse with the properties that are not the usual ones, and its size."""
    usual = WarehouseDetail()
    words = [f"create or replace warehouse {written_name(entity, qualified=qualified)} with"]
    for key, (field, _) in READERS.items():
        given = getattr(entity.detail, field)
        if key == "WAREHOUSE_SIZE" or given != getattr(usual, field):
            words.append(f"{key.lower()} = {value(given)}")
    return "\n\t".join(words) + comment(entity, "\n\t")


# ---- ALTER


def _set(session: Context, warehouse: Entity, given: dict[str, Any]) -> None:
    """Set properties; WAIT_FOR_COMPLETION asks for nothing, since a new size is there at once."""
    if "WAIT_FOR_COMPLETION" in given and "WAREHOUSE_SIZE" not in given:
        raise errors.invalid_property("WAIT_FOR_COMPLETION goes with WAREHOUSE_SIZE.")
    given.pop("WAIT_FOR_COMPLETION", None)
    changes.put(session, warehouse, with_properties(given, detail_of(warehouse)))


def _unset(session: Context, warehouse: Entity, name: str) -> None:
    fields = properties.default_of(READERS, name, WarehouseDetail())
    changes.put(session, warehouse, replace(detail_of(warehouse), **fields))


def _power(session: Context, warehouse: Entity, action: ast.Suspend | ast.Resume) -> None:
    suspends = isinstance(action, ast.Suspend)
    idle = isinstance(action, ast.Resume) and action.if_suspended
    detail = detail_of(warehouse)
    if detail.suspended is suspends and not idle:
        raise errors.wrong_state(warehouse.name)
    changes.put(session, warehouse, replace(detail, suspended=suspends))


def _abort_all(session: Context, warehouse: Entity, action: ast.AbortAllQueries) -> None:
    """Abort nothing: a statement that comes in finds no other one running."""


def _rename(session: Context, warehouse: Entity, path: tuple[str, ...]) -> None:
    if session.warehouse == warehouse.name:
        session.frame = replace(session.frame, warehouse=path[0])


register(
    ObjectKind(
        kind=Kind.WAREHOUSE,
        plurals=("WAREHOUSES",),
        create={ast.CreateWarehouse: create},
        alter=by_class({ast.Suspend: _power, ast.Resume: _power, ast.AbortAllQueries: _abort_all}),
        properties=Properties(_set, _unset),
        parameters={
            "MAX_CONCURRENCY_LEVEL": "max_concurrency_level",
            "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": "queued_timeout_s",
            "STATEMENT_TIMEOUT_IN_SECONDS": "statement_timeout_s",
        },
        rename=_rename,
        drop=drop,
        listing=Listing(
            "name state type size min_cluster_count:n max_cluster_count:n started_clusters:n "
            "running:n queued:n is_default is_current is_interactive auto_suspend:n auto_resume "
            "available provisioning quiescing other created_on:t resumed_on:t updated_on:t owner "
            "comment enable_query_acceleration query_acceleration_max_scale_factor:n "
            "resource_monitor actives:n pendings:n failed:n suspended:n uuid scaling_policy budget "
            "owner_role_type resource_constraint generation",
            _row,
        ),
        describe=_describe,
        ddl=_ddl,
        privileges=("APPLYBUDGET", "MODIFY", "MONITOR", "OPERATE", "USAGE"),
        export=Exporting(Phase.OWN),
    )
)
