"""Window functions and aggregates that DuckDB lacks, or types otherwise.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-analytic
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck, numbers
from skills_nb.embedded.types.inference import infer

_MORE_DIGITS = 3
_TO_ROUND = 4
"""Digits behind the last one, by which it is rounded."""


def named(node: exp.Expr) -> exp.Expr:
    """Compute RATIO_TO_REPORT, CONDITIONAL_TRUE_EVENT and CONDITIONAL_CHANGE_EVENT.

    Raises:
        SqlError: there is not exactly one argument (938).
    """
    inner = node.this
    if not isinstance(node, exp.Window) or not isinstance(inner, exp.Anonymous):
        return node
    function = _FUNCTIONS.get(str(inner.this).upper())
    if function is None:
        return node
    if len(inner.expressions) != 1:
        raise errors.not_enough_arguments(str(inner.this).upper())
    return function(inner.expressions[0], node)


def is_named(node: exp.Expr) -> bool:
    """Tell whether a call is one that its window computes."""
    return isinstance(node, exp.Anonymous) and str(node.this).upper() in _FUNCTIONS


def _over(value: exp.Expr, window: exp.Window, *, so_far: bool = False) -> exp.Window:
    made = window.copy()
    made.set("this", value)
    if so_far:
        frame = {"kind": "ROWS", "start": "UNBOUNDED", "start_side": "PRECEDING"}
        made.set("spec", exp.WindowSpec(**frame, end="CURRENT ROW"))
    return made


def _share(value: exp.Expr, window: exp.Window) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/ratio_to_report.

    The order within the partition changes nothing.
    """
    total = _over(exp.Sum(this=value.copy()), window)
    total.set("order", None)
    whole = exp.Nullif(this=total, expression=exp.Literal.number(0))
    quotient = exp.Div(this=value.copy(), expression=whole, typed=False, safe=False)
    found = infer(value)
    if found is None or found.kind != "FIXED":
        return exp.Paren(this=quotient)
    return duck.cast(quotient, f"DECIMAL(38,{max(found.scale or 0, 0) + 6})")


def _events(value: exp.Expr, window: exp.Window) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/conditional_true_event."""
    return _over(numbers.count_if(exp.CountIf(this=value.copy())), window, so_far=True)


def _changes(value: exp.Expr, window: exp.Window) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/conditional_change_event."""
    earlier = _over(duck.call("list", value), window, so_far=True)
    return duck.native("changes", duck.call("to_json", earlier), to="HUGEINT")


_FUNCTIONS = {
    "CONDITIONAL_CHANGE_EVENT": _changes,
    "CONDITIONAL_TRUE_EVENT": _events,
    "RATIO_TO_REPORT": _share,
}


def middle(node: exp.Expr) -> exp.Expr:
    """MEDIAN and PERCENTILE_CONT of a NUMBER have three more digits.

    See https://docs.snowflake.com/en/sql-reference/functions/median
    """
    inner = node
    while isinstance(inner, (exp.Window, exp.Filter)):
        inner = inner.this
    value = _middle_of(inner)
    if value is None or isinstance(node.parent, (exp.Window, exp.Filter)):
        return node
    found = infer(value)
    if found is None or found.kind in ("TEXT", "VARIANT"):
        # What DuckDB alone knows might be cut, and no text has a middle.
        value.replace(duck.cast(value, "DOUBLE"))
        return node
    if found.kind != "FIXED":
        return node
    kept = (found.scale or 0) + _MORE_DIGITS
    # DuckDB cuts what lies between two values to the digits that they have, Snowflake rounds it.
    value.replace(duck.cast(value, f"DECIMAL(38,{min(kept + _TO_ROUND, 38)})"))
    return duck.cast(node, f"DECIMAL(38,{kept})")


def _middle_of(node: exp.Expr) -> exp.Expr | None:
    """Return what is ordered to find the middle; None for other functions."""
    if isinstance(node, exp.Median):
        median: exp.Expr = node.this
        return median
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PercentileCont):
        ordered = node.find(exp.Ordered)
        value: exp.Expr | None = ordered.this if ordered is not None else None
        return value
    return None


def most_frequent(node: exp.Expr) -> exp.Expr:
    """Choose the smallest of the values that are equally frequent, so that answers repeat.

    Snowflake chooses any of them: https://docs.snowflake.com/en/sql-reference/functions/mode

    Raises:
        SqlError: DISTINCT has no value behind it (938).
    """
    values = node.this
    if isinstance(values, exp.Distinct) and not values.expressions:
        raise errors.not_enough_arguments("MODE")
    if not isinstance(values, exp.Expr) or isinstance(values, exp.Order):
        return node
    ordered = values.expressions[0] if isinstance(values, exp.Distinct) else values
    first = exp.Ordered(this=ordered.copy(), nulls_first=False)
    return exp.Mode(this=exp.Order(this=values, expressions=[first]))


def of_extreme(node: exp.Expr) -> exp.Expr:
    """Give another column's value of the row with the extreme one, also where that is NULL.

    DuckDB's own functions look for a row in which it is not; of several rows it has no others.
    See https://docs.snowflake.com/en/sql-reference/functions/max_by
    """
    if node.args.get("count") is not None or node.args.get("expression") is None:
        return node
    return duck.call(_OF_EXTREME[type(node)], node.this, node.expression)


_OF_EXTREME: dict[type[exp.Expr], str] = {
    exp.ArgMax: "arg_max_null",
    exp.ArgMin: "arg_min_null",
}


_WHOLE = duck_sql.of("hash(CAST(:v AS HUGEINT))")
_ANY_NUMBER = duck_sql.of(
    "CASE WHEN :v = trunc(:v) AND abs(:v) < 1e38 THEN {whole} ELSE hash(CAST(:v AS DOUBLE)) END",
    whole=_WHOLE,
)

_IN_VARIANT = duck_sql.of(
    "CASE WHEN json_type(:v) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE') THEN "
    "CASE WHEN :n = trunc(:n) AND abs(:n) < 1e38 THEN hash(CAST(CAST(:v AS VARCHAR) AS HUGEINT)) "
    "ELSE hash(:n) END ELSE hash(:v) END"
)


def hashed_value(value: exp.Expr) -> exp.Expr:
    """Return what stands for a value in its hash: numbers that are equal are one, of any type.

    See https://docs.snowflake.com/en/sql-reference/functions/hash
    """
    found = infer(value)
    if found is not None and found.kind == "VARIANT":
        return duck.template(_IN_VARIANT, v=value, n=duck.cast(duck.as_text(value), "DOUBLE"))
    if found is None or found.kind not in ("FIXED", "REAL"):
        return value
    is_whole = found.kind == "FIXED" and not found.scale
    return duck.template(_WHOLE if is_whole else _ANY_NUMBER, v=value)


def hash_agg(node: exp.Expr) -> exp.Expr:
    """Combine the hashes of all rows so that their order does not matter.

    See https://docs.snowflake.com/en/sql-reference/functions/hash_agg
    """
    row = duck.call("hash", *(hashed_value(one) for one in (node.this, *node.expressions)))
    return duck.template(
        duck_sql.of(
            "coalesce(CAST(sum(CAST(:row AS HUGEINT)) % 18446744073709551616 AS HUGEINT) "
            "- 9223372036854775808, 0)"
        ),
        row=row,
    )
