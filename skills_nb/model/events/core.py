"""Core events: playbooks, probes, steps, checkpoints, errors, cleanup, the end of a thread.

Room: ground. Spec: Events > Core events.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from skills_nb.model.events.envelope import EventBase
from skills_nb.model.events.values import (
    AccountContext,
    CreatedObject,
    Foreseen,
    ModifiedObject,
    Option,
    OrphanedObject,
    Redoing,
    Severity,
    Untouched,
)


class PlaybookStarted(EventBase):
    """A playbook begins execution."""

    type: Literal["playbook_started"] = "playbook_started"
    playbook: str
    """Its name, without `playbooks/`; for a guided plan the plan's."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Inputs known without asking: given, inferred, defaults."""
    account_context: AccountContext | None = None
    """Where the session stood when it began; None where nobody looked."""
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
    """Whether a probe forbids to go on: a failed one that is required, or a check."""
    redoing: Redoing | None = None
    """Added: what follows where the account was looked at again after a wait, and had changed."""


class ProbeCheckpoint(EventBase):
    """Probes surfaced warnings that a person must confirm."""

    type: Literal["probe_checkpoint"] = "probe_checkpoint"
    warnings: list[str] = Field(default_factory=list)
    """What must be confirmed, one message each."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""
    foreseen: list[Foreseen] | None = None
    """Added: what an approval lets through; None in older threads."""


class StepStarted(EventBase):
    """A step begins; once per cycle of its checkpoint."""

    type: Literal["step_started"] = "step_started"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    primitive: str | None = None
    """The first that the step refers to, bare name; None where it refers to none."""
    account_context: AccountContext | None = None
    """Where the session stood; None where nobody looked."""


class StepCompleted(EventBase):
    """A step's work is done; it stays open until its checkpoint is approved."""

    type: Literal["step_completed"] = "step_completed"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    result: dict[str, Any] = Field(default_factory=dict)
    """Bound names and their values."""
    created_objects: list[CreatedObject] = Field(default_factory=list)
    """The objects that it made, in order; those that were there before are not among them."""
    modified_objects: list[ModifiedObject] = Field(default_factory=list)
    """Added: the objects whose rows it changed, in the order in which it first changed them."""


class StepFailed(EventBase):
    """A step met an error."""

    type: Literal["step_failed"] = "step_failed"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    error: str
    """The account's message, or why the step could not go on."""
    error_category: str
    """One of the seven categories, `expected`, or `unknown`."""
    recovery_hint: str = ""
    """What to do about it, for people; empty where nobody knows."""


class StepSkipped(EventBase):
    """A conditional step was unnecessary, or a person skipped it."""

    type: Literal["step_skipped"] = "step_skipped"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    reason: str
    """The condition that does not hold, or the person's word."""


class CheckpointReached(EventBase):
    """Execution pauses for a person's review."""

    type: Literal["checkpoint_reached"] = "checkpoint_reached"
    after_step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    severity: Severity = "review"
    """How much a person is needed: `info` goes on by itself, `critical` wants a phrase."""
    present: str = ""
    """What is shown, its values filled in."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""
    before_step: str | None = None
    """Added: the step that waits, where what it would send is not what was approved."""
    foreseen: list[Foreseen] | None = None
    """Added: what an approval lets through; None in older threads."""
    added: list[str] = Field(default_factory=list)
    """Added: statements that would be sent and were not approved."""
    removed: list[str] = Field(default_factory=list)
    """Added: statements that were approved and would not be sent."""
    needs_person: bool | None = None
    """Added: True where no approval of the rest answers, because something is or was destroyed."""


class HumanResponse(EventBase):
    """Somebody answered a pause; the actor says who."""

    type: Literal["human_response"] = "human_response"
    choice: str
    """The id of an option of the pause."""
    comment: str | None = None
    """What the person wrote beside it; None where they wrote nothing."""
    checkpoint_after_step: str | None = None
    """Step id of the pause; None where it belongs to no step."""
    at: str | None = None
    """Added: the pause that was answered, so that a saved answer cannot approve another."""
    values: dict[str, Any] = Field(default_factory=dict)
    """Added: inputs that the answer changes."""
    confirmed: bool = False
    """Added: whether the phrase was typed."""
    redoing: Redoing | None = None
    """Added: what its values bring about; None where it changes nothing, and in older threads."""


class InputGathered(EventBase):
    """An input became known after the start."""

    type: Literal["input_gathered"] = "input_gathered"
    name: str
    """The input's, as the playbook declares it."""
    value: Any = None
    """JSON-safe; a secret is stored as `«redacted»`."""
    phase: str = "before_start"
    """`before_start` or `step_N`."""


class ErrorEscalated(EventBase):
    """An error that a person must decide about."""

    type: Literal["error_escalated"] = "error_escalated"
    step: str | None = None
    """Step id; None where the error belongs to no step."""
    error: str
    """The account's message, or why the thread cannot go on."""
    context: dict[str, Any] = Field(default_factory=dict)
    """`category`, `recovery_hint`, `sql`, `attempts`, as far as known."""


class CleanupProposed(EventBase):
    """The thread is aborted and proposes to take back what it did."""

    type: Literal["cleanup_proposed"] = "cleanup_proposed"
    orphaned_objects: list[OrphanedObject] = Field(default_factory=list)
    """What the thread made and would leave behind."""
    compensation_actions: list[str] = Field(default_factory=list)
    """SQL in the order it would run."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""
    left_alone: list[Untouched] = Field(default_factory=list)
    """Added: what others have touched since, so that it is not taken back."""
    not_restorable: list[Untouched] = Field(default_factory=list)
    """Added: what the thread changed and cannot bring back."""


class CleanupExecuted(EventBase):
    """Compensation ran."""

    type: Literal["cleanup_executed"] = "cleanup_executed"
    cleaned: list[str] = Field(default_factory=list)
    """SQL that ran."""
    failed: list[str] = Field(default_factory=list)
    """SQL that the account refused; nothing was done after the first."""
    restored: list[str] = Field(default_factory=list)
    """Added: objects that are as they were before the thread."""
    left_alone: list[Untouched] = Field(default_factory=list)
    """Added: objects that were not taken back, because others touched them or it came to a stop."""
    not_restorable: list[Untouched] = Field(default_factory=list)
    """Added: objects that the thread changed and cannot bring back."""


class PlaybookCompleted(EventBase):
    """Every step of a playbook is finished."""

    type: Literal["playbook_completed"] = "playbook_completed"
    playbook: str
    """Its name, without `playbooks/`."""
    summary: str = ""
    """What was done, in one sentence, for people."""
    created_objects: list[CreatedObject] = Field(default_factory=list)
    """What its steps made, in their order."""


class PhaseSummary(EventBase):
    """Compaction summarised what is finished."""

    type: Literal["phase_summary"] = "phase_summary"
    phase: int
    """1-based number of the domain phase."""
    domain: str
    """The domain of the playbook; empty where it has none."""
    status: str = "completed"
    """How far it is: `completed`, or what the thread was when it was compacted."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Values by input name."""
    outputs: dict[str, Any] = Field(default_factory=dict)
    """What was made and still stands: declared outputs, and `created_TYPES`."""
    steps_completed: list[str] = Field(default_factory=list)
    """Step ids, in order."""
    steps_skipped: list[str] = Field(default_factory=list)
    """Step ids, in order."""
    errors_recovered: int = 0
    """How many errors were got over."""
    checkpoints_passed: int = 0
    """How many checkpoints were approved, by whomever."""
    archive_reference: str = ""
    """The archive's file and the SHA-256 of what it holds; empty where nothing was put away."""


class ThreadCompleted(EventBase):
    """The goal is fully resolved."""

    type: Literal["thread_completed"] = "thread_completed"
    summary: str = ""
    """What was done, for people."""


class ThreadAborted(EventBase):
    """A person or an error halted the thread."""

    type: Literal["thread_aborted"] = "thread_aborted"
    reason: str
    """Why, in the person's words or the engine's."""
    at_step: str | None = None
    """Step id; None where no step was under way."""
    cleanup_status: str = ""
    """`cleaned`, `partial`, `kept` or `nothing_to_clean`."""


class EnvironmentProbed(EventBase):
    """A read-only query looked at the account."""

    type: Literal["environment_probed"] = "environment_probed"
    query: str
    """SQL as it was sent."""
    result: dict[str, Any] = Field(default_factory=dict)
    """`{columns, rows, row_count, role}`, or `{error: {text, errno, sqlstate}, role}`."""
