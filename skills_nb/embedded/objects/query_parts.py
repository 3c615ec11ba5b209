"""Parts of a query that an object cannot be made of: whether it has one, in words.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

Parts = tuple[tuple[type[exp.Expr], str], ...]
"""Nodes of a query, and what each is called."""
OUTSIDE_OF_FROM = "a subquery outside of FROM"
_HOLDERS = (exp.From, exp.Join, exp.Subquery, exp.SetOperation, exp.CTE)
"""What a query in parentheses may stand in; anywhere else its answer is a value."""


def part_in(query: exp.Query, parts: Parts) -> str:
    """Name the first of these parts that a query has; empty for none."""
    return next((what for kind, what in parts if query.find(kind) is not None), "")


def reads_for_value(query: exp.Query) -> bool:
    """Tell whether a query in parentheses stands for a value; one around all of it does not."""
    return any(
        node.parent is not None and not isinstance(node.parent, _HOLDERS)
        for node in query.find_all(exp.Subquery)
    )
