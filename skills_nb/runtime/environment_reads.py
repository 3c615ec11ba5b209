"""Reading an account: one query becomes one `environment_probed`, refused or not.

Room: work. Shared by both interpreters. Whatever comes here is looked at once more before it is
sent: what may change the account is refused, whoever asked for it.
Spec: Discovery queries; Execution constraint 12.
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.ports import QueryRows, SqlReader
from skills_nb.sql.classify import Kind, kind_of


def read(session: SqlReader, query: str, role: str | None) -> ev.EnvironmentProbed:
    """Run a read-only query and return what it found, or why it did not."""
    if kind_of(query) is not Kind.READ:
        return refused_probe(query, role, SqlError(_NO_READ))
    return probe_environment(query, role, lambda: session.query(query, role=role))


_NO_READ = "This may change the account and was to be asked as a query, so it was not sent."


def probe_environment(
    query: str, role: str | None, ask: Callable[[], QueryRows]
) -> ev.EnvironmentProbed:
    """Return what a query found when it was asked in some way, or why it did not."""
    try:
        told = ask()
    except SqlError as problem:
        return refused_probe(query, role, problem)
    result = {
        "role": role,
        "columns": list(told.columns),
        "rows": [list(row) for row in told.rows],
        "row_count": told.row_count,
    }
    return ev.EnvironmentProbed(query=query, result=result)


def refused_probe(query: str, role: str | None, problem: SqlError) -> ev.EnvironmentProbed:
    """Return what became of a query that was refused, here or by the account."""
    text = f"{problem.message} {_LIMIT}" if problem.errno == _TIMED_OUT else problem.message
    error = ev.StatementError(text=text, errno=problem.errno, sqlstate=problem.sqlstate)
    result = {"role": role, "error": error.model_dump(mode="json")}
    return ev.EnvironmentProbed(query=query, result=result)


_TIMED_OUT = 630
_LIMIT = "What only looks has a time limit; probe_timeout_s in config.toml sets it."
