"""Runs: what became of tasks, refreshes and alerts.

Room: embedded. Rows are written in the transaction of what they tell about.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

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


@dataclass(slots=True)
class TaskRun:
    """The task that runs now."""

    name: tuple[str, ...]
    root: tuple[str, ...]
    scheduled: datetime
    config: str = ""
    returns: dict[str, str] = field(default_factory=dict)
    """Return values of the graph's tasks so far, by their name."""
    predecessors: tuple[str, ...] = ()
    attempt: int = 1
    """Counts the runs of the graph: 1, and one more with each RETRY LAST."""
    limit_s: float = 0.0
    """Seconds that the task may take; 0 for any."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run."""

    kind: str
    object: int
    scheduled: datetime
    started: datetime | None
    completed: datetime | None
    state: str
    query_id: str | None = None
    error_code: str | None = None
    error_message: str | None = None
    body: dict[str, Any] = field(default_factory=dict)
    """What only this kind of run tells."""


def keep(session: Lookups, run: Run) -> None:
    """Add a run to the history."""
    values = [getattr(run, name) for name in _COLUMNS[:-1]]
    marks = ", ".join("?" for _ in _COLUMNS)
    session.run(f'INSERT INTO "_account".run VALUES ({marks})', [*values, json.dumps(run.body)])


def history(session: Lookups, kind: str) -> list[Run]:
    """List runs of a kind, latest first."""
    rows = session.cursor.execute(
        f'SELECT {", ".join(_COLUMNS)} FROM "_account".run WHERE kind = ? '
        "ORDER BY scheduled DESC, started DESC, rowid DESC",
        [kind],
    ).fetchall()
    return [_read(dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def _read(found: dict[str, Any]) -> Run:
    return Run(**{**found, "body": json.loads(found["body"])})
