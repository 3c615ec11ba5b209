"""Intervals of several parts, each added in its turn.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-datetime (interval constants)
"""

from __future__ import annotations

import re

from sqlglot import exp

from skills_nb.embedded import errors

_PART = re.compile(r"\s*(?P<amount>[+-]?\d+(?:\.\d+)?)\s*(?P<unit>[a-z_]*)\s*", re.I)
_UNITS = {
    "YEAR": "year y yy yyy yyyy yr years yrs",
    "QUARTER": "quarter q qtr qtrs quarters",
    "MONTH": "month mm mon mons months",
    "WEEK": "week w wk weekofyear woy wy weeks",
    "DAY": "day d dd days dayofmonth",
    "HOUR": "hour h hh hr hours hrs",
    "MINUTE": "minute m mi min minutes mins",
    "SECOND": "second s sec seconds secs",
    "MILLISECOND": "millisecond ms msec milliseconds",
    "MICROSECOND": "microsecond us usec microseconds",
    "NANOSECOND": "nanosecond ns nsec nanosec nsecond nanoseconds nanosecs nseconds",
}
_UNIT = {word: unit for unit, words in _UNITS.items() for word in words.split()}


def in_turn(node: exp.Expr) -> exp.Expr:
    """Write `x + INTERVAL 'a, b'` as `(x + INTERVAL a) + INTERVAL b`; a bare number is seconds."""
    interval = node.expression
    if not isinstance(interval, exp.Interval):
        return node
    if (unit := interval.args.get("unit")) is not None:
        interval.set("unit", exp.var(_unit(unit.name, unit.name)))
        node.set("expression", _in_micros(interval))
        return node
    if not isinstance(interval.this, exp.Literal) or not interval.this.is_string:
        return node
    made: exp.Expr = node.this
    for part in interval.this.name.split(","):
        made = type(node)(this=made, expression=_one(part))
    return made


def in_frame(bound: exp.Expr) -> exp.Expr:
    """Write an interval beside which a window begins or ends as the sum of its parts."""
    if not isinstance(bound, exp.Interval) or bound.args.get("unit") is not None:
        return bound
    if not isinstance(bound.this, exp.Literal) or not bound.this.is_string:
        return bound
    first, *more = (_one(part) for part in bound.this.name.split(","))
    made: exp.Expr = first
    for part in more:
        made = exp.Add(this=made, expression=part)
    return exp.Paren(this=made) if more else made


def _one(part: str) -> exp.Interval:
    found = _PART.fullmatch(part)
    unit = _unit(found["unit"] or "second" if found is not None else "", part.strip())
    amount = found["amount"] if found is not None else ""
    return _in_micros(exp.Interval(this=exp.Literal.string(amount), unit=exp.var(unit)))


def _in_micros(interval: exp.Interval) -> exp.Interval:
    """Count nanoseconds in microseconds, below which nothing is kept.

    Raises:
        SqlError: they make no whole number of them (0A000).
    """
    if interval.args["unit"].name != "NANOSECOND":
        return interval
    count = interval.this.name if isinstance(interval.this, exp.Literal) else ""
    if not re.fullmatch(r"[+-]?\d+", count) or int(count) % 1000:
        raise errors.unsupported("nanoseconds below a microsecond")
    micros = exp.Literal.string(str(int(count) // 1000))
    return exp.Interval(this=micros, unit=exp.var("MICROSECOND"))


def _unit(word: str, written: str) -> str:
    if word.lower() not in _UNIT:
        raise errors.syntax(f"syntax error: unexpected interval '{written}'.")
    return _UNIT[word.lower()]
