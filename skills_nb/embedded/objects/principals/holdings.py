"""Holdings: what a role, database role or share holds, and how it goes with it.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, FutureGrant, Kind
from skills_nb.embedded.catalog.grantees import key_of
from skills_nb.embedded.session.context import Context


def drop(session: Context, entity: Entity) -> None:
    """Drop a role, database role or share with what it held."""
    forget(session, entity)
    session.account.catalog.forget(entity)


def forget(session: Context, entity: Entity) -> None:
    """Take away what a role or share held; what a role owned goes to who drops it."""
    catalog = session.account.catalog
    kind, key = entity.kind.value.replace(" ", "_"), key_of(entity)
    for grant in [*catalog.grants_to(kind, key)]:
        catalog.remove(grant)
    for held in catalog.roles_granted_to(kind, key):
        catalog.remove(held)
    if entity.kind is Kind.SHARE:
        return
    for held in catalog.role_granted(key):
        catalog.remove(held)
    for future in catalog.all(FutureGrant):
        if future.grantee == key:
            catalog.remove(future)
    if entity.kind is Kind.DATABASE_ROLE:
        return
    for owned in catalog.all(Entity):
        if owned.owner == entity.name and owned.id != entity.id:
            catalog.change(owned, owner=session.role or "")
