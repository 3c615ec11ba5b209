"""Values to SQL: one whole constant or identifier each.

Room: sql. Source: Snowflake manual, "String & binary data types", "Object constants".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from skills_nb.sql.row_conditions import RowCondition
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.query_values import Query
from skills_nb.sql.templates.template_error import refuse
from skills_nb.sql.tokens import literal

_DEEPEST = 20
_MOST_DIGITS = 400
_TOO_LARGE = 10**_MOST_DIGITS
"""Beyond every FLOAT; written out, such a number could fill the memory."""


def sql_of(value: Any, depth: int = 0) -> str:
    """Write a value as SQL by its type.

    Raises:
        TemplateError: SQL has no constant for it.
    """
    if value is None or isinstance(value, str):
        # Nearly every value; asking an abstract class takes longer than writing it.
        return _scalar(value)
    if isinstance(value, Mapping | list | tuple) and depth > _DEEPEST:
        raise refuse(f"a value is nested deeper than {_DEEPEST} levels")
    match value:
        case Name():
            return value.fqn
        case Query() | RowCondition():
            return str(value)
        case Mapping():
            return _object(value, depth)
        case list() | tuple():
            return _list(value, depth)
        case _:
            return _scalar(value)


def _scalar(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return _text(value)
        case int() | float() | Decimal():
            return number_of(value)
        case datetime():
            return literal(value.isoformat(" ")) + _timestamp_cast(value)
        case date():
            return literal(value.isoformat()) + "::DATE"
        case time():
            return literal(value.isoformat()) + "::TIME"
        case _:
            raise refuse(
                f"a {type(value).__name__} has no SQL form",
                "Give text, a number, a boolean, a name, a date, a list or a mapping.",
            )


def _timestamp_cast(value: datetime) -> str:
    return "::TIMESTAMP_TZ" if value.tzinfo else "::TIMESTAMP_NTZ"


def _text(value: str) -> str:
    if "\x00" in value:
        raise refuse("a text holds a NUL character", "Remove it from the value.")
    return literal(str(value))


def number_of(value: float | Decimal) -> str:
    """Write a number.

    Raises:
        TemplateError: it is not finite, or larger than any that an account has.
    """
    if isinstance(value, int):
        if abs(value) >= _TOO_LARGE:
            raise refuse(f"a number has more than {_MOST_DIGITS} digits")
        return str(value)
    if not math.isfinite(value):
        raise refuse(f"{value} is not a finite number")
    if isinstance(value, Decimal) and abs(value.adjusted()) >= _MOST_DIGITS:
        raise refuse(f"a number has more than {_MOST_DIGITS} digits")
    return format(value, "f") if isinstance(value, Decimal) else repr(value)


def _list(items: list[Any] | tuple[Any, ...], depth: int) -> str:
    """Write `a, b`; lists inside it in parentheses; nothing at all is no SQL."""
    if not items:
        raise refuse("an empty list has no SQL form", "Skip the statement when the list is empty.")
    return ", ".join(
        f"({sql_of(item, depth + 1)})"
        if isinstance(item, list | tuple)
        else sql_of(item, depth + 1)
        for item in items
    )


def _object(mapping: Mapping[Any, Any], depth: int) -> str:
    """Write `{'k': v, …}`, lists inside it as arrays."""
    pairs = (f"{_text(str(key))}: {_inner(item, depth + 1)}" for key, item in mapping.items())
    return "{" + ", ".join(pairs) + "}"


def _inner(value: Any, depth: int) -> str:
    if not isinstance(value, list | tuple):
        return sql_of(value, depth)
    if depth > _DEEPEST:
        raise refuse(f"a value is nested deeper than {_DEEPEST} levels")
    return "[" + ", ".join(_inner(item, depth + 1) for item in value) + "]"
