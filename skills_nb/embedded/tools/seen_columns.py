"""Which role sees which columns clear, masked or not at all, in one state of the catalog.

Room: embedded. A mask is judged by what it makes of one value, in a session of the role alone. What
depends on the row, on rows elsewhere or on a tag is not guessed: it varies.
Source: Snowflake manual, "Understanding masking policies", "Access control privileges".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded.authorizer import name_resolution, role_inheritance
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
)
from skills_nb.embedded.catalog.protection import Protection, protection_of
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.types.data_types import SfType

CLEAR, MASKED, NO_ACCESS, VARIES = "clear", "masked", "no access", "varies"

_SAMPLES = {
    "REAL": "1234.5",
    "TEXT": "sample-value@example.com",
    "BOOLEAN": "true",
    "DATE": "1987-06-05",
    "TIME": "11:22:33",
}
"""A value of each kind of type that a mask would change, if it masks at all."""


class Onlooker:
    """Tells what roles see in one account, whose rows are not needed."""

    def __init__(self, account: Account, user: str) -> None:
        """Enter the account; `close` leaves it."""
        self.catalog: Catalog = account.catalog
        self._session = account.session(user)
        self._known: dict[tuple[int, str, str], str] = {}

    def close(self) -> None:
        """Leave the account."""
        self._session.close()

    def reads(self, entity: Entity, role: str) -> bool:
        """Return whether a role and those behind it may select from a table or view."""
        roles = role_inheritance.inherited(self.catalog, role)
        return name_resolution.is_usable(self._session, entity, "SELECT", roles)

    def sights(self, entity: Entity, role: str) -> Mapping[str, str]:
        """Return how a role sees each column of a table or view."""
        columns = columns_shown(entity.detail)
        if not self.reads(entity, role):
            return {column.name: NO_ACCESS for column in columns}
        guard = protection_of(self.catalog, entity)
        return {column.name: self._sight(guard, column, role) for column in columns}

    def row_policy(self, entity: Entity) -> str:
        """Return the name of the policy that decides on the rows; empty for none."""
        ref = protection_of(self.catalog, entity).rows
        policy = self.catalog.by_id(ref.policy_id) if ref is not None else None
        return ".".join(policy.path) if policy is not None else ""

    def _sight(self, guard: Protection, column: ColumnDef, role: str) -> str:
        if column.name in guard.projections:
            return VARIES
        ref = guard.masks.get(column.name)
        if ref is None:
            return CLEAR
        key = (ref.policy_id, column.type.kind, role)
        if key not in self._known:
            self._known[key] = self._through(ref, column.type, role)
        return self._known[key]

    def _through(self, ref: PolicyRef, of_type: SfType, role: str) -> str:
        """Return how one value comes out of a mask."""
        policy = self.catalog.by_id(ref.policy_id)
        detail = policy.detail if policy is not None else None
        sample = _sample(of_type)
        if not isinstance(detail, PolicyDetail) or sample is None:
            return VARIES
        query = _query(detail, sample)
        return VARIES if query is None else self._answer(query, role)

    def _answer(self, query: str, role: str) -> str:
        session = self._session
        session.frame = replace(session.frame, role=role, secondary_mode="NONE", borrowed=True)
        try:
            ((answer,),) = session.execute(query).rows
        except (SqlError, ValueError):
            return VARIES
        return CLEAR if answer else MASKED


def _sample(of_type: SfType) -> str | None:
    """Return a value as text; None for a type of which none is known."""
    if of_type.kind == "FIXED":
        return "1234567"[: (of_type.precision or 38) - (of_type.scale or 0)] or None
    if of_type.kind.startswith("TIMESTAMP"):
        return "1987-06-05 11:22:33"
    return _SAMPLES.get(of_type.kind)


def _query(detail: PolicyDetail, sample: str) -> str | None:
    """Return a query whether a mask leaves one value as it is; None where more decides on it."""
    first, *others = detail.arguments
    try:
        body = parse_query(f"SELECT {detail.body}").expressions[0]
    except SqlError:
        return None
    if body.find(exp.Select) is not None or others:
        return None
    value = exp.cast(exp.Literal.string(sample), first.type.sql, dialect="snowflake")
    named = exp.to_identifier(first.name, quoted=True)
    inner = exp.Select(expressions=[exp.alias_(value, named)])
    same = exp.NullSafeEQ(this=exp.Paren(this=body), expression=exp.Column(this=named.copy()))
    query = exp.Select(expressions=[same]).from_(inner.subquery())
    return str(query.sql(dialect="snowflake"))


def tables_in(catalog: Catalog) -> Iterator[Entity]:
    """Yield the tables and views that stand."""
    for entity in catalog.within(Kind.TABLE):
        if entity.dropped_on is None and columns_shown(entity.detail):
            yield entity
