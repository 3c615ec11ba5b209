"""Rights: who may do what.

Room: embedded. Roles inherit the roles granted to them; nobody is above the rules, ACCOUNTADMIN
included, who only inherits much. Only the authorizer asks here.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview
"""

from __future__ import annotations

from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    OWNERSHIP,
    RELATIONS,
    Entity,
    FutureGrant,
    Grant,
    Kind,
    SchemaDetail,
)
from skills_nb.embedded.catalog.lacks import ANYTHING, Lack


def closure(catalog: Catalog, role: str) -> frozenset[str]:
    """Return the role, every role it inherits, and PUBLIC."""
    return catalog.derived(("closure", role), lambda: _walk(catalog, role))


def _walk(catalog: Catalog, role: str) -> frozenset[str]:
    found: set[str] = {"PUBLIC"}
    pending = [role]
    while pending:
        current = pending.pop()
        if current in found and current != "PUBLIC":
            continue
        found.add(current)
        pending.extend(
            g.role
            for g in catalog.roles_granted_to(grantees.kind_of(current), current)
            if g.role not in found
        )
    return frozenset(found)


def granted_to_user(catalog: Catalog, user: str) -> frozenset[str]:
    """Return the roles a user holds directly, PUBLIC included."""
    return frozenset({"PUBLIC"} | {g.role for g in catalog.roles_granted_to("USER", user)})


def available(catalog: Catalog, user: str) -> frozenset[str]:
    """Return every account role a user may take on; nobody takes on a database role."""
    found: set[str] = set()
    for role in granted_to_user(catalog, user):
        found |= closure(catalog, role)
    return frozenset(role for role in found if not grantees.is_database_role(role))


def has(catalog: Catalog, roles: frozenset[str], privilege: str, entity: Entity) -> bool:
    """Tell whether one of the roles owns the object or holds the privilege on it."""
    if entity.owner in roles:
        return True
    wanted = (privilege, "ALL PRIVILEGES", OWNERSHIP)
    return any(
        g.privilege in wanted and g.grantee_kind in grantees.ROLES and g.grantee in roles
        for g in catalog.grants_on(entity.id)
    ) or _lacks(catalog, privilege, entity)


def _lacks(catalog: Catalog, privilege: str, entity: Entity | None) -> bool:
    """Answer no, and say so to whoever listens."""
    if catalog.lacks is not None:
        catalog.lacks.append(Lack(privilege, entity))
    return False


def has_any(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether one of the roles holds anything on the object."""
    return (
        entity.owner in roles
        or any(
            g.grantee_kind in grantees.ROLES and g.grantee in roles
            for g in catalog.grants_on(entity.id)
        )
        or _lacks(catalog, ANYTHING, entity)
    )


def owns(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether one of the roles owns the object."""
    return entity.owner in roles or _lacks(catalog, OWNERSHIP, entity)


def has_global(catalog: Catalog, roles: frozenset[str], privilege: str) -> bool:
    """Tell whether one of the roles holds a privilege on the account."""
    return _holds_globally(catalog, roles, privilege) or _lacks(catalog, privilege, None)


def _holds_globally(catalog: Catalog, roles: frozenset[str], privilege: str) -> bool:
    held = catalog.derived(
        ("held globally", roles),
        lambda: frozenset(
            g.privilege
            for g in catalog.grants_on(ACCOUNT_ID)
            if g.grantee_kind in grantees.ROLES and g.grantee in roles
        ),
    )
    return privilege in held


def may_manage(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether one of the roles may grant privileges on the object.

    See https://docs.snowflake.com/en/user-guide/security-access-control-configure (managed access)
    """
    decides = managing_schema(catalog, entity) or entity
    return owns(catalog, roles, decides) or has_global(catalog, roles, "MANAGE GRANTS")


def managing_schema(catalog: Catalog, entity: Entity) -> Entity | None:
    """Return the schema whose owner decides on grants in the place of the object's; else None."""
    if entity.kind.depth != 3:
        return None
    schema = catalog.find(Kind.SCHEMA, entity.path[:2])
    detail = schema.detail if schema is not None else None
    return schema if isinstance(detail, SchemaDetail) and detail.managed_access else None


def reachable(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether the roles hold something on each container of the object."""
    path = entity.path
    if entity.kind.depth == 1:
        return True
    database = catalog.find(Kind.DATABASE, path[:1])
    if database is None or not has_any(catalog, roles, database):
        return False
    if entity.kind.depth == 2:
        return True
    schema = catalog.find(Kind.SCHEMA, path[:2])
    return schema is not None and has_any(catalog, roles, schema)


def visible(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether SHOW lists the object for the roles."""
    if entity.kind is Kind.ROLE:
        return True
    if entity.kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
        return reachable(catalog, roles, entity)
    if _holds_globally(catalog, roles, "MANAGE GRANTS"):
        return True
    if entity.kind is Kind.USER:
        return has_any(catalog, roles, entity) or _holds_globally(catalog, roles, "CREATE USER")
    if entity.kind is Kind.TAG and _holds_globally(catalog, roles, "APPLY TAG"):
        return True
    if entity.kind is Kind.WAREHOUSE and _holds_globally(catalog, roles, "MANAGE WAREHOUSES"):
        return True
    apply = f"APPLY {entity.kind.value}"
    if entity.kind.value.endswith("POLICY") and _holds_globally(catalog, roles, apply):
        return True
    return _reachable_at_once(catalog, roles, entity) and (
        has_any(catalog, roles, entity) or _may_attach(catalog, roles, entity)
    )


_ATTACHING = (
    "APPLY AGGREGATION POLICY",
    "APPLY MASKING POLICY",
    "APPLY PROJECTION POLICY",
    "APPLY ROW ACCESS POLICY",
    "APPLY TAG",
)


def _may_attach(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Tell whether a role describes every table and view, because it may attach something to each.

    See https://docs.snowflake.com/en/user-guide/security-column-intro (masking policy privileges)
    """
    return entity.kind in RELATIONS and any(
        _holds_globally(catalog, roles, privilege) for privilege in _ATTACHING
    )


def _reachable_at_once(catalog: Catalog, roles: frozenset[str], entity: Entity) -> bool:
    """Ask once for all objects of a container; whoever listens hears every question."""
    if catalog.lacks is not None or entity.kind.depth == 1:
        return reachable(catalog, roles, entity)
    around = entity.path[: entity.kind.depth - 1]
    return catalog.derived(
        ("reachable", catalog.viewer, roles, entity.kind.depth, around),
        lambda: reachable(catalog, roles, entity),
    )


def future_for(catalog: Catalog, entity: Entity) -> list[FutureGrant]:
    """Return future grants that a new object meets; those of its schema win."""
    if entity.kind.depth == 2:
        parents = [catalog.find(Kind.DATABASE, entity.path[:1])]
    elif entity.kind.depth == 3:
        parents = [
            catalog.find(Kind.SCHEMA, entity.path[:2]),
            catalog.find(Kind.DATABASE, entity.path[:1]),
        ]
    else:
        parents = []
    for parent in parents:
        if parent is None:
            continue
        met = [g for g in catalog.future_grants(parent.id) if g.kind is entity.kind]
        if met:
            return met
    return []


def all_on(catalog: Catalog, entity: Entity) -> list[Grant]:
    """List an object's privileges, its ownership first."""
    owner = Grant(OWNERSHIP, entity.id, "ROLE", entity.owner, True, entity.owner, entity.created_on)
    rest = sorted(catalog.grants_on(entity.id), key=lambda g: (g.privilege, g.grantee))
    return [owner, *rest] if entity.owner else rest
