"""What a function may take of a session where it needs no more: its names, its roles, its rows.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sqlglot import exp

from skills_nb.embedded.catalog.entities import Kind, UserDetail
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.session_state import Frame
from skills_nb.embedded.types.scope import Env, OutColumn
from skills_nb.embedded.types.values import Column


class Names(Protocol):
    """How a session completes names."""

    frame: Frame
    """As whom and where the session works."""

    @property
    def role(self) -> str | None:
        """Return the primary role."""
        ...

    @property
    def warehouse(self) -> str | None:
        """Return the current warehouse."""
        ...

    @property
    def database(self) -> str | None:
        """Return the current database."""
        ...

    @property
    def schema(self) -> str | None:
        """Return the current schema."""
        ...

    def env(self) -> Env:
        """Return the environment of a statement that the user typed."""
        ...

    def qualify(self, path: tuple[str, ...], env: Env | None = None) -> tuple[str, ...]:
        """Complete the name of an object that lives in a schema."""
        ...

    def qualify_as(self, kind: Kind, path: tuple[str, ...]) -> tuple[str, ...]:
        """Complete the name of an object of this kind."""
        ...


class Roles(Protocol):
    """As whom a session works."""

    user_id: int

    @property
    def user(self) -> str:
        """Return the user's name."""
        ...

    def available_roles(self) -> frozenset[str]:
        """Return every role the user may take on."""
        ...

    def active_roles(self) -> frozenset[str]:
        """Return primary and secondary roles with everything they inherit."""
        ...

    def secondary_role_names(self) -> frozenset[str]:
        """Return the roles that secondary roles add, without what they inherit."""
        ...

    def primary_roles(self) -> frozenset[str]:
        """Return the primary role with everything it inherits: what CREATE goes by."""
        ...

    def user_detail(self) -> UserDetail:
        """Return the user's entry."""
        ...


class Rows(Protocol):
    """The session's way to stored rows."""

    moment: int
    """Instant of the statement, in microseconds."""

    @property
    def cursor(self) -> Connection:
        """Return the connection to the rows, inside of a transaction."""
        ...

    @property
    def stamp(self) -> int:
        """Return the instant that changes carry."""
        ...

    def run(self, statement: DuckSql, values: list[Any] | None = None) -> Connection:
        """Run a changing DuckDB statement in the session's transaction."""
        ...

    def as_query(
        self, columns: tuple[Column, ...], rows: Sequence[tuple[Any, ...]]
    ) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over rows that are at hand."""
        ...
