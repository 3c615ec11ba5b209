"""What the parts of the rewrite ask of the walk that they are parts of.

Room: embedded.
"""

from __future__ import annotations

from typing import Protocol

from sqlglot import exp

from skills_nb.embedded.rewriter.requirements import Placeholder, Requirement
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.scope import Env, OutColumn, Source
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.values import Column


class Rewriter(Protocol):
    """The walk over the queries of one statement."""

    session: Context
    reads: dict[int, set[str]]
    """Numbers of the tables and views read, with the columns named."""
    judged: dict[tuple[str, ...], set[str]]
    """Columns that were named and judged, by the full name of the table, view or stream."""
    governed: bool
    """True once a policy took part: error texts must then hide values."""
    requirements: list[Requirement]
    """What must run before the query, by the number that its placeholders have."""
    draws: bool
    """True once a sequence is to give a number: reading the query changes it."""
    streams: dict[int, tuple[int, int]]
    """Streams read, with the instants from which and up to which."""
    constraints: dict[tuple[int, str], str]
    """What policies without arguments answered, by policy and invoker."""
    restricting: bool
    """True once a column was read that may not be projected."""

    def fresh(self, word: str) -> str:
        """Return a name that nothing else in the statement has."""
        ...

    def note_read(self, source: Source, column: str) -> None:
        """Remember that a column of a table or view was read, and that it was judged."""
        ...

    def rows_of(self, table: Table) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over rows that are at hand, and its columns."""
        ...

    def awaited_rows(
        self, requirement: Requirement, columns: tuple[Column, ...]
    ) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return what stands for rows that must be asked for, and their columns."""
        ...

    def awaited(self, requirement: Requirement, placeholder: Placeholder) -> Placeholder:
        """Note what must run first, and mark what stands for its answer until then."""
        ...

    def next_value(self, sequence: tuple[str, ...], env: Env) -> exp.Expr:
        """Return what stands for the next number of a sequence."""
        ...

    def mark_of(self, *values: exp.Expr) -> str:
        """Return what keeps expressions out of results; '' for nearly all statements."""
        ...

    def govern(self, query: exp.Expr, env: Env) -> tuple[OutColumn, ...]:
        """Rewrite a query in place and return its columns."""
        ...

    def expression(self, root: exp.Expr, env: Env, aliases: frozenset[str]) -> None:
        """Resolve names and govern subqueries below `root`, which itself stays in place."""
        ...
