"""Tasks: how they are shown, written, cloned and exported.

Room: embedded. A task is suspended when it is made or cloned.

See https://docs.snowflake.com/en/sql-reference/sql/show-tasks
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import TaskDetail
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Columns,
    Exporting,
    Listing,
    ObjectKind,
    Row,
    register,
)
from skills_nb.embedded.objects.pipelines.task import task_definition, task_graph, task_runs
from skills_nb.embedded.objects.pipelines.task.task_graph import detail_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

COLUMNS = (
    "created_on:t name id database_name schema_name owner comment warehouse schedule predecessors "
    "state definition condition allow_overlapping_execution error_integration "
    "last_committed_on:t last_suspended_on:t owner_role_type config budget task_relations "
    "last_suspended_reason success_integration scheduling_mode target_completion_interval "
    "execute_as_user"
)


def row(session: Context, e: Entity) -> Row:
    """Return a task's row of SHOW TASKS and TASK_DEPENDENTS."""
    d = detail_of(e)
    names = _names(session, d.after)
    relations: dict[str, object] = {"Predecessors": names}
    if d.finalizes:
        relations["FinalizedRootTask"] = next(iter(_names(session, (d.finalizes,))), None)
    finalizer = task_graph.finalizer_of(session, e)
    if finalizer is not None:
        relations["FinalizerTask"] = render_name(finalizer.path)
    return (
        e.created_on,
        e.name,
        str(e.id),
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        d.warehouse or None,
        d.schedule or None,
        json.dumps(names),
        "started" if d.started else "suspended",
        d.body,
        d.when or None,
        str(d.allow_overlap).lower(),
        "null",
        d.last_committed_on,
        d.last_suspended_on,
        "ROLE",
        d.config or None,
        None,
        json.dumps(relations),
        "USER_SUSPENDED" if d.last_suspended_on and not d.started else None,
        "null",
        None,
        None,
        None,
    )


def _names(session: Context, numbers: tuple[int, ...]) -> list[str]:
    found = (session.account.catalog.by_id(number) for number in numbers)
    return [render_name(task.path) for task in found if task is not None]


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    catalog, detail = session.account.catalog, detail_of(entity)
    parts = [f"create or replace task {written_name(entity, qualified=qualified)}"]
    parts += [f"\t{key.lower()} = {value(given)}" for key, given in _options(detail)]
    finalized = catalog.by_id(detail.finalizes) if detail.finalizes else None
    if finalized is not None:
        parts.append(f"\tfinalize = {render_name(finalized.path)}")
    if entity.comment:
        parts.append(comment(entity, "\t"))
    after = [t for t in (catalog.by_id(number) for number in detail.after) if t is not None]
    if after:
        parts.append(f"\tafter {', '.join(render_name(t.path) for t in after)}")
    if detail.when:
        parts.append(f"\twhen {detail.when}")
    return "\n".join([*parts, f"\tas {detail.body}"])


def _options(detail: TaskDetail) -> list[tuple[str, Any]]:
    usual = TaskDetail("")
    listed = [
        ("WAREHOUSE", detail.warehouse, usual.warehouse),
        ("USER_TASK_MANAGED_INITIAL_WAREHOUSE_SIZE", detail.managed_size, usual.managed_size),
        ("SCHEDULE", detail.schedule, usual.schedule),
        ("CONFIG", detail.config, usual.config),
        ("ALLOW_OVERLAPPING_EXECUTION", detail.allow_overlap, usual.allow_overlap),
        ("SUSPEND_TASK_AFTER_NUM_FAILURES", detail.suspend_after, usual.suspend_after),
        ("TASK_AUTO_RETRY_ATTEMPTS", detail.auto_retry, usual.auto_retry),
        ("USER_TASK_TIMEOUT_MS", detail.timeout_ms, usual.timeout_ms),
    ]
    return [(key, given) for key, given, default in listed if given != default]


def _started(entity: Entity) -> list[str]:
    return [f"ALTER TASK {render_name(entity.path)} RESUME"] if detail_of(entity).started else []


def _copy(session: Context, detail: TaskDetail, copies: Mapping[int, int]) -> TaskDetail:
    return replace(detail, started=False, failures=0, last_committed_on=None)


def _link(session: Context, task: Entity, copies: Mapping[int, int]) -> None:
    """Let a cloned task follow the clones of the tasks that its source followed."""
    detail = detail_of(task)
    after = tuple(copies.get(number, number) for number in detail.after)
    finalizes = copies.get(detail.finalizes, detail.finalizes)
    database, schema = task.path[:2]
    made = replace(detail, after=after, finalizes=finalizes, database=database, schema=schema)
    session.account.catalog.change(task, detail=made)


def _usage(session: Context) -> Columns:
    """Tell tasks as they are; only the present version is kept.

    See https://docs.snowflake.com/en/sql-reference/account-usage/task_versions
    """
    catalog = session.account.catalog

    def before(task: Entity) -> str:
        found = (catalog.by_id(number) for number in detail_of(task).after)
        return json.dumps([render_name(e.path) for e in found if e is not None])

    return {
        "ROOT_TASK_ID": lambda e: str(task_graph.root_of(session, e).id),
        "GRAPH_VERSION:n": lambda _: 1,
        "GRAPH_VERSION_CREATED_ON:t": lambda e: e.altered_on or e.created_on,
        "NAME": lambda e: e.name,
        "ID": lambda e: str(e.id),
        "DATABASE_ID:n": lambda e: catalog.id_of_place(e.path[:1]),
        "DATABASE_NAME": lambda e: e.path[0],
        "SCHEMA_ID:n": lambda e: catalog.id_of_place(e.path[:2]),
        "SCHEMA_NAME": lambda e: e.path[1],
        "OWNER": lambda e: e.owner,
        "COMMENT": lambda e: e.comment or None,
        "WAREHOUSE_NAME": lambda e: detail_of(e).warehouse or None,
        "SCHEDULE": lambda e: detail_of(e).schedule or None,
        "PREDECESSORS:a": before,
        "STATE": lambda e: "started" if detail_of(e).started else "suspended",
        "DEFINITION": lambda e: detail_of(e).body,
        "CONDITION_TEXT": lambda e: detail_of(e).when or None,
        "ALLOW_OVERLAPPING_EXECUTION:b": lambda e: detail_of(e).allow_overlap,
        "ERROR_INTEGRATION": lambda _: None,
        "LAST_COMMITTED_ON:t": lambda e: detail_of(e).last_committed_on,
        "LAST_SUSPENDED_ON:t": lambda e: detail_of(e).last_suspended_on,
    }


_LISTING = Listing(COLUMNS, row)
register(
    ObjectKind(
        kind=Kind.TASK,
        plurals=("TASKS",),
        create={
            ast.CreateTask: task_definition.create,
            ast.ExecuteTask: task_runs.execute,
        },
        alter=task_definition.alter,
        parameters={
            "SUSPEND_TASK_AFTER_NUM_FAILURES": "suspend_after",
            "TASK_AUTO_RETRY_ATTEMPTS": "auto_retry",
            "USER_TASK_TIMEOUT_MS": "timeout_ms",
        },
        drop=task_graph.drop,
        listing=_LISTING,
        describe=_LISTING.one,
        ddl=_ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.PROCEDURE, Kind.STREAM, Kind.PIPE),
        in_order=task_graph.in_order,
        privileges=("APPLYBUDGET", "MONITOR", "OPERATE"),
        clone=Cloning("", copy=_copy, link=_link),
        export=Exporting(state=_started),
        usage=_usage,
    )
)
