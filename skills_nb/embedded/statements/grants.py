"""GRANT and REVOKE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, FutureGrant, Grant, Kind, RoleGrant
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.embedded.statements import access
from skills_nb.embedded.statements.privileges import all_privileges, checked
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def _grantee(session: AccountSession, grantee: ast.Grantee) -> str:
    if grantee.kind not in ("ROLE", "USER"):
        raise refusals.unsupported(f"GRANT to {grantee.kind}")
    kind = Kind(grantee.kind)
    found = session.account.catalog.find(kind, grantee.name[-1:])
    if found is None:
        raise refusals.not_found(kind.title, grantee.name[-1:])
    return found.name


# ---- roles


def grant_role(session: AccountSession, statement: ast.GrantRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-role."""
    role, grantee = _role_parties(session, statement)
    if statement.grantee.kind == "ROLE" and grantee in _inheriting(session, role):
        raise refusals.role_cycle(role, grantee)
    now = session.account.clock()
    session.account.catalog.put(
        RoleGrant(role, statement.grantee.kind, grantee, session.role or "", now)
    )
    return access.status(access.DONE, "GRANT")


def revoke_role(session: AccountSession, statement: ast.RevokeRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-role."""
    role, grantee = _role_parties(session, statement)
    held = session.account.catalog.get(RoleGrant, (role, statement.grantee.kind, grantee))
    if held is not None:
        session.account.catalog.remove(held)
    return access.status(access.DONE, "REVOKE")


def _role_parties(
    session: AccountSession, statement: ast.GrantRole | ast.RevokeRole
) -> tuple[str, str]:
    if statement.kind != "ROLE":
        raise refusals.unsupported(f"GRANT {statement.kind}")
    role = session.account.catalog.find(Kind.ROLE, statement.role[-1:])
    if role is None:
        raise refusals.not_found("Role", statement.role[-1:])
    grantee = _grantee(session, statement.grantee)
    if not session.account.rights.may_manage(session.active_roles(), role):
        raise refusals.insufficient_privileges("role", role.name)
    return role.name, grantee


def _inheriting(session: AccountSession, role: str) -> frozenset[str]:
    return session.account.rights.closure(role) - {"PUBLIC"} | {role}


# ---- privileges


def grant(session: AccountSession, statement: ast.GrantPrivileges) -> Outcome:
    """Grant privileges on one object, on all of a kind, or on future ones."""
    grantee = _grantee(session, statement.grantee)
    if statement.target.scope == "FUTURE":
        _future(session, statement, lambda g: session.account.catalog.put(g))
        return access.status(access.DONE, "GRANT")
    now, by = session.account.clock(), session.role or ""
    for kind, entity_id in _targets(session, statement.target, statement.privileges):
        for privilege in _listed(statement.privileges, kind):
            session.account.catalog.put(
                Grant(
                    privilege,
                    entity_id,
                    statement.grantee.kind,
                    grantee,
                    statement.with_grant_option,
                    by,
                    now,
                )
            )
    return access.status(access.DONE, "GRANT")


def revoke(session: AccountSession, statement: ast.RevokePrivileges) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-privilege."""
    grantee = _grantee(session, statement.grantee)
    catalog = session.account.catalog
    if statement.target.scope == "FUTURE":
        _future(session, statement, lambda g: _forget(session, g))
        return access.status(access.DONE, "REVOKE")
    for kind, entity_id in _targets(session, statement.target, statement.privileges):
        for privilege in _listed(statement.privileges, kind):
            held = catalog.get(Grant, (entity_id, privilege, statement.grantee.kind, grantee))
            if held is None:
                continue
            catalog.remove(held)
            if statement.grant_option_for:
                catalog.put(replace(held, grant_option=False))
    return access.status(access.DONE, "REVOKE")


def _forget(session: AccountSession, wanted: FutureGrant) -> None:
    held = session.account.catalog.get(FutureGrant, wanted.key)
    if held is not None:
        session.account.catalog.remove(held)


def _listed(privileges: tuple[str, ...], kind: Kind) -> tuple[str, ...]:
    if "ALL" in privileges:
        return all_privileges(kind)
    return tuple(checked(p, kind) for p in privileges)


def _targets(
    session: AccountSession, target: ast.Target, privileges: tuple[str, ...]
) -> list[tuple[Kind, int]]:
    """Return the objects that a GRANT or REVOKE is about, which the session may manage."""
    if target.kind == "ACCOUNT":
        access.require_global(session, "MANAGE GRANTS")
        return [(Kind.ACCOUNT, ACCOUNT_ID)]
    kind = access.kind_of(target.kind)
    if target.scope == "ALL":
        found = _all_in(session, kind, target)
    else:
        found = [access.existing(session, kind, target.name)]
    for entity in found:
        _may_grant(session, entity, privileges)
    return [(e.kind, e.id) for e in found]


def _all_in(session: AccountSession, kind: Kind, target: ast.Target) -> list[Entity]:
    scope = _container(session, target)
    return [e for e in session.account.catalog.within(kind, scope.path) if e.kind is kind]


def _container(session: AccountSession, target: ast.Target) -> Entity:
    return access.existing(session, Kind(target.container or "SCHEMA"), target.name)


def _may_grant(session: AccountSession, entity: Entity, privileges: tuple[str, ...]) -> None:
    rights, roles = session.account.rights, session.active_roles()
    if rights.may_manage(roles, entity):
        return
    held = session.account.catalog.grants_on(entity.id)
    optional = {g.privilege for g in held if g.grant_option and g.grantee in roles}
    if not set(_listed(privileges, entity.kind)) <= optional:
        raise access.denied(entity)


def _future(
    session: AccountSession,
    statement: ast.GrantPrivileges | ast.RevokePrivileges,
    do: Callable[[FutureGrant], None],
) -> None:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege (future grants)."""
    target = statement.target
    if statement.grantee.kind != "ROLE":
        raise refusals.unsupported(f"future grants to {statement.grantee.kind}")
    scope = _container(session, target)
    rights, roles = session.account.rights, session.active_roles()
    if not (
        rights.has_global(roles, "MANAGE GRANTS")
        or (scope.kind is Kind.SCHEMA and rights.owns(roles, scope))
    ):
        raise access.denied(scope)
    kind = access.kind_of(target.kind)
    option = isinstance(statement, ast.GrantPrivileges) and statement.with_grant_option
    now = session.account.clock()
    for privilege in _listed(statement.privileges, kind):
        do(
            FutureGrant(
                privilege,
                kind,
                scope.id,
                statement.grantee.name[-1],
                option,
                session.role or "",
                now,
            )
        )


# ---- ownership


def grant_ownership(session: AccountSession, statement: ast.GrantOwnership) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-ownership."""
    grantee = _grantee(session, statement.grantee)
    target = statement.target
    if target.scope == "FUTURE":
        made = ast.GrantPrivileges(("OWNERSHIP",), target, statement.grantee)
        _future(session, made, lambda g: session.account.catalog.put(g))
        return access.status(access.DONE, "GRANT")
    kind = access.kind_of(target.kind)
    single = target.scope == "OBJECT"
    found = (
        [access.existing(session, kind, target.name)]
        if single
        else (_all_in(session, kind, target))
    )
    for entity in found:
        _hand_over(session, entity, grantee, statement.current_grants)
    return access.status(access.DONE, "GRANT")


def _hand_over(session: AccountSession, entity: Entity, grantee: str, current: str | None) -> None:
    catalog = session.account.catalog
    if not session.account.rights.may_manage(session.active_roles(), entity):
        raise access.denied(entity)
    outbound = catalog.grants_on(entity.id)
    if outbound and current is None:
        raise refusals.dependent_grants(entity.name)
    for held in outbound:
        catalog.remove(held)
        if current == "COPY":
            catalog.put(replace(held, granted_by=grantee))
    catalog.change(entity, owner=grantee)
