"""Functions about tasks, and the tables of their runs.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/task_history
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.pipelines.run_history import Roles, usage_view, visible_runs
from skills_nb.embedded.objects.pipelines.task import task, task_definition, task_graph
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.embedded.types.task_run import Run, TaskRun
from skills_nb.sql.identifiers import render_name


def _enable_dependents(session: Context, name: str) -> None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_task_dependents_enable."""
    found = access.existing(session, Kind.TASK, names.typed_path(name))
    task_definition.resume_graph(session, found)


def _running(session: Context) -> TaskRun:
    if session.task is None:
        raise errors.invalid_argument("The function can only be used inside of a task.")
    found: TaskRun = session.task
    return found


def _set_return(session: Context, value: object) -> None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_set_return_value."""
    run = _running(session)
    run.returns[run.name[-1]] = str(value)


def _predecessor_value(session: Context, name: str | None = None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_predecessor_return_value."""
    run = _running(session)
    if name is None:
        if len(run.predecessors) != 1:
            raise errors.invalid_argument("The task's predecessor must be named.")
        name = run.predecessors[0]
    return run.returns.get(names.typed_path(name)[-1])


def _graph_config(session: Context, path: str | None = None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_task_graph_config."""
    config = _running(session).config
    if not config or path is None:
        return config or None
    found = json.loads(config)
    for step in path.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found if found is None or isinstance(found, str) else json.dumps(found)


def _runtime_info(session: Context, what: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_task_runtime_info."""
    run = _running(session)
    answers = {
        "CURRENT_TASK_NAME": render_name(run.name),
        "CURRENT_ROOT_TASK_NAME": render_name(run.root),
        "CURRENT_TASK_GRAPH_ORIGINAL_SCHEDULED_TIMESTAMP": run.scheduled.isoformat(" "),
        "CURRENT_TASK_GRAPH_RUN_GROUP_ID": str(int(run.scheduled.timestamp() * 1000)),
    }
    if what.upper() not in answers:
        raise errors.unsupported(f"SYSTEM$TASK_RUNTIME_INFO of {what}")
    return answers[what.upper()]


SCALARS: dict[str, Callable[..., str | None]] = {
    "SYSTEM$TASK_DEPENDENTS_ENABLE": _enable_dependents,
    "SYSTEM$SET_RETURN_VALUE": _set_return,
    "SYSTEM$GET_PREDECESSOR_RETURN_VALUE": _predecessor_value,
    "SYSTEM$GET_TASK_GRAPH_CONFIG": _graph_config,
    "SYSTEM$TASK_RUNTIME_INFO": _runtime_info,
}


# ---- histories


_HISTORY = (
    "QUERY_ID NAME DATABASE_NAME SCHEMA_NAME QUERY_TEXT CONDITION_TEXT STATE ERROR_CODE "
    "ERROR_MESSAGE SCHEDULED_TIME:t QUERY_START_TIME:t NEXT_SCHEDULED_TIME:t COMPLETED_TIME:t "
    "ROOT_TASK_ID GRAPH_VERSION:n RUN_ID:n RETURN_VALUE SCHEDULED_FROM ATTEMPT_NUMBER:n CONFIG"
)


def _row(run: Run, entity: Entity) -> Row:
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


_PLACE = ("DATABASE_NAME", "SCHEMA_NAME")


def _task_history(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/task_history."""
    span = ("SCHEDULED_TIME_RANGE_START", "SCHEDULED_TIME_RANGE_END")
    known = ("RESULT_LIMIT", "TASK_NAME", "ERROR_ONLY", "ROOT_TASK_ID", *_PLACE)
    asked = Asked(arguments, (*span, *known))
    said = map(asked.text, _PLACE)
    place = [None if text is None else names.typed_path(text) for text in said]
    found = visible_runs(session, roles, runs.TASK, asked, asked.text("TASK_NAME"), span)
    root, only_failed = asked.text("ROOT_TASK_ID"), asked.flag("ERROR_ONLY")
    rows = [
        _row(run, entity)
        for run, entity in found
        if (root is None or str(run.body["root"]) == root)
        and (not only_failed or run.state == "FAILED")
        and all(w in (None, (part,)) for w, part in zip(place, entity.path, strict=False))
    ]
    return _HISTORY, rows[: asked.limit()]


def _dependents(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/task_dependents."""
    asked = Asked(arguments, ("TASK_NAME", "RECURSIVE"))
    name = asked.text("TASK_NAME")
    if name is None:
        raise errors.not_enough_arguments("TASK_DEPENDENTS")
    first = access.existing(session, Kind.TASK, names.typed_path(name))
    recursive = not asked.given("RECURSIVE") or asked.flag("RECURSIVE")
    listed = (
        task_graph.graph(session, first)
        if recursive
        else [first, *task_graph.followers(session, first)]
    )
    spec = task.COLUMNS.replace("created_on:t", "CREATED_ON:t").upper().replace(":T", ":t")
    return spec, [task.row(session, one) for one in listed]


TABLE_FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    "TASK_HISTORY": _task_history,
    "TASK_DEPENDENTS": _dependents,
}
USAGE_VIEWS = {"TASK_HISTORY": usage_view(runs.TASK, _HISTORY, _row)}
