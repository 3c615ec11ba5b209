"""Reading an account: one query becomes one `environment_probed`, refused or not.

Room: work. Shared by both interpreters. Spec: Discovery queries.
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.ports import QueryRows, SqlReader


def read(session: SqlReader, query: str, role: str | None) -> ev.EnvironmentProbed:
    """Run a read-only query and return what it found, or why it did not."""
    return found(query, role, lambda: session.query(query, role=role))


def found(query: str, role: str | None, ask: Callable[[], QueryRows]) -> ev.EnvironmentProbed:
    """Return what a query found when it was asked in some way, or why it did not."""
    try:
        told = ask()
    except SqlError as problem:
        error = ev.StatementError(
            text=problem.message, errno=problem.errno, sqlstate=problem.sqlstate
        )
        refusal = {"role": role, "error": error.model_dump(mode="json")}
        return ev.EnvironmentProbed(query=query, result=refusal)
    result = {
        "role": role,
        "columns": list(told.columns),
        "rows": [list(row) for row in told.rows],
        "row_count": told.row_count,
    }
    return ev.EnvironmentProbed(query=query, result=result)
