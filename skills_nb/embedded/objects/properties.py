"""Properties: `KEY = value` pairs, read into the fields of typed details.

Room: embedded. Pure. Every key that a kind has is in a table, with how to read it; another key is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from skills_nb.embedded import errors
from skills_nb.sql.governance.ast import Ref, text_of

Readers = Mapping[str, tuple[str, Callable[[str, Any], Any]]]
"""Key to the detail's field and how to read it."""


def none(given: Mapping[str, Any]) -> None:
    """Refuse any property.

    Raises:
        SqlError: one is given (1420).
    """
    for key in given:
        raise errors.invalid_property(f"invalid property '{key}'")


RETENTION = "DATA_RETENTION_TIME_IN_DAYS"
RETENTION_DAYS = 1
"""How long dropped and changed rows are kept where nobody says it."""
HELD_RETENTION = {RETENTION: "retention_days"}
"""The parameter with the field of the details that hold it."""


def retention(given: Mapping[str, Any], default: int = RETENTION_DAYS) -> int:
    """Read DATA_RETENTION_TIME_IN_DAYS, the only property of databases and schemas read here.

    Args:
        given: the properties as written.
        default: what counts where it is not among them.

    Raises:
        SqlError: it is not within 0 and 90 (1008), or another property is given (1420).
    """
    none({k: v for k, v in given.items() if k != RETENTION})
    days = given.get(RETENTION, default)
    if not isinstance(days, int) or not 0 <= days <= 90:
        raise errors.invalid_value(str(days), RETENTION)
    return days


def as_text(key: str, value: Any) -> str:
    """Read a text; NULL is none."""
    return text_of(value) if value is not None else ""


def as_name(key: str, value: Any) -> str:
    """Read a role, warehouse or namespace: bare words are stored, strings are upper-cased."""
    if isinstance(value, Ref):
        return ".".join(value.parts)
    return str(value or "").upper()


def as_flag(key: str, value: Any) -> bool:
    """Read TRUE or FALSE.

    Raises:
        SqlError: the value is neither TRUE nor FALSE (1008).
    """
    if isinstance(value, bool):
        return value
    raise errors.invalid_value(as_text(key, value), key)


def as_whole(key: str, value: Any) -> int:
    """Read a whole number from 0 on.

    Raises:
        SqlError: the value is no whole number, or less than 0 (1008).
    """
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise errors.invalid_value(as_text(key, value), key)


def one_of(*allowed: str) -> Callable[[str, Any], str]:
    """Read one of some words, in upper case; NULL is none of them."""

    def read(key: str, value: Any) -> str:
        found = as_text(key, value).upper()
        if found and found not in allowed:
            raise errors.invalid_value(found, key)
        return found

    return read


def within(low: int, high: int) -> Callable[[str, Any], int | None]:
    """Read a whole number within bounds, or NULL."""

    def read(key: str, value: Any) -> int | None:
        if value is None:
            return None
        if not low <= as_whole(key, value) <= high:
            raise errors.invalid_value(as_text(key, value), key)
        return int(value)

    return read


def read(table: Readers, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that properties are for, with their values; the comment stands apart.

    Raises:
        SqlError: there is no such property (1420), or not with this value (1008).
    """
    return {
        _field(table, key): table[key][1](key, value)
        for key, value in given.items()
        if key != "COMMENT"
    }


def _field(table: Readers, key: str) -> str:
    if key not in table:
        raise errors.invalid_property(f"invalid property '{key}'")
    return table[key][0]


def default_of(table: Readers, key: str, fresh: object) -> dict[str, Any]:
    """Return the field that UNSET is about, with its value in a fresh detail.

    Raises:
        SqlError: there is no such property (1420).
    """
    field = _field(table, key)
    return {field: getattr(fresh, field)}
