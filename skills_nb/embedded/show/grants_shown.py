"""SHOW GRANTS in all its forms.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-grants
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Grant, Kind, RoleGrant
from skills_nb.embedded.grantees import (
    DATABASE_ROLE,
    full_name_of,
    key_of,
    kind_of,
    name_of,
    present,
)
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.rights import ACCOUNT_ID, OWNERSHIP
from skills_nb.embedded.statements import access, shares
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
_PRIVILEGES = (
    "created_on:t privilege granted_on name granted_to grantee_name grant_option granted_by"
)
_ROLES = "created_on:t role granted_to grantee_name granted_by"
_SHARE = "created_on:t share granted_to grantee_name granted_by"
_FUTURE = "created_on:t privilege grant_on name grant_to grantee_name grant_option"


def show_grants(session: AccountSession, statement: ast.ShowGrants) -> Outcome:
    """Run SHOW GRANTS."""
    if statement.future:
        spec, rows = _FUTURE, _future(session, statement)
    elif statement.relation == "ON":
        spec, rows = _PRIVILEGES, _on(session, statement)
    elif statement.relation == "OF" and statement.kind == "SHARE":
        spec, rows = _SHARE, _of_share(session, statement.name)
    elif statement.relation == "OF":
        spec, rows = _ROLES, _of(session, statement)
    elif statement.relation == "TO" and statement.kind in ("ROLE", "DATABASE ROLE"):
        role = _role(session, statement.kind, statement.name)
        spec, rows = _PRIVILEGES, _to_role(session, key_of(role))
    elif statement.relation == "TO" and statement.kind == "SHARE":
        spec, rows = _PRIVILEGES, _to_share(session, statement.name)
    else:
        user = statement.name[-1] if statement.name else session.user
        spec, rows = _ROLES, _to_user(session, user)
    listed = rows[: statement.limit] if statement.limit is not None else rows
    return Outcome(columns_of(spec), tuple(listed), "SHOW", len(listed))


def _role(session: AccountSession, kind: str, name: tuple[str, ...]) -> Entity:
    if kind == "DATABASE ROLE":
        return access.existing(session, Kind.DATABASE_ROLE, name)
    found = session.account.catalog.find(Kind.ROLE, name[-1:])
    if found is None:
        raise refusals.not_found("Role", name[-1:])
    return found


def _share(session: AccountSession, name: tuple[str, ...]) -> Entity:
    return access.existing(session, Kind.SHARE, name[-1:])


def _to_share(session: AccountSession, name: tuple[str, ...]) -> list[Row]:
    """List what a share holds, its database roles last."""
    share, catalog = _share(session, name), session.account.catalog
    found = shares.held_by(session, share)
    rows = [privilege_row(session, g, _on_words(e), render_name(e.path)) for g, e in found]
    for held in present(catalog, catalog.roles_granted_to("SHARE", share.name)):
        role, known = full_name_of(catalog, held.role), _holder(session, "SHARE", held.grantee)
        made = (held.created_on, "USAGE", DATABASE_ROLE, role)
        rows.append((*made, "SHARE", known, "false", held.granted_by))
    return rows


def _of_share(session: AccountSession, name: tuple[str, ...]) -> list[Row]:
    share = _share(session, name)
    known = _holder(session, "SHARE", share.name)
    detail = shares.detail_of(share)
    return [(share.created_on, known, "ACCOUNT", account, "") for account in detail.accounts]


def _holder(session: AccountSession, kind: str, key: str) -> str:
    """Spell who holds something: a share with its account."""
    if kind == "SHARE":
        return f"{session.account.info.locator}.{key}"
    return name_of(session.account.catalog, key)


def _on(session: AccountSession, statement: ast.ShowGrants) -> list[Row]:
    if statement.kind == "ACCOUNT":
        found = session.account.catalog.grants_on(ACCOUNT_ID)
        account = session.account.info.locator
        return [privilege_row(session, g, "ACCOUNT", account) for g in _sorted(found)]
    entity = access.existing(session, access.kind_of(statement.kind or "TABLE"), statement.name)
    grants = session.account.rights.all_on(entity)
    return [privilege_row(session, g, _on_words(entity), render_name(entity.path)) for g in grants]


def _on_words(entity: Entity) -> str:
    return entity.kind.value.replace(" ", "_")


def privilege_row(session: AccountSession, grant: Grant, on: str, name: str) -> Row:
    """Return a privilege's row."""
    return (
        grant.created_on,
        grant.privilege,
        on,
        name,
        grant.grantee_kind,
        _holder(session, grant.grantee_kind, grant.grantee),
        str(grant.grant_option).lower(),
        grant.granted_by,
    )


def _sorted(found: Iterable[Grant]) -> list[Grant]:
    return sorted(found, key=lambda g: (g.privilege, g.grantee))


def _of(session: AccountSession, statement: ast.ShowGrants) -> list[Row]:
    if statement.kind not in ("ROLE", "DATABASE ROLE"):
        raise refusals.unsupported(f"SHOW GRANTS OF {statement.kind}")
    role = _role(session, statement.kind, statement.name)
    catalog = session.account.catalog
    found = present(catalog, catalog.role_granted(key_of(role)))
    return [role_row(session, g) for g in found]


def role_row(session: AccountSession, held: RoleGrant) -> Row:
    """Return a granted role's row."""
    return (
        held.created_on,
        full_name_of(session.account.catalog, held.role),
        held.grantee_kind,
        _holder(session, held.grantee_kind, held.grantee),
        held.granted_by,
    )


def _to_user(session: AccountSession, user: str) -> list[Row]:
    if session.account.catalog.find(Kind.USER, (user,)) is None:
        raise refusals.not_found("User", (user,))
    catalog = session.account.catalog
    held = present(catalog, catalog.roles_granted_to("USER", user))
    return [role_row(session, g) for g in held]


def _to_role(session: AccountSession, role: str) -> list[Row]:
    catalog = session.account.catalog
    rows: list[Row] = []
    kind, shown = kind_of(role), name_of(catalog, role)
    for grant in _sorted(catalog.grants_to(kind, role)):
        if grant.object_id == ACCOUNT_ID:
            rows.append(privilege_row(session, grant, "ACCOUNT", session.account.info.locator))
        elif entity := catalog.by_id(grant.object_id):
            name = render_name(entity.path)
            rows.append(privilege_row(session, grant, _on_words(entity), name))
    for held in present(catalog, catalog.roles_granted_to(kind, role)):
        name = full_name_of(catalog, held.role)
        made = (held.created_on, "USAGE", kind_of(held.role), name)
        rows.append((*made, kind, shown, "false", held.granted_by))
    for entity in catalog.all(Entity):
        if entity.owner == role and entity.dropped_on is None:
            rows.append(
                (
                    entity.created_on,
                    OWNERSHIP,
                    _on_words(entity),
                    render_name(entity.path),
                    "ROLE",
                    role,
                    "true",
                    role,
                )
            )
    return rows


def _future(session: AccountSession, statement: ast.ShowGrants) -> list[Row]:
    catalog = session.account.catalog
    rows: list[Row] = []
    if statement.relation == "IN":
        scopes = [access.existing(session, Kind(statement.kind or "SCHEMA"), statement.name)]
        wanted = None
    else:
        wanted = key_of(_role(session, statement.kind or "ROLE", statement.name))
        scopes = [*catalog.within(Kind.DATABASE), *catalog.within(Kind.SCHEMA)]
    for scope in scopes:
        for g in catalog.future_grants(scope.id):
            if wanted is None or g.grantee == wanted:
                name = f"{render_name(scope.path)}.<{g.kind.value}>"
                rows.append(
                    (
                        g.created_on,
                        g.privilege,
                        g.kind.value.replace(" ", "_"),
                        name,
                        kind_of(g.grantee),
                        name_of(catalog, g.grantee),
                        str(g.grant_option).lower(),
                    )
                )
    return rows
