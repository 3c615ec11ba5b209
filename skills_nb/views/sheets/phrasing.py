"""Values and counts as people read them.

Room: laws (views).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skills_nb.sql.plurals import plural_of

LONGEST_CELL = 400
"""Characters of one value that a table keeps."""


def plural(count: int, noun: str) -> str:
    """Return `1 table`, `2 tables`, `3 policies`."""
    return f"{count} {noun if count == 1 else plural_of(noun)}"


def without_facet(name: str) -> str:
    """Return the name of what was made: a column is all of it, its definition no other thing."""
    return name.removesuffix(" (definition)")


def in_words(name: str) -> str:
    """Return an identifier as words: `masking_policy` as `masking policy`.

    Of a class, as `snowflake.core.budget`, its own name is enough.
    """
    return name.rpartition(".")[2].replace("_", " ").strip()


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def cell(value: Any) -> str:
    """Return a value as a table's cell: NULL is said, not left blank; a line break is a mark."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            text = value
        case Mapping() | list() | tuple():
            text = json.dumps(_plain(value), ensure_ascii=False)
        case _:
            text = str(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def percent(share: float) -> str:
    """Return 0.916 as `92 %`."""
    return f"{round(share * 100)} %"
