"""Reading an account: one query becomes one `environment_probed`, refused or not.

Room: work. Shared by both interpreters. Spec: Discovery queries.
"""

from __future__ import annotations

from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.ports import SqlReader


def read(session: SqlReader, query: str, role: str | None) -> ev.EnvironmentProbed:
    """Run a read-only query and return what it found, or why it did not."""
    try:
        found = session.query(query, role=role)
    except SqlError as problem:
        error = ev.StatementError(
            text=problem.message, errno=problem.errno, sqlstate=problem.sqlstate
        )
        refusal = {"role": role, "error": error.model_dump(mode="json")}
        return ev.EnvironmentProbed(query=query, result=refusal)
    result = {
        "role": role,
        "columns": list(found.columns),
        "rows": [list(row) for row in found.rows],
        "row_count": found.row_count,
    }
    return ev.EnvironmentProbed(query=query, result=result)
