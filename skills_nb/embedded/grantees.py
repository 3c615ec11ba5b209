"""Grantees: how records name who holds a privilege.

Room: embedded. Pure. An account role, user or share is named by its name. A database role is named
by its number behind a sign that no name begins with, so that it stays itself when it or its
database is renamed, and is never taken for an account role.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.sql.identifiers import render_name

DATABASE_ROLE = "DATABASE_ROLE"
ROLES = ("ROLE", DATABASE_ROLE)
"""Kinds of grantees that privileges come through."""
_SIGN = "\x1f"


def key_of(entity: Entity) -> str:
    """Return what records call a role, user or share."""
    return f"{_SIGN}{entity.id}" if entity.kind is Kind.DATABASE_ROLE else entity.name


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
