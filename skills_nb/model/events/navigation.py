"""Navigation, dry-run and validation events.

Room: ground. Spec: Events > Navigation events, Dry-run events, Validation events.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from skills_nb.model.events.envelope import EventBase, Frozen
from skills_nb.model.events.values import CreatedObject, Foreseen, ModifiedObject, Option, Redoing


class PlannedStep(Frozen):
    """A step of a guided plan."""

    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    action: str
    """What it does, in a few words."""
    primitive: str | None = None
    """Name of the primitive that it rests on; None where it rests on none."""
    sql: str = ""
    """Its statements; empty for a manual step."""


class ChainStarted(EventBase):
    """An intent was decomposed into several domains."""

    type: Literal["chain_started"] = "chain_started"
    domains: list[str]
    """In the order of execution."""
    order_rationale: str = ""
    """Why in this order, for people."""
    parts: list[str] | None = None
    """Added: what of the person's words is about each domain; None where that is open."""
    not_covered: list[str] | None = None
    """Added: wishes that the answer does not meet, in the person's words; a person has to know."""
    limits: list[str] | None = None
    """Added: what must not be done, in the person's words."""


class PhaseStarted(EventBase):
    """A domain phase of a chain begins."""

    type: Literal["phase_started"] = "phase_started"
    domain: str
    """The domain's name in the vocabulary."""
    phase_number: int
    """1-based."""
    context_from_previous: dict[str, Any] = Field(default_factory=dict)
    """Outputs of the phases before it, by name."""


class PhaseCompleted(EventBase):
    """A domain phase finished."""

    type: Literal["phase_completed"] = "phase_completed"
    domain: str
    """The domain's name in the vocabulary."""
    outputs: dict[str, Any] = Field(default_factory=dict)
    """By name: what it declares, and `created_TYPES`."""


class ContextMapped(EventBase):
    """Outputs of an earlier phase became inputs of this one."""

    type: Literal["context_mapped"] = "context_mapped"
    mappings: list[dict[str, Any]] = Field(default_factory=list)
    """`{from, to, value}` each."""


class Routed(EventBase):
    """A domain router resolved the intent to a target."""

    type: Literal["routed"] = "routed"
    router: str
    """`routers/{name}` of the domain; empty where the domain has none, and for a plan."""
    target: str | None = None
    """`playbooks/x` or `primitives/y`; None where it is left open."""
    mode: str
    """`playbook`, `guided` or `reference`."""
    confidence: float = 1.0
    """0 to 1; 1 where a person named the target."""
    alternatives: list[str] = Field(default_factory=list)
    """Other targets, best first."""
    not_covered: list[str] | None = None
    """Added: wishes that the answer does not meet, in the person's words; a person has to know."""
    limits: list[str] | None = None
    """Added: what must not be done, in the person's words."""


class RoutingAmbiguous(EventBase):
    """The intent is unclear; a person is asked."""

    type: Literal["routing_ambiguous"] = "routing_ambiguous"
    top_candidates: list[dict[str, Any]] = Field(default_factory=list)
    """`{target, mode, domain, confidence}`, best first."""
    clarification_options: list[Option] = Field(default_factory=list)
    """What a person may answer: one for each candidate and ways out."""


class Rerouted(EventBase):
    """Requirements changed and the thread goes on with another target."""

    model_config = ConfigDict(populate_by_name=True)

    type: Literal["rerouted"] = "rerouted"
    reason: str
    """Why, in the person's words."""
    from_: str = Field(alias="from")
    """The target that is given up (`from` in the file)."""
    to: str
    """The target that takes its place."""


class PlanProposed(EventBase):
    """A guided plan waits for approval."""

    type: Literal["plan_proposed"] = "plan_proposed"
    goal: str = ""
    """What it is for, in the person's words."""
    steps: list[PlannedStep] = Field(default_factory=list)
    """In order, their values filled in."""
    primitives: list[str] = Field(default_factory=list)
    """Names of the primitives that it rests on."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""
    redoing: Redoing | None = None
    """Added: which steps that are done already it does again; None where it does none."""


class PlanRejected(EventBase):
    """A guided plan broke a guardrail."""

    type: Literal["plan_rejected"] = "plan_rejected"
    reason: str
    """The guardrail, in one word, such as `complexity_exceeded`."""
    message: str = ""
    """What broke it, for people."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""


class PlanApproved(EventBase):
    """A person approved a plan."""

    type: Literal["plan_approved"] = "plan_approved"
    modifications: dict[str, Any] | None = None
    """What a person changed of the first proposal; None where nothing."""
    redoing: Redoing | None = None
    """Added: which steps that are done already are done again; None in older threads, too."""


class StepPlanned(EventBase):
    """Dry run: what a step would do."""

    type: Literal["step_planned"] = "step_planned"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    action: str
    """The step's title, and what a person should know of it, such as why it would be skipped."""
    would_execute: list[str] = Field(default_factory=list)
    """SQL as it would be sent, in order."""
    foreseen: Foreseen | None = None
    """Added: the same with the roles, as an approval of the dry run lets it through."""
    would_create: list[CreatedObject] = Field(default_factory=list)
    """Objects that would be new."""
    would_modify: list[ModifiedObject] = Field(default_factory=list)
    """Added: the objects whose rows it would change, and how many."""
    estimated_duration: str = ""
    """A range with its basis, for people."""


class DryRunSummary(EventBase):
    """Dry run: the whole impact, and what to do next."""

    type: Literal["dry_run_summary"] = "dry_run_summary"
    would_create: dict[str, Any] = Field(default_factory=dict)
    """Object type, plural, to a count; `objects` lists them."""
    would_modify: dict[str, Any] = Field(default_factory=dict)
    """Object type, plural, to a count; `objects` lists them."""
    would_drop: dict[str, Any] = Field(default_factory=dict)
    """Added: a drop is what a person most needs to see."""
    estimated_duration: str = ""
    """A range with its basis, for people."""
    estimated_compute: str = ""
    """Credits, a range with its basis, for people."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""


class StalenessWarning(EventBase):
    """A primitive has not been reviewed within the threshold."""

    type: Literal["staleness_warning"] = "staleness_warning"
    primitive: str
    """Its bare name."""
    last_reviewed: str
    """ISO date, as the file says it."""
    days_stale: int
    """Days since then."""
    message: str = ""
    """What it means, for people."""
    options: list[Option] = Field(default_factory=list)
    """What may be answered."""


class ValidationError(EventBase):
    """The library is invalid."""

    type: Literal["validation_error"] = "validation_error"
    check: str
    """Code of the finding, or a word: `missing_reference`, `domain_cycle`."""
    message: str
    """What is wrong and where."""
    resolution: str = ""
    """How to repair it; empty where nobody knows."""
