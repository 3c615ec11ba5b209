"""DYNAMIC_TABLES and DYNAMIC_TABLE_GRAPH_HISTORY.

Room: embedded. A table is as fresh as its last refresh, which somebody asked for; how late earlier
refreshes were is not kept.

See https://docs.snowflake.com/en/sql-reference/functions/dynamic_tables and
https://docs.snowflake.com/en/sql-reference/functions/dynamic_table_graph_history
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder.dependencies import used_by
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.relations.dynamic_table import dynamic_refresh, dynamic_schedule
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.embedded.types.task_run import Run
from skills_nb.sql.identifiers import render_name

_TABLES = (
    "NAME SCHEMA_NAME DATABASE_NAME QUALIFIED_NAME TARGET_LAG_SEC:n TARGET_LAG_TYPE "
    "SCHEDULING_STATE:o MEAN_LAG_SEC:n MAXIMUM_LAG_SEC:n TIME_ABOVE_TARGET_LAG_SEC:n "
    "TIME_WITHIN_TARGET_LAG_RATIO:r LATEST_DATA_TIMESTAMP:t LAST_COMPLETED_REFRESH_STATE "
    "LAST_COMPLETED_REFRESH_STATE_CODE LAST_COMPLETED_REFRESH_STATE_MESSAGE "
    "EXECUTING_REFRESH_QUERY_ID"
)
_GRAPH = (
    "NAME SCHEMA_NAME DATABASE_NAME QUALIFIED_NAME INPUTS:a TARGET_LAG_TYPE TARGET_LAG_SEC:n "
    "QUERY_TEXT VALID_FROM:t VALID_TO:t SCHEDULING_STATE:o ALTER_TRIGGER:a"
)


def _seen(session: Context, roles: frozenset[str]) -> Iterator[Entity]:
    for entity in session.account.catalog.within(Kind.TABLE):
        is_dynamic = entity.kind is Kind.DYNAMIC_TABLE
        if is_dynamic and access.sees(session, entity, roles):
            yield entity


def _named(entity: Entity) -> tuple[Any, ...]:
    return (entity.name, entity.path[1], entity.path[0], render_name(entity.path))


def _lag(entity: Entity) -> tuple[int | None, str | None]:
    """Return a target lag in seconds, and whether the table says it or those that read it."""
    _, part = dynamic_refresh.part_of(entity)
    if part.scheduler == dynamic_schedule.DISABLED:
        return None, None
    seconds = dynamic_schedule.lag_s(part.target_lag)
    return (seconds, "USER_DEFINED") if seconds else (None, "DOWNSTREAM")


def _scheduling(entity: Entity) -> str:
    _, part = dynamic_refresh.part_of(entity)
    return json.dumps({"state": "SUSPENDED" if part.suspended else "RUNNING"})


def _tables(
    session: Context, roles: frozenset[str], database: str, arguments: dict[str, exp.Expr]
) -> Rows:
    _refuse(arguments, "DYNAMIC_TABLES")
    last: dict[int, Run] = {}
    for run in runs.history(session, runs.REFRESH):
        last.setdefault(run.object, run)
    return _TABLES, [_table(entity, last.get(entity.id)) for entity in _seen(session, roles)]


def _table(entity: Entity, run: Run | None) -> Row:
    _, part = dynamic_refresh.part_of(entity)
    latest = instant_of(part.data_moment) if part.data_moment else None
    seconds, kind = _lag(entity)
    return (
        *_named(entity),
        seconds,
        kind,
        _scheduling(entity),
        None,
        None,
        None,
        None,
        latest,
        run.state if run is not None else None,
        (run.error_code or "SUCCESS") if run is not None else None,
        run.error_message if run is not None else None,
        None,
    )


def _graph(
    session: Context, roles: frozenset[str], database: str, arguments: dict[str, exp.Expr]
) -> Rows:
    """Tell the graph as it is; what it was before is not kept."""
    _refuse(arguments, "DYNAMIC_TABLE_GRAPH_HISTORY")
    rows: list[Row] = []
    for entity in _seen(session, roles):
        _, part = dynamic_refresh.part_of(entity)
        inputs = [
            {"kind": one.kind.value, "name": render_name(one.path)}
            for one in used_by(session, entity)
        ]
        seconds, kind = _lag(entity)
        since = entity.altered_on or entity.created_on
        trigger = json.dumps(["NONE" if entity.altered_on is None else "ALTER"])
        rows.append(
            (
                *_named(entity),
                json.dumps(inputs),
                kind,
                seconds,
                part.text,
                since,
                None,
                _scheduling(entity),
                trigger,
            )
        )
    return _GRAPH, rows


def _refuse(arguments: dict[str, exp.Expr], name: str) -> None:
    for argument in arguments:
        raise errors.unsupported(f"argument {argument} of {name}")


TABLE_FUNCTIONS: dict[str, Callable[[Any, frozenset[str], str, dict[str, exp.Expr]], Rows]] = {
    "DYNAMIC_TABLES": _tables,
    "DYNAMIC_TABLE_GRAPH_HISTORY": _graph,
}
