"""Grantees: how records name who holds a privilege.

Room: embedded. Pure. An account role, user or share is named by its name. A database role, or
an application's, is named by its number behind a sign that no name begins with, so that it stays
itself when it or its database is renamed, and is never taken for an account role.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Kind, RoleGrant
from skills_nb.sql.identifiers import render_name

DATABASE_ROLE = "DATABASE_ROLE"
ROLES = ("ROLE", DATABASE_ROLE)
"""Kinds of grantees that privileges come through."""
_SIGN = "\x1f"


def key_of(entity: Entity) -> str:
    """Return what records call a role, user or share."""
    of_database = entity.kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE)
    return f"{_SIGN}{entity.id}" if of_database else entity.name


def is_database_role(key: str) -> bool:
    """Tell a database role from everybody else."""
    return key.startswith(_SIGN)


def entity_of(catalog: Catalog, key: str) -> Entity | None:
    """Return the role that a record names."""
    if is_database_role(key):
        return catalog.by_id(int(key.removeprefix(_SIGN)))
    return catalog.find(Kind.ROLE, (key,))


def name_of(catalog: Catalog, key: str) -> str:
    """Return the name that a person reads: a database role's without its database."""
    if not is_database_role(key):
        return key
    role = entity_of(catalog, key)
    return role.name if role is not None else ""


def full_name_of(catalog: Catalog, key: str) -> str:
    """Return the name by which statements elsewhere reach the role."""
    role = entity_of(catalog, key) if is_database_role(key) else None
    return render_name(role.path) if role is not None else key


def kind_of(key: str) -> str:
    """Return the kind of grantee that a role is."""
    return DATABASE_ROLE if is_database_role(key) else "ROLE"


def present(catalog: Catalog, held: list[RoleGrant]) -> list[RoleGrant]:
    """Leave out database roles that went with their database, and may come back with it."""
    keys = ((g, (g.role, g.grantee)) for g in held)
    return [
        g
        for g, pair in keys
        if all(not is_database_role(key) or entity_of(catalog, key) is not None for key in pair)
    ]


def may_be_named(name: str) -> bool:
    """Tell whether an account role may have the name: one that no database role's record has."""
    return not is_database_role(name)
