"""Database roles.

Room: embedded. What one held goes with it.

See https://docs.snowflake.com/en/sql-reference/sql/create-database-role
"""

from __future__ import annotations

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Grant, Kind, RoleDetail
from skills_nb.embedded.catalog.grantees import DATABASE_ROLE, key_of
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    register,
)
from skills_nb.embedded.objects.principals import holdings
from skills_nb.embedded.objects.shown_values import owner_kind, y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateDatabaseRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-database-role."""
    properties.none(statement.properties)

    def enter(entity: Entity) -> None:
        """Let the role use its database, as Snowflake does by itself."""
        database = access.existing(session, Kind.DATABASE, entity.path[:1])
        now = session.account.clock()
        by = session.role or ""
        made = Grant("USAGE", database.id, DATABASE_ROLE, key_of(entity), False, by, now)
        session.account.catalog.put(made)

    return creation.create(session, statement, Kind.DATABASE_ROLE, RoleDetail, enter)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-database-roles."""
    catalog, key = session.account.catalog, key_of(e)
    granted = [held.grantee_kind for held in catalog.role_granted(key)]
    inherited = key in session.primary_roles()
    return (
        e.created_on,
        e.name,
        "N",
        "N",
        y_or_n(inherited),
        granted.count("ROLE"),
        granted.count("DATABASE_ROLE"),
        len(catalog.roles_granted_to("DATABASE_ROLE", key)),
        e.owner,
        e.comment,
        owner_kind(e),
    )


register(
    ObjectKind(
        kind=Kind.DATABASE_ROLE,
        plurals=("DATABASE ROLES",),
        create={ast.CreateDatabaseRole: create},
        drop=holdings.drop,
        listing=Listing(
            "created_on:t name is_default is_current is_inherited granted_to_roles:n "
            "granted_to_database_roles:n granted_database_roles:n owner comment owner_role_type",
            _row,
        ),
        export=Exporting(Phase.OWN),
    )
)
