"""Requirements: what must run before a query can, asked for as values.

Room: embedded. Pure: the rewrite runs nothing. Where a query needs what only running tells, the
rewrite puts a placeholder of the right type and notes the requirement; the executor meets it and
puts the answer in its place, and leaves it alone where a query is only described, explained or
defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, TEXT, SfType
from skills_nb.embedded.types.inference import data_type
from skills_nb.embedded.types.scope import Env, OutColumn
from skills_nb.embedded.types.values import Column

Placeholder = TypeVar("Placeholder", bound=exp.Expr)
AWAITED = "awaited"
"""Argument of a placeholder: the number of the requirement; no text parses to it."""
Made = tuple[exp.Query, tuple[OutColumn, ...]]


class Purpose(Enum):
    """What a query is rewritten for."""

    RUN = "run"
    """It is a statement's own: what it asks for runs."""
    REFRESH = "refresh"
    """It is a stored text that runs again: it reads, and nothing else may run for it."""
    CONSTANT = "constant"
    """Its value decides how another query is read: nothing may change by asking for it."""
    DESCRIBE = "describe"
    """Its columns or its plan are asked for: nothing runs."""
    DEFINE = "define"
    """It is to be stored: nothing runs, and what would run something is refused."""


COLUMNS_ONLY = frozenset({Purpose.DESCRIBE, Purpose.DEFINE})
"""Purposes for which no rows are read."""


@dataclass(frozen=True, slots=True)
class ProcedureRows:
    """The rows of a stored procedure that stands in FROM."""

    call: str
    """The CALL that gives them."""
    columns: tuple[Column, ...]
    """What the procedure declares."""

    @property
    def title(self) -> str:
        """Name what may not stand in a definition."""
        return "procedures in FROM"


@dataclass(frozen=True, slots=True)
class SystemValue:
    """What a system function answers that does something, or waits."""

    call: exp.Anonymous
    """The call as it was written."""

    @property
    def title(self) -> str:
        """Name what may not stand in a definition."""
        return str(self.call.this).upper()


@dataclass(frozen=True, slots=True)
class Expectations:
    """Whether a table meets what is expected of it, measured now."""

    arguments: tuple[tuple[str, exp.Expr], ...]
    """The arguments of the table function, by name."""
    columns: tuple[Column, ...]
    """What the table function answers."""

    @property
    def title(self) -> str:
        """Name what may not stand in a definition."""
        return "SYSTEM$EVALUATE_DATA_QUALITY_EXPECTATIONS"


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows at hand, too many to stand in the query: DuckDB is to hold them meanwhile."""

    columns: tuple[Column, ...]
    """What the rows hold, in order."""
    rows: Sequence[tuple[Any, ...]]
    """One value for each column."""


Requirement = ProcedureRows | SystemValue | Expectations | StoredRows
Doing = ProcedureRows | SystemValue | Expectations
"""What runs something: nothing of it may stand in a definition."""


def refuse_within(env: Env, requirement: Doing) -> None:
    """Refuse inside of a view, function or policy what runs something.

    Raises:
        SqlError: the place is inside of one (0A000).
    """
    if env.depth:
        raise not_in_definitions(requirement)


def not_in_definitions(requirement: Doing) -> Exception:
    """Return the error of a definition that would run something."""
    return errors.unsupported(f"{requirement.title} inside of views, functions and policies")


def without_rows(columns: Sequence[Column]) -> exp.Select:
    """Return a query that has these columns and no rows."""
    return exp.select(*(_nothing(column) for column in columns)).where(exp.false(), copy=False)


def _nothing(column: Column) -> exp.Expr:
    kind = "JSON" if column.type.kind in SEMI_STRUCTURED else column.type.physical
    return exp.alias_(duck.cast(exp.null(), kind), column.name, quoted=True)


def without_value(kind: SfType = TEXT) -> exp.Cast:
    """Return a NULL of a type."""
    if kind.kind in SEMI_STRUCTURED:
        return exp.Cast(this=exp.null(), to=exp.DataType.build("json", dialect="duckdb"))
    return exp.Cast(this=exp.null(), to=data_type(kind).copy())
