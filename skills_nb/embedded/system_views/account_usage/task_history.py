"""Runs of whole task graphs, serverless credits.

Room: embedded. A graph's run is told from the runs of its tasks. Nothing is scheduled by itself
here, so no graph is ever waiting or running while somebody asks.

See https://docs.snowflake.com/en/sql-reference/functions/complete_task_graphs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.pipeline_details import AlertDetail, TaskDetail
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles
from skills_nb.embedded.types.system_rows import Rows, laid_out
from skills_nb.embedded.types.task_run import Run

_RECENT = timedelta(hours=1)
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _GraphRun:
    """One run of a graph: its root, and what its tasks did, first to last."""

    root: Entity
    runs: tuple[tuple[Run, Entity], ...]

    @property
    def failed(self) -> tuple[Run, Entity] | None:
        """Return the first task that failed."""
        return next((pair for pair in self.runs if pair[0].state == "FAILED"), None)

    @property
    def started(self) -> Run:
        """Return the root's run."""
        return self.runs[0][0]

    @property
    def completed(self) -> datetime:
        """Return when the last task was done."""
        return max(run.completed or run.scheduled for run, _ in self.runs)


def _graph_runs(session: Context) -> Iterator[_GraphRun]:
    """Yield the runs of graphs, latest first; a root that was skipped makes no run."""
    catalog = session.account.catalog
    found: dict[tuple[int, datetime, int], list[tuple[Run, Entity]]] = {}
    for run in runs.history(session, runs.TASK):
        task = catalog.by_id(run.object)
        if task is not None:
            key = (run.body["root"], run.scheduled, run.body.get("attempt", 1))
            found.setdefault(key, []).append((run, task))
    for (number, _, _), listed in found.items():
        root = catalog.by_id(number)
        if root is not None and not all(run.state == "SKIPPED" for run, _ in listed):
            earliest = sorted(listed, key=lambda pair: pair[0].started or pair[0].scheduled)
            yield _GraphRun(root, tuple(earliest))


def _failure(read: Callable[[Run, Entity], Any]) -> Callable[[_GraphRun], Any]:
    return lambda g: read(*g.failed) if g.failed is not None else None


_GRAPHS: dict[str, Callable[[_GraphRun], Any]] = {
    "ROOT_TASK_NAME": lambda g: g.root.name,
    "DATABASE_NAME": lambda g: g.root.path[0],
    "SCHEMA_NAME": lambda g: g.root.path[1],
    "STATE": lambda g: "FAILED" if g.failed is not None else "SUCCEEDED",
    "SCHEDULED_FROM": lambda _: "EXECUTE TASK",
    "FIRST_ERROR_TASK_NAME": _failure(lambda _, task: task.name),
    "FIRST_ERROR_CODE:n": _failure(lambda run, _: int(run.error_code) if run.error_code else None),
    "FIRST_ERROR_MESSAGE": _failure(lambda run, _: run.error_message),
    "SCHEDULED_TIME:t": lambda g: g.started.scheduled,
    "QUERY_START_TIME:t": lambda g: g.started.started,
    "NEXT_SCHEDULED_TIME:t": lambda _: None,
    "COMPLETED_TIME:t": lambda g: g.completed,
    "ROOT_TASK_ID": lambda g: str(g.root.id),
    "GRAPH_VERSION:n": lambda _: 1,
    "RUN_ID:n": lambda g: int(g.started.scheduled.timestamp() * 1000),
    "ATTEMPT_NUMBER:n": lambda g: g.started.body.get("attempt", 1),
    "CONFIG": lambda g: g.started.body["config"],
    "GRAPH_RUN_GROUP_ID:n": lambda g: int(g.started.scheduled.timestamp() * 1000),
}


def complete_graphs(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/complete_task_graphs."""
    return laid_out(_GRAPHS, _graph_runs(session))


def complete_graphs_function(
    session: Context, roles: Roles, database: str, arguments: Arguments
) -> Rows:
    """Tell the graphs that were done in the last hour.

    See https://docs.snowflake.com/en/sql-reference/functions/complete_task_graphs
    """
    asked = Asked(arguments, ("RESULT_LIMIT", "ROOT_TASK_NAME", "ERROR_ONLY"))
    name, errors = asked.text("ROOT_TASK_NAME"), asked.flag("ERROR_ONLY")
    since = session.account.clock() - _RECENT
    everything = access.may_globally(session, "MONITOR EXECUTION", roles)
    found = [
        graph
        for graph in _graph_runs(session)
        if (everything or access.sees(session, graph.root, roles))
        and graph.completed >= since
        and (name is None or graph.root.name.upper() == name.upper())
        and (graph.failed is not None or not errors)
    ]
    return laid_out(_GRAPHS, found[: asked.limit(1000)])


def current_graphs_function(
    session: Context, roles: Roles, database: str, arguments: Arguments
) -> Rows:
    """Tell the graphs that run or wait: none, since tasks run when EXECUTE TASK says so.

    See https://docs.snowflake.com/en/sql-reference/functions/current_task_graphs
    """
    Asked(arguments, ("RESULT_LIMIT", "ROOT_TASK_NAME")).limit(1000)
    done = ("COMPLETED_TIME:t",)
    return laid_out({name: read for name, read in _GRAPHS.items() if name not in done}, ())


# ---- serverless


def _serverless(session: Context, kind: str) -> Iterator[tuple[Run, Entity]]:
    for run in runs.history(session, kind):
        found = session.account.catalog.by_id(run.object)
        if (
            found is not None
            and isinstance(found.detail, (TaskDetail, AlertDetail))
            and not found.detail.warehouse
            and run.started is not None
        ):
            yield run, found


def _credits(run: Run) -> float:
    """Return what a run took, at the rate of the smallest warehouse."""
    assert run.started is not None
    spent = (run.completed or run.started) - run.started
    return spent.total_seconds() / _HOUR.total_seconds()


def _usage(word: str, *, numbered: bool) -> dict[str, Callable[[tuple[Run, Entity]], Any]]:
    named: dict[str, Callable[[tuple[Run, Entity]], Any]] = {
        "START_TIME:t": lambda p: p[0].started,
        "END_TIME:t": lambda p: p[0].completed,
        "CREDITS_USED:r": lambda p: _credits(p[0]),
        f"{word}_NAME": lambda p: p[1].name,
    }
    if not numbered:
        return named
    return {
        **named,
        f"{word}_ID:n": lambda p: p[1].id,
        "SCHEMA_NAME": lambda p: p[1].path[1],
        "DATABASE_NAME": lambda p: p[1].path[0],
    }


def serverless(kind: str) -> Callable[[Context], Rows]:
    """Return the reader of the view about what ran without a warehouse of its own.

    See https://docs.snowflake.com/en/sql-reference/account-usage/serverless_task_history
    """
    return lambda session: laid_out(_usage(kind, numbered=True), _serverless(session, kind))


def serverless_function(kind: str) -> Callable[[Any, Roles, str, Arguments], Rows]:
    """Return the reader of the table function.

    See https://docs.snowflake.com/en/sql-reference/functions/serverless_task_history
    """

    def read(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
        asked = Asked(arguments, ("DATE_RANGE_START", "DATE_RANGE_END", f"{kind}_NAME"))
        name = asked.text(f"{kind}_NAME")
        start = asked.instant(session, "DATE_RANGE_START")
        end = asked.instant(session, "DATE_RANGE_END")
        found = (
            (run, entity)
            for run, entity in _serverless(session, kind)
            if access.sees(session, entity, roles)
            and (name is None or entity.name.upper() == name.upper())
            and (start is None or run.scheduled >= start)
            and (end is None or run.scheduled <= end)
        )
        return laid_out(_usage(kind, numbered=False), found)

    return read


VIEWS: dict[str, Callable[[Context], Rows]] = {
    "COMPLETE_TASK_GRAPHS": complete_graphs,
    "SERVERLESS_TASK_HISTORY": serverless(runs.TASK),
    "SERVERLESS_ALERT_HISTORY": serverless(runs.ALERT),
}
FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    "COMPLETE_TASK_GRAPHS": complete_graphs_function,
    "CURRENT_TASK_GRAPHS": current_graphs_function,
    "SERVERLESS_TASK_HISTORY": serverless_function(runs.TASK),
    "SERVERLESS_ALERT_HISTORY": serverless_function(runs.ALERT),
}
