"""Columns of ACCOUNT_USAGE that several kinds of entries have.

Room: embedded. What was dropped is not kept, so that DELETED is always NULL.

See https://docs.snowflake.com/en/sql-reference/account-usage/network_policies and the pages beside
it
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.objects.entries.entry_rules import properties_of
from skills_nb.embedded.objects.object_kind import Columns
from skills_nb.embedded.session.context import Context

OWNED: Columns = {"OWNER": lambda e: e.owner, "OWNER_ROLE_TYPE": lambda _: "ROLE"}
TIMES: Columns = {
    "COMMENT": lambda e: e.comment or None,
    "CREATED:t": lambda e: e.created_on,
    "LAST_ALTERED:t": lambda e: e.altered_on or e.created_on,
    "DELETED:t": lambda e: e.dropped_on,
}


def place(session: Context, schema: str, database: str) -> Columns:
    """Return the columns about where an object is, named as the view names them."""
    catalog = session.account.catalog
    return {
        "SCHEMA_ID:n": lambda e: catalog.id_of_place(e.path[:2]),
        schema: lambda e: e.path[1],
        "DATABASE_ID:n": lambda e: catalog.id_of_place(e.path[:1]),
        database: lambda e: e.path[0],
    }


def policy(session: Context) -> Columns:
    """Return the columns with which a view of policies begins."""
    return {
        "NAME": lambda e: e.name,
        "ID:n": lambda e: e.id,
        **place(session, "SCHEMA", "DATABASE"),
        **OWNED,
    }


def said(key: str, usual: Any = None) -> Callable[[Entity], Any]:
    """Read a property, or what it is where nobody said."""

    def read(entity: Entity) -> Any:
        value = properties_of(entity).get(key, usual)
        return ",".join(map(str, value)) if isinstance(value, list) else value

    return read
