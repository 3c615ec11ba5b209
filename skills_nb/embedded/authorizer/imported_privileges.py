"""Imported: what of the database SNOWFLAKE roles may use.

Room: embedded. IMPORTED PRIVILEGES give all of it; a role of SNOWFLAKE gives its part.

See https://docs.snowflake.com/en/sql-reference/snowflake-db-roles
"""

from __future__ import annotations

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.grantees import key_of
from skills_nb.embedded.session.context import Context

_SNOWFLAKE = "SNOWFLAKE"


def has_everything(session: Context, roles: frozenset[str]) -> bool:
    """Tell whether the roles hold IMPORTED PRIVILEGES."""
    database = session.account.catalog.find(Kind.DATABASE, (_SNOWFLAKE,))
    assert database is not None
    return access.may(session, "IMPORTED PRIVILEGES", database, roles)


def holds(session: Context, roles: frozenset[str], *names: str) -> bool:
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
