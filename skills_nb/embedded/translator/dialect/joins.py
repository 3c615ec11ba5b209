"""Joins by closeness in time.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/constructs/asof-join
"""

from __future__ import annotations

from sqlglot import exp


def as_of(node: exp.Expr) -> exp.Expr:
    """Write MATCH_CONDITION as DuckDB does: the inequality among the conditions."""
    condition = node.args.get("match_condition")
    if node.args.get("method") != "ASOF" or condition is None:
        return node
    on = node.args.get("on")
    both = condition.copy() if on is None else exp.And(this=on.copy(), expression=condition.copy())
    return exp.Join(this=node.this.copy(), method="ASOF", side="LEFT", on=both)
