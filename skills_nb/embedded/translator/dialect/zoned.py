"""Moments with a zone of their own: an instant and the offset at which it was written.

Room: embedded. Pure. DuckDB holds both as a struct, which is ordered by the instant. What compares
looks at the instant, what takes parts looks at the wall clock there, what moves a moment keeps its
offset.

See https://docs.snowflake.com/en/sql-reference/data-types-datetime (TIMESTAMP_TZ)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.data_types import (
    DATE,
    LTZ,
    NTZ,
    SEMI_STRUCTURED,
    TIME,
    TZ,
    SfType,
)
from skills_nb.embedded.types.inference import KIND, infer

# The cast says the type where the value is an untyped NULL, as where a policy's body is described.
_INSTANT = duck_sql.of("CAST(struct_extract(:v, 't') AS TIMESTAMPTZ)")
_WRITTEN = duck_sql.of("struct_extract(:v, 'o')")
_OFFSET = duck_sql.of("to_minutes(CAST({o} AS INTEGER))", o=_WRITTEN)
_WALL = duck_sql.of("(timezone('UTC', {t}) + {o})", t=_INSTANT, o=_OFFSET)
_VALUE = duck_sql.of(":v")


def _made(moment: DuckSql, offset: DuckSql) -> DuckSql:
    return duck_sql.of(
        "CASE WHEN {t} IS NOT NULL THEN struct_pack(t := {t}, o := CAST({o} AS SMALLINT)) END",
        t=moment,
        o=offset,
    )


_OF_LOCAL = _made(_VALUE, duck_sql.of("date_part('timezone', :v) // 60"))
_MOVED = _made(duck_sql.of("timezone('UTC', :w - {o})", o=_OFFSET), _WRITTEN)
_AT_ZONE = _made(
    _VALUE,
    duck_sql.of("date_diff('minute', timezone('UTC', :v), timezone(:z, CAST(:v AS TIMESTAMPTZ)))"),
)


def is_zoned(node: exp.Expr | None) -> bool:
    """Tell whether the tree knows that a value has a zone of its own."""
    found = infer(node)
    return found is not None and found.kind == "TIMESTAMP_TZ"


def is_known(node: exp.Expr) -> bool:
    """Tell whether the tree knows a value as some moment."""
    found = infer(node)
    return found is not None and (found.kind == "DATE" or found.kind.startswith("TIMESTAMP"))


def _typed(made: exp.Expr, kind: SfType) -> exp.Expr:
    cast = duck.cast(made, kind.physical)
    cast.meta[KIND] = kind
    return cast


def instant(value: exp.Expr) -> exp.Expr:
    """Return the instant of such a moment, in the session's zone."""
    return _typed(duck.template(_INSTANT, v=value), LTZ)


def wall(value: exp.Expr) -> exp.Expr:
    """Return what the clock shows where the moment was written."""
    return _typed(duck.template(_WALL, v=value), NTZ)


def of_local(value: exp.Expr) -> exp.Expr:
    """Give an instant the offset that the session's zone has then."""
    return _typed(duck.template(_OF_LOCAL, v=value), TZ)


def with_offset(value: exp.Expr) -> exp.Expr:
    """Give what is in the session's zone the offset that it has there; leave other values alone."""
    found = infer(value)
    return of_local(value) if found is not None and found.kind == "TIMESTAMP_LTZ" else value


def at_zone(value: exp.Expr, zone: exp.Expr) -> exp.Expr:
    """Give an instant the offset that a zone has then."""
    return _typed(duck.template(_AT_ZONE, v=value, z=zone), TZ)


def read(value: exp.Expr, form: exp.Expr | None = None, *, safe: bool = False) -> exp.Expr:
    """Read any value as such a moment; what names no zone is in the session's."""
    flag = exp.true() if safe else exp.false()
    zone = duck.call("current_setting", duck.text("TimeZone"))
    customary = (duck.text("AUTO"), exp.Literal.number(1970))
    made = duck.native(
        "moment", value, duck.text("TIMESTAMP_TZ"), form or exp.null(), flag, *customary, zone,
        to=TZ.physical,
    )  # fmt: skip
    made.meta[KIND] = TZ
    return made


def of(value: exp.Expr) -> exp.Expr:
    """Make a value of any type such a moment."""
    found = infer(value)
    kind = found.kind if found is not None else ""
    if kind == "TIMESTAMP_TZ" or isinstance(value, exp.Null):
        return value
    if kind == "TIMESTAMP_LTZ":
        return of_local(value)
    if kind in ("TIMESTAMP_NTZ", "DATE"):
        return of_local(_typed(value, LTZ))
    return read(duck.as_text(value) if kind in SEMI_STRUCTURED else value)


def cast(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/cast."""
    assert isinstance(node, exp.Cast)
    target = infer(node)
    if target is None or node.to.this == exp.DType.STRUCT:
        return node
    if target.kind == "TIMESTAMP_TZ":
        if isinstance(node.this, exp.Null):
            return _typed(node.this, TZ)
        if isinstance(node, exp.TryCast) and not is_zoned(node.this):
            return read(node.this, safe=True)
        return of(node.this)
    if not is_zoned(node.this):
        return _time_of_local(node) if target.kind == "TIME" else node
    match target.kind:
        case "TIMESTAMP_NTZ":
            return wall(node.this)
        case "TIMESTAMP_LTZ":
            return instant(node.this)
        case "DATE":
            return _typed(wall(node.this), DATE)
        case "TIME":
            return _typed(wall(node.this), TIME)
        case _:
            return node


def _time_of_local(node: exp.Cast) -> exp.Expr:
    """Read the session's clock, for which DuckDB has no cast."""
    found = infer(node.this)
    if found is None or found.kind != "TIMESTAMP_LTZ":
        return node
    return _typed(_typed(node.this, NTZ), TIME)


_LARGE = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})


def _each(values: Iterable[exp.Expr], how: Callable[[exp.Expr], exp.Expr]) -> None:
    for value in list(values):
        if is_zoned(value):
            value.replace(how(value))


def opened(node: exp.Expr) -> exp.Expr | None:
    """Hand a function what it can use of such moments; return the one that it moves."""
    how = _OPENED.get(type(node))
    return how(node) if how is not None else None


def closed(made: exp.Expr, moved: exp.Expr | None) -> exp.Expr:
    """Give what was moved its offset again."""
    return made if moved is None else _typed(duck.template(_MOVED, w=made, v=moved), TZ)


def _part(node: exp.Expr) -> None:
    _each(node.iter_expressions(), wall)


def _difference(node: exp.Expr) -> None:
    """Count days and more on the clocks, less by the instants."""
    unit = node.args.get("unit")
    large = unit is not None and unit.name.upper() in _LARGE
    _each((node.this, node.expression), wall if large else instant)


def _distinct(node: exp.Expr) -> None:
    if isinstance(node.parent, exp.Count):
        _each(node.expressions, instant)


def _move(node: exp.Expr) -> exp.Expr | None:
    if not is_zoned(node.this):
        return None
    moved: exp.Expr = node.this.copy()
    node.this.replace(wall(node.this))
    return moved


def _compare(node: exp.Expr) -> None:
    """Compare instants; a text on the other side is read as one."""
    sides = list(node.iter_expressions())
    if not any(is_zoned(side) for side in sides):
        return
    for side in sides:
        found = infer(side)
        if found is not None and found.kind == "TEXT":
            side.replace(read(side))
    _each(node.iter_expressions(), instant)


_LOCAL = duck_sql.of("(date_part('timezone', CAST(:v AS TIMESTAMPTZ)) // 60)")


def _hours(offset: DuckSql) -> DuckSql:
    return duck_sql.of("CAST(trunc({o} / 60) AS HUGEINT)", o=offset)


def _minutes(offset: DuckSql) -> DuckSql:
    return duck_sql.of("CAST({o} - trunc({o} / 60) * 60 AS HUGEINT)", o=offset)


_ZONE_PARTS = {
    "TIMEZONE_HOUR": _hours,
    "TZH": _hours,
    "TIMEZONE_MINUTE": _minutes,
    "TZM": _minutes,
}


def part_of_zone(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/date_part."""
    words = _ZONE_PARTS.get(node.this.name.upper())
    if words is None:
        return node
    offset = _WRITTEN if is_zoned(node.expression) else _LOCAL
    return duck.template(words(offset), v=node.expression)


def _open_extract(node: exp.Expr) -> None:
    word = node.this.name.upper()
    value = node.expression
    if not isinstance(value, exp.Expr):
        raise errors.not_enough_arguments("DATE_PART")
    if is_zoned(value) and word not in _ZONE_PARTS:
        value.replace(instant(value) if word.startswith("EPOCH") else wall(value))


def _unite(node: exp.Expr) -> None:
    """Make every value that may be chosen such a moment where one of them is."""
    values: list[exp.Expr]
    if isinstance(node, exp.Case):
        values = [one.args["true"] for one in node.args["ifs"]]
        values += [node.args["default"]] if node.args.get("default") is not None else []
    elif isinstance(node, (exp.If, exp.Nvl2)):
        values = [one for key in ("true", "false") if (one := node.args.get(key)) is not None]
    elif isinstance(node, exp.Nullif):
        values = [node.this, node.expression]
    else:
        values = [node.this, *node.expressions]
    if not any(is_zoned(value) for value in values):
        return
    for value in values:
        if not is_zoned(value):
            value.replace(of(value))


_OPENED: dict[type[exp.Expr], Callable[[exp.Expr], exp.Expr | None]] = {
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE), _compare),
    **dict.fromkeys((exp.NullSafeEQ, exp.NullSafeNEQ, exp.Between, exp.In), _compare),
    exp.EqualNull: _compare,
    **dict.fromkeys((exp.Year, exp.Quarter, exp.Month, exp.Week, exp.WeekOfYear), _part),
    **dict.fromkeys((exp.YearOfWeek, exp.YearOfWeekIso, exp.Day, exp.DayOfMonth), _part),
    **dict.fromkeys((exp.DayOfWeek, exp.DayOfWeekIso, exp.DayOfYear, exp.Hour), _part),
    **dict.fromkeys((exp.Minute, exp.Second, exp.Dayname, exp.Monthname, exp.LastDay), _part),
    **dict.fromkeys((exp.NextDay, exp.PreviousDay, exp.MonthsBetween), _part),
    **dict.fromkeys((exp.TsOrDsToDate, exp.TsOrDsToTime), _part),
    exp.Extract: _open_extract,
    exp.Distinct: _distinct,
    **dict.fromkeys((exp.DateDiff, exp.TimestampDiff, exp.TsOrDsDiff), _difference),
    **dict.fromkeys((exp.Coalesce, exp.Greatest, exp.Least), _unite),
    **dict.fromkeys((exp.If, exp.Nullif, exp.Nvl2, exp.Case), _unite),
    **dict.fromkeys((exp.DateAdd, exp.TsOrDsAdd, exp.TimestampAdd, exp.AddMonths), _move),
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc, exp.TimeSlice), _move),
    **dict.fromkeys((exp.Add, exp.Sub), _move),
}
"""How a function's moments are handed to it; what moves one returns it."""
