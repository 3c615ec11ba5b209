"""Measuring: what a table's metrics say after its rows changed, and the results.

Room: embedded. Metrics run as the table's owner. One that fails is kept as failed and does not take
the change back.

See https://docs.snowflake.com/en/user-guide/data-quality-results
"""

from __future__ import annotations

import json
from typing import Any

from sqlglot import exp

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, MetricUse, TableDetail
from skills_nb.embedded.objects.routines.data_metric_function import metric_uses
from skills_nb.embedded.rewriter.system_metrics import CONDITIONAL
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Rows
from skills_nb.embedded.types.task_run import Run
from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import quote, render_name

METRIC = "METRIC"
"""The kind of these runs in the history."""
FRESHNESS = "SNOWFLAKE.CORE.FRESHNESS"
"""Without a column it measures the time since the last change of the table."""


def after_change(session: Context, tree: exp.Expr) -> None:
    """Measure the table that a statement changed, if its schedule says so."""
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(tree, exp.DML) or not isinstance(target, exp.Table):
        return
    entity = session.account.catalog.find(Kind.TABLE, session.qualify(names.table_path(target)))
    if entity is not None:
        after_refresh(session, entity)


def after_refresh(session: Context, entity: Entity) -> None:
    """Measure a table whose rows have changed, if its schedule says so."""
    detail = entity.detail
    if not isinstance(detail, TableDetail):
        return
    if detail.metric_schedule == metric_uses.ON_CHANGES:
        for use in detail.metrics:
            if not use.suspended:
                _measure(session, entity, use)


def _measure(session: Context, entity: Entity, use: MetricUse) -> None:
    """Run a metric as a statement of its own, which the change does not depend on."""
    scheduled, started = instant_of(session.moment), session.account.clock()
    sql = query_of(entity, use)
    value, met, error = None, {}, None
    with borrowed(session, entity.owner, entity.path[:2], session.warehouse or ""):
        try:
            value = session.nested(sql).rows[0][0]
            met = {name: is_met(session, text, value) for name, text in use.expectations}
        except SqlError as refused:
            error = refused
    body = {
        "metric": use.metric,
        "columns": use.columns,
        "value": float(value) if value is not None else None,
        "reference": metric_uses.reference(entity, use),
        "expectations": [[name, met.get(name)] for name, _ in use.expectations],
    }
    completed = session.account.clock()
    state, query_id = ("SUCCEEDED", None) if error is None else ("FAILED", error.query_id)
    code = f"{error.errno:06d}" if error is not None and error.errno else None
    said = error.message if error is not None else None
    made = (METRIC, entity.id, scheduled, started, completed, state, query_id, code, said, body)
    runs.keep(session, Run(*made))


def query_of(entity: Entity, use: MetricUse) -> str:
    """Return the statement that measures a table."""
    name = use.metric.rpartition(".")[2]
    if use.condition:
        measured = CONDITIONAL[name].format(use.condition)
        return f"SELECT {measured} FROM {render_name(entity.path)}"
    if use.metric == FRESHNESS and not use.columns:
        return "SELECT 0"  # the seconds from the change to the time the run is due: the same
    columns = ", ".join(map(quote, use.columns)) or "*"
    function = render_name(tuple(use.metric.split(".")))
    return f"SELECT {function}(SELECT {columns} FROM {render_name(entity.path)})"


def is_met(session: Context, condition: str, value: Any) -> bool | None:
    """Tell whether an expectation holds for a value; it is written with VALUE."""
    if value is None:
        return None
    found = session.nested(f"SELECT {condition} FROM (SELECT {value} AS VALUE)")
    return str(found.rows[0][0]).lower() == "true"


RESULTS = (
    "SCHEDULED_TIME:t CHANGE_COMMIT_TIME:t MEASUREMENT_TIME:t TABLE_ID:n TABLE_NAME TABLE_SCHEMA "
    "TABLE_DATABASE METRIC_ID:n METRIC_NAME METRIC_SCHEMA METRIC_DATABASE METRIC_RETURN_TYPE "
    "ARGUMENT_IDS:a ARGUMENT_TYPES:a ARGUMENT_NAMES:a REFERENCE_ID VALUE:r"
)


def results(session: Context, of: Entity | None = None) -> Rows:
    """Tell what was measured, latest first, of the tables that the roles own or may see.

    See https://docs.snowflake.com/en/sql-reference/local/data_quality_monitoring_results
    """
    rows = []
    for run, entity in _runs(session, of):
        path = tuple(run.body["metric"].split("."))
        metric = session.account.catalog.find(Kind.DATA_METRIC_FUNCTION, path)
        listed = run.body["columns"]
        columns = entity.detail.columns if isinstance(entity.detail, TableDetail) else ()
        kinds = {c.name: c.type.sql for c in columns}
        rows.append(
            (
                run.scheduled,
                run.scheduled,
                run.completed,
                entity.id,
                entity.name,
                entity.path[1],
                entity.path[0],
                metric.id if metric is not None else None,
                path[2],
                path[1],
                path[0],
                "NUMBER",
                json.dumps(list(range(len(listed)))),
                json.dumps([kinds.get(name) for name in listed]),
                json.dumps(listed),
                run.body["reference"],
                run.body["value"],
            )
        )
    return RESULTS, rows


EXPECTATIONS = (
    "SCHEDULED_TIME:t MEASUREMENT_TIME:t TABLE_NAME TABLE_SCHEMA TABLE_DATABASE METRIC_NAME "
    "METRIC_SCHEMA METRIC_DATABASE ARGUMENT_NAMES:a EXPECTATION_NAME VALUE:r "
    "EXPECTATION_VIOLATED:b"
)


def expectations(session: Context, of: Entity | None = None) -> Rows:
    """Tell whether what was measured met what was expected.

    See
    https://docs.snowflake.com/en/sql-reference/local/data_quality_monitoring_expectation_status
    """
    rows = []
    for run, entity in _runs(session, of):
        database, schema, metric = run.body["metric"].split(".")
        for name, met in run.body["expectations"]:
            rows.append(
                (
                    run.scheduled,
                    run.completed,
                    entity.name,
                    entity.path[1],
                    entity.path[0],
                    metric,
                    schema,
                    database,
                    json.dumps(run.body["columns"]),
                    name,
                    run.body["value"],
                    None if met is None else not met,
                )
            )
    return EXPECTATIONS, rows


def _runs(session: Context, of: Entity | None) -> list[tuple[Run, Entity]]:
    """Return the measurements of one table, or of all that the roles may see, latest first."""
    found = []
    for run in runs.history(session, METRIC):
        entity = session.account.catalog.by_id(run.object)
        if entity is None or (of is not None and of.id != entity.id):
            continue
        if access.sees(session, entity):
            found.append((run, entity))
    return found


VIEWS = {
    "DATA_QUALITY_MONITORING_RESULTS": results,
    "DATA_QUALITY_MONITORING_EXPECTATION_STATUS": expectations,
}
"""The views of SNOWFLAKE.LOCAL."""
