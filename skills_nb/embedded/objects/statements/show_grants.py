"""SHOW GRANTS in all its forms.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-grants
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    OWNERSHIP,
    Entity,
    Grant,
    Kind,
    RoleGrant,
)
from skills_nb.embedded.catalog.grantees import (
    DATABASE_ROLE,
    full_name_of,
    key_of,
    kind_of,
    name_of,
    present,
)
from skills_nb.embedded.objects.containers import shared_contents
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

Row = tuple[Any, ...]
_PRIVILEGES = (
    "created_on:t privilege granted_on name granted_to grantee_name grant_option granted_by"
)
_ROLES = "created_on:t role granted_to grantee_name granted_by"
_SHARE = "created_on:t share granted_to grantee_name granted_by"
_FUTURE = "created_on:t privilege grant_on name grant_to grantee_name grant_option"


def show_grants(session: Context, statement: ast.ShowGrants) -> Outcome:
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


def _role(session: Context, kind: str, name: tuple[str, ...]) -> Entity:
    if kind == "DATABASE ROLE":
        return access.existing(session, Kind.DATABASE_ROLE, name)
    return access.existing(session, Kind.ROLE, name[-1:])


def _share(session: Context, name: tuple[str, ...]) -> Entity:
    return access.existing(session, Kind.SHARE, name[-1:])


def _to_share(session: Context, name: tuple[str, ...]) -> list[Row]:
    """List what a share holds, its database roles last."""
    share, catalog = _share(session, name), session.account.catalog
    found = shared_contents.held_by(session, share)
    rows = [privilege_row(session, g, _on_words(e), render_name(e.path)) for g, e in found]
    for held in present(catalog, catalog.roles_granted_to("SHARE", share.name)):
        role, known = full_name_of(catalog, held.role), _holder(session, "SHARE", held.grantee)
        made = (held.created_on, "USAGE", DATABASE_ROLE, role)
        rows.append((*made, "SHARE", known, "false", held.granted_by))
    return rows


def _of_share(session: Context, name: tuple[str, ...]) -> list[Row]:
    share = _share(session, name)
    known = _holder(session, "SHARE", share.name)
    detail = shared_contents.detail_of(share)
    return [(share.created_on, known, "ACCOUNT", account, "") for account in detail.accounts]


def _holder(session: Context, kind: str, key: str) -> str:
    """Spell who holds something: a share with its account."""
    if kind == "SHARE":
        return f"{session.account.info.locator}.{key}"
    return name_of(session.account.catalog, key)


def _on(session: Context, statement: ast.ShowGrants) -> list[Row]:
    if statement.kind == "ACCOUNT":
        found = session.account.catalog.grants_on(ACCOUNT_ID)
        account = session.account.info.locator
        return [privilege_row(session, g, "ACCOUNT", account) for g in _sorted(found)]
    entity = access.existing(session, access.kind_of(statement.kind or "TABLE"), statement.name)
    grants = access.privileges_on(session, entity)
    return [privilege_row(session, g, _on_words(entity), render_name(entity.path)) for g in grants]


def _on_words(entity: Entity) -> str:
    return entity.kind.value.replace(" ", "_")


def privilege_row(session: Context, grant: Grant, on: str, name: str) -> Row:
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


def _of(session: Context, statement: ast.ShowGrants) -> list[Row]:
    if statement.kind not in ("ROLE", "DATABASE ROLE"):
        raise errors.unsupported(f"SHOW GRANTS OF {statement.kind}")
    role = _role(session, statement.kind, statement.name)
    catalog = session.account.catalog
    found = present(catalog, catalog.role_granted(key_of(role)))
    return [role_row(session, g) for g in found]


def role_row(session: Context, held: RoleGrant) -> Row:
    """Return a granted role's row."""
    return (
        held.created_on,
        full_name_of(session.account.catalog, held.role),
        held.grantee_kind,
        _holder(session, held.grantee_kind, held.grantee),
        held.granted_by,
    )


def _to_user(session: Context, user: str) -> list[Row]:
    access.existing(session, Kind.USER, (user,))
    catalog = session.account.catalog
    held = present(catalog, catalog.roles_granted_to("USER", user))
    return [role_row(session, g) for g in held]


def _may_name(session: Context, role: str, entity: Entity) -> bool:
    """Tell whether the session may know that a role holds something on the object."""
    return role in session.active_roles() or access.sees(session, entity)


def _to_role(session: Context, role: str) -> list[Row]:
    """List what a role holds; of other roles than the active ones, what the session may see."""
    catalog = session.account.catalog
    rows: list[Row] = []
    kind, shown = kind_of(role), name_of(catalog, role)
    for grant in _sorted(catalog.grants_to(kind, role)):
        if grant.object_id == ACCOUNT_ID:
            rows.append(privilege_row(session, grant, "ACCOUNT", session.account.info.locator))
        elif (entity := catalog.by_id(grant.object_id)) and _may_name(session, role, entity):
            name = render_name(entity.path)
            rows.append(privilege_row(session, grant, _on_words(entity), name))
    for held in present(catalog, catalog.roles_granted_to(kind, role)):
        name = full_name_of(catalog, held.role)
        made = (held.created_on, "USAGE", kind_of(held.role), name)
        rows.append((*made, kind, shown, "false", held.granted_by))
    for entity in catalog.all(Entity):
        is_owned = entity.owner == role and entity.dropped_on is None
        if is_owned and _may_name(session, role, entity):
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


def _future(session: Context, statement: ast.ShowGrants) -> list[Row]:
    catalog = session.account.catalog
    rows: list[Row] = []
    if statement.relation == "IN":
        scopes = [access.existing(session, Kind(statement.kind or "SCHEMA"), statement.name)]
        wanted = None
    else:
        wanted = key_of(_role(session, statement.kind or "ROLE", statement.name))
        scopes = [
            scope
            for scope in (*catalog.within(Kind.DATABASE), *catalog.within(Kind.SCHEMA))
            if _may_name(session, wanted, scope)
        ]
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
