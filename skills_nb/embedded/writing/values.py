"""Values, comments and names in written statements.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal


def value(given: Any) -> str:
    """Write a property's value."""
    match given:
        case bool():
            return str(given).lower()
        case None:
            return "null"
        case int():
            return str(given)
        case list() | tuple():
            return "(" + ", ".join(value(item) for item in given) + ")"
        case dict():
            return "(" + " ".join(f"{key} = {value(item)}" for key, item in given.items()) + ")"
        case _:
            return literal(str(given))


def comment(entity: Entity, before: str = " ") -> str:
    """Write the comment's clause, or nothing."""
    return f"{before}comment = {literal(entity.comment)}" if entity.comment else ""


def names(listed: Iterable[str]) -> str:
    """Write stored names with commas between."""
    return ", ".join(quote(name) for name in listed)
