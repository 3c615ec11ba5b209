"""Defining tasks: CREATE TASK and ALTER TASK.

Room: embedded. A schedule is kept and shown; only EXECUTE TASK runs a task.

See https://docs.snowflake.com/en/sql-reference/sql/create-task
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import TaskDetail
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.pipelines.schedule import checked_schedule
from skills_nb.embedded.objects.pipelines.task import task_conditions
from skills_nb.embedded.objects.pipelines.task.task_graph import (
    detail_of,
    finalizer_of,
    graph,
    refuse_running,
    siblings,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

_FLAGS = {"ALLOW_OVERLAPPING_EXECUTION": "allow_overlap"}
_NUMBERS = {
    "SUSPEND_TASK_AFTER_NUM_FAILURES": "suspend_after",
    "TASK_AUTO_RETRY_ATTEMPTS": "auto_retry",
    "USER_TASK_TIMEOUT_MS": "timeout_ms",
}


def create(session: Context, statement: ast.CreateTask) -> Outcome:
    """Make a task, suspended, or with OR ALTER give one that stands another definition.

    Raises:
        SqlError: OR ALTER stands beside what excludes it (1420) or a tag (0A000), the graph would
            be none or runs (91089), or the role may not create or change it (2002, 2003, 3001).
    """
    if not statement.or_alter:
        return _made(session, statement)
    if statement.or_replace or statement.if_not_exists:
        other = "OR REPLACE" if statement.or_replace else "IF NOT EXISTS"
        raise errors.invalid_property(f"options OR ALTER and {other} are incompatible.")
    if statement.tags:
        raise errors.unsupported("TAG in CREATE OR ALTER TASK")
    path = session.qualify(statement.name)
    if session.account.catalog.find(Kind.TASK, path) is None:
        return _made(session, replace(statement, or_alter=False))
    return _redefined(session, access.owned(session, Kind.TASK, path), statement)


def _made(session: Context, statement: ast.CreateTask) -> Outcome:
    path = session.qualify(statement.name)
    predecessors = _predecessors(session, path, statement.after)

    def detail() -> TaskDetail:
        return _defined(session, path, statement, predecessors)

    return creation.create(session, statement, Kind.TASK, detail)


def _redefined(session: Context, task: Entity, statement: ast.CreateTask) -> Outcome:
    """Give a task another definition: what is not said is as in a new one.

    Whether it is started stays, and so do its tags and rights.

    See https://docs.snowflake.com/en/sql-reference/sql/create-task (CREATE OR ALTER TASK)
    """
    refuse_running(session, task)
    standing = detail_of(task)
    predecessors = _predecessors(session, task.path, statement.after)
    _refuse_cycle(session, task, [p.id for p in predecessors])
    # A root has one finalizer, which may be this one.
    freed = session.account.catalog.change(task, detail=replace(standing, finalizes=0))
    made = replace(
        _defined(session, task.path, statement, predecessors),
        started=standing.started,
        failures=standing.failures,
        last_committed_on=standing.last_committed_on,
        last_suspended_on=standing.last_suspended_on,
    )
    session.account.catalog.change(
        freed, detail=made, comment=statement.comment or "", altered_on=_now(session)
    )
    return status(DONE, "CREATE_TASK")


def _defined(
    session: Context,
    path: tuple[str, ...],
    statement: ast.CreateTask,
    predecessors: list[Entity],
) -> TaskDetail:
    made = replace(
        _with(session, TaskDetail(statement.body), dict(statement.properties)),
        after=tuple(p.id for p in predecessors),
        when=_condition(statement.when),
        database=path[0],
        schema=path[1],
    )
    _check(made)
    return made


def _predecessors(
    session: Context, path: tuple[str, ...], listed: tuple[ast.Name, ...]
) -> list[Entity]:
    found = [access.existing(session, Kind.TASK, name) for name in listed]
    for task in found:
        if task.path[:2] != path[:2]:
            raise errors.task_misused(
                f"Invalid predecessor {errors.dotted(task.path)} was specified. All tasks of a "
                "graph must be in the same schema."
            )
        if task.owner != session.role:
            raise access.refused(session, task)
        if task.path == path:
            raise errors.task_misused("A task cannot follow itself.")
        refuse_running(session, task)
    return found


def _condition(given: str | None) -> str:
    if given:
        task_conditions.check(given)
    return given or ""


def _check(detail: TaskDetail) -> None:
    if detail.after and detail.schedule:
        raise errors.task_misused(
            "Task with predecessors cannot have a schedule: SCHEDULE and AFTER exclude each other."
        )
    if detail.finalizes and (detail.after or detail.schedule):
        raise errors.task_misused("A finalizer task has neither a schedule nor predecessors.")


def _with(session: Context, detail: TaskDetail, given: dict[str, Any]) -> TaskDetail:
    """Return the detail with properties read into it; one that is not known is refused."""
    fields: dict[str, Any] = {}
    for key, value in given.items():
        if key in _FLAGS and isinstance(value, bool):
            fields[_FLAGS[key]] = value
        elif key in _NUMBERS and isinstance(value, int) and not isinstance(value, bool):
            fields[_NUMBERS[key]] = value
        elif key in _READERS:
            fields |= _READERS[key](session, value)
        else:
            raise errors.unsupported(f"{key} of a TASK")
    return replace(detail, **fields)


def _warehouse(session: Context, value: Any) -> dict[str, Any]:
    name = value.parts[-1] if isinstance(value, ast.Ref) else str(value).upper()
    found = access.existing(session, Kind.WAREHOUSE, (name,))
    access.require(session, found, "USAGE")
    return {"warehouse": found.name}


def _schedule(session: Context, value: Any) -> dict[str, Any]:
    return {"schedule": checked_schedule(value)}


def _config(session: Context, value: Any) -> dict[str, Any]:
    try:
        json.loads(value)
    except (TypeError, ValueError) as error:
        raise errors.invalid_value(str(value), "CONFIG") from error
    return {"config": value}


def _finalize(session: Context, value: Any) -> dict[str, Any]:
    name = value.parts if isinstance(value, ast.Ref) else (str(value).upper(),)
    root = access.owned(session, Kind.TASK, name)
    if detail_of(root).after:
        raise errors.task_misused("A finalizer task belongs to a root task.")
    if any(detail_of(t).finalizes == root.id for t in siblings(session, root)):
        raise errors.task_misused(f"Task {root.name} has a finalizer task already.")
    refuse_running(session, root)
    return {"finalizes": root.id}


def _size(session: Context, value: Any) -> dict[str, Any]:
    return {"managed_size": ast.text_of(value)}


_READERS = {
    "WAREHOUSE": _warehouse,
    "SCHEDULE": _schedule,
    "CONFIG": _config,
    "FINALIZE": _finalize,
    "USER_TASK_MANAGED_INITIAL_WAREHOUSE_SIZE": _size,
}


# ---- ALTER


def alter(session: Context, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-task."""
    detail = detail_of(entity)
    if isinstance(action, ast.Suspend):
        _put(session, entity, started=False, last_suspended_on=_now(session))
        return True
    if isinstance(action, ast.Resume):
        _resume(session, entity, detail)
        return True
    if not isinstance(action, _CHANGES):
        return False
    refuse_running(session, entity)
    match action:
        case ast.SetProperties():
            _set(session, entity, detail, dict(action.properties))
        case ast.UnsetProperties():
            _unset(session, entity, detail, action.names)
        case ast.ModifyBody():
            _put(session, entity, body=action.body)
        case ast.ModifyCondition():
            _put(session, entity, when=_condition(action.condition))
        case _:
            _link(session, entity, detail, action)
    return True


_CHANGES = (
    ast.SetProperties,
    ast.UnsetProperties,
    ast.ModifyBody,
    ast.ModifyCondition,
    ast.AddAfter,
    ast.RemoveAfter,
)


def _now(session: Context) -> datetime:
    return instant_of(session.moment)


def _put(session: Context, entity: Entity, **fields: Any) -> None:
    made = replace(detail_of(entity), **fields)
    _check(made)
    session.account.catalog.change(entity, detail=made, altered_on=_now(session))


def _resume(session: Context, entity: Entity, detail: TaskDetail) -> None:
    if not access.owner_may_globally(session, entity, "EXECUTE TASK"):
        raise errors.task_misused(
            "Cannot execute task , EXECUTE TASK privilege must be granted to owner role"
        )
    if not detail.schedule and not detail.after and not detail.finalizes and not detail.when:
        raise errors.task_misused(
            f"Task {errors.dotted(entity.path)} cannot be resumed without a schedule or a "
            "predecessor."
        )
    _put(session, entity, started=True, failures=0, last_committed_on=_now(session))


def resume_graph(session: Context, root: Entity) -> None:
    """Resume a root task and everything that follows it."""
    finalizer = finalizer_of(session, root)
    listed = [*graph(session, root), *([finalizer] if finalizer else [])]
    for task in reversed(listed):
        access.require_owner(session, task)
        _resume(session, task, detail_of(task))


def _set(session: Context, entity: Entity, detail: TaskDetail, given: dict[str, Any]) -> None:
    comment = str(given.pop("COMMENT", entity.comment) or "")
    made = _with(session, detail, given)
    _check(made)
    session.account.catalog.change(entity, detail=made, comment=comment, altered_on=_now(session))


_EMPTY: Mapping[str, dict[str, Any]] = {
    "WAREHOUSE": {"warehouse": ""},
    "SCHEDULE": {"schedule": ""},
    "CONFIG": {"config": ""},
    "FINALIZE": {"finalizes": 0},
    "ALLOW_OVERLAPPING_EXECUTION": {"allow_overlap": False},
    "SUSPEND_TASK_AFTER_NUM_FAILURES": {"suspend_after": 10},
    "TASK_AUTO_RETRY_ATTEMPTS": {"auto_retry": 0},
    "USER_TASK_TIMEOUT_MS": {"timeout_ms": 3_600_000},
}


def _unset(session: Context, entity: Entity, detail: TaskDetail, listed: tuple[str, ...]) -> None:
    comment = entity.comment
    for key in listed:
        if key == "COMMENT":
            comment = ""
        elif key in _EMPTY:
            detail = replace(detail, **_EMPTY[key])
        else:
            raise errors.unsupported(f"{key} of a TASK")
    made = replace(detail)
    session.account.catalog.change(entity, detail=made, comment=comment, altered_on=_now(session))


def _refuse_cycle(session: Context, task: Entity, predecessors: list[int]) -> None:
    if {t.id for t in graph(session, task)} & set(predecessors):
        raise errors.task_misused("A graph of tasks cannot have a cycle.")


def _link(
    session: Context,
    entity: Entity,
    detail: TaskDetail,
    action: ast.AddAfter | ast.RemoveAfter,
) -> None:
    numbers = [t.id for t in _predecessors(session, entity.path, action.tasks)]
    if isinstance(action, ast.RemoveAfter):
        after = tuple(number for number in detail.after if number not in numbers)
    else:
        _refuse_cycle(session, entity, numbers)
        after = tuple(dict.fromkeys((*detail.after, *numbers)))
    _put(session, entity, after=after)
