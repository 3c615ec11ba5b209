"""Values, comments and names in written statements.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.sql.identifiers import quote, render_name
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


def tight_comment(entity: Entity) -> str:
    """Write the comment's clause as GET_DDL does for tables, tags and what contains them."""
    return f" COMMENT={literal(entity.comment)}" if entity.comment else ""


def names(listed: Iterable[str]) -> str:
    """Write stored names with commas between."""
    return ", ".join(quote(name) for name in listed)


def target(entity: Entity) -> str:
    """Write kind and name as GRANT … ON takes them; a routine's with its argument types."""
    if entity.kind not in (Kind.FUNCTION, Kind.PROCEDURE):
        return f"{entity.kind.value} {render_name(entity.path)}"
    name, _, arguments = entity.name.partition("(")
    return f"{entity.kind.value} {render_name((*entity.path[:-1], name))}({arguments}"


def written_name(entity: Entity, *, qualified: bool) -> str:
    """Write an object's name, in full or its last part alone."""
    return render_name(entity.path if qualified else entity.path[-1:])
