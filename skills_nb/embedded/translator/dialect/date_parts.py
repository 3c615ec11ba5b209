"""Parts that a type has not: no day of a TIME, no milliseconds of a DATE since 1970.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/date_part
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck
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
CHECKED: tuple[type[exp.Expr], ...] = (exp.Extract, exp.TimeSlice, *_NAMES)


def checked(node: exp.Expr) -> exp.Expr:
    """Refuse a part that the value's type has not.

    Raises:
        SqlError: it is asked of DATE_PART (1008), or of a function that takes units (2151).
    """
    if isinstance(node, exp.Extract):
        _check_part(node)
        return node
    if isinstance(node, exp.TimeSlice):
        _check_slice(node)
        return node
    unit, found = node.args.get("unit"), infer(node.this)
    if unit is None or found is None or found.kind != "TIME":
        return node
    if unit.name not in _OF_DAYS:
        # Written as TRUNC, a time would be cut as a day.
        return exp.TimestampTrunc(**node.args) if isinstance(node, exp.DateTrunc) else node
    name = _NAMES[type(node)]
    if name == "DATEADD":
        raise errors.invalid_unit(unit.name, name, " and type TIME(9)")
    raise errors.invalid_unit(unit.name, name, " and type TIME", quoted=False)


def _check_slice(node: exp.TimeSlice) -> None:
    """See https://docs.snowflake.com/en/sql-reference/functions/time_slice."""
    found, unit = infer(node.this), node.args.get("unit")
    kind = found.kind if found is not None else ""
    length = node.expression
    if isinstance(length, exp.Neg) or (isinstance(length, exp.Literal) and length.name == "0"):
        raise errors.invalid_argument("The length of a slice is a whole number of at least 1.")
    if kind == "TIME":
        raise errors.wrong_routine("TIME_SLICE", "TIME(9)")
    if unit is not None and kind == "DATE" and unit.name not in _OF_DAYS:
        raise errors.invalid_unit(unit.name, "TIME_SLICE", " and type DATE")
    if kind == "DATE" and not isinstance(node.this, exp.Cast):
        # Only of what is known as a date is the end of a slice written as one.
        node.set("this", exp.cast(node.this, exp.DType.DATE))


def weekday(node: exp.Expr) -> exp.Expr:
    """Find the day of the week before or after a day; two letters tell which.

    Raises:
        SqlError: a constant names none (1008).

    See https://docs.snowflake.com/en/sql-reference/functions/next_day
    """
    value, day = node.this, node.expression
    if isinstance(day, exp.Literal):
        word = day.name.lstrip()[:2].lower()
        if word not in _WEEKDAYS:
            raise errors.invalid_value(day.name, f"{_CALLED[type(node)]} day of week")
        wanted: exp.Expr = exp.Literal.number(_WEEKDAYS.index(word))
    else:
        wanted = duck.native("weekday", day, to="INTEGER")
    return duck.template(_DAYS[type(node)], v=value, d=wanted)


_WEEKDAYS = ("su", "mo", "tu", "we", "th", "fr", "sa")
_CALLED: dict[type[exp.Expr], str] = {exp.NextDay: "NEXT_DAY", exp.PreviousDay: "PREVIOUS_DAY"}
_DAYS: dict[type[exp.Expr], DuckSql] = {
    exp.NextDay: duck_sql.of("(CAST(:v AS DATE) + CAST((:d - dayofweek(:v) + 6) % 7 + 1 AS INT))"),
    exp.PreviousDay: duck_sql.of(
        "(CAST(:v AS DATE) - CAST((dayofweek(:v) - :d + 6) % 7 + 1 AS INT))"
    ),
}
WEEKDAYS: tuple[type[exp.Expr], ...] = tuple(_DAYS)


def _check_part(node: exp.Extract) -> None:
    found, part = infer(node.expression), node.this.name.upper()
    kind = found.kind if found is not None else ""
    if (kind == "TIME" and part not in _OF_TIMES) or (kind == "DATE" and part in _FINE):
        raise errors.invalid_value(part, "DATE_PART date/time part")
