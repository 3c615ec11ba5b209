"""Scopes: what names mean at one place of a query.

Room: embedded. Values only; `query` and `columns` work on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types.asked import ALL, Asked
from skills_nb.embedded.types.data_types import SfType


@dataclass(frozen=True, slots=True)
class OutColumn:
    """A column that a source offers or a query yields."""

    name: str
    """Stored name; may stand twice."""
    type: SfType | None = None
    """None where only DuckDB knows."""
    nullable: bool = True
    """False only where it is certain."""
    certain: bool = False
    """Whether a query's expression can never be NULL, which a table made of it need not say."""
    restricted: str = ""
    """FAIL or NULLIFY where a projection policy keeps the values out of results."""
    worked: int = 0
    """Under an aggregation policy: `PLAIN`, `REWORKED` or `PICKED`."""
    least: int | None = None
    """Of a guard, which numbers records under an aggregation policy: how many a group needs."""


@dataclass(frozen=True, slots=True)
class Source:
    """One item of a FROM clause."""

    alias: str
    """Stored name by which columns refer to it; empty where it has none."""
    columns: tuple[OutColumn, ...]
    """In the order of `*`."""
    path: tuple[str, ...] = ()
    """Full name of the table or view, for references like `db.schema.table.column`."""
    hidden: frozenset[str] = frozenset()
    """Columns that `*` leaves out, because USING or NATURAL merged them."""
    keys: tuple[str, ...] = ()
    """What USING or NATURAL merged of it with the sources before it, in the order of `*`."""
    side: str = ""
    """How it was joined: RIGHT and FULL take the keys of `keys` from it."""
    qualified: frozenset[str] = frozenset()
    """Columns beside which what is sent must name it, since DuckDB finds them elsewhere, too."""
    sent_as: Mapping[str, str] = field(default_factory=dict)
    """How DuckDB knows columns that differ from others of the source only by case."""
    unlisted: frozenset[str] = frozenset()
    """Columns that `*` leaves out, because they tell about a file rather than its rows."""
    bound: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Of a policy's arguments: the table alias and stored column that each stands for."""

    def column(self, name: str) -> OutColumn | None:
        """Return the column of that stored name; guards have none that can be typed."""
        return next((c for c in self.columns if c.name == name and c.least is None), None)


class HeldRows(exp.Subquery):
    """A query over rows that the account itself put at hand; no text parses to it."""

    arg_types: ClassVar[dict[str, bool]] = {**exp.Subquery.arg_types, "found": True}


class ChangedTable(exp.Subquery):
    """Stands in FROM for the table that a statement changes; no text parses to it."""


@dataclass(frozen=True, slots=True)
class Env:
    """As whom and from where names are looked up."""

    roles: frozenset[str]
    """Roles whose privileges count: the caller's, or those of a view's or policy's owner."""
    invoker: str
    """What INVOKER_ROLE() answers."""
    database: str | None
    """What completes a name without one; None for none."""
    schema: str | None
    """What completes a name without one; None for none."""
    ctes: Mapping[str, tuple[OutColumn, ...]] = field(default_factory=dict)
    """Names of WITH that are in sight, each with its columns."""
    outer: tuple[tuple[Source, ...], ...] = ()
    """Sources of the enclosing queries, innermost first."""
    depth: int = 0
    """How many views and policies enclose this place."""
    moment: int | None = None
    """Instant, in microseconds, as of which tables are read; None for now."""
    changes: tuple[bool, int, int] | None = None
    """Of CHANGES: whether only additions, and the instants between which."""
    trail: tuple[int, ...] = ()
    """Numbers of the policies being applied, to stop one that reads what it protects."""
    subject: str | None = None
    """Database of the table whose policy is being applied; None outside of policies."""
    share: str | None = None
    """Share through which a consumer reads; inside, there is neither role nor user."""
    asked: Asked = ALL
    """Of the view of the system that is being read: what its query can need."""

    def inside(self, sources: tuple[Source, ...]) -> Env:
        """Return the environment of a subquery that sees these sources from outside."""
        return replace(self, outer=(sources, *self.outer))

    @property
    def nearest(self) -> tuple[Source, ...]:
        """The sources of the query that this place stands in."""
        return self.outer[0] if self.outer else ()

    def with_cte(self, name: str, columns: tuple[OutColumn, ...]) -> Env:
        """Return the environment in which one more CTE is known."""
        return replace(self, ctes={**self.ctes, name: columns})


PLAIN, REWORKED, PICKED = 0, 1, 2
"""A column as it is; arithmetic of columns, which is not multiplied again; what an aggregate must
not hold, since it could pick one record."""
GUARD = "__guard_"
"""How the names of guards begin."""
NUMBERED = "input"
"""The word of names under which sources number their rows for a table function."""
FAIL = "FAIL"
NULLIFY = "NULLIFY"


def stricter(marks: Iterable[str]) -> str:
    """Return the mark that wins: a value that fails anywhere fails."""
    met = set(marks)
    return FAIL if FAIL in met else NULLIFY if NULLIFY in met else ""


def guards(found: Iterable[OutColumn]) -> tuple[OutColumn, ...]:
    """Return the columns that number records under an aggregation policy."""
    return tuple(c for c in found if c.least is not None)


def visible(found: Iterable[OutColumn]) -> tuple[OutColumn, ...]:
    """Return the columns that a query may name."""
    return tuple(c for c in found if c.least is None)


def told_apart(found: Iterable[OutColumn]) -> dict[str, str]:
    """Return other names for columns that differ from an earlier one only by case."""
    met: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for column in found:
        first = met.setdefault(column.name.casefold(), column.name)
        if first != column.name:
            renamed.setdefault(column.name, f"{column.name}~{len(renamed) + 2}")
    return renamed


def differs_by_case(name: str, others: Iterable[str]) -> bool:
    """Tell whether DuckDB takes a name for one of the others although it is another."""
    return any(one != name and one.casefold() == name.casefold() for one in others)


def rename(found: tuple[OutColumn, ...], listed: tuple[str, ...]) -> tuple[OutColumn, ...]:
    """Give columns the names of an alias list, which must have one name a column; guards stay.

    Raises:
        SqlError: the list is longer or shorter than the columns (2020).
    """
    if not listed:
        return found
    shown = visible(found)
    if len(listed) != len(shown):
        raise errors.wrong_count(
            f"Invalid column definition list: expected {len(shown)} columns, got {len(listed)}"
        )
    renamed = (replace(c, name=n) for c, n in zip(shown, listed, strict=True))
    return (*renamed, *guards(found))
