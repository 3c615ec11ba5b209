"""GRANT and REVOKE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.authorizer.role_inheritance import inherited
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    Entity,
    FutureGrant,
    Grant,
    Kind,
    RoleGrant,
)
from skills_nb.embedded.catalog.grantees import key_of
from skills_nb.embedded.objects import bootstrap
from skills_nb.embedded.objects.containers import shared_contents, shared_grants
from skills_nb.embedded.objects.object_kind import all_privileges, check_privilege
from skills_nb.embedded.objects.statements import grant_chains
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def grantee_of(session: Context, grantee: ast.Grantee) -> Entity:
    """Return who is to hold something.

    Raises:
        SqlError: there is nobody of the name (2003), or the kind holds nothing here (0A000).
    """
    if grantee.kind not in ("ROLE", "USER", "DATABASE ROLE", "SHARE"):
        raise errors.unsupported(f"GRANT to {grantee.kind}")
    return _holder(session, Kind(grantee.kind), grantee.name)


def _holder(session: Context, kind: Kind, name: tuple[str, ...]) -> Entity:
    if kind in (Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
        if name[0] == "SNOWFLAKE" and session.account.catalog.find(kind, name) is None:
            raise errors.unsupported(f"{kind} {errors.dotted(name)}")
        return access.existing(session, kind, name)
    if kind is not Kind.USER:
        return access.existing(session, kind, name[-1:])
    # Whoever manages a role may give it to any user.
    found = session.account.catalog.find(kind, name[-1:])
    if found is None:
        raise access.missing(session, kind, name[-1:])
    return found


# ---- roles


def grant_role(session: Context, statement: ast.GrantRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-role.

    Raises:
        SqlError: the role would inherit from itself (3005), or the session may not grant it (3001).
    """
    role, grantee = _role_parties(session, statement)
    if grantee.kind is Kind.SHARE:
        shared_grants.add_role(session, role, grantee)
    elif grantee.kind is not Kind.USER and key_of(grantee) in _inheriting(session, key_of(role)):
        raise errors.role_cycle(role.name, grantee.name)
    now = session.account.clock()
    session.account.catalog.put(
        RoleGrant(
            key_of(role), grant_chains.kind_word(grantee), key_of(grantee), session.role or "", now
        )
    )
    return status(DONE, "GRANT")


def revoke_role(session: Context, statement: ast.RevokeRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-role."""
    role, grantee = _role_parties(session, statement)
    key = (key_of(role), grant_chains.kind_word(grantee), key_of(grantee))
    held = session.account.catalog.get(RoleGrant, key)
    if held is not None:
        session.account.catalog.remove(held)
    return status(DONE, "REVOKE")


def _role_parties(
    session: Context, statement: ast.GrantRole | ast.RevokeRole
) -> tuple[Entity, Entity]:
    role = _holder(session, Kind(statement.kind), statement.role)
    access.require_manager(session, role)
    grantee = grantee_of(session, statement.grantee)
    within = role.kind is Kind.DATABASE_ROLE and role.path[:1] == grantee.path[:1]
    if grantee.kind is Kind.DATABASE_ROLE and not within:
        raise errors.database_role_outside(grantee.name)
    if grantee.kind is Kind.SHARE and role.kind is not Kind.DATABASE_ROLE:
        raise errors.unsupported("GRANT ROLE to SHARE")
    return role, grantee


def _inheriting(session: Context, role: str) -> frozenset[str]:
    return inherited(session.account.catalog, role) - {"PUBLIC"} | {role}


# ---- privileges


def grant(session: Context, statement: ast.GrantPrivileges) -> Outcome:
    """Grant privileges on one object, on all of a kind, or on future ones.

    Raises:
        SqlError: the privilege is for shares alone (3008), or the session may not grant it, or the
            grantee not hold it.
    """
    grantee = grantee_of(session, statement.grantee)
    statement, left_out = _without_shares_own(statement, grantee)
    if statement.target.scope == "FUTURE":
        _future(session, statement, grantee, lambda g: session.account.catalog.put(g))
        return status(DONE, "GRANT")
    targets = _targets(session, statement.target, statement.privileges)
    _check_reach(session, grantee, targets, statement)
    option = statement.with_grant_option
    for kind, entity_id in targets:
        for privilege in _listed(statement.privileges, kind):
            grant_chains.add(session, entity_id, privilege, grantee, option=option)
    said = f"Grant partially executed: privileges [{_OF_SHARES}] not granted."
    return status(said if left_out else DONE, "GRANT")


_OF_SHARES = "REFERENCE_USAGE"


def _without_shares_own(
    statement: ast.GrantPrivileges, grantee: Entity
) -> tuple[ast.GrantPrivileges, bool]:
    """Leave out what only shares hold where others are to; tell whether something was.

    See https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_02/bcr-944
    """
    if grantee.kind is Kind.SHARE or _OF_SHARES not in statement.privileges:
        return statement, False
    rest = tuple(p for p in statement.privileges if p != _OF_SHARES)
    if not rest:
        raise errors.reference_to_role()
    return replace(statement, privileges=rest), True


def revoke(session: Context, statement: ast.RevokePrivileges) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/revoke-privilege.

    Raises:
        SqlError: the grantee granted it on, and CASCADE is not written (3036), or the session may
            not revoke it (3001).
    """
    grantee = grantee_of(session, statement.grantee)
    if statement.target.scope == "FUTURE":
        _future(session, statement, grantee, lambda g: _forget(session, g))
        return status(DONE, "REVOKE")
    for kind, entity_id in _targets(session, statement.target, statement.privileges):
        for privilege in _listed(statement.privileges, kind):
            key = (entity_id, privilege, grant_chains.kind_word(grantee), key_of(grantee))
            held = session.account.catalog.get(Grant, key)
            if held is not None:
                grant_chains.take(
                    session,
                    held,
                    cascades=statement.behaviour == "CASCADE",
                    option_only=statement.grant_option_for,
                )
    return status(DONE, "REVOKE")


def _check_reach(
    session: Context,
    grantee: Entity,
    targets: list[tuple[Kind, int]],
    statement: ast.GrantPrivileges,
) -> None:
    """Refuse what a database role or share may not hold."""
    found = [session.account.catalog.by_id(entity_id) for _, entity_id in targets]
    if grantee.kind is Kind.SHARE:
        shared_grants.check_grants(session, grantee, found, statement)
    if grantee.kind is Kind.DATABASE_ROLE:
        for entity in found:
            if entity is None or entity.path[:1] != grantee.path[:1]:
                raise errors.database_role_outside(grantee.name)
        shared_grants.check_role(session, grantee, found)


def _forget(session: Context, wanted: FutureGrant) -> None:
    held = session.account.catalog.get(FutureGrant, wanted.key)
    if held is not None:
        session.account.catalog.remove(held)


def _listed(privileges: tuple[str, ...], kind: Kind) -> tuple[str, ...]:
    if "ALL" in privileges:
        return all_privileges(kind)
    return tuple(check_privilege(p, kind) for p in privileges)


def _targets(
    session: Context, target: ast.Target, privileges: tuple[str, ...]
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
    shared_contents.check_imported(session, found, privileges)
    for entity in found:
        if not access.may_grant(session, entity, _listed(privileges, entity.kind)):
            raise access.refused(session, entity)
    return [(e.kind, e.id) for e in found]


def _all_in(session: Context, kind: Kind, target: ast.Target) -> list[Entity]:
    scope = _container(session, target)
    within = session.account.catalog.within(kind, scope.path)
    found = [e for e in within if e.kind is kind and session.sees(e)]
    if not all(access.sees(session, e) for e in found):
        raise access.refused(session, scope)
    return found


def _container(session: Context, target: ast.Target) -> Entity:
    return access.existing(session, Kind(target.container or "SCHEMA"), target.name)


def _future(
    session: Context,
    statement: ast.GrantPrivileges | ast.RevokePrivileges,
    grantee: Entity,
    do: Callable[[FutureGrant], None],
) -> None:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-privilege (future grants)."""
    target = statement.target
    if grantee.kind not in (Kind.ROLE, Kind.DATABASE_ROLE):
        raise errors.unsupported(f"future grants to {statement.grantee.kind}")
    scope = _container(session, target)
    if grantee.kind is Kind.DATABASE_ROLE and scope.path[:1] != grantee.path[:1]:
        raise errors.database_role_outside(grantee.name)
    if not access.may_grant_future(session, scope):
        raise access.refused(session, scope)
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


def grant_ownership(session: Context, statement: ast.GrantOwnership) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/grant-ownership.

    Raises:
        SqlError: the grantee is no role (0A000), the object is not there or is hidden (2003), or
            may not be handed over (3001), or to a role that is not active (3001).
    """
    grantee = grantee_of(session, statement.grantee)
    if grantee.kind is not Kind.ROLE:
        raise errors.unsupported(f"ownership of a {grantee.kind.value}")
    target = statement.target
    if target.scope == "FUTURE":
        _require_active(session, access.kind_of(target.kind), grantee.name)
        made = ast.GrantPrivileges(("OWNERSHIP",), target, statement.grantee)
        _future(session, made, grantee, lambda g: session.account.catalog.put(g))
        return status(DONE, "GRANT")
    kind = access.kind_of(target.kind)
    single = target.scope == "OBJECT"
    found = (
        [access.existing(session, kind, target.name)]
        if single
        else (_all_in(session, kind, target))
    )
    for entity in found:
        access.require_manager(session, entity)
    _require_active(session, access.kind_of(target.kind), grantee.name)
    for entity in found:
        _hand_over(session, entity, grantee.name, statement.current_grants)
    return status(DONE, "GRANT")


def _require_active(session: Context, kind: Kind, grantee: str) -> None:
    """Let nobody make a role answer for what it never saw: owner's rights run as the owner.

    See https://docs.snowflake.com/en/release-notes/bcr-bundles/2026_07/bcr-2395
    """
    is_active = grantee in session.active_roles()
    if not (is_active or access.may_globally(session, "MANAGE GRANTS")):
        raise errors.inactive_owner(kind.value)


def _hand_over(session: Context, entity: Entity, grantee: str, current: str | None) -> None:
    catalog = session.account.catalog
    access.require_manager(session, entity)
    if bootstrap.is_of_system(entity):
        raise access.refused(session, entity)
    outbound = catalog.grants_on(entity.id)
    if current == "REVOKE" and entity.kind is Kind.DATABASE:
        shared_contents.refuse_lent(session, entity)
    if outbound and current is None:
        raise errors.dependent_grants(entity.name)
    for held in outbound:
        catalog.remove(held)
        if current == "COPY":
            catalog.put(replace(held, granted_by=grantee))
    catalog.change(entity, owner=grantee)
