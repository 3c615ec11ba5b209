"""Picking: what an aggregate over protected records must not hold, since it could pick one of them.

Room: embedded. Pure. A condition, a function of a user's or a weight makes a sum tell one record,
whether it stands in the aggregate or in a query below it. Arithmetic is let through, but no product
of a column with itself or with another table's, from which weights are made.

See https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder.columns import WORKED
from skills_nb.embedded.types.scope import PICKED, PLAIN, REWORKED, OutColumn, Source

PREPARING = (
    exp.Column,
    exp.Identifier,
    exp.Literal,
    exp.Star,
    exp.Distinct,
    exp.Paren,
    exp.Neg,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.TryCast,
    exp.DataType,
    exp.DataTypeParam,
)
"""What may stand inside of an allowed aggregate: anything with a condition could pick one row."""


def check(aggregate: exp.Expr) -> None:
    """Refuse an aggregate whose argument could pick a record.

    Raises:
        SqlError: it reads what a query below made so, or multiplies what makes weights (3652).
    """
    if _level(aggregate) is PICKED:
        raise errors.aggregation_violated(_spelled(aggregate))


def worked(query: exp.Select, shown: tuple[OutColumn, ...]) -> list[OutColumn]:
    """Tell of each result of a query that does not aggregate how it is made.

    What a join puts side by side is not multiplied above it, either.
    """
    least = REWORKED if query.args.get("joins") or query.args.get("laterals") else PLAIN
    met: set[exp.Expr] = set()
    found: list[OutColumn] = []
    for projection, column in zip(query.expressions, shown, strict=True):
        value = projection.this
        level = _level(value) if _prepares(value) else PICKED
        made = value in met or not isinstance(value, exp.Column)
        level = max(level, REWORKED if made else least)
        met.add(value)
        found.append(replace(column, worked=level))
    return found


def _prepares(value: exp.Expr) -> bool:
    return all(isinstance(node, PREPARING) for node in value.walk())


def _level(value: exp.Expr) -> int:
    """Return how the columns of an expression are made, with what it makes of them."""
    level = max((c.args.get(WORKED, PLAIN) for c in value.find_all(exp.Column)), default=PLAIN)
    products = value.find_all(exp.Mul, exp.Div)
    return PICKED if any(_weighs(product) for product in products) else level


def _weighs(product: exp.Expr) -> bool:
    """Tell whether both factors hold columns that together could make a weight."""
    if isinstance(product, exp.Div) and _computes(product.expression):
        return True
    left, right = (list(side.find_all(exp.Column)) for side in (product.this, product.expression))
    if not (left and right):
        return False
    both = [*left, *right]
    again = {c.name for c in left} & {c.name for c in right}
    return bool(
        again or len({c.table for c in both}) > 1 or any(c.args.get(WORKED, PLAIN) for c in both)
    )


def _computes(value: exp.Expr) -> bool:
    """Tell whether an expression makes something of a column."""
    while isinstance(value, exp.Paren):
        value = value.this
    return not isinstance(value, exp.Column) and value.find(exp.Column) is not None


def made_by(call: exp.Expr, found: tuple[OutColumn, ...]) -> tuple[OutColumn, ...]:
    """Return the columns of a function that makes rows of each protected record."""
    given = [a.expression if isinstance(a, exp.Kwarg) else a for a in call.iter_expressions()]
    if not any(_computes(value) for value in given):
        return found
    return tuple(replace(column, worked=PICKED) for column in found)


def check_merged(merged: Iterable[str], sources: Iterable[Source]) -> None:
    """Refuse to join protected records by columns of which one is converted to the other's type.

    Raises:
        SqlError: a text is joined with something else, which fails where it is none (3652).
    """
    held = list(sources)
    for name in merged:
        columns = [column for source in held if (column := source.column(name)) is not None]
        kinds = {column.type.kind for column in columns if column.type is not None}
        if len(kinds) > 1 and "TEXT" in kinds:
            raise errors.aggregation_violated(f"USING ({name})")


def _spelled(value: exp.Expr) -> str:
    """Spell an aggregate the way it can be typed."""
    said = value.copy()
    for identifier in said.find_all(exp.Identifier):
        identifier.set("quoted", False)
    return str(said.sql("snowflake")).upper()
