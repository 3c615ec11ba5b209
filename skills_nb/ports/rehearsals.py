"""Shadow accounts, in which planned statements are tried.

Room: contracts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    pass
from skills_nb.ports.seen_rows import SeenRows
from skills_nb.ports.sessions import QueryRows, SqlReader, SqlSession, StatementOutcome


@dataclass(frozen=True, slots=True)
class CatalogDifference:
    """What separates two states of an account's catalog."""

    created: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn}` each."""
    modified: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn, changes: {property: [before, after]}}` each."""
    dropped: tuple[Mapping[str, Any], ...] = ()
    """`{type, name, fqn}` each."""


@dataclass(frozen=True, slots=True)
class InnerStatement:
    """A statement that ran inside another: in a block, a procedure, a task."""

    sql: str
    """As the block or procedure sent it."""
    row_count: int | None
    """Rows that it changed; None where that is not known."""
    database: str | None = None
    """What was current where it ran."""
    schema: str | None = None
    """The schema that was current there, without its database."""


@dataclass(frozen=True, slots=True)
class RehearsedOutcome(StatementOutcome):
    """A planned statement that succeeded on a shadow."""

    are_rows_known: bool = True
    """Whether the shadow had the rows of every table that the statement looked at."""
    inner: tuple[InnerStatement, ...] = ()
    """The statements that ran inside it, in their order."""


class RehearsalAccount(SqlReader, Protocol):
    """A shadow of the target account, to run planned statements in."""

    @property
    def missing(self) -> Sequence[str]:
        """Return the qualified names of what the account has and the shadow cannot have."""
        ...

    def execute(self, sql: str, *, role: str | None, tag: str) -> RehearsedOutcome:
        """Run a planned statement.

        Raises:
            SqlError: the account would refuse it.
        """
        ...

    def has_rows_of(self, name: Sequence[str]) -> bool:
        """Return whether the shadow holds a table's rows as they would be by now.

        Args:
            name: stored parts; a schema or database stands for every table in it.
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

    def access(self) -> Sequence[Mapping[str, Any]]:
        """Return for which roles and columns the statements so far change what is seen.

        Returns:
            For each table `{table, columns, roles: [{role, before, after}], rows}`, each value
            `clear`, `masked`, `no access` or `varies`; JSON-safe, and never a row.
        """
        ...

    def seen_rows(self, access: Sequence[Mapping[str, Any]]) -> Sequence[SeenRows]:
        """Return a few rows as roles see them before and after the statements so far.

        They are for the eyes of whoever plans, and no event may hold them. None is told that they
        could not read themselves by now, with the active role alone.

        Args:
            access: for which roles and columns something changes, as `access` tells it.
        """
        ...

    def lineage(self) -> Mapping[str, Any]:
        """Return what feeds the objects that the statements so far touch, and what they feed.

        Returns:
            `{nodes: [{name, type, fate}], edges: [[from, to]], more}`, JSON-safe; empty where
            nothing is fed by any of them.
        """
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


class ExampleRunner(Protocol):
    """Runs the examples of a primitive and reports which do not run, and why."""

    def run(self, examples: Sequence[str]) -> Sequence[str | None]:
        """Run one primitive's examples in order, in an account of their own.

        Returns:
            For each example None, or the error in one line.
        """
        ...
