"""Checks of an entry's properties: what may be said, and what is kept of it.

Room: embedded. Pure. A check takes a property's key and value and returns what is kept, or refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from skills_nb.embedded import errors
from skills_nb.sql.governance import ast

Check = Callable[[str, Any], Any]


def plain(key: str, value: Any) -> Any:
    """Keep any value, names as text."""
    match value:
        case ast.Ref():
            return value.text
        case tuple():
            return [plain(key, item) for item in value]
        case Mapping():
            return {k: plain(k, v) for k, v in value.items()}
        case bool() | int() | str() | None:
            return value
        case _:
            return str(value)


def listed(key: str, value: Any) -> list[str]:
    """Keep a list of texts.

    Raises:
        SqlError: the value is no list of single values (1008).
    """
    if not isinstance(value, tuple) or any(isinstance(one, (tuple, Mapping)) for one in value):
        raise errors.invalid_value(str(value), key)
    return [ast.text_of(item) for item in value]


def flag(key: str, value: Any) -> bool:
    """Keep TRUE or FALSE.

    Raises:
        SqlError: the value is neither TRUE nor FALSE (1008).
    """
    if isinstance(value, bool):
        return value
    raise errors.invalid_value(ast.text_of(value), key)


def one_of(*allowed: str) -> Check:
    """Keep one of some words."""

    def check(key: str, value: Any) -> str:
        found = ast.text_of(value).upper()
        if found not in allowed:
            raise errors.invalid_value(found, key)
        return found

    return check


def between(low: int, high: int) -> Check:
    """Keep a whole number within bounds."""

    def check(key: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise errors.invalid_value(ast.text_of(value), key)
        return value

    return check


def upper(key: str, value: Any) -> str:
    """Keep a word in upper case."""
    return ast.text_of(value).upper()


def text(key: str, value: Any) -> str:
    """Keep a text.

    Raises:
        SqlError: the value is no text (1008).
    """
    if not isinstance(value, str):
        raise errors.invalid_value(str(value), key)
    return value


def as_json(key: str, value: Any) -> str:
    """Keep a text that is JSON.

    Raises:
        SqlError: the value is no JSON (1008).
    """
    try:
        json.loads(text(key, value))
    except json.JSONDecodeError:
        raise errors.invalid_value(str(value), key) from None
    return str(value)
