"""Parts that a type has not: no day of a TIME, no milliseconds of a DATE since 1970.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/date_part
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types.inference import infer

_OF_DAYS = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})
_OF_TIMES = frozenset({"HOUR", "MINUTE", "SECOND", "NANOSECOND"})
_FINE = frozenset({"EPOCH_MILLISECOND", "EPOCH_MICROSECOND", "EPOCH_NANOSECOND"})
_NAMES: dict[type[exp.Expr], str] = {
    exp.DateAdd: "DATEADD",
    exp.DateDiff: "DATEDIFF",
    exp.DateTrunc: "TRUNC",
    exp.TimestampTrunc: "DATE_TRUNC",
}
CHECKED: tuple[type[exp.Expr], ...] = (exp.Extract, *_NAMES)


def checked(node: exp.Expr) -> exp.Expr:
    """Refuse a part that the value's type has not.

    Raises:
        SqlError: it is asked of DATE_PART (1008), or of a function that takes units (2151).
    """
    if isinstance(node, exp.Extract):
        _check_part(node)
        return node
    unit, found = node.args.get("unit"), infer(node.this)
    if unit is None or found is None or found.kind != "TIME" or unit.name not in _OF_DAYS:
        return node
    name = _NAMES[type(node)]
    if name == "DATEADD":
        raise errors.invalid_unit(unit.name, name, " and type TIME(9)")
    raise errors.invalid_unit(unit.name, name, " and type TIME", quoted=False)


def _check_part(node: exp.Extract) -> None:
    found, part = infer(node.expression), node.this.name.upper()
    kind = found.kind if found is not None else ""
    if (kind == "TIME" and part not in _OF_TIMES) or (kind == "DATE" and part in _FINE):
        raise errors.invalid_value(part, "DATE_PART date/time part")
