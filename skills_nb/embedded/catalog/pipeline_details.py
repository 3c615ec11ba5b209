"""Details of what moves data and of code.

Sequences, streams, dynamic tables, tasks, alerts, functions and procedures.

Room: embedded. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from skills_nb.embedded.types import SfType


@dataclass(frozen=True, slots=True)
class SequenceDetail:
    """A sequence; its numbers come from a DuckDB sequence of the same number."""

    place: str
    """Name of the DuckDB sequence."""
    start: int = 1
    increment: int = 1
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class StreamDetail:
    """A stream; its offset is kept with the rows, since it moves in the transaction of a change."""

    source_id: int
    """Number of the table, dynamic table or view."""
    append_only: bool = False
    show_initial_rows: bool = False


@dataclass(frozen=True, slots=True)
class DynamicPart:
    """What makes a table a dynamic one."""

    text: str
    """The CREATE statement as written."""
    query: str
    """The query behind AS."""
    target_lag: str
    """As SHOW prints it: `1 minute`, `DOWNSTREAM`."""
    warehouse: str
    refresh_mode: str = "FULL"
    """How it is refreshed; this account computes the whole query each time."""
    asked_mode: str = "AUTO"
    """What CREATE asked for."""
    initialize: str = "ON_CREATE"
    suspended: bool = False
    data_moment: int = 0
    """Instant, in microseconds, whose data the table shows; 0 before the first refresh."""


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """A task."""

    body: str
    warehouse: str = ""
    schedule: str = ""
    after: tuple[int, ...] = ()
    """Numbers of the tasks that it follows."""
    when: str = ""
    """The condition's source text; empty without one."""
    started: bool = False
    finalizes: int = 0
    """Number of the root task whose graph it finalizes; 0 for all other tasks."""
    config: str = ""
    """JSON that SYSTEM$GET_TASK_GRAPH_CONFIG reads."""
    allow_overlap: bool = False
    suspend_after: int = 10
    """SUSPEND_TASK_AFTER_NUM_FAILURES; 0 for never."""
    auto_retry: int = 0
    """TASK_AUTO_RETRY_ATTEMPTS."""
    timeout_ms: int = 3_600_000
    managed_size: str = ""
    """USER_TASK_MANAGED_INITIAL_WAREHOUSE_SIZE, as written."""
    failures: int = 0
    """Runs that failed in a row."""
    last_committed_on: datetime | None = None
    last_suspended_on: datetime | None = None
    database: str = ""
    schema: str = ""


@dataclass(frozen=True, slots=True)
class AlertDetail:
    """An alert."""

    condition: str
    action: str
    warehouse: str = ""
    schedule: str = ""
    started: bool = False


@dataclass(frozen=True, slots=True)
class RoutineArgument:
    """One argument of a function or procedure."""

    name: str
    type: SfType
    default: str | None = None
    """The default's source text."""
    gives_back: bool = False
    """True for OUT: what the procedure leaves in it goes to the caller's variable."""


@dataclass(frozen=True, slots=True)
class RoutineDetail:
    """A function or procedure."""

    name: str
    """The name without the signature that tells overloads apart."""
    arguments: tuple[RoutineArgument, ...]
    returns: SfType | None
    """None where rows are returned."""
    body: str
    language: str = "SQL"
    columns: tuple[RoutineArgument, ...] = ()
    """Columns of the rows it returns."""
    secure: bool = False
    caller: bool = False
    """True where a procedure runs with its caller's rights."""
    strict: bool = False
    volatility: str = ""
    handler: str = ""
    runtime: str = ""
    packages: str = ""
    not_null: bool = False
    temporary: int = 0
    """Number of the session that alone sees a temporary routine; 0 for all others."""


@dataclass(frozen=True, slots=True)
class MetricArgument:
    """One table argument of a data metric function."""

    name: str
    columns: tuple[RoutineArgument, ...]


@dataclass(frozen=True, slots=True)
class MetricDetail:
    """A data metric function."""

    arguments: tuple[MetricArgument, ...]
    body: str
    """The query, as written."""
    secure: bool = False


PipelineDetail = (
    SequenceDetail | StreamDetail | TaskDetail | AlertDetail | RoutineDetail | MetricDetail
)
