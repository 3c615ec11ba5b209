"""The thread as a whole: the playbook or plan that it goes through, its route, chain and cleanup.

Room: ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from skills_nb.model.events.core import CleanupExecuted
from skills_nb.model.events.navigation import DryRunSummary, PlannedStep, StepPlanned
from skills_nb.model.events.values import (
    AccountContext,
    Foreseen,
    OrphanedObject,
    Redoing,
    Untouched,
)
from skills_nb.model.skills import InputSpec
from skills_nb.model.state.grown import Grown
from skills_nb.model.state.pause import Pause
from skills_nb.model.state.records import Fact, StatementRecord, StepState

ThreadStatus = Literal["running", "paused", "completed", "failed"]
_EMPTY: Mapping[str, Any] = MappingProxyType({})


ON_SAMPLES = "on samples"
"""Value of the input `dry_run` that lets a dry run look at a sample of rows."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """A guided plan: what was drafted, and what people said to it."""

    goal: str
    """What it is for, in the person's words."""
    steps: tuple[PlannedStep, ...]
    """As drafted: their SQL is a template where the plan has inputs, and plain SQL otherwise."""
    inputs: tuple[InputSpec, ...] = ()
    """What it must know before its SQL can be filled in."""
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
    is_persons: bool = False
    """Whether a person wrote it, who named what it is about."""
    is_accepted: bool = False
    """Whether a person has just approved what was proposed last."""
    is_risk_accepted: bool = False
    """Whether a person accepts more steps than guided mode allows."""
    is_broken_down: bool = False
    """Whether it is proposed part by part."""
    place: tuple[str | None, str | None] | None = None
    """Database and schema that short names in it mean; None: nobody looked when it was given."""
    redoing: Redoing | None = None
    """Which steps that are done already the plan proposed last does again."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What an approval let a step send."""

    foreseen: Foreseen
    """The step as it was shown."""
    seq: int
    """The answer that let it through."""
    after: str | None = None
    """The step at whose checkpoint it was given; None: before the first step."""
    is_persons: bool = False
    """Whether a person saw it, and not only their word for all that is left."""
    is_confirmed: bool = False
    """Whether it needed a phrase."""
    is_rehearsed: bool = False
    """Whether a dry run showed what it does."""


@dataclass(frozen=True, slots=True)
class PlaybookRun:
    """The playbook that the thread is in."""

    playbook: str
    """Its name, without `playbooks/`."""
    mode: Literal["live", "dry_run"]
    """Whether its steps are done or only planned."""
    started_seq: int
    """Sequence number of its `playbook_started`."""
    inputs: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """JSON-safe values by input name."""
    inferred: frozenset[str] = frozenset()
    """Inputs that were worked out on the way, and that nobody gave."""
    context: AccountContext | None = None
    """Where the session stood when it began; None where nobody looked."""
    moves: Mapping[str, tuple[str | None, str | None]] = field(default_factory=lambda: _EMPTY)
    """Step id to the database and schema where it left the session, the last move last."""
    probed: bool = False
    """Whether its probes have run and nothing is left to confirm."""
    probed_seq: int = 0
    """When they ran last; 0 before."""
    blocked: bool = False
    """Whether they forbid to go on."""
    warnings: tuple[str, ...] = ()
    """Probe warnings not yet surfaced at a checkpoint."""
    warned: tuple[str, ...] = ()
    """All that the probes warned of when they ran last, surfaced or not."""
    steps: Mapping[str, StepState] = field(default_factory=lambda: _EMPTY)
    """By step id, in the order in which they were met."""
    approve_remaining: bool = False
    """Whether a person approved all that is left, critical checkpoints excepted."""
    planned: tuple[StepPlanned, ...] = ()
    """What a dry run said of each step, in order."""
    summary: DryRunSummary | None = None
    """What a dry run said of the whole; None before it did."""
    completed: bool = False
    """Whether all of its steps are finished."""
    plan: PlanState | None = None
    """What it goes through in guided mode, in place of a playbook of the library."""
    agreed: Mapping[str, Agreement] = field(default_factory=lambda: _EMPTY)
    """Step id to what was approved of it last."""
    redoing: Redoing | None = None
    """What the last change of an input, or of the account in a wait, brought about."""
    earlier: tuple[PlaybookRun, ...] = ()
    """The run as it stood before each change that let steps be done again, oldest first."""
    until_seq: int = 0
    """Of an earlier state: the event that ended it."""
    waited_seq: int = 0
    """When it last went on behind a wait, in which others may have worked; 0 before."""
    relooked: int = 0
    """How often nothing but numbers turned out behind a wait to have changed."""
    relooked_for: str = ""
    """What was said of it then: the same again, without an answer between, is nothing new."""
    relooked_seq: int = 0
    """When that was said last; 0 before."""
    relooked_alike: int = 0
    """How often the same was said in a row before that."""

    def step(self, step_id: str) -> StepState:
        """Return the step's state; a step not met yet is pending."""
        return self.steps.get(step_id) or StepState(step_id)


@dataclass(frozen=True, slots=True)
class RouteState:
    """What the intent resolved to."""

    router: str
    """`routers/{name}` of the domain; empty where the domain has none, and for a plan."""
    target: str | None
    """`playbooks/x` or `primitives/y`; None where it is left open."""
    mode: str
    """`playbook`, `guided` or `reference`."""
    confidence: float
    """0 to 1; 1 where a person named the target."""
    alternatives: tuple[str, ...] = ()
    """Other targets, best first."""


@dataclass(frozen=True, slots=True)
class PhaseState:
    """One domain's part of a chain."""

    domain: str
    """The domain's name in the vocabulary."""
    words: str
    """What it is routed by."""
    part: str = ""
    """What of these words is about this domain; empty where that is open."""
    status: Literal["pending", "running", "completed"] = "pending"
    """One phase at most is running."""
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
    """What it hands to later phases, once it is completed."""

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
    """Why in this order, for people."""

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
    """A cleanup under way: because the thread is aborted, or before some of it is done again."""

    reason: str
    """Why, in the person's words or the engine's."""
    at_step: str | None = None
    """Step id; None where no step was under way."""
    then: Literal["end", "go_on"] = "end"
    """What follows it: an aborted thread ends, one whose inputs changed goes on."""
    steps: tuple[str, ...] | None = None
    """Steps of the present run whose work it is about; None: everything that the thread did."""
    since_seq: int = 0
    """The answer that asked for it: what is known of the account from before is out of date."""
    decision: Literal["undecided", "proposed", "cleanup", "keep"] = "undecided"
    """What a person said to the proposal."""
    detailed: bool = False
    """True where a person asked to see what was created."""
    reviewed_seq: int = 0
    """The answer that asked for it: what is known of the account from before is out of date."""
    proposed_seq: int = 0
    """Sequence number of its last proposal; 0 before."""
    began_seq: int = 0
    """Its first proposal: what it does may make more possible, which is proposed anew."""
    approved: tuple[str, ...] = ()
    """The statements that were proposed last: nothing else runs."""
    decided_seq: int = 0
    """The answer that let it begin; 0 before."""
    orphans: tuple[OrphanedObject, ...] = ()
    """What the thread made and would leave behind."""
    left_alone: tuple[Untouched, ...] = ()
    """What others have touched since, so that it is not taken back."""
    not_restorable: tuple[Untouched, ...] = ()
    """What cannot be brought back."""
    executed: bool = False
    """Whether it is over."""
    outcome: str = ""
    """`cleaned` or `partial`, once it is over; empty before."""
    failed: tuple[str, ...] = ()
    """What was refused when it was tried to be taken back, where the thread goes on."""


@dataclass(frozen=True)
class ThreadState:
    """The fold of a thread. Without slots, so that the state after an event is a copied dict."""

    thread_id: str = ""
    """Its key in the store."""
    seq: int = 0
    """Sequence number of the last event; 0 for an empty thread."""
    status: ThreadStatus = "running"
    """`failed` also where a person aborted it."""
    goal: str = ""
    """The person's words, or the target they named."""
    library_version: str = ""
    """Version and digest of the library that the thread was started with."""
    updated_at: str = ""
    """Time of the last event, UTC with `Z`."""
    given: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Inputs known before a playbook was."""
    dry_run: bool = False
    """Whether the next playbook starts as a dry run."""
    samples: bool = False
    """Whether a dry run may look at a sample of rows, to sharpen what it predicts."""
    route: RouteState | None = None
    """What the goal resolved to; None until it is routed."""
    sought: str = ""
    """What a plan is wanted for, where it is not the goal of the thread or its phase."""
    plan: PlanState | None = None
    """A guided plan that no run goes through yet."""
    rehearsed: Mapping[str, Mapping[str, Agreement]] = field(default_factory=lambda: _EMPTY)
    """Playbook, with the number of its phase, to what an approved dry run said of its steps."""
    run: PlaybookRun | None = None
    """The playbook or plan under way, or done last; None before the first."""
    past_runs: tuple[PlaybookRun, ...] = ()
    """Playbooks that were finished or given up, oldest first: what they did may be taken back."""
    pause: Pause | None = None
    """What it waits for; None while it can go on."""
    pause_count: Mapping[str, int] = field(default_factory=lambda: _EMPTY)
    """How often each pause was opened, by its plain name."""
    answered: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Pause name to the choice that ended it."""
    passed: tuple[tuple[str, str], ...] = ()
    """(step, text) of the checkpoints that went on by themselves since a person last answered."""
    facts: Grown[Fact] = field(default_factory=Grown)
    """What read-only queries found, oldest first."""
    statements: tuple[StatementRecord, ...] = ()
    """Every attempt at every statement, oldest first."""
    abort: AbortState | None = None
    """A cleanup under way; None where there is none."""
    aftermath: CleanupExecuted | None = None
    """What became of the last cleanup."""
    chain: ChainState | None = None
    """The domains that the goal goes through, where there are several."""
    reroute: str | None = None
    """Why another approach is wanted: the words to route by."""
    is_rerouted: bool = False
    """Whether what is given up for it has been said already."""
    tried: tuple[str, ...] = ()
    """Targets given up by re-routing."""
    questioned: str = ""
    """The words that the last question of what is meant was about; empty for the goal's."""
    turned_down: tuple[str, ...] = ()
    """Targets that somebody was offered for these words and did not mean."""
    not_covered: tuple[str, ...] = ()
    """Wishes that nothing of the thread meets, in the person's words."""
    limits: tuple[str, ...] = ()
    """What must not be done, in the person's words."""
    epoch: int = 0
    """How often it was taken over; 0 for never."""
    summary: str = ""
    """What was done, for people; empty before it is."""
    failure: str = ""
    """Why the thread failed."""
    story: tuple[str, ...] = ()
    """Types of its last events, oldest first: what a refusal tells."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing more can happen."""
        return self.status in ("completed", "failed")

    @property
    def was_stopped(self) -> bool:
        """Return whether it ended because somebody chose so, which is no failure."""
        chosen = self.answered.values()
        return self.status == "failed" and ("abort" in chosen or "different-approach" in chosen)

    @property
    def guided_plan(self) -> PlanState | None:
        """Return the plan that the thread is in, be it begun or not."""
        return self.run.plan if self.run is not None and self.run.plan else self.plan

    def after(self, **changed: Any) -> ThreadState:
        """Return the state with these fields changed, as `replace` does, in a tenth of its time.

        For what happens with every event of a thread; anything else is checked by `replace`.
        """
        made = object.__new__(ThreadState)
        made.__dict__.update(self.__dict__, **changed)
        return made

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
        """Return the playbook's run that sent a statement, be it the present one or a past one.

        A statement was sent with the inputs of its time: where they were changed since, the run
        comes as it stood before that.
        """
        known = (*self.past_runs, *((self.run,) if self.run is not None else ()))
        run = next((run for run in known if run.started_seq == record.run_seq), None)
        earlier = run.earlier if run is not None else ()
        return next((then for then in earlier if record.seq < then.until_seq), run)

    @property
    def open_statement(self) -> StatementRecord | None:
        """Return the statement that was started and has no outcome."""
        last = self.statements[-1] if self.statements else None
        return last if last is not None and last.status == "open" else None
