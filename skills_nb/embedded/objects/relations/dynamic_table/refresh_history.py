"""The table of the refreshes of dynamic tables.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/dynamic_table_refresh_history
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.objects.pipelines.run_history import Roles, usage_view, visible_runs
from skills_nb.embedded.objects.relations.dynamic_table import dynamic_refresh, dynamic_schedule
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.embedded.types.task_run import Run
from skills_nb.sql.identifiers import render_name

_HISTORY = (
    "NAME SCHEMA_NAME DATABASE_NAME STATE STATE_CODE STATE_MESSAGE QUERY_ID DATA_TIMESTAMP:t "
    "REFRESH_START_TIME:t REFRESH_END_TIME:t COMPLETION_TARGET:t QUALIFIED_NAME "
    "LAST_COMPLETED_DEPENDENCY:o STATISTICS:o REFRESH_ACTION REFRESH_TRIGGER TARGET_LAG_SEC:n "
    "GRAPH_HISTORY_VALID_FROM:t WAREHOUSE"
)


def _row(run: Run, entity: Entity) -> Row:
    """Return a refresh as DYNAMIC_TABLE_REFRESH_HISTORY tells it."""
    _, part = dynamic_refresh.part_of(entity)
    lag = dynamic_schedule.lag_s(part.target_lag)
    counts = {"numInsertedRows": run.body["inserted"], "numDeletedRows": run.body["deleted"]}
    return (
        entity.name,
        entity.path[1],
        entity.path[0],
        run.state,
        "SUCCESS" if run.error_code is None else run.error_code,
        run.error_message,
        run.query_id,
        run.scheduled,
        run.started,
        run.completed,
        run.scheduled + timedelta(seconds=lag) if lag else None,
        render_name(entity.path),
        None,
        json.dumps(counts),
        run.body["action"] or None,
        run.body["trigger"],
        lag or None,
        entity.created_on,
        part.warehouse,
    )


def _refresh_history(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    span = ("DATA_TIMESTAMP_START", "DATA_TIMESTAMP_END")
    asked = Asked(arguments, (*span, "RESULT_LIMIT", "NAME", "NAME_PREFIX", "ERROR_ONLY"))
    found = visible_runs(session, roles, runs.REFRESH, asked, asked.text("NAME"), span)
    prefix, only_failed = asked.text("NAME_PREFIX") or "", asked.flag("ERROR_ONLY")
    rows = [
        _row(run, entity)
        for run, entity in found
        if render_name(entity.path).startswith(prefix.upper())
        and (not only_failed or run.state == "FAILED")
    ]
    return _HISTORY, rows[: asked.limit()]


TABLE_FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    "DYNAMIC_TABLE_REFRESH_HISTORY": _refresh_history,
}
USAGE_VIEWS = {"DYNAMIC_TABLE_REFRESH_HISTORY": usage_view(runs.REFRESH, _HISTORY, _row)}
