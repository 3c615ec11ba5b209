"""Parts of dates and times by any of their names.

Room: embedded. Pure. There are two vocabularies: what DATE_PART reads out of a moment, and the
units in which moments are moved, compared and cut.

See https://docs.snowflake.com/en/sql-reference/functions-date-time (supported date and time parts)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors

_SHARED = {
    "YEAR": "Y YY YYY YYYY YR YEARS YRS",
    "QUARTER": "Q QTR QTRS QUARTERS",
    "MONTH": "MM MON MONS MONTHS",
    "DAY": "D DD DAYS DAYOFMONTH",
    "HOUR": "H HH HR HOURS HRS",
    "MINUTE": "M MI MIN MINUTES MINS",
    "SECOND": "S SEC SECONDS SECS",
    "NANOSECOND": "NS NSEC NANOSEC NSECOND NANOSECONDS NANOSECS NSECONDS",
}
_PARTS = _SHARED | {
    "DAYOFWEEK": "WEEKDAY DOW DW",
    "DAYOFWEEKISO": "WEEKDAY_ISO DOW_ISO DW_ISO DAYOFWEEK_ISO",
    "DAYOFYEAR": "YEARDAY DOY DY",
    "WEEK": "W WK WEEKOFYEAR WOY WY",
    "WEEKISO": "WEEK_ISO WEEKOFYEARISO WEEKOFYEAR_ISO",
    "YEAROFWEEK": "",
    "YEAROFWEEKISO": "",
    "EPOCH_SECOND": "EPOCH EPOCH_SECONDS",
    "EPOCH_MILLISECOND": "EPOCH_MILLISECONDS",
    "EPOCH_MICROSECOND": "EPOCH_MICROSECONDS",
    "EPOCH_NANOSECOND": "EPOCH_NANOSECONDS",
    "TIMEZONE_HOUR": "TZH",
    "TIMEZONE_MINUTE": "TZM",
}
_UNITS = _SHARED | {
    "WEEK": "W WK WEEKS WEEKOFYEAR WOY WY",
    "MILLISECOND": "MS MSEC MILLISEC MILLISECONDS MILLISECS MSECS MSECOND MSECONDS",
    "MICROSECOND": "US USEC MICROSEC MICROSECONDS MICROSECS USECS USECOND USECONDS",
}


def _by_word(names: dict[str, str]) -> dict[str, str]:
    return {word: name for name, words in names.items() for word in (name, *words.split())}


_PART, _UNIT = _by_word(_PARTS), _by_word(_UNITS)
_LARGE = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK"})
_TAKERS: dict[type[exp.Expr], tuple[str, frozenset[str]]] = {
    exp.DateAdd: ("DATEADD", frozenset(_UNITS)),
    exp.DateDiff: ("DATEDIFF", frozenset(_UNITS)),
    exp.DateTrunc: ("TRUNC", frozenset(_UNITS)),
    exp.LastDay: ("LAST_DAY", _LARGE),
    exp.TimeSlice: ("TIME_SLICE", _LARGE | {"DAY", "HOUR", "MINUTE", "SECOND"}),
    exp.TimestampTrunc: ("DATE_TRUNC", frozenset(_UNITS)),
}
"""Functions that take a unit: their name, and which units."""
TAKERS: tuple[type[exp.Expr], ...] = (exp.Extract, exp.TimeAdd, *_TAKERS)
"""What `spelled_out` looks at."""


def spelled_out(node: exp.Expr) -> exp.Expr:
    """Give a part or unit its first name.

    Raises:
        SqlError: there is no such part (1008) or unit (2151).
    """
    if isinstance(node, exp.TimeAdd):
        return exp.DateAdd(**node.args)
    if isinstance(node, exp.Extract):
        if not isinstance(node.expression, exp.Expr):
            return node  # an argument is missing, which is told of first
        found = _PART.get(node.this.name.upper())
        if found is None:
            raise errors.invalid_value(node.this.name.upper(), "DATE_PART date/time part")
        node.set("this", exp.var(found))
    elif type(node) in _TAKERS and (unit := node.args.get("unit")) is not None:
        function, known = _TAKERS[type(node)]
        found = _UNIT.get(unit.name.upper())
        if found not in known:
            raise errors.invalid_unit(unit.name.upper(), function)
        node.set("unit", exp.var(found))
    return node
