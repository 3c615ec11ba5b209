"""What a column of values that have types already is kept as.

Room: commands (loads). Values of several types are text, unless one type holds them all exactly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from skills_nb.commands.loads.tabled import Fit, shortened
from skills_nb.commands.loads.text_moments import moment_fit

_MOST_DIGITS = 38


def value_fit(values: Sequence[Any]) -> Fit:
    """Return what a column's values are kept as; None among them is NULL in any type."""
    kinds = {_kind(value) for value in values}
    if len(kinds) == 1:
        return _FITS[kinds.pop()](values)
    if kinds <= {"int", "decimal"}:
        return _numbers(values)
    if kinds <= {"int", "decimal", "float"} and all(_is_exact(value) for value in values):
        return Fit("FLOAT", lambda value: repr(float(value)))
    if kinds <= {"date", "naive"}:
        return Fit("TIMESTAMP_NTZ", _moment)
    if "nested" in kinds:
        return Fit("VARIANT", _document, "it holds lists or objects beside single values")
    shown = " and ".join(sorted(_CALLED[kind] for kind in kinds))
    return Fit("VARCHAR", _text, f"it holds {shown}")


def _kind(value: Any) -> str:
    for kind, types in _TYPES:
        if isinstance(value, types):
            return kind
    if isinstance(value, datetime):
        return "naive" if value.tzinfo is None else "aware"
    if isinstance(value, date):
        return "date"
    return "nested" if hasattr(value, "tolist") and getattr(value, "ndim", False) else "other"


_TYPES: tuple[tuple[str, Any], ...] = (
    ("bool", bool),
    ("int", int),
    ("float", float),
    ("decimal", Decimal),
    ("text", str),
    ("bytes", bytes | bytearray),
    ("time", time),
    ("nested", list | tuple | dict | set | frozenset),
)
_CALLED = {
    "bool": "true and false",
    "int": "numbers",
    "float": "numbers",
    "decimal": "numbers",
    "text": "texts",
    "bytes": "bytes",
    "time": "times",
    "date": "dates",
    "naive": "moments without a time zone",
    "aware": "moments with a time zone",
    "other": "values of other types",
    "nested": "lists or objects",
}


def _is_exact(value: Any) -> bool:
    return not isinstance(value, int) or float(value) == value


def _numbers(values: Sequence[Any]) -> Fit:
    sizes = [_size(Decimal(value)) for value in values]
    whole, scale = max(size[0] for size in sizes), max(size[1] for size in sizes)
    if whole + scale <= _MOST_DIGITS:
        return Fit(f"NUMBER({_MOST_DIGITS},{scale})", lambda value: format(Decimal(value), "f"))
    if all(isinstance(value, Decimal) for value in values) and whole < 300:
        return Fit("FLOAT", lambda value: repr(float(value)), "a NUMBER has 38 digits at most")
    return Fit("VARCHAR", _text, f"a NUMBER has {_MOST_DIGITS} digits, and these have more")


def _size(value: Decimal) -> tuple[int, int]:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return (1000, 0)  # NaN and infinity are no NUMBER
    return max(len(digits) + exponent, 1), max(-exponent, 0)


def json_text_fit(values: Sequence[str]) -> Fit | None:
    """Return the moments that JSON's texts are, where all of them begin with a year."""
    if not all(value[:4].isdigit() and value[4:5] == "-" for value in values):
        return None
    fit = moment_fit(values)
    return fit if fit is not None and fit.type != "VARCHAR" else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _float(value: Any) -> str:
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def _moment(value: Any) -> str:
    if not isinstance(value, datetime):
        return f"{value.isoformat()} 00:00:00"
    offset = value.utcoffset()
    nanosecond = getattr(value, "nanosecond", 0)
    part = f".{value.microsecond:06}{nanosecond:03}".rstrip("0").rstrip(".")
    text = f"{value.year:04}-{value.month:02}-{value.day:02} "
    text += f"{value.hour:02}:{value.minute:02}:{value.second:02}{part}"
    if offset is None:
        return text
    minutes = int(offset.total_seconds() // 60)
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{text} {sign}{minutes // 60:02}:{minutes % 60:02}"


def _document(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    """Return what JSON has for a value inside a list or an object."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes | bytearray):
        return value.hex().upper()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def _nested(values: Sequence[Any]) -> Fit:
    return Fit("VARIANT", lambda value: _document(_outer(value)))


def _outer(value: Any) -> Any:
    return _plain(value) if not isinstance(value, list | tuple | dict) else value


def _other(values: Sequence[Any]) -> Fit:
    kind = type(values[0]).__name__
    return Fit("VARCHAR", _text, f"SQL has no type for values like {shortened(values[0])} ({kind})")


_FITS: Mapping[str, Callable[[Sequence[Any]], Fit]] = {
    "bool": lambda values: Fit("BOOLEAN", lambda value: "true" if value else "false"),
    "int": _numbers,
    "decimal": _numbers,
    "float": lambda values: Fit("FLOAT", _float),
    "text": lambda values: Fit("VARCHAR", str),
    "bytes": lambda values: Fit("BINARY", lambda value: bytes(value).hex().upper()),
    "time": lambda values: Fit("TIME", lambda value: value.isoformat()),
    "date": lambda values: Fit("DATE", lambda value: value.isoformat()),
    "naive": lambda values: Fit("TIMESTAMP_NTZ", _moment),
    "aware": lambda values: Fit("TIMESTAMP_TZ", _moment),
    "nested": _nested,
    "other": _other,
}
