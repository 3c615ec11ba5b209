"""Roles.

Room: embedded. What a role held goes with it; what it owned belongs to the role that drops it.

See https://docs.snowflake.com/en/sql-reference/sql/create-role
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, FutureGrant, Kind, RoleDetail, RoleGrant
from skills_nb.embedded.catalog.grantees import may_be_named
from skills_nb.embedded.objects import bootstrap, properties
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
from skills_nb.embedded.objects.shown_values import y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-role.

    Raises:
        SqlError: the name begins with a control character (1003), or it has a property (1420).
    """
    properties.none(statement.properties)
    if not may_be_named(statement.name[-1]):
        raise errors.syntax("syntax error: a role's name does not begin with a control character.")
    return creation.create(session, statement, Kind.ROLE, RoleDetail)


def _refuse_current(session: Context, role: Entity) -> None:
    """Refuse to drop the role that the session works as.

    Raises:
        SqlError: it does (3011).

    See https://docs.snowflake.com/en/sql-reference/sql/drop-role
    """
    if role.name == session.role:
        raise errors.current_role(role.name)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-roles."""
    catalog = session.account.catalog
    granted = catalog.role_granted(e.name)
    users = sum(g.grantee_kind == "USER" for g in granted)
    inherited = e.name in session.primary_roles() and e.name != session.role
    return (
        e.created_on,
        e.name,
        y_or_n(session.user_detail().default_role == e.name),
        y_or_n(session.role == e.name),
        y_or_n(inherited),
        users,
        len(granted) - users,
        len(catalog.roles_granted_to("ROLE", e.name)),
        e.owner,
        e.comment,
    )


def _rename(session: Context, entity: Entity, path: tuple[str, ...]) -> None:
    """Let what the role holds and owns follow to its new name."""
    name = path[0]
    if entity.name in bootstrap.SYSTEM_ROLES or not may_be_named(name):
        raise access.refused(session, entity)
    catalog = session.account.catalog
    for grant in catalog.grants_to("ROLE", entity.name):
        catalog.remove(grant)
        catalog.put(replace(grant, grantee=name))
    for future in catalog.all(FutureGrant):
        if future.grantee == entity.name:
            catalog.remove(future)
            catalog.put(replace(future, grantee=name))
    for held in catalog.all(RoleGrant):
        made = _renamed(held, entity.name, name)
        if made != held:
            catalog.remove(held)
            catalog.put(made)
    for owned in catalog.all(Entity):
        if owned.owner == entity.name:
            catalog.change(owned, owner=name)


def _renamed(held: RoleGrant, old: str, new: str) -> RoleGrant:
    is_to_role = (held.grantee_kind, held.grantee) == ("ROLE", old)
    return replace(
        held,
        role=new if held.role == old else held.role,
        grantee=new if is_to_role else held.grantee,
    )


register(
    ObjectKind(
        kind=Kind.ROLE,
        plurals=("ROLES",),
        create={ast.CreateRole: create},
        rename=_rename,
        drop=holdings.drop,
        refuse_drop=_refuse_current,
        listing=Listing(
            "created_on:t name is_default is_current is_inherited assigned_to_users:n "
            "granted_to_roles:n granted_roles:n owner comment",
            _row,
        ),
        export=Exporting(Phase.OWN),
    )
)
