"""Runs: what became of tasks, refreshes and alerts.

Room: embedded. Rows are written in the transaction of what they tell about.
"""

from __future__ import annotations

import json
from typing import Any

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.task_run import Run
from skills_nb.sql.secret_literals import without_secrets

TASK, REFRESH, ALERT = "TASK", "REFRESH", "ALERT"
_COLUMNS = (
    "kind",
    "object",
    "scheduled",
    "started",
    "completed",
    "state",
    "query_id",
    "error_code",
    "error_message",
    "body",
)


def keep(session: Context, run: Run) -> None:
    """Add a run to the history, without the secrets in its statements."""
    values = [_told(getattr(run, name)) for name in _COLUMNS[:-1]]
    body = {name: _told(value) for name, value in run.body.items()}
    marks = duck_sql.marks(len(_COLUMNS))
    made = duck_sql.of('INSERT INTO "_account".run VALUES {marks}', marks=marks)
    session.run(made, [*values, json.dumps(body)])


def _told(value: Any) -> Any:
    return without_secrets(value) if isinstance(value, str) else value


def history(session: Context, kind: str) -> list[Run]:
    """List runs of a kind, latest first."""
    asked = duck_sql.of(
        'SELECT {columns} FROM "_account".run WHERE kind = ? '
        "ORDER BY scheduled DESC, started DESC, rowid DESC",
        columns=duck_sql.names(_COLUMNS),
    )
    rows = session.cursor.execute(asked, [kind]).fetchall()
    return [_read(dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def _read(found: dict[str, Any]) -> Run:
    return Run(**{**found, "body": json.loads(found["body"])})
