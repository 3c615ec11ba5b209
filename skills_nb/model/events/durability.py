"""Events beyond the specification's tables; each says why it exists.

Room: ground. Source: FORMATS, Threads.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from skills_nb.model.events.envelope import EventBase, Frozen

StatementKind = Literal["read", "repeatable", "once", "recovery", "compensation"]
"""`recovery` and `compensation` are written so that a second run does no harm."""


class StatementError(Frozen):
    """An account's answer to a statement it refused."""

    text: str
    """The account's message, secrets redacted."""
    errno: int | None = None
    """Snowflake's number, such as 2003; None where it gave none."""
    sqlstate: str | None = None
    """Five characters, such as `42S02`; None where the account gave none."""


class ThreadStarted(EventBase):
    """A thread begins; added because that is before any playbook is known."""

    type: Literal["thread_started"] = "thread_started"
    goal: str
    """The person's words, or the target they named."""
    library_version: str = ""
    """Version and digest of the library that the thread was started with."""


class StatementStarted(EventBase):
    """A statement is about to be sent; added so that a crash cannot hide it."""

    type: Literal["statement_started"] = "statement_started"
    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    ordinal: int
    """1-based in its step, over all cycles; a compensation has that of what it undoes."""
    attempt: int = 1
    """1-based; a retry is the next one."""
    sql: str
    """As it is sent."""
    kind: StatementKind
    """Whether it may be sent a second time."""
    role: str | None = None
    """Role it runs as; the session's where None."""
    undoes: str | None = None
    """Effect key of the statement that a compensation takes back."""


class StatementSubmitted(EventBase):
    """The account gave a slow statement its query id; added to find it again."""

    type: Literal["statement_submitted"] = "statement_submitted"
    query_id: str


class StatementCompleted(EventBase):
    """A statement succeeded; added as the other half of `statement_started`."""

    type: Literal["statement_completed"] = "statement_completed"
    query_id: str = ""
    """The account's; empty where it gave none."""
    row_count: int | None = None
    """Rows inserted, updated or deleted, or read; None where the account counts none."""
    row_counts: dict[str, int] = Field(default_factory=dict)
    """The account's counts by the names that it gives them, like `number of rows inserted`."""
    duration_s: float = 0.0
    """Seconds from sending to the answer; 0 where that is not known."""
    recovered: bool = False
    """True where the outcome was read from the query history after a crash."""


class StatementFailed(EventBase):
    """A statement was refused; added as the other half of `statement_started`."""

    type: Literal["statement_failed"] = "statement_failed"
    error: StatementError


class StatementLost(EventBase):
    """A started statement is proven not to have run; added so that it may be sent again."""

    type: Literal["statement_lost"] = "statement_lost"


class ThreadTakenOver(EventBase):
    """Another process goes on with the thread of a dead one; added so that a zombie conflicts."""

    type: Literal["thread_taken_over"] = "thread_taken_over"
    epoch: int
    """How often the thread has been taken over, this time included."""


class ModelAnswered(EventBase):
    """A model chose at a joint; added so that its part is on record."""

    type: Literal["model_answered"] = "model_answered"
    joint: str
    """What was asked: where a thread may ask a model."""
    model: str
    """As its provider names it."""
    answer: Any = None
    """The document that it gave; None where it gave none that could be used."""
    confidence: float | None = None
    """0 to 1, in its own estimation; None where it gave none."""
    cost: dict[str, Any] = Field(default_factory=dict)
    """`{input_tokens, output_tokens, credits}`, as far as known."""
