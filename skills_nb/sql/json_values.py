"""Values of a result as JSON knows them.

Room: sql. The same from every session. Exact before convenient: a number that JSON readers would
round, and a number with decimals, is a text.
Source: the manual's Snowflake data types; the Python connector's data type mappings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any


def json_safe(value: Any) -> Any:
    """Return a cell's value without what JSON lacks.

    | Snowflake | here |
    |---|---|
    | NUMBER without decimals | an integer |
    | NUMBER(p, s) | a text with its s decimals: `"12.50"` |
    | FLOAT | a number; `"NaN"`, `"inf"`, `"-inf"` as Snowflake writes them |
    | DATE, TIME, TIMESTAMP_* | ISO 8601; TIMESTAMP_TZ and _LTZ with their offset |
    | INTERVAL | seconds as a text |
    | BINARY | hexadecimal, in capitals |
    | VARIANT, OBJECT, ARRAY | the JSON text that the account sends |
    | VECTOR and structured types | lists and mappings |
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else _not_finite(value)
        case Decimal():
            return _number(value)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            seconds = Decimal(value // timedelta(microseconds=1)).scaleb(-6)
            return format(seconds.normalize(), "f")
        case bytes() | bytearray():
            return value.hex().upper()
        case list() | tuple():
            return [json_safe(each) for each in value]
        case Mapping():
            return {str(key): json_safe(each) for key, each in value.items()}
        case _:
            return str(value)


def _not_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else str(value)


def _number(value: Decimal) -> int | str:
    if not value.is_finite():
        return _not_finite(float(value))
    has_decimals = int(value.as_tuple().exponent) < 0
    return format(value, "f") if has_decimals else int(value)
