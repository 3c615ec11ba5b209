"""What a query that names itself may say.

Room: embedded. Pure. DuckDB takes more, and makes other rows or other values of it.

See https://docs.snowflake.com/en/sql-reference/constructs/with
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.scope import OutColumn

_WHERE = "in a recursive common table expression"
_CLAUSES = {"group": "GROUP BY", "order": "ORDER BY", "limit": "LIMIT", "distinct": "DISTINCT"}


def check(query: exp.SetOperation) -> None:
    """Refuse what only other systems take.

    Raises:
        SqlError: rows are united without ALL, or the recursive clause groups, orders, limits or
            aggregates (0A000).
    """
    if not isinstance(query, exp.Union) or query.args.get("distinct"):
        raise errors.unsupported(f"UNION without ALL {_WHERE}")
    for select in _selects(query.right):
        for clause, said in _CLAUSES.items():
            if select.args.get(clause) is not None:
                raise errors.unsupported(f"{said} {_WHERE}")
        for node in _own(select):
            if isinstance(node, (exp.AggFunc, exp.Window)):
                raise errors.unsupported(f"an aggregate or window function {_WHERE}")


def check_types(anchor: Sequence[OutColumn], again: Sequence[OutColumn]) -> None:
    """Refuse a clause whose values would be changed to fit the anchor's column.

    Raises:
        SqlError: a column of the recursive clause has another type (0A000).
    """
    for first, later in zip(anchor, again, strict=False):
        if not _fits(first.type, later.type):
            raise errors.unsupported(f"another type of column {first.name} {_WHERE}")


def _fits(first: SfType | None, later: SfType | None) -> bool:
    if first is None or later is None:
        return True
    if first.kind == later.kind == "FIXED":
        return (later.scale or 0) <= (first.scale or 0)
    return first.kind == later.kind or first.kind in ("TEXT", "VARIANT")


def _selects(query: exp.Expr) -> Iterator[exp.Select]:
    if isinstance(query, exp.Subquery):
        yield from _selects(query.this)
    elif isinstance(query, exp.SetOperation):
        yield from _selects(query.left)
        yield from _selects(query.right)
    elif isinstance(query, exp.Select):
        yield query


def _own(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield what stands in a query and in none of its subqueries."""
    yield from select.walk(prune=lambda node: node is not select and isinstance(node, exp.Query))
