"""Rights: who may do what.

Room: embedded. Roles inherit the roles granted to them; nobody is above the rules, ACCOUNTADMIN
included, who only inherits much.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview
"""

from __future__ import annotations

from skills_nb.embedded import grantees
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, FutureGrant, Grant, Kind

ACCOUNT_ID = 0
OWNERSHIP = "OWNERSHIP"


class Rights:
    """Questions about privileges, answered from the catalog."""

    def __init__(self, catalog: Catalog) -> None:
        """Answer from this catalog."""
        self._catalog = catalog
        self._closures: dict[str, frozenset[str]] = {}
        self._version = -1

    def closure(self, role: str) -> frozenset[str]:
        """Return the role, every role it inherits, and PUBLIC."""
        if self._version != self._catalog.version:
            self._closures, self._version = {}, self._catalog.version
        if role not in self._closures:
            self._closures[role] = self._walk(role)
        return self._closures[role]

    def _walk(self, role: str) -> frozenset[str]:
        found: set[str] = {"PUBLIC"}
        pending = [role]
        while pending:
            current = pending.pop()
            if current in found and current != "PUBLIC":
                continue
            found.add(current)
            pending.extend(
                g.role
                for g in self._catalog.roles_granted_to(grantees.kind_of(current), current)
                if g.role not in found
            )
        return frozenset(found)

    def granted_to_user(self, user: str) -> frozenset[str]:
        """Return the roles a user holds directly, PUBLIC included."""
        return frozenset(
            {"PUBLIC"} | {g.role for g in self._catalog.roles_granted_to("USER", user)}
        )

    def available(self, user: str) -> frozenset[str]:
        """Return every account role a user may take on; nobody takes on a database role."""
        found: set[str] = set()
        for role in self.granted_to_user(user):
            found |= self.closure(role)
        return frozenset(role for role in found if not grantees.is_database_role(role))

    def has(self, roles: frozenset[str], privilege: str, entity: Entity) -> bool:
        """Tell whether one of the roles owns the object or holds the privilege on it."""
        if entity.owner in roles:
            return True
        wanted = (privilege, "ALL PRIVILEGES", OWNERSHIP)
        return any(
            g.privilege in wanted and g.grantee_kind in grantees.ROLES and g.grantee in roles
            for g in self._catalog.grants_on(entity.id)
        )

    def has_any(self, roles: frozenset[str], entity: Entity) -> bool:
        """Tell whether one of the roles holds anything on the object."""
        return entity.owner in roles or any(
            g.grantee_kind in grantees.ROLES and g.grantee in roles
            for g in self._catalog.grants_on(entity.id)
        )

    def owns(self, roles: frozenset[str], entity: Entity) -> bool:
        """Tell whether one of the roles owns the object."""
        return entity.owner in roles

    def has_global(self, roles: frozenset[str], privilege: str) -> bool:
        """Tell whether one of the roles holds a privilege on the account."""
        return any(
            g.privilege == privilege and g.grantee_kind in grantees.ROLES and g.grantee in roles
            for g in self._catalog.grants_on(ACCOUNT_ID)
        )

    def may_manage(self, roles: frozenset[str], entity: Entity) -> bool:
        """Tell whether one of the roles may grant privileges on the object."""
        return self.owns(roles, entity) or self.has_global(roles, "MANAGE GRANTS")

    def reachable(self, roles: frozenset[str], entity: Entity) -> bool:
        """Tell whether the roles hold something on each container of the object."""
        path = entity.path
        if entity.kind.depth == 1:
            return True
        database = self._catalog.find(Kind.DATABASE, path[:1])
        if database is None or not self._enters(roles, database):
            return False
        if entity.kind.depth == 2:
            return True
        schema = self._catalog.find(Kind.SCHEMA, path[:2])
        return schema is not None and self._enters(roles, schema)

    def _enters(self, roles: frozenset[str], container: Entity) -> bool:
        return self.has_any(roles, container)

    def visible(self, roles: frozenset[str], entity: Entity) -> bool:
        """Tell whether SHOW lists the object for the roles."""
        if entity.kind is Kind.ROLE:
            return True
        if entity.kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
            return self.reachable(roles, entity)
        if self.has_global(roles, "MANAGE GRANTS"):
            return True
        if entity.kind is Kind.USER:
            return self.has_any(roles, entity) or self.has_global(roles, "CREATE USER")
        if entity.kind is Kind.TAG and self.has_global(roles, "APPLY TAG"):
            return True
        apply = f"APPLY {entity.kind.value}"
        if entity.kind.value.endswith("POLICY") and self.has_global(roles, apply):
            return True
        return self.reachable(roles, entity) and self.has_any(roles, entity)

    def future_for(self, entity: Entity) -> list[FutureGrant]:
        """Return future grants that a new object meets; those of its schema win."""
        if entity.kind.depth == 2:
            parents = [self._catalog.find(Kind.DATABASE, entity.path[:1])]
        elif entity.kind.depth == 3:
            parents = [
                self._catalog.find(Kind.SCHEMA, entity.path[:2]),
                self._catalog.find(Kind.DATABASE, entity.path[:1]),
            ]
        else:
            parents = []
        for parent in parents:
            if parent is None:
                continue
            met = [g for g in self._catalog.future_grants(parent.id) if g.kind is entity.kind]
            if met:
                return met
        return []

    def all_on(self, entity: Entity) -> list[Grant]:
        """List an object's privileges, its ownership first."""
        owner = Grant(
            OWNERSHIP, entity.id, "ROLE", entity.owner, True, entity.owner, entity.created_on
        )
        rest = sorted(self._catalog.grants_on(entity.id), key=lambda g: (g.privilege, g.grantee))
        return [owner, *rest] if entity.owner else rest
