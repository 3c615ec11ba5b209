"""Effects: requests as data. `perform` does them, `preview` explains them.

Room: ground. Spec: ARCHITECTURE, The reducer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from skills_nb.model.events.durability import StatementKind
from skills_nb.model.events.union import Event
from skills_nb.model.events.values import AccountContext
from skills_nb.model.state import Pause, StatementRecord


@dataclass(frozen=True, slots=True)
class Record:
    """Append events; nothing happens outside."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ResolveIntent:
    """Route words to a target."""

    intent: str
    """What a person wants, in their words."""
    reroute_from: str | None = None
    """The target that is given up, where this is a re-routing."""
    tried: tuple[str, ...] = ()
    """Targets not to come back to."""
    domain: str | None = None
    """The phase of a chain that wants a target; None where the domains are open, too."""


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """Make a guided plan from what primitives say."""

    goal: str
    """What the plan is for, in the person's words."""
    primitives: tuple[str, ...]
    """`primitives/{name}`, the one that the words lead to first."""


@dataclass(frozen=True, slots=True)
class StartPlaybook:
    """Read the account's context and enter a playbook with the inputs that need no question."""

    playbook: str
    """Its name, without `playbooks/`."""
    mode: Literal["live", "dry_run"]
    """Whether its steps are done or only planned."""
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """Inputs that are known already, by name."""


EVERY_ROLE = "*"
"""In place of a role: a read that sees whatever any of the user's roles may see."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Run a read-only query and keep what it finds."""

    query: str
    """SQL as it is sent, its values filled in."""
    role: str | None = None
    """Role it runs as; the session's where None, all of them where `EVERY_ROLE`."""


@dataclass(frozen=True, slots=True)
class BeginStep:
    """Check that the session is where the playbook began, then start the step."""

    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    primitive: str | None
    """The first that the step refers to, bare name; None where it refers to none."""
    expected: AccountContext | None
    """Where the playbook began; None where nobody looked then."""


@dataclass(frozen=True, slots=True)
class RunStatement:
    """Send one statement: intent first, outcome after."""

    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    ordinal: int
    """1-based in its step, over all cycles; a compensation has that of what it undoes."""
    attempt: int
    """1-based."""
    sql: str
    """SQL as it is sent, its values filled in."""
    kind: StatementKind
    """Whether it may be sent a second time."""
    role: str | None
    """Role it runs as; the session's where None."""
    key: str
    """`THREAD:SEQ` of the `statement_started` it will write; also its query tag."""
    delay_s: float = 0.0
    """Waiting time before it, for a retry."""
    undoes: str | None = None
    """Key of the statement that it takes back, where it is a compensation."""


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Find out what became of a statement that was started and has no outcome."""

    statement: StatementRecord
    """The one that is open: its intent is on the thread, its outcome is not."""
    verify: str | None = None
    """The step's own read-only probe of its effect, rendered."""


@dataclass(frozen=True, slots=True)
class Rehearse:
    """Plan every step of the playbook on a shadow account."""

    playbook: str


@dataclass(frozen=True, slots=True)
class Survey:
    """Read again what a dry run rests on, as it was read then."""

    scope: tuple[str, ...]
    """Names whose objects matter."""


@dataclass(frozen=True, slots=True)
class Await:
    """Wait for an answer."""

    pause: Pause
    """What is asked, and what may be chosen."""
    auto_after_s: float | None = None
    """An `info` checkpoint approves itself after that many seconds."""


Effect: TypeAlias = (
    Record
    | ResolveIntent
    | DraftPlan
    | StartPlaybook
    | Probe
    | BeginStep
    | RunStatement
    | Reconcile
    | Rehearse
    | Survey
    | Await
)
