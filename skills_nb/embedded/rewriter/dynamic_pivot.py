"""Spreading: a PIVOT whose values the data tells, asked before the query itself runs.

Room: embedded. The question is a query like any other: governed for the same role.

See https://docs.snowflake.com/en/sql-reference/constructs/pivot (dynamic pivot)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar import pivots

Ask = Callable[[exp.Query], Sequence[tuple[Any, ...]]]


def settle(tree: exp.Query, ask: Ask) -> exp.Query:
    """Put the values found into each such PIVOT, and write it out.

    Raises:
        SqlError: there is no value to make a column of (1014).
    """
    held = exp.Paren(this=tree)
    for pivot in reversed(pivots.dynamic(held)):
        field, table = pivot.args["fields"][0], pivot.parent
        assert table is not None
        values = [row[0] for row in ask(pivots.question(pivot))]
        if not values:
            raise errors.invalid_argument("PIVOT found no values to spread")
        field.set("expressions", [_constant(value) for value in values])
        if pivots.is_known(table):
            table.replace(pivots.written_out(table))
    made: exp.Query = held.this
    return made


def _constant(value: Any) -> exp.Expr:
    match value:
        case None:
            return exp.null()
        case bool():
            return exp.true() if value else exp.false()
        case int() | Decimal() | float():
            return exp.Literal.number(str(value))
        case date():
            return exp.PivotAlias(
                this=exp.Literal.string(value.isoformat()), alias=exp.Literal.string(f"'{value}'")
            )
        case _:
            return exp.Literal.string(str(value))
