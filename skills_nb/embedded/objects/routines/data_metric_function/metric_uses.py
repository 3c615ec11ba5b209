"""Uses: metrics on tables and views, their schedule and their expectations.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/data-quality-working
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, imported_privileges
from skills_nb.embedded.authorizer.permitted import column_of
from skills_nb.embedded.catalog.entities import Entity, Kind, MetricUse, TableDetail
from skills_nb.embedded.objects.pipelines.schedule import checked_schedule
from skills_nb.embedded.objects.routines.data_metric_function import data_metric_function
from skills_nb.embedded.parser.parsing import parse_expression
from skills_nb.embedded.rewriter import system_metrics as system
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.snowflake_database_roles import METRIC_USER
from skills_nb.sql.governance import ast

ACTIONS = (
    ast.AddDataMetricFunctions,
    ast.DropDataMetricFunctions,
    ast.ModifyDataMetricFunctions,
    ast.ModifyExpectation,
)
SCHEDULE = "DATA_METRIC_SCHEDULE"
ON_CHANGES = "TRIGGER_ON_CHANGES"
_PRIVILEGE = "EXECUTE DATA METRIC FUNCTION"


def act(session: Context, entity: Entity, action: Any) -> None:
    """Add, drop or change metrics of a table; the owner of the table may.

    Raises:
        SqlError: the table has no schedule, or a metric is not attached, or is attached already
            (3556).
    """
    access.require_owner(session, entity)
    detail = _detail(entity)
    held = {(use.metric, use.columns): use for use in detail.metrics}
    for one in action.associations:
        metric = _named(session, one, entity)
        key = (metric, one.columns)
        match action:
            case ast.AddDataMetricFunctions():
                _may_add(session, entity, detail)
                if key in held:
                    raise errors.metric_misused(
                        f"Data metric function '{metric}' is already associated with the columns."
                    )
                for text in (one.condition, *(text for _, text in one.expectations)):
                    if text:
                        parse_expression(text)
                use = MetricUse(metric, one.columns, one.expectations, condition=one.condition)
                held[key] = use
            case _ if key not in held:
                raise errors.metric_misused(
                    f"Data metric function '{metric}' is not associated with the columns."
                )
            case ast.DropDataMetricFunctions():
                del held[key]
            case ast.ModifyExpectation():
                held[key] = _expecting(held[key], action)
            case _:
                held[key] = replace(held[key], suspended=action.suspend)
    _keep(session, entity, replace(detail, metrics=tuple(held.values())))


def _expecting(use: MetricUse, action: ast.ModifyExpectation) -> MetricUse:
    """Add, change or drop one expectation of a use."""
    known = dict(use.expectations)
    if (action.name in known) is (action.verb == "ADD"):
        is_held = "already exists" if action.verb == "ADD" else "does not exist"
        raise errors.metric_misused(f"Expectation '{action.name}' {is_held}.")
    if action.verb == "DROP":
        del known[action.name]
    else:
        parse_expression(action.condition)
        known[action.name] = action.condition
    return replace(use, expectations=tuple(known.items()))


def _may_add(session: Context, entity: Entity, detail: TableDetail) -> None:
    if not detail.metric_schedule:
        raise errors.metric_misused(
            f"Data metric schedule is not set on {entity.kind.value.lower()} {entity.name}."
        )
    if not access.owner_may_globally(session, entity, _PRIVILEGE):
        raise access.refused_by_account(session)


def _detail(entity: Entity) -> TableDetail:
    if not isinstance(entity.detail, TableDetail):
        raise errors.unsupported(f"DATA METRIC FUNCTION on a {entity.kind.value}")
    return entity.detail


def _keep(session: Context, entity: Entity, detail: TableDetail) -> None:
    session.account.catalog.change(entity, detail=detail, altered_on=session.account.clock())


def _named(session: Context, one: ast.MetricAssociation, entity: Entity) -> str:
    """Return a metric's full name; its columns must be the table's."""
    for column in one.columns:
        column_of(entity, column)
    if len(one.function) == 3 and system.is_system(one.function):
        if not imported_privileges.holds(session, session.active_roles(), METRIC_USER):
            raise errors.not_found("Data metric function", one.function)
        wanted = 0 if _of_whole_table(one) else 1
        if (one.function[2] in system.CONDITIONAL) is not bool(one.condition):
            raise errors.wrong_routine(".".join(one.function), "a condition")
    else:
        metric = access.existing(session, Kind.DATA_METRIC_FUNCTION, one.function)
        access.require(session, metric, "USAGE")
        arguments = data_metric_function.detail_of(metric).arguments
        if len(arguments) != 1:
            raise errors.unsupported("a metric of several tables on a schedule")
        wanted = len(arguments[0].columns)
        return _checked(one, ".".join(metric.path), wanted)
    return _checked(one, ".".join(one.function), wanted)


def _of_whole_table(one: ast.MetricAssociation) -> bool:
    """Tell whether a system metric takes no column; freshness takes one or none."""
    name = one.function[2]
    return name == "ROW_COUNT" or (name == "FRESHNESS" and not one.columns)


def _checked(one: ast.MetricAssociation, name: str, wanted: int) -> str:
    if len(one.columns) != wanted:
        raise errors.wrong_routine(name, f"{len(one.columns)} columns")
    return name


def set_schedule(session: Context, entity: Entity, value: Any) -> None:
    """Keep a schedule: minutes, CRON, or TRIGGER_ON_CHANGES; None takes it away."""
    _keep(session, entity, scheduled(_detail(entity), value))


def scheduled(detail: TableDetail, value: Any) -> TableDetail:
    """Return a detail with this schedule of its metrics."""
    text = "" if value is None else ast.text_of(value).strip()
    if value is not None and text.upper() != ON_CHANGES:
        checked_schedule(text)
    shown = ON_CHANGES if text.upper() == ON_CHANGES else text
    return replace(detail, metric_schedule=shown)


COLUMNS = (
    "METRIC_DATABASE_NAME METRIC_SCHEMA_NAME METRIC_NAME METRIC_SIGNATURE METRIC_DATA_TYPE "
    "REF_DATABASE_NAME REF_SCHEMA_NAME REF_ENTITY_NAME REF_ENTITY_DOMAIN REF_ARGUMENTS:a REF_ID "
    "SCHEDULE SCHEDULE_STATUS"
)


def rows(session: Context, entity: Entity) -> Iterator[tuple[Any, ...]]:
    """Tell the metrics of a table.

    See https://docs.snowflake.com/en/sql-reference/functions/data_metric_function_references
    """
    if not isinstance(entity.detail, TableDetail):
        return
    for use in entity.detail.metrics:
        path = tuple(use.metric.split("."))
        metric = session.account.catalog.find(Kind.DATA_METRIC_FUNCTION, path)
        kinds = ", ".join(column_of(entity, c).type.sql.partition("(")[0] for c in use.columns)
        shown = (
            data_metric_function.signature(data_metric_function.detail_of(metric))
            if metric
            else f"TABLE({kinds})"
        )
        listed = [
            {"domain": "COLUMN", "id": str(i), "name": name} for i, name in enumerate(use.columns)
        ]
        yield (
            *path,
            f"({shown})",
            "NUMBER(38,0)",
            *entity.path,
            entity.kind.value,
            json.dumps(listed),
            reference(entity, use),
            entity.detail.metric_schedule,
            "SUSPENDED" if use.suspended else "STARTED",
        )


EXPECTED = (
    "METRIC_DATABASE_NAME METRIC_SCHEMA_NAME METRIC_NAME METRIC_SIGNATURE METRIC_DATA_TYPE "
    "REF_ENTITY_DATABASE_NAME REF_ENTITY_SCHEMA_NAME REF_ENTITY_NAME REF_ENTITY_DOMAIN "
    "REF_ARGUMENTS:a REF_ID EXPECTATION_ID EXPECTATION_NAME EXPECTATION_EXPRESSION"
)


def expectations(session: Context, entity: Entity) -> Iterator[tuple[Any, ...]]:
    """Tell the expectations of a table's metrics.

    See https://docs.snowflake.com/en/sql-reference/functions/data_metric_function_expectations
    """
    if not isinstance(entity.detail, TableDetail):
        return
    for use, row in zip(entity.detail.metrics, rows(session, entity), strict=True):
        for name, text in use.expectations:
            yield (*row[:11], f"{row[10]}:{name}", name, text)


def reference(entity: Entity, use: MetricUse) -> str:
    """Return what names the use of a metric, in results and references."""
    return f"{entity.id}:{use.metric}({','.join(use.columns)})"


def used(session: Context, metric: str) -> Iterator[Entity]:
    """List the tables that a metric is associated with."""
    for entity in session.account.catalog.within(Kind.TABLE):
        detail = entity.detail
        if isinstance(detail, TableDetail) and any(u.metric == metric for u in detail.metrics):
            yield entity
