"""One run of a task, an alert or a refresh, and the task that runs now.

Room: embedded. Values only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(slots=True)
class TaskRun:
    """The task that runs now."""

    name: tuple[str, ...]
    """Full name of the task, database first."""
    root: tuple[str, ...]
    """Full name of the root of its graph; of a task alone its own."""
    scheduled: datetime
    """When the graph was to begin; the same for all of its tasks."""
    config: str = ""
    """JSON that SYSTEM$GET_TASK_GRAPH_CONFIG reads; empty for none."""
    returns: dict[str, str] = field(default_factory=dict)
    """Return values of the graph's tasks so far, by their name."""
    predecessors: tuple[str, ...] = ()
    """Names of the tasks that it waited for, without database and schema."""
    attempt: int = 1
    """Counts the runs of the graph: 1, and one more with each RETRY LAST."""
    limit_s: float = 0.0
    """Seconds that the task may take; 0 for any."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run."""

    kind: str
    """What ran: a task, an alert, a refresh, a metric."""
    object: int
    """Number of the task, alert or table."""
    scheduled: datetime
    """When it was to begin."""
    started: datetime | None
    """None where it did not begin."""
    completed: datetime | None
    """None where it did not begin."""
    state: str
    """As the history function of its kind names it: `SUCCEEDED`, `FAILED`, `SKIPPED`, …."""
    query_id: str | None = None
    """Of the statement that ran; None where none did."""
    error_code: str | None = None
    """Snowflake's number with leading zeros; None for success."""
    error_message: str | None = None
    """None for success."""
    body: dict[str, Any] = field(default_factory=dict)
    """What only this kind of run tells."""
