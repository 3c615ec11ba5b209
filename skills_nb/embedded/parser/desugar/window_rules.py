"""Windows: which functions take an order and a frame, and what a frame may say.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-window-syntax
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors

_ORDERED = (
    exp.CumeDist,
    exp.DenseRank,
    exp.FirstValue,
    exp.Lag,
    exp.LastValue,
    exp.Lead,
    exp.NthValue,
    exp.Ntile,
    exp.PercentRank,
    exp.Rank,
    exp.RowNumber,
)
_UNORDERED: dict[type[exp.Expr], str] = {
    exp.GroupConcat: "LISTAGG",
    exp.HashAgg: "HASH_AGG",
    exp.Median: "MEDIAN",
    exp.PercentileCont: "PERCENTILE_CONT",
    exp.PercentileDisc: "PERCENTILE_DISC",
}
"""Functions over a whole partition, whose pages name neither ORDER BY nor frames."""
_BY_RANGE = (
    exp.ArrayAgg,
    exp.Avg,
    exp.Count,
    exp.CountIf,
    exp.FirstValue,
    exp.LastValue,
    exp.Max,
    exp.Min,
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
    exp.Sum,
    exp.Variance,
    exp.VariancePop,
)
"""Functions whose frame may be so far around the current row's value."""
_NAMED_BOUNDS = (None, "UNBOUNDED", "CURRENT ROW")


def check(window: exp.Window) -> None:
    """Refuse an order or a frame that the function does not take, and a rank in no order.

    Raises:
        SqlError: there is no order where one is needed (2303), the frame is of no kind that
            Snowflake knows (1003), or the function takes no such window (0A000).
    """
    function = _called(window)
    frame, ordered = window.args.get("spec"), window.args.get("order") is not None
    _check_words(frame)
    if not ordered and (frame is not None or isinstance(function, _ORDERED)):
        raise errors.unordered_window(name_of(function))
    if frame is not None and name_of(function) == "RATIO_TO_REPORT":
        raise errors.unsupported("a window frame for RATIO_TO_REPORT")
    if not ordered:
        return
    if isinstance(function, tuple(_UNORDERED)):
        raise errors.unsupported(f"ORDER BY in the window of {name_of(function)}")
    distinct = function.this if isinstance(function.this, exp.Distinct) else None
    if distinct is not None and not _may_be_distinct(function, distinct):
        raise errors.unsupported(f"{name_of(function)} of DISTINCT values in an ordered window")
    if _is_around_value(frame) and (distinct is not None or not isinstance(function, _BY_RANGE)):
        raise errors.unsupported(f"RANGE with offsets for {name_of(function)}")


def _called(window: exp.Window) -> exp.Expr:
    inner: exp.Expr = window.this
    while isinstance(inner, (exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup, exp.Filter)):
        inner = inner.this
    return inner


def name_of(function: exp.Expr) -> str:
    """Return a function as Snowflake calls it."""
    if (said := _UNORDERED.get(type(function))) is not None:
        return said
    if isinstance(function, exp.Anonymous):
        return str(function.this).upper()
    return function.sql_name() if isinstance(function, exp.Func) else "?"


def _check_words(frame: exp.Expr | None) -> None:
    if frame is None:
        return
    kind = str(frame.args.get("kind")).upper()
    if kind not in ("ROWS", "RANGE"):
        raise errors.syntax(f"syntax error: unexpected '{kind}'.")
    if frame.args.get("exclude") is not None:
        raise errors.syntax("syntax error: unexpected 'EXCLUDE'.")


def _may_be_distinct(function: exp.Expr, distinct: exp.Distinct) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/functions/count: of one expression."""
    return isinstance(function, exp.Count) and len(distinct.expressions) == 1


def _is_around_value(frame: exp.Expr | None) -> bool:
    if frame is None or str(frame.args.get("kind")).upper() != "RANGE":
        return False
    return not all(
        isinstance(bound, (str, type(None))) and bound in _NAMED_BOUNDS
        for bound in (frame.args.get("start"), frame.args.get("end"))
    )
