"""Runs of tasks: EXECUTE TASK.

Room: embedded. A task runs as its owner's role, alone, in its own schema, and so do its condition
and those that follow it. What fails is in the history; the statement that started it succeeds, as
Snowflake's does, which only schedules.

See https://docs.snowflake.com/en/sql-reference/sql/execute-task and
https://docs.snowflake.com/en/user-guide/tasks-graphs
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects.pipelines.task import task_graph
from skills_nb.embedded.objects.pipelines.task.task_graph import detail_of
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.task_run import Run, TaskRun
from skills_nb.embedded.types.values import Outcome
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

SUCCEEDED, FAILED, SKIPPED = "SUCCEEDED", "FAILED", "SKIPPED"


def execute(session: Context, statement: ast.ExecuteTask) -> Outcome:
    """Run a task and the started tasks that follow it.

    Raises:
        SqlError: it is no root task (91089), stands inside of a task (0A000), is not there or is
            hidden (2003), or may not be run (3001).
    """
    if session.task is not None:
        raise errors.unsupported("EXECUTE TASK inside of a task")
    config = _config(statement)
    task = access.existing(session, Kind.TASK, statement.name)
    _may_execute(session, task)
    if detail_of(task).after or detail_of(task).finalizes:
        raise errors.task_misused(
            f"Cannot execute task {errors.dotted(task.path)}: only a root task can be executed."
        )
    if statement.retry_last:
        _retry(session, task)
    else:
        about = TaskRun(task.path, task.path, instant_of(session.moment))
        about.config = config or detail_of(task).config
        _run_graph(session, task, about, {})
    return status(f"Task {task.name} is scheduled to run immediately.", "EXECUTE_TASK")


def _config(statement: ast.ExecuteTask) -> str:
    given = dict(statement.properties)
    config = given.pop("CONFIG", "")
    for key in given:
        raise errors.unsupported(f"EXECUTE TASK with {key}")
    return str(config)


def _may_execute(session: Context, task: Entity) -> None:
    access.require(session, task, "OPERATE")
    if not access.owner_may_globally(session, task, "EXECUTE TASK"):
        raise errors.task_misused(
            "Cannot execute task , EXECUTE TASK privilege must be granted to owner role"
        )


def _retry(session: Context, root: Entity) -> None:
    """Run again what failed in the graph's last run, and what follows it.

    See https://docs.snowflake.com/en/sql-reference/sql/execute-task (RETRY LAST)
    """
    graph = [run for run in runs.history(session, runs.TASK) if run.body["root"] == root.id]
    scheduled = graph[0].scheduled if graph else None
    last: dict[int, Run] = {}
    for run in graph:  # latest first: a task's latest attempt counts
        if run.scheduled == scheduled:
            last.setdefault(run.object, run)
    if FAILED not in {run.state for run in last.values()} or scheduled is None:
        raise errors.task_misused(
            f"Cannot perform retry: no suitable run of graph with root task "
            f"{errors.dotted(root.path)} to retry."
        )
    about = TaskRun(root.path, root.path, scheduled)
    about.config = str(graph[0].body["config"] or "")
    about.attempt = max(run.body.get("attempt", 1) for run in last.values()) + 1
    done = {number: run for number, run in last.items() if run.state == SUCCEEDED}
    for number, run in done.items():
        task = session.account.catalog.by_id(number)
        if task is not None and run.body["returned"] is not None:
            about.returns[task.name] = run.body["returned"]
    _run_graph(session, root, about, dict.fromkeys(done, SUCCEEDED))


def _run_graph(session: Context, root: Entity, run: TaskRun, done: Mapping[int, str]) -> None:
    """Run the tasks of a graph in order, apart from those that are done."""
    states: dict[int, str] = {}
    for task in task_graph.graph(session, root):
        if task.id in done:
            states[task.id] = done[task.id]
            continue
        before = {number: states[number] for number in detail_of(task).after if number in states}
        is_due = task.id == root.id or (
            detail_of(task).started
            and SUCCEEDED in before.values()
            and FAILED not in before.values()
        )
        if is_due:
            states[task.id] = _run(session, task, root, run, tuple(before))
    finalizer = task_graph.finalizer_of(session, root)
    if finalizer is not None and detail_of(finalizer).started and states[root.id] != SKIPPED:
        states[finalizer.id] = _run(session, finalizer, root, run, tuple(states))
    _count_failures(session, root, failed=FAILED in states.values())


def _run(
    session: Context, task: Entity, root: Entity, about: TaskRun, before: tuple[int, ...]
) -> str:
    """Run one task and keep what became of it."""
    found = (session.account.catalog.by_id(number) for number in before)
    about.predecessors = tuple(t.name for t in found if t is not None)
    about.name = task.path
    about.limit_s = detail_of(task).timeout_ms / 1000
    state, error, query_id = SUCCEEDED, None, None
    started = session.account.clock()
    attempts = detail_of(root).auto_retry + 1
    session.task = about
    try:
        with borrowed(session, task.owner, task.path[:2], detail_of(task).warehouse):
            for _ in range(attempts):
                state, error, query_id = _attempt(session, task)
                if state != FAILED:
                    break
    finally:
        session.task = None
    _keep(session, task, root, about, (state, error, query_id), started)
    return state


def _attempt(session: Context, task: Entity) -> tuple[str, SqlError | None, str | None]:
    detail = detail_of(task)
    try:
        if detail.when and not is_true(session, detail.when):
            return SKIPPED, None, None
        return SUCCEEDED, None, session.nested(detail.body).query_id
    except SqlError as error:
        return FAILED, error, error.query_id


def is_true(session: Context, condition: str) -> bool:
    """Evaluate a condition as the session's role."""
    query = exp.select(exp.alias_(parsing.parse_expression(condition), "C", quoted=True))
    outcome = queries.select(session, query, describe_only=False)
    return str(outcome.rows[0][0]).lower() == "true"


def _keep(
    session: Context,
    task: Entity,
    root: Entity,
    about: TaskRun,
    became: tuple[str, SqlError | None, str | None],
    started: datetime,
) -> None:
    state, error, query_id = became
    detail = detail_of(task)
    body = {
        "text": detail.body,
        "condition": detail.when or None,
        "root": root.id,
        "returned": about.returns.get(task.name),
        "config": about.config or None,
        "attempt": about.attempt,
    }
    code = f"{error.errno:06d}" if error is not None and error.errno else None
    said = error.message if error is not None else None
    if state == SKIPPED:
        code, said = "0040003", "Conditional expression for task evaluated to false."
    ran = None if state == SKIPPED else started
    completed = session.account.clock()
    runs.keep(
        session,
        Run(runs.TASK, task.id, about.scheduled, ran, completed, state, query_id, code, said, body),
    )


def _count_failures(session: Context, root: Entity, *, failed: bool) -> None:
    """Suspend a root task whose graph failed too often in a row."""
    latest = session.account.catalog.by_id(root.id)
    if latest is None:
        return
    detail = detail_of(latest)
    failures = detail.failures + 1 if failed else 0
    made = replace(detail, failures=failures)
    if detail.started and detail.suspend_after and failures >= detail.suspend_after:
        made = replace(made, started=False, last_suspended_on=instant_of(session.moment))
    if made != detail:
        session.account.catalog.change(latest, detail=made)
