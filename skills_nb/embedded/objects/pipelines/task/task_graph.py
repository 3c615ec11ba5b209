"""Graphs of tasks: what AFTER and FINALIZE make of them.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/tasks-graphs
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import TaskDetail
from skills_nb.embedded.session.context import Context


def detail_of(task: Entity) -> TaskDetail:
    """Return a task's detail."""
    assert isinstance(task.detail, TaskDetail)
    return task.detail


def siblings(session: Context, task: Entity) -> list[Entity]:
    """List the tasks of a task's schema."""
    return session.account.catalog.children(Kind.TASK, task.path[:2])


def root_of(session: Context, task: Entity) -> Entity:
    """Return the first task of a task's graph."""
    detail = detail_of(task)
    parent = next(iter(detail.after), detail.finalizes)
    found = session.account.catalog.by_id(parent) if parent else None
    return root_of(session, found) if found is not None else task


def followers(session: Context, task: Entity) -> list[Entity]:
    """List the tasks that directly follow one."""
    return [t for t in siblings(session, task) if task.id in detail_of(t).after]


def graph(session: Context, task: Entity) -> list[Entity]:
    """List a task and all that follow it, none before its predecessors."""
    found: list[Entity] = []
    pending = [task]
    while pending:
        current = pending.pop(0)
        found = [*(t for t in found if t.id != current.id), current]
        pending.extend(followers(session, current))
    return found


def finalizer_of(session: Context, root: Entity) -> Entity | None:
    """Return the task that ends a root's graph."""
    return next((t for t in siblings(session, root) if detail_of(t).finalizes == root.id), None)


def is_in_graph(session: Context, task: Entity) -> bool:
    """Tell whether a task stands before or behind others, or ends their graph."""
    detail = detail_of(task)
    alone = not detail.after and not detail.finalizes
    return not alone or bool(followers(session, task)) or finalizer_of(session, task) is not None


def refuse_running(session: Context, task: Entity) -> None:
    """Refuse to change a graph whose root task is started.

    Raises:
        SqlError: it is (91089).
    """
    root = root_of(session, task)
    if detail_of(root).started:
        raise errors.task_misused(
            f"Unable to update graph with root task {errors.dotted(root.path)} since that root "
            "task is not suspended."
        )


def in_order(tasks: Iterable[Entity]) -> list[Entity]:
    """Put tasks behind those that they follow or finalize."""
    waiting = sorted(tasks, key=lambda entity: entity.id)
    found: list[Entity] = []
    while waiting:
        numbers = {entity.id for entity in waiting}
        ready = [entity for entity in waiting if not numbers & _before(entity)]
        found += ready
        waiting = [entity for entity in waiting if entity not in ready]
    return found


def _before(entity: Entity) -> set[int]:
    detail = detail_of(entity)
    return {*detail.after, detail.finalizes}


def drop(session: Context, task: Entity) -> None:
    """Take a task out; those that followed it alone are suspended.

    See https://docs.snowflake.com/en/sql-reference/sql/drop-task

    Raises:
        SqlError: the task is part of a graph whose root task is started (91089).
    """
    catalog = session.account.catalog
    if is_in_graph(session, task):
        refuse_running(session, task)
    for other in siblings(session, task):
        detail = detail_of(other)
        if task.id in (*detail.after, detail.finalizes):
            after = tuple(number for number in detail.after if number != task.id)
            finalizes = 0 if detail.finalizes == task.id else detail.finalizes
            started = detail.started and bool(after or finalizes)
            made = replace(detail, after=after, finalizes=finalizes, started=started)
            catalog.change(other, detail=made)
    catalog.forget(task)
