"""The account that is asked and that statements are sent to.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext


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
    """Names as the account gives them."""
    rows: tuple[tuple[Any, ...], ...]
    """In the order of the answer, at most as many as were asked for."""
    row_count: int
    """All rows of the answer, also those that were cut from `rows`."""
    query_id: str = ""
    """The account's; empty where it gave none."""
    types: tuple[str, ...] = ()
    """The columns' types, as the connector names them: FIXED, REAL, TEXT, DATE, …"""


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """A mutating statement that succeeded."""

    query_id: str
    """The account's; empty where it gave none."""
    row_count: int | None
    """Rows inserted, updated or deleted; None for DDL."""
    duration_s: float
    """Seconds from sending to the answer."""
    row_counts: Mapping[str, int] = field(default_factory=dict)
    """The account's counts by the names that it gives them, like `number of rows inserted`."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What the account's history knows of a statement. Source: THREADS, Crash window."""

    status: Literal["succeeded", "failed", "running", "absent", "unknown"]
    """`absent` where it surely did not run; `unknown` where nobody can tell."""
    query_id: str = ""
    """The account's; empty where none was found."""
    row_count: int | None = None
    """Rows inserted, updated or deleted; None where the history does not say."""
    duration_s: float = 0.0
    """Seconds it took; 0 while it runs, and where that is not known."""
    error: str = ""
    """What the account answered, or why nobody can tell; empty where it succeeded."""
    errno: int | None = None
    """Snowflake's number of a failure; None otherwise."""
    sqlstate: str | None = None
    """Five characters of a failure; None otherwise."""


class SqlReader(Protocol):
    """An account that is asked, one query at a time."""

    def context(self) -> AccountContext:
        """Return where and as whom the session works, read afresh."""
        ...

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement, as `role` if given, or with `EVERY_ROLE` of the user.

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

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history by its id, or by its tag where it has none.

        Args:
            tag: what it was sent with; what it runs inside has the same.
            query_id: its own, where the account told it.
            sql: its text, by which it is told from what it runs inside.
        """
        ...
