"""Core events: playbooks, probes, steps, checkpoints, errors, cleanup, the end of a thread.

Room: ground. Spec: Events > Core events.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from skills_nb.model.events.envelope import EventBase, Frozen

Severity = Literal["info", "review", "critical"]


class AccountContext(Frozen):
    """Where and as whom a session works. Spec: Account context in events, Expected context."""

    account_locator: str = ""
    account_name: str = ""
    region: str = ""
    current_role: str = ""
    current_warehouse: str | None = None
    current_database: str | None = None
    current_schema: str | None = None
    current_user: str = ""
    available_roles: tuple[str, ...] = ()
    """Roles that the user may assume, sorted."""
    edition: str | None = None
    """None where it could not be told."""
    is_production: bool | None = None
    """Whether people depend on it, where a person's pattern says; None where there is none."""


class Option(Frozen):
    """One thing that a person may choose at a pause."""

    id: str
    description: str = ""
    requires_confirmation: bool = False
    """True where the choice needs the phrase typed."""
    phrase: str | None = None
    """What must be typed, where confirmation is required."""
    sets: dict[str, Any] = Field(default_factory=dict)
    """Inputs that choosing it changes."""


class CreatedObject(Frozen):
    """An object that a step made."""

    type: str
    name: str
    fqn: str = ""


class OrphanedObject(Frozen):
    """Something an aborted thread leaves behind, and the SQL that takes it back."""

    type: str
    name: str
    created_in_step: str
    compensation: str


class PlaybookStarted(EventBase):
    """A playbook begins execution."""

    type: Literal["playbook_started"] = "playbook_started"
    playbook: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Inputs known without asking: given, inferred, defaults."""
    account_context: AccountContext | None = None
    mode: Literal["live", "dry_run"] = "live"
    """Added: a dry run is the same playbook under the other interpreter."""


class ProbesExecuted(EventBase):
    """All pre-execution probes completed."""

    type: Literal["probes_executed"] = "probes_executed"
    results: list[dict[str, Any]] = Field(default_factory=list)
    """`{id, outcome, message, row_count}`, in probe order."""
    warnings: list[str] = Field(default_factory=list)
    """Messages of the checks with action warn or confirm."""
    blocked: bool = False


class ProbeCheckpoint(EventBase):
    """Probes surfaced warnings that a person must confirm."""

    type: Literal["probe_checkpoint"] = "probe_checkpoint"
    warnings: list[str] = Field(default_factory=list)
    options: list[Option] = Field(default_factory=list)


class StepStarted(EventBase):
    """A step begins; once per cycle of its checkpoint."""

    type: Literal["step_started"] = "step_started"
    step: str
    primitive: str | None = None
    account_context: AccountContext | None = None


class StepCompleted(EventBase):
    """A step's work is done; it stays open until its checkpoint is approved."""

    type: Literal["step_completed"] = "step_completed"
    step: str
    result: dict[str, Any] = Field(default_factory=dict)
    """Bound names and their values."""
    created_objects: list[CreatedObject] = Field(default_factory=list)


class StepFailed(EventBase):
    """A step met an error."""

    type: Literal["step_failed"] = "step_failed"
    step: str
    error: str
    error_category: str
    """One of the seven categories, `expected`, or `unknown`."""
    recovery_hint: str = ""


class StepSkipped(EventBase):
    """A conditional step was unnecessary, or a person skipped it."""

    type: Literal["step_skipped"] = "step_skipped"
    step: str
    reason: str


class CheckpointReached(EventBase):
    """Execution pauses for a person's review."""

    type: Literal["checkpoint_reached"] = "checkpoint_reached"
    after_step: str
    severity: Severity = "review"
    present: str = ""
    options: list[Option] = Field(default_factory=list)


class HumanResponse(EventBase):
    """Somebody answered a pause; the actor says who."""

    type: Literal["human_response"] = "human_response"
    choice: str
    comment: str | None = None
    checkpoint_after_step: str | None = None
    at: str | None = None
    """Added: the pause that was answered, so that a saved answer cannot approve another."""
    values: dict[str, Any] = Field(default_factory=dict)
    """Added: inputs that the answer changes."""
    confirmed: bool = False
    """Added: whether the phrase was typed."""


class InputGathered(EventBase):
    """An input became known after the start."""

    type: Literal["input_gathered"] = "input_gathered"
    name: str
    value: Any = None
    phase: str = "before_start"


class ErrorEscalated(EventBase):
    """An error that a person must decide about."""

    type: Literal["error_escalated"] = "error_escalated"
    step: str | None = None
    error: str
    context: dict[str, Any] = Field(default_factory=dict)
    """`category`, `recovery_hint`, `sql`, `attempts`, as far as known."""


class CleanupProposed(EventBase):
    """The thread is aborted and proposes to take back what it did."""

    type: Literal["cleanup_proposed"] = "cleanup_proposed"
    orphaned_objects: list[OrphanedObject] = Field(default_factory=list)
    compensation_actions: list[str] = Field(default_factory=list)
    """SQL in the order it would run."""
    options: list[Option] = Field(default_factory=list)


class CleanupExecuted(EventBase):
    """Compensation ran."""

    type: Literal["cleanup_executed"] = "cleanup_executed"
    cleaned: list[str] = Field(default_factory=list)
    failed: list[str] = Field(default_factory=list)


class PlaybookCompleted(EventBase):
    """Every step of a playbook is finished."""

    type: Literal["playbook_completed"] = "playbook_completed"
    playbook: str
    summary: str = ""
    created_objects: list[CreatedObject] = Field(default_factory=list)


class PhaseSummary(EventBase):
    """Compaction summarised what is finished."""

    type: Literal["phase_summary"] = "phase_summary"
    phase: int
    domain: str
    status: str = "completed"
    inputs: dict[str, Any] = Field(default_factory=dict)
    outputs: dict[str, Any] = Field(default_factory=dict)
    steps_completed: list[str] = Field(default_factory=list)
    steps_skipped: list[str] = Field(default_factory=list)
    errors_recovered: int = 0
    checkpoints_passed: int = 0
    archive_reference: str = ""


class ThreadCompleted(EventBase):
    """The goal is fully resolved."""

    type: Literal["thread_completed"] = "thread_completed"
    summary: str = ""


class ThreadAborted(EventBase):
    """A person or an error halted the thread."""

    type: Literal["thread_aborted"] = "thread_aborted"
    reason: str
    at_step: str | None = None
    cleanup_status: str = ""
    """`cleaned`, `partial`, `kept` or `nothing_to_clean`."""


class EnvironmentProbed(EventBase):
    """A read-only query looked at the account."""

    type: Literal["environment_probed"] = "environment_probed"
    query: str
    result: dict[str, Any] = Field(default_factory=dict)
    """`{columns, rows, row_count, role}`, or `{error: {text, errno, sqlstate}, role}`."""
