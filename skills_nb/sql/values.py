"""Values of a result as they may stand on a thread: JSON-safe, and the same from every session.

Room: sql.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any


def json_safe(value: Any) -> Any:
    """Return a cell as JSON can hold it, without losing what it says.

    Whole decimals become integers; others become floats where that is exact, else text. Dates and
    times become ISO 8601 text, bytes hexadecimal text, infinities and NaN text.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            return _of_decimal(value)
        case datetime() | date() | time():
            return value.isoformat()
        case bytes() | bytearray():
            return value.hex().upper()
        case Mapping():
            return {str(key): json_safe(member) for key, member in value.items()}
        case list() | tuple():
            return [json_safe(member) for member in value]
        case _:
            return str(value)


def _of_decimal(value: Decimal) -> int | float | str:
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    near = float(value)
    return near if Decimal(repr(near)) == value else str(value)
