"""Effects: requests as data. `perform` does them, `preview` explains them.

Room: ground. Spec: ARCHITECTURE, The reducer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from skills_nb.model.events.core import AccountContext
from skills_nb.model.events.durability import StatementKind
from skills_nb.model.events.union import Event
from skills_nb.model.state import Pause, StatementRecord


@dataclass(frozen=True, slots=True)
class Record:
    """Append events; nothing happens outside."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ResolveIntent:
    """Route words to a target."""

    intent: str
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
    primitives: tuple[str, ...]
    """`primitives/{name}`, the one that the words lead to first."""


@dataclass(frozen=True, slots=True)
class StartPlaybook:
    """Read the account's context and enter a playbook with the inputs that need no question."""

    playbook: str
    mode: Literal["live", "dry_run"]
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Probe:
    """Run a read-only query and keep what it finds."""

    query: str
    role: str | None = None


@dataclass(frozen=True, slots=True)
class BeginStep:
    """Check that the session is where the playbook began, then start the step."""

    step: str
    primitive: str | None
    expected: AccountContext | None


@dataclass(frozen=True, slots=True)
class RunStatement:
    """Send one statement: intent first, outcome after."""

    step: str
    ordinal: int
    attempt: int
    sql: str
    kind: StatementKind
    role: str | None
    key: str
    """`THREAD:SEQ` of the `statement_started` it will write; also its query tag."""
    delay_s: float = 0.0
    """Waiting time before it, for a retry."""


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Find out what became of a statement that was started and has no outcome."""

    statement: StatementRecord
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
