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
from skills_nb.embedded.grantees import key_of
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.embedded.statements import access, shares
from skills_nb.embedded.statements.privileges import all_privileges, checked
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def grantee_of(session: AccountSession, grantee: ast.Grantee) -> Entity:
    """Return who is to hold something.

    Raises:
        SqlError: there is nobody of the name (2003), or the kind holds nothing here (0A000).
    """
    if grantee.kind not in ("ROLE", "USER", "DATABASE ROLE", "SHARE"):
        raise refusals.unsupported(f"GRANT to {grantee.kind}")
    return _holder(session, Kind(grantee.kind), grantee.name)


def _holder(session: AccountSession, kind: Kind, name: tuple[str, ...]) -> Entity:
    if kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
        if name[0] == "SNOWFLAKE" and session.account.catalog.find(kind, name) is None:
            raise refusals.unsupported(f"{kind} {refusals.dotted(name)}")
        return access.existing(session, kind, name)
    found = session.account.catalog.find(kind, name[-1:])
    if found is None:
        raise refusals.not_found(kind.title, name[-1:])
    return found


def _done(session: AccountSession, word: str) -> Outcome:
    """Answer, once consumers see what their shares hold now."""
    shares.refresh(session)
    return access.status(access.DONE, word)


def _kind(holder: Entity) -> str:
    return holder.kind.value.replace(" ", "_")


# ---- roles


def grant_role(session: AccountSession, statement: ast.GrantRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-role."""
    role, grantee = _role_parties(session, statement)
    if grantee.kind is Kind.SHARE:
        shares.add_role(session, role, grantee)
    elif grantee.kind is not Kind.USER and key_of(grantee) in _inheriting(session, key_of(role)):
        raise refusals.role_cycle(role.name, grantee.name)
    now = session.account.clock()
    session.account.catalog.put(
        RoleGrant(key_of(role), _kind(grantee), key_of(grantee), session.role or "", now)
    )
    return _done(session, "GRANT")


def revoke_role(session: AccountSession, statement: ast.RevokeRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-role."""
    role, grantee = _role_parties(session, statement)
    key = (key_of(role), _kind(grantee), key_of(grantee))
    held = session.account.catalog.get(RoleGrant, key)
    if held is not None:
        session.account.catalog.remove(held)
    return _done(session, "REVOKE")


def _role_parties(
    session: AccountSession, statement: ast.GrantRole | ast.RevokeRole
) -> tuple[Entity, Entity]:
    role = _holder(session, Kind(statement.kind), statement.role)
    grantee = grantee_of(session, statement.grantee)
    if not session.account.rights.may_manage(session.active_roles(), role):
        raise access.denied(role)
    within = role.kind is Kind.DATABASE_ROLE and role.path[:1] == grantee.path[:1]
    if grantee.kind is Kind.DATABASE_ROLE and not within:
        raise refusals.database_role_outside(grantee.name)
    if grantee.kind is Kind.SHARE and role.kind is not Kind.DATABASE_ROLE:
        raise refusals.unsupported("GRANT ROLE to SHARE")
    return role, grantee


def _inheriting(session: AccountSession, role: str) -> frozenset[str]:
    return session.account.rights.closure(role) - {"PUBLIC"} | {role}


# ---- privileges


def grant(session: AccountSession, statement: ast.GrantPrivileges) -> Outcome:
    """Grant privileges on one object, on all of a kind, or on future ones."""
    grantee = grantee_of(session, statement.grantee)
    if statement.target.scope == "FUTURE":
        _future(session, statement, grantee, lambda g: session.account.catalog.put(g))
        return access.status(access.DONE, "GRANT")
    now, by = session.account.clock(), session.role or ""
    targets = _targets(session, statement.target, statement.privileges)
    _check_reach(session, grantee, targets, statement)
    for kind, entity_id in targets:
        for privilege in _listed(statement.privileges, kind):
            session.account.catalog.put(
                Grant(
                    privilege,
                    entity_id,
                    _kind(grantee),
                    key_of(grantee),
                    statement.with_grant_option,
                    by,
                    now,
                )
            )
    return _done(session, "GRANT")


def revoke(session: AccountSession, statement: ast.RevokePrivileges) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-privilege."""
    grantee = grantee_of(session, statement.grantee)
    catalog = session.account.catalog
    if statement.target.scope == "FUTURE":
        _future(session, statement, grantee, lambda g: _forget(session, g))
        return access.status(access.DONE, "REVOKE")
    for kind, entity_id in _targets(session, statement.target, statement.privileges):
        for privilege in _listed(statement.privileges, kind):
            key = (entity_id, privilege, _kind(grantee), key_of(grantee))
            held = catalog.get(Grant, key)
            if held is None:
                continue
            catalog.remove(held)
            if statement.grant_option_for:
                catalog.put(replace(held, grant_option=False))
    return _done(session, "REVOKE")


def _check_reach(
    session: AccountSession,
    grantee: Entity,
    targets: list[tuple[Kind, int]],
    statement: ast.GrantPrivileges,
) -> None:
    """Refuse what a database role or share may not hold."""
    found = [session.account.catalog.by_id(entity_id) for _, entity_id in targets]
    if grantee.kind is Kind.SHARE:
        shares.check_grants(session, grantee, found, statement)
    if grantee.kind is Kind.DATABASE_ROLE:
        for entity in found:
            if entity is None or entity.path[:1] != grantee.path[:1]:
                raise refusals.database_role_outside(grantee.name)


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
    shares.check_imported(session, found, privileges)
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
    grantee: Entity,
    do: Callable[[FutureGrant], None],
) -> None:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege (future grants)."""
    target = statement.target
    if grantee.kind not in (Kind.ROLE, Kind.DATABASE_ROLE):
        raise refusals.unsupported(f"future grants to {statement.grantee.kind}")
    scope = _container(session, target)
    if grantee.kind is Kind.DATABASE_ROLE and scope.path[:1] != grantee.path[:1]:
        raise refusals.database_role_outside(grantee.name)
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
                key_of(grantee),
                option,
                session.role or "",
                now,
            )
        )


# ---- ownership


def grant_ownership(session: AccountSession, statement: ast.GrantOwnership) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-ownership."""
    grantee = grantee_of(session, statement.grantee)
    if grantee.kind is not Kind.ROLE:
        raise refusals.unsupported(f"ownership of a {grantee.kind.value}")
    target = statement.target
    if target.scope == "FUTURE":
        made = ast.GrantPrivileges(("OWNERSHIP",), target, statement.grantee)
        _future(session, made, grantee, lambda g: session.account.catalog.put(g))
        return access.status(access.DONE, "GRANT")
    kind = access.kind_of(target.kind)
    single = target.scope == "OBJECT"
    found = (
        [access.existing(session, kind, target.name)]
        if single
        else (_all_in(session, kind, target))
    )
    for entity in found:
        _hand_over(session, entity, grantee.name, statement.current_grants)
    return _done(session, "GRANT")


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
