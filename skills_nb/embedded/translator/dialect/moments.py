"""Moments and numbers to texts and back, with formats.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-conversion
"""

from __future__ import annotations

import re

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck, fractions, numbers, zoned
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.inference import infer

_READERS = re.compile(r"(?P<safe>TRY_)?TO_(?P<kind>DATE|TIME|TIMESTAMP)(?:_(?P<zone>NTZ|LTZ|TZ))?")
_LOCAL = "TIMESTAMP_LTZ"


def to_char(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_char."""
    form = node.args.get("format")
    value = node.this
    if duck.is_variant(value):
        value = duck.as_text(value)
    found = infer(node.this)
    if form is None or (found is not None and found.kind in ("TEXT", *SEMI_STRUCTURED)):
        return duck.printed(value) or duck.cast(value, "VARCHAR")
    return duck.native("to_char", zoned.with_offset(value), form, to="VARCHAR")


def to_number(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_decimal (with a format).

    Raises:
        SqlError: precision and scale are no whole numbers (1014).
    """
    form = node.args.get("format")
    if form is None:
        found = infer(node.this)
        if found is not None and found.kind == "TEXT":
            node.set("this", numbers.digits_of(node.this).copy())
        return node
    safe = exp.true() if node.args.get("safe") else exp.false()
    precision, scale = (node.args.get(k) for k in ("precision", "scale"))
    if not all(n is None or n.name.isdecimal() for n in (precision, scale)):
        raise errors.invalid_argument("Precision and scale are whole numbers")
    digits = int(precision.name) if precision is not None else 38
    after = int(scale.name) if scale is not None else 0
    to = f"DECIMAL({digits},{after})" if after or digits < 38 else "HUGEINT"
    read = duck.native("to_number", node.this, form, safe, to="VARCHAR")
    if node.args.get("safe"):
        return exp.TryCast(this=read, to=duck.physical(to))
    return duck.cast(read, to)


def is_reader(name: str) -> bool:
    """Tell whether a function by that name reads moments."""
    return _READERS.fullmatch(name) is not None


def named(node: exp.Anonymous) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_timestamp.

    Raises:
        SqlError: it has more than two arguments, or none (938).
    """
    name = str(node.this).upper()
    written = _READERS.fullmatch(name)
    assert written is not None
    if not 1 <= len(node.expressions) <= 2:
        raise errors.not_enough_arguments(name)
    value, *form = node.expressions
    if written["zone"] == "TZ" and zoned.is_known(value):
        return zoned.of(value)
    kind = f"{written['kind']}_{written['zone'] or ''}".removesuffix("_")
    kind = KINDS.get(kind, kind)
    return read(value, kind, form[0] if form else None, safe=bool(written["safe"]))


def read(value: exp.Expr, kind: str, form: exp.Expr | None, *, safe: bool) -> exp.Expr:
    """Read a value as a moment of DuckDB's type `kind`, in a format or in those of AUTO."""
    if duck.is_variant(value):
        value = duck.as_text(value)
    if kind == "TIMESTAMP_TZ":
        return zoned.read(value, form, safe=safe)
    if kind != "TIMESTAMPTZ" and (found := infer(value)) is not None and found.kind == _LOCAL:
        value = duck.cast(value, "TIMESTAMP")  # what the clocks of the session's zone show
    flag = exp.true() if safe else exp.false()
    return duck.native("moment", value, duck.text(kind), form or exp.null(), flag, to=kind)


DATED: dict[type[exp.Expr], tuple[str, ...]] = {
    **dict.fromkeys(
        (
            exp.Year,
            exp.Quarter,
            exp.Month,
            exp.Week,
            exp.WeekOfYear,
            exp.YearOfWeek,
            exp.YearOfWeekIso,
            exp.Day,
            exp.DayOfMonth,
            exp.DayOfWeek,
            exp.DayOfWeekIso,
            exp.DayOfYear,
            exp.Hour,
            exp.Minute,
            exp.Second,
            exp.Dayname,
            exp.Monthname,
            exp.LastDay,
            exp.NextDay,
            exp.PreviousDay,
            exp.DateTrunc,
            exp.TimestampTrunc,
            exp.TimeSlice,
        ),
        ("this",),
    ),
    exp.AddMonths: ("this",),
    exp.Extract: ("expression",),
    exp.MonthsBetween: ("this", "expression"),
}
"""Functions of moments, and which arguments these are."""
_BY_TARGET = {exp.DType.TIMESTAMPLTZ: "TIMESTAMPTZ", exp.DType.TIMESTAMPTZ: "TIMESTAMP_TZ"}
_MIDNIGHT = duck_sql.of(
    "CAST(make_date(CAST(:year AS BIGINT), 1, 1) AS TIMESTAMP)"
    " + to_months(CAST(:month AS INTEGER) - 1) + to_days(CAST(:day AS INTEGER) - 1)"
)
_DAY = duck_sql.of("CAST({midnight} AS DATE)", midnight=_MIDNIGHT)
_PARTS = duck_sql.of(
    "({midnight} + to_hours(CAST(:hour AS INTEGER)) + to_minutes(CAST(:min AS INTEGER))"
    " + to_seconds(:sec) + to_microseconds(:nano // 1000))",
    midnight=_MIDNIGHT,
)


def from_parts(node: exp.Expr) -> exp.Expr:
    """Build a moment from parts, which may be more than fit.

    See https://docs.snowflake.com/en/sql-reference/functions/timestamp_from_parts
    """
    if node.args.get("year") is None:
        return node
    parts = {name: node.args.get(name) for name in ("year", "month", "day", "hour", "min", "sec")}
    nano = fractions.nanoseconds(node.args.get("nano") or exp.Literal.number(0))
    given = {name: part for name, part in parts.items() if part is not None}
    return duck.cast(duck.template(_PARTS, **given, nano=nano), "TIMESTAMP")


def date_from_parts(node: exp.Expr) -> exp.Expr:
    """Build a day from parts, which may be more or less than fit.

    See https://docs.snowflake.com/en/sql-reference/functions/date_from_parts
    """
    return duck.template(_DAY, **{name: node.args[name] for name in ("year", "month", "day")})


def local_from_parts(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/timestamp_from_parts."""
    return duck.cast(from_parts(node), "TIMESTAMPTZ")


def time_from_parts(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/time_from_parts."""
    if (nano := node.args.get("nano")) is not None:
        node.set("nano", fractions.nanoseconds(nano))
    return node


def difference(node: exp.Expr) -> exp.Expr:
    """Count nanoseconds, of which each microsecond here has a thousand.

    See https://docs.snowflake.com/en/sql-reference/functions/datediff
    """
    unit = node.args.get("unit")
    for moment in (node.this, node.expression):
        if isinstance(moment, exp.Null):
            moment.replace(duck.cast(moment, "TIMESTAMP"))
    if unit is None or unit.name.upper() != "NANOSECOND":
        return node
    words = duck_sql.of("(date_diff('microsecond', :a, :b) * CAST(1000 AS HUGEINT))")
    return duck.template(words, a=node.expression, b=node.this)


def from_epoch(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_timestamp (of a number)."""
    target = node.args.get("target_type")
    kind = target.this if isinstance(target, exp.DataType) else exp.DType.TIMESTAMP
    if (found := infer(node.this)) is not None and found.kind == "TEXT":
        return read(node.this, _BY_TARGET.get(kind, "TIMESTAMP"), None, safe=False)
    moment = _counted(node.this, node.args.get("scale"))
    if kind not in (exp.DType.TIMESTAMPLTZ, exp.DType.TIMESTAMPTZ):
        return moment
    instant = duck.template(duck_sql.of("timezone('UTC', :v)"), v=moment)
    return instant if kind == exp.DType.TIMESTAMPLTZ else zoned.of_local(instant)


def _counted(value: exp.Expr, scale: exp.Expr | None) -> exp.Expr:
    """Count from 1970 on, exactly; a floating-point number tells microseconds at best."""
    digits = int(scale.name) if isinstance(scale, exp.Literal) and scale.is_int else None
    if scale is not None and (digits is None or digits > _NANOS):
        raise errors.invalid_argument("The scale is a whole number from 0 to 9")
    found = infer(value)
    if found is not None and found.kind == "REAL":
        factor = exp.Literal.number(10 ** (6 - (digits or 0)) if (digits or 0) <= 6 else 0)
        if factor.name != "0":
            return duck.template(_OF_REAL, v=value, f=factor)
    nanos = duck.template(_NANOS_OF, v=value, f=exp.Literal.number(10 ** (_NANOS - (digits or 0))))
    return duck.cast(duck.template(_OF_NANOS, n=fractions.nanoseconds(nanos)), "TIMESTAMP")


_NANOS = 9
_OF_REAL = duck_sql.of("make_timestamp(CAST(round(CAST(:v AS DOUBLE) * :f) AS BIGINT))")
_NANOS_OF = duck_sql.of("trunc(CAST(:v AS DECIMAL(38, 9)) * :f)")
_OF_NANOS = duck_sql.of("make_timestamp(:n // 1000)")


def months_between(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/months_between."""
    first, second = (duck.cast(one, "TIMESTAMP") for one in (node.this, node.expression))
    return duck.cast(duck.template(_MONTHS, a=first, b=second), "DECIMAL(38,6)")


_MONTHS = duck_sql.of(
    "(year(:a) - year(:b)) * 12 + month(:a) - month(:b) + CASE WHEN day(:a) = day(:b)"
    " OR (last_day(:a) = CAST(:a AS DATE) AND last_day(:b) = CAST(:b AS DATE)) THEN 0"
    " ELSE (epoch(:a) - epoch(date_trunc('month', :a)) - epoch(:b)"
    " + epoch(date_trunc('month', :b))) / 2678400 END"
)
"""Whole months, and what is left of days, hours and seconds, as a part of 31 days."""


def dated(node: exp.Expr) -> exp.Expr:
    """Read a text or VARIANT as a moment where one is needed.

    See https://docs.snowflake.com/en/sql-reference/functions-date-time
    """
    for name in DATED[type(node)]:
        value = node.args[name]
        found = infer(value)
        if found is not None and (found.kind == "TEXT" or found.kind in SEMI_STRUCTURED):
            value.replace(read(value, "TIMESTAMP", None, safe=False))
        elif isinstance(value, exp.Null):
            value.replace(duck.cast(value, "TIMESTAMP"))
    unit = node.args.get("unit")
    if unit is not None and unit.name == "NANOSECOND" and not isinstance(node, exp.Extract):
        cut: exp.Expr = node.this  # nothing here has smaller parts
        return cut
    return node


KINDS = {
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP_NTZ": "TIMESTAMP",
    "TIMESTAMP_LTZ": "TIMESTAMPTZ",
    "TIMESTAMP_TZ": "TIMESTAMP_TZ",
}
"""What moments are read as by `read`, by the kind of their type."""


def from_text(node: exp.Cast) -> exp.Expr:
    """Read a text as a moment in any of the forms that AUTO knows."""
    target, found = infer(node), infer(node.this)
    if target is None or target.kind not in KINDS or found is None or found.kind != "TEXT":
        return node
    value = fractions.without_more(node.this) if fractions.is_cut(target) else node.this
    return read(value, KINDS[target.kind], None, safe=isinstance(node, exp.TryCast))


def with_format(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_date (with a format)."""
    form = node.args.get("format")
    kind = _FORMATTED[type(node)]
    if kind == "TIMESTAMP" and (target := node.args.get("target_type")) is not None:
        kind = KINDS.get(str(target.sql("snowflake")).replace("STAMP", "STAMP_", 1), kind)
    if form is None and (found := infer(node.this)) is not None and found.kind != "TEXT":
        local = found.kind == _LOCAL and kind == "TIME"
        return duck.cast(duck.cast(node.this, "TIMESTAMP"), "TIME") if local else node
    if isinstance(form, exp.Literal):
        form = duck.text(_spelled(form.name))
    return read(node.this, kind, form, safe=bool(node.args.get("safe")))


_FORMATTED: dict[type[exp.Expr], str] = {
    exp.TsOrDsToDate: "DATE",
    exp.TsOrDsToTime: "TIME",
    exp.StrToTime: "TIMESTAMP",
}
_SPELLED = {
    "Y": "YYYY",
    "y": "YY",
    "m": "MM",
    "d": "DD",
    "H": "HH24",
    "I": "HH12",
    "M": "MI",
    "S": "SS",
    "f": "FF",
    "b": "MON",
    "B": "MMMM",
    "a": "DY",
    "p": "AM",
    "z": "TZHTZM",
    ":": "TZH:TZM",
}


def _spelled(specifier: str) -> str:
    """Spell a format of the parser's as Snowflake does."""
    return re.sub(r"%-?(f_\w+|:z|\w)", lambda m: _SPELLED.get(m[1][0], m[0]), specifier)


def convert(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/convert_timezone."""
    if node.args.get("source_tz") is not None:
        return node
    value, found = node.args["timestamp"], infer(node.args["timestamp"])
    if zoned.is_zoned(value):
        instant = zoned.instant(value)
    elif found is not None and found.kind == "TEXT":
        instant = read(value, "TIMESTAMPTZ", None, safe=False)
    else:
        instant = duck.cast(value, "TIMESTAMPTZ")
    return zoned.at_zone(instant, node.args["target_tz"])


def zoned_from_parts(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/timestamp_from_parts."""
    zone = node.args.get("zone")
    moment = from_parts(node)
    if zone is None:
        return zoned.of_local(duck.cast(moment, "TIMESTAMPTZ"))
    instant = duck.template(duck_sql.of("timezone(:z, :v)"), z=zone, v=moment)
    return zoned.at_zone(instant, zone)


def to_binary(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_binary."""
    form = node.args.get("format") or duck.text("HEX")
    flag = exp.true() if node.args.get("safe") else exp.false()
    return duck.call("unhex", duck.native("binary", node.this, form, flag, to="VARCHAR"))


def bytes_of_text(node: exp.Cast) -> exp.Expr:
    """Read a text as bytes, written in hexadecimal where the session says no other form.

    See https://docs.snowflake.com/en/sql-reference/binary-input-output
    """
    target, found = infer(node), infer(node.this)
    if target is None or target.kind != "BINARY" or found is None or found.kind != "TEXT":
        return node
    return to_binary(exp.ToBinary(this=node.this, safe=isinstance(node, exp.TryCast)))


def epoch(node: exp.Expr) -> exp.Expr:
    """Seconds since 1970 are whole.

    See https://docs.snowflake.com/en/sql-reference/functions/date_part
    """
    word = node.name.upper()
    if word == "NANOSECOND":
        return duck.template(_FRACTION, v=node.expression)
    if word not in ("EPOCH", "EPOCH_SECOND", "EPOCH_SECONDS"):
        return node
    return duck.cast(duck.call("floor", duck.call("epoch", node.expression)), "HUGEINT")


_FRACTION = duck_sql.of("(CAST(date_part('microseconds', :v) AS HUGEINT) % 1000000 * 1000)")
"""What is beyond the second: DuckDB counts whole seconds, too, of a TIME."""
