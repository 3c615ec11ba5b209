"""Checks: what may be said about an entry, and what is kept of it.

Room: embedded. Pure. A check takes a property's key and value and returns what is kept, or refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.sql.governance import ast

Check = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class EntryKind:
    """What may be said about one kind."""

    properties: Mapping[str, Check]
    required: tuple[str, ...] = ()
    subtype: str = ""
    """The property that says the subtype."""
    secret: frozenset[str] = frozenset()
    """Properties whose values are not kept."""
    defaults: Mapping[str, Any] | None = None
    references: Mapping[str, Kind] = field(default_factory=dict)
    """Properties that name objects, which must be there."""
    one_of: tuple[str, ...] = ()
    """Properties of which exactly one must be given."""
    fixed: frozenset[str] = frozenset()
    """Properties that only CREATE may give."""
    born: Mapping[str, Any] = field(default_factory=dict)
    """What a new entry has besides, under keys that no statement can write."""


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
    """Keep a list of texts."""
    if not isinstance(value, tuple):
        raise refusals.invalid_value(str(value), key)
    return [ast.text_of(item) for item in value]


def flag(key: str, value: Any) -> bool:
    """Keep TRUE or FALSE."""
    if isinstance(value, bool):
        return value
    raise refusals.invalid_value(ast.text_of(value), key)


def one_of(*allowed: str) -> Check:
    """Keep one of some words."""

    def check(key: str, value: Any) -> str:
        found = ast.text_of(value).upper()
        if found not in allowed:
            raise refusals.invalid_value(found, key)
        return found

    return check


def between(low: int, high: int) -> Check:
    """Keep a whole number within bounds."""

    def check(key: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise refusals.invalid_value(ast.text_of(value), key)
        return value

    return check


def upper(key: str, value: Any) -> str:
    """Keep a word in upper case."""
    return ast.text_of(value).upper()


def text(key: str, value: Any) -> str:
    """Keep a text."""
    if not isinstance(value, str):
        raise refusals.invalid_value(str(value), key)
    return value


def as_json(key: str, value: Any) -> str:
    """Keep a text that is JSON."""
    try:
        json.loads(text(key, value))
    except json.JSONDecodeError:
        raise refusals.invalid_value(str(value), key) from None
    return str(value)


def properties_of(entity: Entity) -> dict[str, Any]:
    """Return what an entry keeps."""
    assert isinstance(entity.detail, EntryDetail)
    return entity.detail.kept


def is_own(key: str) -> bool:
    """Tell whether the account itself keeps this, and no statement may write it."""
    return key.startswith("_")
