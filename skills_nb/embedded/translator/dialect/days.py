"""Days: a DATE that is moved by whole days stays one.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-datetime
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.inference import infer, is_of_days

_MOST_DIGITS = 9
"""Of a constant that DuckDB surely adds to a DATE as it stands."""


def plus_interval(node: exp.Expr) -> exp.Expr:
    """Whole days added to a DATE leave a DATE (interval constants)."""
    right = node.expression
    if not isinstance(right, exp.Interval) or not _is_date(node.this):
        return node
    return duck.cast(node, "DATE") if is_of_days(right) else node


def plus_number(node: exp.Expr) -> exp.Expr:
    """Add or take away a whole number of days, of whatever size (simple arithmetic for dates).

    DuckDB takes one of 32 bits alone. A number with digits behind the point, a FLOAT and a text are
    refused, as is any number beside a timestamp.
    """
    left, right = node.this, node.expression
    if _is_date(left) and _is_whole(right):
        right.replace(duck.cast(right, "INTEGER"))
    elif isinstance(node, exp.Add) and _is_date(right) and _is_whole(left):
        left.replace(duck.cast(left, "INTEGER"))
    return node


def difference(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/data-types-datetime (interval data types).

    Raises:
        SqlError: one timestamp is taken from another, which makes an interval (0A000).
    """
    kinds = [found.kind for side in (node.this, node.expression) if (found := infer(side))]
    if isinstance(node, exp.Sub) and sum(kind.startswith("TIMESTAMP") for kind in kinds) == 2:
        raise errors.unsupported("the difference of two timestamps, which is an INTERVAL")
    return node


def cut(node: exp.Expr) -> exp.Expr:
    """A DATE that is cut at a part stays one.

    See https://docs.snowflake.com/en/sql-reference/functions/date_trunc
    """
    return duck.cast(node, "DATE") if _is_date(node.this) else node


def _is_date(value: exp.Expr) -> bool:
    found = infer(value)
    return found is not None and found.kind == "DATE"


def _is_whole(value: exp.Expr) -> bool:
    """Tell a whole number that is no short constant; a NULL may be one."""
    if isinstance(value, exp.Literal) and len(value.name) <= _MOST_DIGITS:
        return False
    found = infer(value)
    return isinstance(value, exp.Null) or (
        found is not None and found.kind == "FIXED" and not found.scale
    )
