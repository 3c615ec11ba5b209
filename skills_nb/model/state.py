"""What a thread's events amount to: recomputed from them, never edited.

Room: ground. Everything here is derived; nothing is stored.
Spec: Principles > The agent is a stateless reducer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from skills_nb.model.events.core import (
    AccountContext,
    CreatedObject,
    EnvironmentProbed,
    Option,
    OrphanedObject,
)
from skills_nb.model.events.durability import StatementError, StatementKind
from skills_nb.model.events.navigation import DryRunSummary, PlannedStep, StepPlanned
from skills_nb.model.skills import InputSpec

ThreadStatus = Literal["running", "paused", "completed", "failed"]
StepStatus = Literal["pending", "running", "done", "approved", "skipped"]
StatementStatus = Literal["open", "completed", "failed", "lost"]
PauseKind = Literal[
    "checkpoint",
    "probe_checkpoint",
    "plan_proposed",
    "plan_rejected",
    "dry_run_summary",
    "error_escalated",
    "cleanup_proposed",
    "routing_ambiguous",
    "input_question",
    "staleness_warning",
]

_EMPTY: Mapping[str, Any] = MappingProxyType({})


ON_SAMPLES = "on samples"
"""Value of the input `dry_run` that lets a dry run look at a sample of rows."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Where a thread waits for somebody, and what may be chosen."""

    kind: PauseKind
    at: str
    """Names the pause in `respond --at`: `3`, `3#2` (second time), `input:NAME`, `probes`, …"""
    severity: Literal["info", "review", "critical"] = "review"
    present: str = ""
    """What to show."""
    options: tuple[Option, ...] = ()
    step: str | None = None
    """The step it belongs to, where it belongs to one."""
    warnings: tuple[str, ...] = ()
    """Surfaced beside what is presented."""
    seq: int = 0
    """The event that opened it; 0 for a question that follows from the state alone."""

    @property
    def phrase(self) -> str | None:
        """Return what must be typed to approve, or None."""
        return next((o.phrase for o in self.options if o.requires_confirmation), None)

    def option(self, choice: str) -> Option | None:
        """Return the option with that id, or None."""
        return next((option for option in self.options if option.id == choice), None)


@dataclass(frozen=True, slots=True)
class Fact:
    """What a read-only query found, or why it did not."""

    seq: int
    query: str
    role: str | None
    result: Mapping[str, Any]
    """`{columns, rows, row_count}`, or `{error}`."""

    @classmethod
    def of(cls, event: EnvironmentProbed, seq: int) -> Fact:
        """Return what an event tells that stands at a place of the thread."""
        return cls(seq, event.query, event.result.get("role"), event.result)

    @property
    def error(self) -> StatementError | None:
        """Return the account's refusal, if it refused."""
        found = self.result.get("error")
        return StatementError(**found) if isinstance(found, dict) else None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Return one mapping per row, keyed by column name."""
        columns = self.result.get("columns", ())
        return [dict(zip(columns, row, strict=True)) for row in self.result.get("rows", ())]

    @property
    def row_count(self) -> int:
        """Return how many rows there were, also where not all were kept."""
        return int(self.result.get("row_count", 0))


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """One attempt at one statement."""

    key: str
    seq: int
    """Sequence number of its `statement_started`."""
    step: str
    ordinal: int
    attempt: int
    sql: str
    kind: StatementKind
    role: str | None
    run_seq: int = 0
    """Sequence number of the `playbook_started` that it belongs to; 0 outside of playbooks."""
    status: StatementStatus = "open"
    end_seq: int = 0
    """Sequence number of its outcome; 0 while open."""
    query_id: str = ""
    row_count: int | None = None
    error: StatementError | None = None
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class StepState:
    """How far one step is."""

    id: str
    status: StepStatus = "pending"
    cycle: int = 0
    """How many times it was started: a modification starts it again."""
    started_seq: int = 0
    ended_seq: int = 0
    result: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    created: tuple[CreatedObject, ...] = ()
    reason: str = ""
    """Why it was skipped."""
    failures: tuple[str, ...] = ()
    """Messages of `step_failed` since it last succeeded, oldest first."""
    failed_seq: int = 0
    """Sequence number of its last `step_failed`; 0 when resolved."""
    retry_from_seq: int = 0
    """Attempts before this event no longer count: a person said `retry`."""
    presented: int = 0
    """How many times its checkpoint was reached."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """A guided plan: what was drafted, and what people said to it."""

    goal: str
    steps: tuple[PlannedStep, ...]
    """As drafted: their SQL is a template where the plan has inputs, and plain SQL otherwise."""
    inputs: tuple[InputSpec, ...] = ()
    edits: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Step id to the plain SQL that a person put in its place."""
    first: tuple[PlannedStep, ...] = ()
    """What was proposed first: the difference is what people modified."""
    proposed: tuple[PlannedStep, ...] = ()
    """What was proposed last, its values filled in."""
    approved: tuple[PlannedStep, ...] = ()
    """What may be done, its values filled in."""
    refusal: str = ""
    """Why it was rejected, by the guardrail's word; empty where it was not."""
    is_accepted: bool = False
    """Whether a person has just approved what was proposed last."""
    is_risk_accepted: bool = False
    """Whether a person accepts more steps than guided mode allows."""
    is_broken_down: bool = False
    """Whether it is proposed part by part."""


@dataclass(frozen=True, slots=True)
class PlaybookRun:
    """The playbook that the thread is in."""

    playbook: str
    mode: Literal["live", "dry_run"]
    started_seq: int
    inputs: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """JSON-safe values by input name."""
    context: AccountContext | None = None
    probed: bool = False
    probed_seq: int = 0
    blocked: bool = False
    warnings: tuple[str, ...] = ()
    """Probe warnings not yet surfaced at a checkpoint."""
    steps: Mapping[str, StepState] = field(default_factory=lambda: _EMPTY)
    """By step id, in the order in which they were met."""
    approve_remaining: bool = False
    planned: tuple[StepPlanned, ...] = ()
    summary: DryRunSummary | None = None
    completed: bool = False
    plan: PlanState | None = None
    """What it goes through in guided mode, in place of a playbook of the library."""

    def step(self, step_id: str) -> StepState:
        """Return the step's state; a step not met yet is pending."""
        return self.steps.get(step_id) or StepState(step_id)


@dataclass(frozen=True, slots=True)
class RouteState:
    """What the intent resolved to."""

    router: str
    target: str | None
    mode: str
    confidence: float
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseState:
    """One domain's part of a chain."""

    domain: str
    words: str
    """What it is routed by."""
    status: Literal["pending", "running", "completed"] = "pending"
    route: RouteState | None = None
    """None until it is routed, and again when its target was given up."""
    given: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Inputs known from an earlier attempt at it: a dry run, or before it was put off."""
    mapped: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Inputs taken over from earlier phases."""
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Inputs for which earlier phases made more than one thing: what a person chooses from."""
    run: PlaybookRun | None = None
    """How it was done, once it is completed."""
    outputs: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    @property
    def is_predicted(self) -> bool:
        """Return whether its outputs are those of a dry run."""
        return self.run is not None and self.run.mode == "dry_run"


@dataclass(frozen=True, slots=True)
class ChainState:
    """Several domains that one goal goes through."""

    phases: tuple[PhaseState, ...]
    """In the order of execution; those that are completed come first."""
    rationale: str = ""

    @property
    def completed(self) -> tuple[PhaseState, ...]:
        """Return the phases that are done with, in order."""
        return tuple(phase for phase in self.phases if phase.status == "completed")

    @property
    def current(self) -> PhaseState | None:
        """Return the phase that the chain is at, or None at its end."""
        return next((phase for phase in self.phases if phase.status != "completed"), None)

    @property
    def number(self) -> int:
        """Return the number of the current phase, from 1."""
        return len(self.completed) + 1


@dataclass(frozen=True, slots=True)
class AbortState:
    """An abort under way."""

    reason: str
    at_step: str | None = None
    decision: Literal["undecided", "proposed", "cleanup", "keep"] = "undecided"
    detailed: bool = False
    """True where a person asked to see what was created."""
    proposed_seq: int = 0
    orphans: tuple[OrphanedObject, ...] = ()
    executed: bool = False
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The fold of a thread."""

    thread_id: str = ""
    seq: int = 0
    status: ThreadStatus = "running"
    goal: str = ""
    library_version: str = ""
    updated_at: str = ""
    given: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Inputs known before a playbook was."""
    dry_run: bool = False
    """Whether the next playbook starts as a dry run."""
    samples: bool = False
    """Whether a dry run may look at a sample of rows, to sharpen what it predicts."""
    route: RouteState | None = None
    sought: str = ""
    """What a plan is wanted for, where it is not the goal of the thread or its phase."""
    plan: PlanState | None = None
    """A guided plan that no run goes through yet."""
    run: PlaybookRun | None = None
    past_runs: tuple[PlaybookRun, ...] = ()
    """Playbooks that were finished or given up, oldest first: what they did may be taken back."""
    pause: Pause | None = None
    pause_count: Mapping[str, int] = field(default_factory=lambda: _EMPTY)
    """How often each pause was opened, by its plain name."""
    answered: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Pause name to the choice that ended it."""
    facts: tuple[Fact, ...] = ()
    statements: tuple[StatementRecord, ...] = ()
    abort: AbortState | None = None
    chain: ChainState | None = None
    """The domains that the goal goes through, where there are several."""
    reroute: str | None = None
    """Why another approach is wanted: the words to route by."""
    is_rerouted: bool = False
    """Whether what is given up for it has been said already."""
    tried: tuple[str, ...] = ()
    """Targets given up by re-routing."""
    epoch: int = 0
    summary: str = ""
    failure: str = ""
    """Why the thread failed."""
    story: tuple[str, ...] = ()
    """Types of its last events, oldest first: what a refusal tells."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing more can happen."""
        return self.status in ("completed", "failed")

    @property
    def guided_plan(self) -> PlanState | None:
        """Return the plan that the thread is in, be it begun or not."""
        return self.run.plan if self.run is not None and self.run.plan else self.plan

    def with_plan(self, plan: PlanState) -> ThreadState:
        """Return the state with the plan that it is in changed."""
        if self.run is not None and self.run.plan is not None:
            return replace(self, run=replace(self.run, plan=plan))
        return replace(self, plan=plan)

    def without_run(self) -> ThreadState:
        """Return the state outside of its playbook; what was really done there is remembered."""
        run = self.run
        if run is None:
            return self
        past = (*self.past_runs, run) if run.mode == "live" else self.past_runs
        return replace(self, run=None, past_runs=past)

    def run_of(self, record: StatementRecord) -> PlaybookRun | None:
        """Return the playbook's run that sent a statement, be it the present one or a past one."""
        known = (*self.past_runs, *((self.run,) if self.run is not None else ()))
        return next((run for run in known if run.started_seq == record.run_seq), None)

    @property
    def open_statement(self) -> StatementRecord | None:
        """Return the statement that was started and has no outcome."""
        last = self.statements[-1] if self.statements else None
        return last if last is not None and last.status == "open" else None
