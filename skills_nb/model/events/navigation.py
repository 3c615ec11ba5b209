"""Navigation, dry-run and validation events.

Room: ground. Spec: Events > Navigation events, Dry-run events, Validation events.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from skills_nb.model.events.core import CreatedObject, Option
from skills_nb.model.events.envelope import EventBase, Frozen


class PlannedStep(Frozen):
    """A step of a guided plan."""

    step: str
    action: str
    primitive: str | None = None
    sql: str = ""


class ChainStarted(EventBase):
    """An intent was decomposed into several domains."""

    type: Literal["chain_started"] = "chain_started"
    domains: list[str]
    order_rationale: str = ""


class PhaseStarted(EventBase):
    """A domain phase of a chain begins."""

    type: Literal["phase_started"] = "phase_started"
    domain: str
    phase_number: int
    context_from_previous: dict[str, Any] = Field(default_factory=dict)


class PhaseCompleted(EventBase):
    """A domain phase finished."""

    type: Literal["phase_completed"] = "phase_completed"
    domain: str
    outputs: dict[str, Any] = Field(default_factory=dict)


class ContextMapped(EventBase):
    """Outputs of an earlier phase became inputs of this one."""

    type: Literal["context_mapped"] = "context_mapped"
    mappings: list[dict[str, Any]] = Field(default_factory=list)
    """`{from, to, value}` each."""


class Routed(EventBase):
    """A domain router resolved the intent to a target."""

    type: Literal["routed"] = "routed"
    router: str
    target: str | None = None
    mode: str
    confidence: float = 1.0
    alternatives: list[str] = Field(default_factory=list)


class RoutingAmbiguous(EventBase):
    """The intent is unclear; a person is asked."""

    type: Literal["routing_ambiguous"] = "routing_ambiguous"
    top_candidates: list[dict[str, Any]] = Field(default_factory=list)
    """`{target, mode, domain, confidence}`, best first."""
    clarification_options: list[Option] = Field(default_factory=list)


class Rerouted(EventBase):
    """Requirements changed and the thread goes on with another target."""

    model_config = ConfigDict(populate_by_name=True)

    type: Literal["rerouted"] = "rerouted"
    reason: str
    from_: str = Field(alias="from")
    to: str


class PlanProposed(EventBase):
    """A guided plan waits for approval."""

    type: Literal["plan_proposed"] = "plan_proposed"
    goal: str = ""
    steps: list[PlannedStep] = Field(default_factory=list)
    primitives: list[str] = Field(default_factory=list)
    options: list[Option] = Field(default_factory=list)


class PlanRejected(EventBase):
    """A guided plan broke a guardrail."""

    type: Literal["plan_rejected"] = "plan_rejected"
    reason: str
    message: str = ""
    options: list[Option] = Field(default_factory=list)


class PlanApproved(EventBase):
    """A person approved a plan."""

    type: Literal["plan_approved"] = "plan_approved"
    modifications: dict[str, Any] | None = None


class StepPlanned(EventBase):
    """Dry run: what a step would do."""

    type: Literal["step_planned"] = "step_planned"
    step: str
    action: str
    would_execute: list[str] = Field(default_factory=list)
    """SQL as it would be sent, in order."""
    would_create: list[CreatedObject] = Field(default_factory=list)
    estimated_duration: str = ""


class DryRunSummary(EventBase):
    """Dry run: the whole impact, and what to do next."""

    type: Literal["dry_run_summary"] = "dry_run_summary"
    would_create: dict[str, Any] = Field(default_factory=dict)
    """Object type, plural, to a count; `objects` lists them."""
    would_modify: dict[str, Any] = Field(default_factory=dict)
    would_drop: dict[str, Any] = Field(default_factory=dict)
    """Added: a drop is what a person most needs to see."""
    estimated_duration: str = ""
    estimated_compute: str = ""
    options: list[Option] = Field(default_factory=list)


class StalenessWarning(EventBase):
    """A primitive has not been reviewed within the threshold."""

    type: Literal["staleness_warning"] = "staleness_warning"
    primitive: str
    last_reviewed: str
    days_stale: int
    message: str = ""
    options: list[Option] = Field(default_factory=list)


class ValidationError(EventBase):
    """The library is invalid."""

    type: Literal["validation_error"] = "validation_error"
    check: str
    message: str
    resolution: str = ""
