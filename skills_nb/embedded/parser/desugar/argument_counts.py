"""How many arguments a function takes, for those where another number would pass unnoticed.

Room: embedded. Pure. The parser refuses what has no place in its tree; it has places that
Snowflake's functions do not have, and does without arguments that they need.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from skills_nb.embedded import errors

_ANY = 1_000_000
_GROUPS: dict[tuple[int, int], str] = {
    (1, 1): """ABS ACOS ACOSH ASIN ASINH ATAN ATANH CBRT COS COSH COT DAYNAME DEGREES EXP FACTORIAL
        LENGTH LEN LN LOWER MONTHNAME NULLIFZERO RADIANS REVERSE SIGN SIN SINH SQRT SQUARE TAN TANH
        UNICODE UPPER ZEROIFNULL YEAR QUARTER MONTH DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR WEEK HOUR
        MINUTE SECOND""",
    (1, 2): """CEIL FLOOR INITCAP LAST_DAY LTRIM RTRIM TO_DATE TO_TIME TRIM TRUNC TRUNCATE
        TRY_TO_DATE TRY_TO_TIME""",
    (1, 3): "ROUND",
    (1, _ANY): "CONCAT GREATEST LEAST",
    (2, 2): """ADD_MONTHS ATAN2 CONTAINS DIV0 DIV0NULL ENDSWITH EQUAL_NULL IFNULL LEFT LOG MOD
        MONTHS_BETWEEN NEXT_DAY NULLIF NVL POW POWER PREVIOUS_DAY REPEAT RIGHT SPLIT STARTSWITH""",
    (2, 3): "CHARINDEX LPAD REPLACE RPAD SUBSTR SUBSTRING",
    (2, _ANY): "COALESCE CONCAT_WS",
    (3, 3): "DATEADD DATEDIFF IFF NVL2 SPLIT_PART TIMEADD TIMEDIFF TIMESTAMPADD TIMESTAMPDIFF",
    (3, _ANY): "DECODE",
    (4, 4): "WIDTH_BUCKET INSERT",
}
COUNTS = {name: counts for counts, listed in _GROUPS.items() for name in listed.split()}
"""The fewest and the most arguments, by name."""
Builder = Callable[..., exp.Expr]


def counting(builders: Mapping[str, Any]) -> dict[str, Any]:
    """Let the parser's builders of functions count their arguments."""
    return {
        name: _counting(name, build, *COUNTS[name]) if name in COUNTS else build
        for name, build in builders.items()
    }


def _counting(name: str, build: Builder, least: int, most: int) -> Builder:
    def built(arguments: list[exp.Expr], dialect: Dialect) -> exp.Expr:
        given = len(arguments)
        if not least <= given <= most and not any(one.find(exp.Star) for one in arguments):
            written = ", ".join(one.sql("snowflake") for one in arguments)
            raise errors.wrong_argument_count(f"{name}({written})", least, most, given)
        try:
            return build(arguments)
        except TypeError:  # the parser's own way to ask a compiled builder what it takes
            return build(arguments, dialect=dialect)

    return built
