"""Refresh modes: what a dynamic table asks for, and which queries may ask for it.

Room: embedded. In any mode this account computes the whole query at each refresh, so the mode tells
what is shown, and what Snowflake would refuse.

See https://docs.snowflake.com/en/user-guide/dynamic-tables/supported-queries
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.objects.query_parts import (
    OUTSIDE_OF_FROM,
    Parts,
    part_in,
    reads_for_value,
)
from skills_nb.embedded.parser import parsing

MODES = ("AUTO", "FULL", "INCREMENTAL", "ADAPTIVE")
"""What REFRESH_MODE takes; the first is its default."""
_INCREMENTAL = ("INCREMENTAL", "ADAPTIVE")
_SESSION = "a function that asks for the session"
_RANDOM = "a nondeterministic function"
_KEPT_OUT: Parts = (
    (exp.Except, "EXCEPT"),
    (exp.Intersect, "INTERSECT"),
    (exp.Limit, "LIMIT"),
    (exp.Fetch, "FETCH"),
    (exp.Rollup, "GROUP BY ROLLUP"),
    (exp.Cube, "GROUP BY CUBE"),
    (exp.GroupingSets, "GROUP BY GROUPING SETS"),
    (exp.TableSample, "SAMPLE"),
    (exp.Exists, OUTSIDE_OF_FROM),
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
    if what := part_in(tree, _KEPT_OUT):
        raise errors.not_incremental(what)
    if reads_for_value(tree):
        raise errors.not_incremental(OUTSIDE_OF_FROM)
    if any(made.args.get("recursive") for made in tree.find_all(exp.With)):
        raise errors.not_incremental("WITH RECURSIVE")
