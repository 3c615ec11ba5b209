"""Protocols: everything the pure rooms need from the world, as the core sees it.

Room: contracts. `commands.wiring` is the only place that knows the implementations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext, Event
    from skills_nb.model.library import Library
    from skills_nb.model.routes import Route


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> str:
        """Return the present instant in UTC as `2026-02-22T10:00:00.000000Z`."""
        ...

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start, for durations."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class IdSource(Protocol):
    """The only source of new identifiers."""

    def thread_id(self) -> str:
        """Return a new thread id, `thr_` and twelve hex digits."""
        ...

    def event_id(self) -> str:
        """Return a new event id, unique everywhere."""
        ...


class Wire(Protocol):
    """A Snowflake account as the connector sees it: REST requests in, JSON documents out."""

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request; errors are answers with `success: false`, never exceptions."""
        ...


@dataclass(frozen=True, slots=True)
class QueryRows:
    """A read-only query's answer; values are JSON-safe."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    row_count: int
    """All rows of the answer, also those that were cut from `rows`."""
    query_id: str = ""


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """A mutating statement that succeeded."""

    query_id: str
    row_count: int | None
    """Rows inserted, updated or deleted; None for DDL."""
    duration_s: float


@dataclass(frozen=True, slots=True)
class Fate:
    """What the account's history knows of a statement. Source: THREADS, Crash window."""

    status: Literal["succeeded", "failed", "running", "absent", "unknown"]
    query_id: str = ""
    row_count: int | None = None
    duration_s: float = 0.0
    error: str = ""
    errno: int | None = None
    sqlstate: str | None = None


class SqlReader(Protocol):
    """An account that is asked, one query at a time."""

    def context(self) -> AccountContext:
        """Return where and as whom the session works, read afresh."""
        ...

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement, as `role` if given.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def close(self) -> None:
        """End the session."""
        ...


class SqlSession(SqlReader, Protocol):
    """An account that statements are sent to, one at a time."""

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account, tagged for the query history.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement like `execute` and return its query id while it runs.

        Its `outcome` is asked for before anything else is sent.

        Raises:
            SqlError: the account did not take it.
        """
        ...

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def fate(self, tag: str, *, query_id: str | None = None) -> Fate:
        """Look a statement up in the query history by its tag."""
        ...


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """What the store's overview knows of a thread without folding it."""

    thread_id: str
    seq: int
    """Sequence number of its last event."""
    goal: str
    updated_at: str


class ThreadStore(Protocol):
    """Append-only threads with compare-and-swap. Source: THREADS, Store."""

    def append(self, thread_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Append events after `expected_seq`, all or none, durably; return the new head.

        The events carry `seq` expected_seq + 1, … already.

        Raises:
            ConflictError: the head is not `expected_seq`, or an effect key is taken.
            StoreError: the store cannot be written; nothing was appended.
        """
        ...

    def load(self, thread_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a sequence number, oldest first; empty for an unknown thread."""
        ...

    def heads(self) -> tuple[ThreadHead, ...]:
        """Return all threads, newest first."""
        ...

    def hold(self, thread_id: str) -> AbstractContextManager[bool]:
        """Hold the thread for this process; yields whether another process held it and died.

        Raises:
            ThreadError: a live process holds it.
        """
        ...

    def close(self) -> None:
        """Release files and connections."""
        ...


@dataclass(frozen=True, slots=True)
class CatalogDifference:
    """What separates two states of an account's catalog."""

    created: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn}` each."""
    modified: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn, changes: {property: [before, after]}}` each."""
    dropped: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn}` each."""


class RehearsalAccount(SqlReader, Protocol):
    """A shadow of the target account without rows, to run planned statements in."""

    @property
    def missing(self) -> Sequence[str]:
        """Return the qualified names of what the account has and the shadow cannot have."""
        ...

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a planned statement.

        Raises:
            SqlError: the account would refuse it.
        """
        ...

    def classified(self, table: str, *, role: str | None) -> QueryRows:
        """Return what SYSTEM$CLASSIFY would find in a table, by names and types alone.

        Raises:
            SqlError: the account would refuse it.
        """
        ...

    def difference(self) -> CatalogDifference:
        """Return what the statements so far changed."""
        ...

    def survey(self, scope: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return what the account held before, by object and property; values are JSON-safe.

        Args:
            scope: names; each stands for the object and everything inside it, `role NAME` for a
                role alone.
        """
        ...


class Rehearsal(Protocol):
    """Makes shadow accounts."""

    def shadow(self, session: SqlSession, scope: Sequence[str]) -> RehearsalAccount:
        """Return a shadow filled from the session's metadata for the named databases."""
        ...


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What a model is told to make a guided plan of."""

    goal: str
    pages: Mapping[str, Mapping[str, str]]
    """`primitives/{name}` to its sections, the nearest first; a step may name no other."""
    most_steps: int
    prohibited_actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldRequest:
    """An input that a model is asked to find in somebody's words."""

    name: str
    type: str
    description: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said, as a document that is checked before anybody relies on it."""

    document: Mapping[str, Any]
    """A plan is `{goal, steps: [{step, action, primitive, sql}]}`; inputs are `{name: value}`."""
    confidence: float | None = None
    cost: Mapping[str, Any] = field(default_factory=dict)
    """`{input_tokens, output_tokens, credits}`, as far as known."""


class Resolver(Protocol):
    """A model at the joints: it chooses and proposes, the deterministic part checks and decides."""

    @property
    def name(self) -> str:
        """Return what the model is called; it stands on the thread beside what it said."""
        ...

    def choose(self, question: str, options: Mapping[str, str]) -> ModelReply | None:
        """Return `{choice}`, one of the options (id and description), or None."""
        ...

    def fill(self, words: str, fields: Sequence[FieldRequest]) -> ModelReply | None:
        """Return the inputs that somebody's words tell, or None when they tell nothing."""
        ...

    def propose(self, request: PlanRequest) -> ModelReply | None:
        """Return a plan for a goal, or None when it has none."""
        ...


class Router(Protocol):
    """Resolves an intent; the routing room, bound to its library."""

    def __call__(self, intent: str, library: Library) -> Route:
        """Return the route."""
        ...


class ExampleRunner(Protocol):
    """Runs the examples of a primitive and reports which do not run, and why."""

    def run(self, examples: Sequence[str]) -> Sequence[str | None]:
        """Run one primitive's examples in order, in an account of their own.

        Returns:
            For each example None, or the error in one line.
        """
        ...


class Human(Protocol):
    """Whoever may answer a pause."""

    def is_present(self) -> bool:
        """Return whether a person is there to see a countdown."""
        ...


SOMEBODY = "human:local"
"""The actor of what a person does whom nobody named."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports that a thread's interpreter needs, filled by the composition root."""

    session: SqlSession
    store: ThreadStore
    clock: Clock
    ids: IdSource
    human: Human
    router: Router
    rehearsal: Rehearsal | None = None
    resolver: Resolver | None = None
    """None: everything is decided without a model."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Values of secret inputs, for this process only."""
    person: str = SOMEBODY
    """Who starts and answers threads here, as events name them; the default names nobody."""
