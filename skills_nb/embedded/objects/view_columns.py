"""Columns that the system's views have of objects of every kind.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.objects.object_kind import Columns


def named(word: str, name: Callable[[Entity], str] = lambda e: e.name) -> Columns:
    """Return the columns that say what an object is called and whose it is."""
    return {
        f"{word}_CATALOG": lambda e: e.path[0],
        f"{word}_SCHEMA": lambda e: e.path[1],
        f"{word}_NAME": name,
        f"{word}_OWNER": lambda e: e.owner,
    }


TIMES: Columns = {
    "CREATED:t": lambda e: e.created_on,
    "LAST_ALTERED:t": lambda e: e.altered_on or e.created_on,
    "COMMENT": lambda e: e.comment or None,
}
"""When an object was made and changed, and what was said about it."""
