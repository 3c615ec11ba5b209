"""Barriers: nothing of the surrounding query is tried on rows that a policy or a secure view hides.

Room: embedded. An error, a cast or a join's condition would tell of such a row. DuckDB moves
nothing below a LIMIT, however large it is.

See https://docs.snowflake.com/en/developer-guide/pushdown-optimization
"""

from __future__ import annotations

from sqlglot import exp

_ALL = 9_223_372_036_854_775_807


def raised(query: exp.Select) -> exp.Select:
    """Keep what reads a query, which has no LIMIT yet, from being moved into it."""
    query.set("limit", exp.Limit(expression=exp.Literal.number(_ALL)))
    return query
