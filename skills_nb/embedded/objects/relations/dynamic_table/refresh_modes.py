"""Refresh modes: what a dynamic table asks for, and which queries may ask for it.

Room: embedded. In any mode this account computes the whole query at each refresh, so the mode tells
what is shown, and what Snowflake would refuse.

See https://docs.snowflake.com/en/user-guide/dynamic-tables/supported-queries
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser import parsing

MODES = ("AUTO", "FULL", "INCREMENTAL", "ADAPTIVE")
"""What REFRESH_MODE takes; the first is its default."""
_INCREMENTAL = ("INCREMENTAL", "ADAPTIVE")
_SESSION = "a function that asks for the session"
_RANDOM = "a nondeterministic function"
_KEPT_OUT: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Except, "EXCEPT"),
    (exp.Intersect, "INTERSECT"),
    (exp.Limit, "LIMIT"),
    (exp.Fetch, "FETCH"),
    (exp.Rollup, "GROUP BY ROLLUP"),
    (exp.Cube, "GROUP BY CUBE"),
    (exp.GroupingSets, "GROUP BY GROUPING SETS"),
    (exp.TableSample, "SAMPLE"),
    (exp.Exists, "a subquery outside of FROM"),
    (exp.PercentileCont, "PERCENTILE_CONT"),
    (exp.PercentileDisc, "PERCENTILE_DISC"),
    (exp.Median, "MEDIAN"),
    (exp.AnyValue, "ANY_VALUE"),
    *(
        (kind, _SESSION)
        for kind in (
            exp.CurrentAccount,
            exp.CurrentRegion,
            exp.CurrentRole,
            exp.CurrentUser,
            exp.CurrentWarehouse,
        )
    ),
    *((kind, _RANDOM) for kind in (exp.Rand, exp.Randn, exp.Randstr, exp.Uuid)),
    *((kind, "a sequence") for kind in (exp.Seq1, exp.Seq2, exp.Seq4, exp.Seq8)),
)
_HOLDERS = (exp.From, exp.Join, exp.Subquery, exp.SetOperation, exp.CTE)
"""What a query in parentheses may stand in; anywhere else its answer is a value."""


def shown(mode: str) -> str:
    """Return what SHOW says of a mode that was asked for."""
    return "FULL" if mode == "AUTO" else mode


def check(mode: str, query: str) -> None:
    """Refuse a query that cannot be refreshed as it asks.

    Raises:
        SqlError: it asks for what changed alone, and says what needs all rows (2711).
    """
    if mode not in _INCREMENTAL:
        return
    tree = parsing.parse_query(query)
    for kind, what in _KEPT_OUT:
        if tree.find(kind) is not None:
            raise errors.not_incremental(what)
    if any(_is_value(node) for node in tree.find_all(exp.Subquery)):
        raise errors.not_incremental("a subquery outside of FROM")
    if any(made.args.get("recursive") for made in tree.find_all(exp.With)):
        raise errors.not_incremental("WITH RECURSIVE")


def _is_value(node: exp.Subquery) -> bool:
    return node.parent is not None and not isinstance(node.parent, _HOLDERS)
