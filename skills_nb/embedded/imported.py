"""Imported: what of the database SNOWFLAKE roles may use.

Room: embedded. IMPORTED PRIVILEGES give all of it; a role of SNOWFLAKE gives its part.

See https://docs.snowflake.com/en/sql-reference/snowflake-db-roles
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.grantees import key_of

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_SNOWFLAKE = "SNOWFLAKE"


def has_everything(session: Lookups, roles: frozenset[str]) -> bool:
    """Tell whether the roles hold IMPORTED PRIVILEGES."""
    database = session.account.catalog.find(Kind.DATABASE, (_SNOWFLAKE,))
    assert database is not None
    return session.account.rights.has(roles, "IMPORTED PRIVILEGES", database)


def holds(session: Lookups, roles: frozenset[str], *names: str) -> bool:
    """Tell whether the roles hold one of SNOWFLAKE's roles, or everything."""
    catalog = session.account.catalog
    found = (
        catalog.find(kind, (_SNOWFLAKE, name))
        for name in names
        for kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE)
    )
    return has_everything(session, roles) or any(
        role is not None and key_of(role) in roles for role in found
    )
