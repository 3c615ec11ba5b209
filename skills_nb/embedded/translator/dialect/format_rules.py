"""Customs: how a session writes and reads moments and bytes, and counts weeks.

Room: embedded. Pure. What a session leaves as it is costs nothing.

See https://docs.snowflake.com/en/sql-reference/date-time-input-output and
https://docs.snowflake.com/en/sql-reference/functions-date-time (calendar weeks and weekdays)
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import (
    duck,
    moments,
    semistructured,
    variant_comparisons,
    zoned,
)
from skills_nb.embedded.translator.python_functions import CALL
from skills_nb.embedded.types.data_types import TEXT
from skills_nb.embedded.types.format_parameters import OUTPUTS, Customs
from skills_nb.embedded.types.inference import KIND, infer

Rule = Callable[[exp.Expr, Customs], exp.Expr]


def before(node: exp.Expr, customs: Customs) -> exp.Expr:
    """Follow the customs about writing and about weeks.

    The parts of `node` are translated; what takes its place is, too.
    """
    rule = _RULES.get(type(node))
    return rule(node, customs) if rule is not None else node


def after(made: exp.Expr, customs: Customs) -> exp.Expr:
    """Follow the customs about reading, in a translated tree."""
    if customs.reads_otherwise:
        for call in made.find_all(exp.Anonymous):
            if call.this == CALL and call.expressions[0].name == "moment":
                _read_customarily(call, customs)
    return made


_PLAIN = 5
"""How many arguments the call has that follows no customs."""


def _read_customarily(call: exp.Anonymous, customs: Customs) -> None:
    form = customs.input(call.expressions[2].name)
    said = [duck.text(form), exp.Literal.number(customs.century)]
    call.set("expressions", [*call.expressions[:_PLAIN], *said, *call.expressions[_PLAIN + 2 :]])


def _text(value: exp.Expr, customs: Customs) -> exp.Expr | None:
    """Write a value in the form chosen for its type; None where none is."""
    found = infer(value)
    form = customs.output(found.kind) if found is not None else None
    if form is None:
        return None
    made = duck.native("to_char", zoned.with_offset(value), duck.text(form), to="VARCHAR")
    made.meta[KIND] = TEXT
    return made


def _cast(node: exp.Expr, customs: Customs) -> exp.Expr:
    target = infer(node)
    if target is not None and target.kind == "TEXT" and (made := _text(node.this, customs)):
        node.set("this", made)
    elif target is not None and target.kind == "BINARY":
        found = infer(node.this)
        if found is not None and found.kind == "TEXT":
            form = duck.text(customs.binary_input)
            return moments.to_binary(exp.ToBinary(this=node.this, format=form))
    return node


def _compared(node: exp.Expr, customs: Customs) -> exp.Expr:
    """Read a constant text as the moment that it is compared with."""
    if not customs.reads_otherwise:
        return node
    sides = list(node.iter_expressions())
    kinds = {found.kind for side in sides if (found := infer(side)) is not None}
    moment = next((kind for kind in kinds if kind in moments.KINDS), None)
    for side in sides:
        if moment is not None and isinstance(side, exp.Literal) and side.is_string:
            side.replace(moments.read(side, moments.KINDS[moment], None, safe=False))
    return node


def _to_char(node: exp.Expr, customs: Customs) -> exp.Expr:
    if node.args.get("format") is None and (made := _text(node.this, customs)):
        return made
    return node


def _texts(node: exp.Expr, customs: Customs) -> exp.Expr:
    for child in list(node.iter_expressions()):
        if (made := _text(child, customs)) is not None:
            child.replace(made)
    return node


def _to_binary(node: exp.Expr, customs: Customs) -> exp.Expr:
    if node.args.get("format") is None:
        node.set("format", duck.text(customs.binary_input))
    return node


# ---- the word TIMESTAMP

_MAPPED = {
    "TIMESTAMP_LTZ": exp.DType.TIMESTAMPLTZ,
    "TIMESTAMP_TZ": exp.DType.TIMESTAMPTZ,
}
_UNTYPED = frozenset({"TO_TIMESTAMP", "TRY_TO_TIMESTAMP"})


def mapped(tree: exp.Expr, customs: Customs) -> exp.Expr:
    """Put the type that TIMESTAMP means in its place, in a tree as it was parsed.

    See https://docs.snowflake.com/en/sql-reference/parameters#timestamp-type-mapping
    """
    meant = _MAPPED.get(customs.timestamp)
    if meant is None:
        return tree
    suffix = customs.timestamp.removeprefix("TIMESTAMP")
    for node in list(tree.find_all(exp.DataType, exp.Anonymous, exp.TimestampFromParts)):
        if isinstance(node, exp.DataType) and node.this == exp.DType.TIMESTAMP:
            node.set("this", meant)
        elif isinstance(node, exp.Anonymous) and str(node.this).upper() in _UNTYPED:
            node.set("this", f"{node.this}{suffix}")
        elif isinstance(node, exp.TimestampFromParts):
            node.replace(exp.Cast(this=node.copy(), to=exp.DataType(this=meant)))
    return tree


# ---- weeks

_DAY_OF_WEEK = duck_sql.of("(CAST(isodow(:d) AS HUGEINT) - :start + 7) % 7 + 1")
_FIRST_DAY = duck_sql.of("(CAST(:d AS DATE) - CAST((isodow(:d) - :start + 7) % 7 AS INTEGER))")
_LAST_DAY = duck_sql.of("({first} + 6)", first=_FIRST_DAY)
_WEEKS_BETWEEN = duck_sql.of("CAST(date_diff('day', :a, :b) // 7 AS HUGEINT)")
_FOURTH = duck_sql.of("({first} + 3)", first=_FIRST_DAY)
_WEEK = {
    0: duck_sql.of("CAST((dayofyear({fourth}) - 1) // 7 + 1 AS HUGEINT)", fourth=_FOURTH),
    1: duck_sql.of(
        "CAST((date_diff('day', date_trunc('year', CAST(:d AS DATE)), CAST(:d AS DATE)) + "
        "(isodow(date_trunc('year', CAST(:d AS DATE))) - :start + 7) % 7) // 7 + 1 AS HUGEINT)"
    ),
}
_YEAR = {
    0: duck_sql.of("CAST(year({fourth}) AS HUGEINT)", fourth=_FOURTH),
    1: duck_sql.of("CAST(year(:d) AS HUGEINT)"),
}
_DAY_WORDS = frozenset({"DAYOFWEEK", "DOW", "DW", "WEEKDAY"})
_WEEK_WORDS = frozenset({"WEEK", "W", "WK", "WEEKOFYEAR", "WOY", "WY"})


def _counted(words: DuckSql, value: exp.Expr, customs: Customs) -> exp.Expr:
    return exp.Paren(this=duck.template(words, d=_dated(value), start=_start(customs)))


def _start(customs: Customs) -> exp.Expr:
    return exp.Literal.number(customs.week_start or 1)


def _day_of_week(node: exp.Expr, customs: Customs) -> exp.Expr:
    """Count days from 1 where the week's first day is chosen."""
    return _counted(_DAY_OF_WEEK, node.this, customs) if customs.week_start else node


def _week(node: exp.Expr, customs: Customs) -> exp.Expr:
    return _counted(_WEEK[customs.week_policy], node.this, customs)


def _year_of_week(node: exp.Expr, customs: Customs) -> exp.Expr:
    return _counted(_YEAR[customs.week_policy], node.this, customs)


def _part(node: exp.Expr, customs: Customs) -> exp.Expr:
    word = node.this.name.upper()
    of = exp.Paren(this=node.expression)
    if word in _DAY_WORDS:
        made = _day_of_week(of, customs)
        return node if made is of else made
    if word in _WEEK_WORDS:
        return _week(of, customs)
    return _year_of_week(of, customs) if word == "YEAROFWEEK" else node


def _is_week(node: exp.Expr) -> bool:
    unit = node.args.get("unit")
    return unit is not None and unit.name.upper() in (*_WEEK_WORDS, "WEEKS")


def _cut(node: exp.Expr, customs: Customs) -> exp.Expr:
    if not _is_week(node) or customs.week_start in (0, 1):
        return node
    found = infer(node.this)
    made = _counted(_FIRST_DAY, node.this, customs)
    if found is None or found.kind not in OUTPUTS:
        return made
    if zoned.is_zoned(node.this):
        return zoned.closed(duck.cast(made, "TIMESTAMP"), node.this)
    cast = duck.cast(made, found.physical)
    cast.meta[KIND] = found
    return cast


def _last_day(node: exp.Expr, customs: Customs) -> exp.Expr:
    if not _is_week(node) or customs.week_start in (0, 1):
        return node
    return _counted(_LAST_DAY, node.this, customs)


def _difference(node: exp.Expr, customs: Customs) -> exp.Expr:
    if not _is_week(node) or customs.week_start in (0, 1):
        return node
    earlier, later = (_counted(_FIRST_DAY, side, customs) for side in (node.expression, node.this))
    return duck.template(_WEEKS_BETWEEN, a=earlier, b=later)


def _dated(value: exp.Expr) -> exp.Expr:
    """Read a value as a moment without a zone, where it is a text or has a zone of its own."""
    if zoned.is_zoned(value):
        return zoned.wall(value)
    found = infer(value)
    return duck.cast(value, "TIMESTAMP") if found is not None and found.kind == "TEXT" else value


_ZONED = frozenset({"TIMESTAMP_LTZ", "TIMESTAMP_TZ"})
_HOURS = {"DAY": 24, "WEEK": 168}


def _whole_days(node: exp.Expr, customs: Customs) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/parameters#timestamp-day-is-always-24h."""
    found, unit = infer(node.this), node.args.get("unit")
    if not customs.whole_days or found is None or unit is None or found.kind not in _ZONED:
        return node
    hours = _HOURS.get(unit.name.upper().removesuffix("S"))
    if hours is not None:
        amount = exp.Paren(this=node.expression.copy())
        node.set("expression", exp.Mul(this=amount, expression=exp.Literal.number(hours)))
        node.set("unit", exp.var("HOUR"))
    return node


_RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys((*semistructured.TEXT_USERS, exp.GroupConcat, exp.Pad), _texts),
    **dict.fromkeys((exp.Cast, exp.TryCast), _cast),
    **dict.fromkeys((*variant_comparisons.COMPARISONS, exp.Between, exp.In), _compared),
    exp.ToChar: _to_char,
    exp.ToBinary: _to_binary,
    exp.DayOfWeek: _day_of_week,
    exp.Week: _week,
    exp.YearOfWeek: _year_of_week,
    exp.Extract: _part,
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc), _cut),
    exp.LastDay: _last_day,
    exp.DateDiff: _difference,
    **dict.fromkeys((exp.DateAdd, exp.TimestampAdd, exp.TsOrDsAdd), _whole_days),
}
