"""Details of what moves data and of code.

Sequences, streams, dynamic tables, tasks, alerts, functions and procedures.

Room: embedded. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from skills_nb.embedded.types.data_types import SfType


@dataclass(frozen=True, slots=True)
class SequenceDetail:
    """A sequence; its numbers come from a DuckDB sequence of the same number."""

    place: str
    """Name of the DuckDB sequence."""
    start: int = 1
    """Its first value."""
    increment: int = 1
    """What lies between two values; negative where it counts down."""
    ordered: bool = True
    """ORDER or NOORDER; values here come in order either way."""


@dataclass(frozen=True, slots=True)
class StreamDetail:
    """A stream; its offset is kept with the rows, since it moves in the transaction of a change."""

    source_id: int
    """Number of the table, dynamic table or view."""
    append_only: bool = False
    """Whether it shows inserted rows alone."""
    show_initial_rows: bool = False
    """Whether its first reading shows the rows that were there before it."""


@dataclass(frozen=True, slots=True)
class DynamicPart:
    """What makes a table a dynamic one."""

    text: str
    """The CREATE statement as written."""
    query: str
    """The query behind AS."""
    target_lag: str
    """As SHOW prints it: `1 minute`, `DOWNSTREAM`; empty where no scheduler goes by it."""
    warehouse: str
    """Stored name of what refreshes run on."""
    refresh_mode: str = "FULL"
    """What SHOW says: what was asked for, `FULL` for `AUTO`. In any mode this account computes the
    whole query at each refresh."""
    asked_mode: str = "AUTO"
    """What CREATE asked for."""
    initialize: str = "ON_CREATE"
    """`ON_CREATE`, or `ON_SCHEDULE` for the first refresh to come later."""
    suspended: bool = False
    """What RESUME and SUSPEND change; shown only, since nothing here runs by the clock."""
    data_moment: int = 0
    """Instant, in microseconds, whose data the table shows; 0 before the first refresh."""
    scheduler: str = "ENABLE"
    """`DISABLE` for a table that is refreshed on demand alone."""
    has_types: bool = False
    """Whether the column list says types, which the query's values are converted to."""


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """A task."""

    body: str
    """What it runs: source text behind AS."""
    warehouse: str = ""
    """Stored name; empty for a serverless task."""
    schedule: str = ""
    """As written: `5 MINUTE`, `USING CRON …`; empty for none."""
    after: tuple[int, ...] = ()
    """Numbers of the tasks that it follows."""
    when: str = ""
    """The condition's source text; empty without one."""
    started: bool = False
    """What RESUME and SUSPEND change; only a task that is started runs after another one."""
    finalizes: int = 0
    """Number of the root task whose graph it finalizes; 0 for all other tasks."""
    config: str = ""
    """JSON that SYSTEM$GET_TASK_GRAPH_CONFIG reads."""
    allow_overlap: bool = False
    """ALLOW_OVERLAPPING_EXECUTION; of a root task."""
    suspend_after: int = 10
    """SUSPEND_TASK_AFTER_NUM_FAILURES; 0 for never."""
    auto_retry: int = 0
    """TASK_AUTO_RETRY_ATTEMPTS."""
    timeout_ms: int = 3_600_000
    """USER_TASK_TIMEOUT_MS."""
    managed_size: str = ""
    """USER_TASK_MANAGED_INITIAL_WAREHOUSE_SIZE, as written."""
    failures: int = 0
    """Runs that failed in a row."""
    last_committed_on: datetime | None = None
    """When its definition was last put into force, UTC; None before the first RESUME."""
    last_suspended_on: datetime | None = None
    """UTC; None for never."""
    database: str = ""
    """What its body finds as the current database: the task's own."""
    schema: str = ""
    """What its body finds as the current schema: the task's own."""


@dataclass(frozen=True, slots=True)
class AlertDetail:
    """An alert."""

    condition: str
    """The query inside `IF (EXISTS (…))`, as written."""
    action: str
    """The statement behind THEN, as written."""
    warehouse: str = ""
    """Stored name; empty for a serverless alert."""
    schedule: str = ""
    """As written: `5 MINUTE`, `USING CRON …`; empty for none."""
    started: bool = False
    """What RESUME and SUSPEND change; shown only, since nothing here runs by the clock."""


@dataclass(frozen=True, slots=True)
class RoutineArgument:
    """One argument of a function or procedure."""

    name: str
    """Its stored name."""
    type: SfType
    """Overloads are told apart by it."""
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
    """In the order of the signature."""
    returns: SfType | None
    """None where rows are returned."""
    body: str
    """What runs, as written, without the quotes around it."""
    language: str = "SQL"
    """Upper case: `SQL`, `PYTHON`, …."""
    columns: tuple[RoutineArgument, ...] = ()
    """Columns of the rows it returns."""
    secure: bool = False
    """Whether only its owner reads its body."""
    caller: bool = False
    """True where a procedure runs with its caller's rights."""
    strict: bool = False
    """RETURNS NULL ON NULL INPUT: any NULL argument makes the answer NULL."""
    volatility: str = ""
    """`VOLATILE` or `IMMUTABLE`; empty where not written."""
    handler: str = ""
    """Name of the Python function; empty for SQL."""
    runtime: str = ""
    """RUNTIME_VERSION, as written; empty for SQL."""
    packages: str = ""
    """PACKAGES, as written; empty for none."""
    not_null: bool = False
    """NOT NULL behind the return type."""
    temporary: int = 0
    """Number of the session that alone sees a temporary routine; 0 for all others."""


@dataclass(frozen=True, slots=True)
class MetricArgument:
    """One table argument of a data metric function."""

    name: str
    """Its stored name, which the query reads from."""
    columns: tuple[RoutineArgument, ...]
    """What a table must offer to be measured, in order."""


@dataclass(frozen=True, slots=True)
class MetricDetail:
    """A data metric function."""

    arguments: tuple[MetricArgument, ...]
    """The tables that it takes, in order."""
    body: str
    """The query, as written."""
    secure: bool = False
    """Whether only its owner reads its body."""


PipelineDetail = (
    SequenceDetail | StreamDetail | TaskDetail | AlertDetail | RoutineDetail | MetricDetail
)
