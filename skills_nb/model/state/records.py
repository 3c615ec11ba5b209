"""What was found out and sent: facts, statements, steps.

Room: ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from skills_nb.model.events.core import EnvironmentProbed
from skills_nb.model.events.durability import StatementError, StatementKind
from skills_nb.model.events.values import CreatedObject, ModifiedObject

StepStatus = Literal["pending", "running", "done", "approved", "skipped"]
StatementStatus = Literal["open", "completed", "failed", "lost"]

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Fact:
    """What a read-only query found, or why it did not."""

    seq: int
    """Of the event that brought it."""
    query: str
    """SQL as it was sent."""
    role: str | None
    """Role it ran as; None for the session's."""
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
    """`THREAD:SEQ` of its `statement_started`; also its query tag."""
    seq: int
    """Sequence number of its `statement_started`."""
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    ordinal: int
    """1-based in its step, over all cycles; a compensation has that of what it undoes."""
    attempt: int
    """1-based."""
    sql: str
    """As it was sent."""
    kind: StatementKind
    """Whether it may be sent a second time."""
    role: str | None
    """Role it ran as; None for the session's."""
    run_seq: int = 0
    """Sequence number of the `playbook_started` that it belongs to; 0 outside of playbooks."""
    place: tuple[str | None, str | None] | None = None
    """Database and schema that its session stood in; None: where its playbook began."""
    undoes: str | None = None
    """Key of the statement that a compensation takes back."""
    status: StatementStatus = "open"
    """`open` until its outcome is on the thread."""
    end_seq: int = 0
    """Sequence number of its outcome; 0 while open."""
    query_id: str = ""
    """The account's; empty while it is not known."""
    row_count: int | None = None
    """Rows that it changed or read; None where the account counts none."""
    row_counts: Mapping[str, int] = field(default_factory=lambda: _EMPTY)
    """The account's counts by the names that it gives them."""
    error: StatementError | None = None
    """What the account answered where it refused; None otherwise."""
    recovered: bool = False
    """Whether its outcome was read from the query history after a crash."""


@dataclass(frozen=True, slots=True)
class StepState:
    """How far one step is."""

    id: str
    """Step id, as the playbook has it: `3`, `3b`."""
    status: StepStatus = "pending"
    """`done` is not yet approved: its checkpoint may still be open."""
    cycle: int = 0
    """How many times it was started: a modification starts it again."""
    started_seq: int = 0
    """Sequence number of its last `step_started`; 0 before."""
    ended_seq: int = 0
    """Sequence number of its last end, done or skipped; 0 before."""
    result: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Bound names and their values."""
    created: tuple[CreatedObject, ...] = ()
    """Objects that it made."""
    modified: tuple[ModifiedObject, ...] = ()
    """Objects whose rows it changed."""
    reason: str = ""
    """Why it was skipped."""
    failures: tuple[str, ...] = ()
    """Messages of `step_failed` since it last succeeded, oldest first."""
    failed_seq: int = 0
    """Sequence number of its last `step_failed`; 0 when resolved."""
    answered_seq: int = 0
    """The answer to what was asked before a statement of it: what is known from before is stale."""
    retry_from_seq: int = 0
    """Attempts before this event no longer count: a person said `retry`."""
    presented: int = 0
    """How many times its checkpoint was reached."""
