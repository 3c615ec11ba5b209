"""SHOW of database roles and shares, and DESCRIBE of shares.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, Kind
from skills_nb.embedded.grantees import key_of
from skills_nb.embedded.looking.filters import limited, matches
from skills_nb.embedded.statements import access, shares
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
DATABASE_ROLE_COLUMNS = (
    "created_on:t name is_default is_current is_inherited granted_to_roles:n "
    "granted_to_database_roles:n granted_database_roles:n owner comment owner_role_type"
)
_SHARE_COLUMNS = (
    "created_on:t kind owner_account name database_name to owner comment listing_global_name "
    "secure_objects_only"
)


def database_role_row(session: AccountSession, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-database-roles."""
    catalog, key = session.account.catalog, key_of(e)
    granted = [held.grantee_kind for held in catalog.role_granted(key)]
    inherited = key in session.primary_roles()
    return (
        e.created_on,
        e.name,
        "N",
        "N",
        "Y" if inherited else "N",
        granted.count("ROLE"),
        granted.count("DATABASE_ROLE"),
        len(catalog.roles_granted_to("DATABASE_ROLE", key)),
        e.owner,
        e.comment,
        "ROLE" if e.owner else "",
    )


def show_shares(session: AccountSession, statement: ast.Show) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-shares."""
    roles, rights = session.active_roles(), session.account.rights
    found = [
        e
        for e in session.account.catalog.children(Kind.SHARE)
        if matches(statement, e.name)
        and (rights.visible(roles, e) or rights.has_global(roles, "IMPORT SHARE"))
    ]
    rows: list[Row] = []
    for share in limited(statement, found):
        if rights.visible(roles, share):
            rows.append(_outbound(session, share))
        if shares.is_lent(session, share):
            rows.append(_inbound(session, share))
    return _SHARE_COLUMNS, rows


def _provider(session: AccountSession) -> str:
    info = session.account.info
    return f"{info.organization}.{info.name}"


def _secure(share: Entity) -> str:
    return str(shares.detail_of(share).secure_objects_only).lower()


def _outbound(session: AccountSession, share: Entity) -> Row:
    database = shares.database_of(session, share)
    return (
        share.created_on,
        "OUTBOUND",
        _provider(session),
        share.name,
        database.name if database is not None else "",
        ", ".join(shares.detail_of(share).accounts),
        share.owner,
        share.comment,
        "",
        _secure(share),
    )


def _inbound(session: AccountSession, share: Entity) -> Row:
    made = [
        d.name
        for d in session.account.catalog.children(Kind.DATABASE)
        if isinstance(d.detail, DatabaseDetail) and d.detail.share == share.name
    ]
    head = (share.created_on, "INBOUND", _provider(session), share.name, ", ".join(made))
    return (*head, "", "", share.comment, "", _secure(share))


def describe_share(session: AccountSession, share: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-share."""
    access.require_owner(session, share)
    rows: list[Row] = [
        (e.kind.value, render_name(e.path), g.created_on) for g, e in shares.held_by(session, share)
    ]
    return "kind name shared_on:t", rows
