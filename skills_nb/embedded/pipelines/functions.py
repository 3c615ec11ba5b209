"""Functions about streams and tasks, and the table functions that tell their history.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/task_history and
https://docs.snowflake.com/en/sql-reference/functions/dynamic_table_refresh_history
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import names, refusals
from skills_nb.embedded.asked import Arguments, Asked
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.pipelines import dynamic, dynamic_told, runs, shown, tasks
from skills_nb.embedded.pipelines.runs import Run
from skills_nb.embedded.system_rows import Row, Rows
from skills_nb.embedded.versions import streams, travel
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

Roles = frozenset[str]


def _seen(session: Any, kind: Kind, name: str) -> Entity:
    path = session.qualify(names.typed_path(name))
    found: Entity | None = session.account.catalog.find(kind, path)
    if found is None or not session.account.rights.visible(session.active_roles(), found):
        raise refusals.not_found(kind.title, path)
    return found


def _has_data(session: Any, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_stream_has_data."""
    return str(streams.has_data(session, _seen(session, Kind.STREAM, name))).lower()


def _stream_instant(session: Any, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_stream_get_table_timestamp.

    The instant is told in nanoseconds.
    """
    stream = _seen(session, Kind.STREAM, name)
    return str((travel.offset_of(session, stream) or travel.micros(stream.created_on)) * 1000)


def _enable_dependents(session: Any, name: str) -> None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_task_dependents_enable."""
    tasks.resume_graph(session, _seen(session, Kind.TASK, name))


def _running(session: Any) -> runs.TaskRun:
    if session.task is None:
        raise refusals.invalid_argument("The function can only be used inside of a task.")
    found: runs.TaskRun = session.task
    return found


def _set_return(session: Any, value: object) -> None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_set_return_value."""
    run = _running(session)
    run.returns[run.name[-1]] = str(value)


def _predecessor_value(session: Any, name: str | None = None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_predecessor_return_value."""
    run = _running(session)
    if name is None:
        if len(run.predecessors) != 1:
            raise refusals.invalid_argument("The task's predecessor must be named.")
        name = run.predecessors[0]
    return run.returns.get(names.typed_path(name)[-1])


def _graph_config(session: Any, path: str | None = None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_task_graph_config."""
    config = _running(session).config
    if not config or path is None:
        return config or None
    found = json.loads(config)
    for step in path.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found if found is None or isinstance(found, str) else json.dumps(found)


def _runtime_info(session: Any, what: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_task_runtime_info."""
    run = _running(session)
    answers = {
        "CURRENT_TASK_NAME": render_name(run.name),
        "CURRENT_ROOT_TASK_NAME": render_name(run.root),
        "CURRENT_TASK_GRAPH_ORIGINAL_SCHEDULED_TIMESTAMP": run.scheduled.isoformat(" "),
        "CURRENT_TASK_GRAPH_RUN_GROUP_ID": str(int(run.scheduled.timestamp() * 1000)),
    }
    if what.upper() not in answers:
        raise refusals.unsupported(f"SYSTEM$TASK_RUNTIME_INFO of {what}")
    return answers[what.upper()]


SCALARS: dict[str, Callable[..., str | None]] = {
    "SYSTEM$STREAM_HAS_DATA": _has_data,
    "SYSTEM$STREAM_GET_TABLE_TIMESTAMP": _stream_instant,
    "SYSTEM$TASK_DEPENDENTS_ENABLE": _enable_dependents,
    "SYSTEM$SET_RETURN_VALUE": _set_return,
    "SYSTEM$GET_PREDECESSOR_RETURN_VALUE": _predecessor_value,
    "SYSTEM$GET_TASK_GRAPH_CONFIG": _graph_config,
    "SYSTEM$TASK_RUNTIME_INFO": _runtime_info,
}
CHANGING = frozenset({"SYSTEM$TASK_DEPENDENTS_ENABLE"})


# ---- histories


def _visible_runs(
    session: Any, roles: Roles, kind: str, asked: Asked, name: str | None, span: tuple[str, str]
) -> list[tuple[Run, Entity]]:
    everything = session.account.rights.has_global(roles, "MONITOR EXECUTION")
    start, end = (asked.instant(session, one) for one in span)
    found: list[tuple[Run, Entity]] = []
    for run in runs.history(session, kind):
        entity = session.account.catalog.by_id(run.object)
        if entity is None or not (everything or session.account.rights.visible(roles, entity)):
            continue
        in_span = (start is None or run.scheduled >= start) and (
            end is None or run.scheduled <= end
        )
        if in_span and (name is None or names.typed_path(name)[-1] == entity.name):
            found.append((run, entity))
    return found


TASK_HISTORY = (
    "QUERY_ID NAME DATABASE_NAME SCHEMA_NAME QUERY_TEXT CONDITION_TEXT STATE ERROR_CODE "
    "ERROR_MESSAGE SCHEDULED_TIME:t QUERY_START_TIME:t NEXT_SCHEDULED_TIME:t COMPLETED_TIME:t "
    "ROOT_TASK_ID GRAPH_VERSION:n RUN_ID:n RETURN_VALUE SCHEDULED_FROM ATTEMPT_NUMBER:n CONFIG"
)


def task_row(run: Run, entity: Entity) -> Row:
    """Return a task's run as TASK_HISTORY tells it."""
    return (
        run.query_id,
        entity.name,
        entity.path[0],
        entity.path[1],
        run.body["text"],
        run.body["condition"],
        run.state,
        run.error_code,
        run.error_message,
        run.scheduled,
        run.started,
        None,
        run.completed,
        str(run.body["root"]),
        1,
        int(run.scheduled.timestamp() * 1000),
        run.body["returned"],
        "EXECUTE TASK",
        run.body.get("attempt", 1),
        run.body["config"],
    )


def _task_history(session: Any, roles: Roles, database: str, arguments: Arguments) -> Rows:
    span = ("SCHEDULED_TIME_RANGE_START", "SCHEDULED_TIME_RANGE_END")
    asked = Asked(arguments, (*span, "RESULT_LIMIT", "TASK_NAME", "ERROR_ONLY", "ROOT_TASK_ID"))
    found = _visible_runs(session, roles, runs.TASK, asked, asked.text("TASK_NAME"), span)
    root, errors = asked.text("ROOT_TASK_ID"), asked.flag("ERROR_ONLY")
    rows = [
        task_row(run, entity)
        for run, entity in found
        if (root is None or str(run.body["root"]) == root) and (not errors or run.state == "FAILED")
    ]
    return TASK_HISTORY, rows[: asked.limit()]


def _dependents(session: Any, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/task_dependents."""
    asked = Asked(arguments, ("TASK_NAME", "RECURSIVE"))
    name = asked.text("TASK_NAME")
    if name is None:
        raise refusals.not_enough_arguments("TASK_DEPENDENTS")
    task = _seen(session, Kind.TASK, name)
    recursive = not asked.given("RECURSIVE") or asked.flag("RECURSIVE")
    listed = tasks.graph(session, task) if recursive else [task, *tasks.followers(session, task)]
    spec = shown.TASKS.replace("created_on:t", "CREATED_ON:t").upper().replace(":T", ":t")
    return spec, [shown.task_row(session, one) for one in listed]


REFRESH_HISTORY = (
    "NAME SCHEMA_NAME DATABASE_NAME STATE STATE_CODE STATE_MESSAGE QUERY_ID DATA_TIMESTAMP:t "
    "REFRESH_START_TIME:t REFRESH_END_TIME:t COMPLETION_TARGET:t QUALIFIED_NAME "
    "LAST_COMPLETED_DEPENDENCY:o STATISTICS:o REFRESH_ACTION REFRESH_TRIGGER TARGET_LAG_SEC:n "
    "GRAPH_HISTORY_VALID_FROM:t WAREHOUSE"
)


def refresh_row(run: Run, entity: Entity) -> Row:
    """Return a refresh as DYNAMIC_TABLE_REFRESH_HISTORY tells it."""
    _, part = dynamic.part_of(entity)
    lag = dynamic.lag_s(part.target_lag)
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


def _refresh_history(session: Any, roles: Roles, database: str, arguments: Arguments) -> Rows:
    span = ("DATA_TIMESTAMP_START", "DATA_TIMESTAMP_END")
    asked = Asked(arguments, (*span, "RESULT_LIMIT", "NAME", "NAME_PREFIX", "ERROR_ONLY"))
    found = _visible_runs(session, roles, runs.REFRESH, asked, asked.text("NAME"), span)
    prefix, errors = asked.text("NAME_PREFIX") or "", asked.flag("ERROR_ONLY")
    rows = [
        refresh_row(run, entity)
        for run, entity in found
        if render_name(entity.path).startswith(prefix.upper())
        and (not errors or run.state == "FAILED")
    ]
    return REFRESH_HISTORY, rows[: asked.limit()]


ALERT_HISTORY = (
    "NAME DATABASE_NAME SCHEMA_NAME ACTION CONDITION STATE SQL_ERROR_CODE:n SQL_ERROR_MESSAGE "
    "SCHEDULED_TIME:t COMPLETED_TIME:t CONDITION_QUERY_ID ACTION_QUERY_ID"
)


def _alert_history(session: Any, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/alert_history."""
    span = ("SCHEDULED_TIME_RANGE_START", "SCHEDULED_TIME_RANGE_END")
    asked = Asked(arguments, (*span, "RESULT_LIMIT", "ALERT_NAME"))
    found = _visible_runs(session, roles, runs.ALERT, asked, asked.text("ALERT_NAME"), span)
    return ALERT_HISTORY, [alert_row(run, entity) for run, entity in found][: asked.limit()]


def alert_row(run: Run, entity: Entity) -> Row:
    """Return an alert's run as ALERT_HISTORY tells it."""
    return (
        entity.name,
        entity.path[0],
        entity.path[1],
        run.body["action"],
        run.body["condition"],
        run.state,
        int(run.error_code) if run.error_code else None,
        run.error_message,
        run.scheduled,
        run.completed,
        run.body["condition_query_id"],
        run.body["action_query_id"],
    )


TABLE_FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    "TASK_HISTORY": _task_history,
    "TASK_DEPENDENTS": _dependents,
    "DYNAMIC_TABLE_REFRESH_HISTORY": _refresh_history,
    "ALERT_HISTORY": _alert_history,
    **dynamic_told.TABLE_FUNCTIONS,
}


def _usage(kind: str, spec: str, row: Callable[[Run, Entity], Row]) -> Callable[[Lookups], Rows]:
    """Make the ACCOUNT_USAGE view of a kind of runs."""

    def read(session: Lookups) -> Rows:
        found = (
            (run, session.account.catalog.by_id(run.object)) for run in runs.history(session, kind)
        )
        return spec, [row(run, entity) for run, entity in found if entity is not None]

    return read


USAGE_VIEWS = {
    "ALERT_HISTORY": _usage(runs.ALERT, ALERT_HISTORY, alert_row),
    "TASK_HISTORY": _usage(runs.TASK, TASK_HISTORY, task_row),
    "DYNAMIC_TABLE_REFRESH_HISTORY": _usage(runs.REFRESH, REFRESH_HISTORY, refresh_row),
}
