"""Shares: whom they are lent to, and how they are shown.

Room: embedded. What a share holds, and the databases made of it, stand in `shared_contents`.

See https://docs.snowflake.com/en/sql-reference/sql/create-share
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, Kind
from skills_nb.embedded.catalog.object_details import ShareDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.containers.shared_contents import (
    account_name,
    database_of,
    detail_of,
    held_by,
    is_lent,
)
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import Exporting, ObjectKind, Phase, Row, register
from skills_nb.embedded.objects.principals import holdings
from skills_nb.embedded.objects.show_filters import limited, matches
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name


def create(session: Context, statement: ast.CreateShare) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-share."""
    given = dict(statement.properties)
    secure = given.pop("SECURE_OBJECTS_ONLY", True)
    properties.none(given)
    made = ShareDetail(secure_objects_only=bool(secure))
    return creation.create(session, statement, Kind.SHARE, lambda: made)


def _alter(session: Context, share: Entity, action: Any) -> bool:
    """Carry out an action of ALTER SHARE; False for actions that every kind has.

    Whom a share is lent to is not its owner's to say alone: it takes a privilege on the account.
    See https://docs.snowflake.com/en/sql-reference/sql/alter-share and
    https://docs.snowflake.com/en/release-notes/bcr-bundles/2024_07/bcr-1734
    """
    access.require_owner(session, share)
    if isinstance(action, ast.AddAccounts | ast.SetAccounts | ast.RemoveAccounts):
        access.require_global(session, "MANAGE SHARE TARGET")
    detail = detail_of(share)
    match action:
        case ast.AddAccounts():
            _check_options(dict(action.options))
            named = tuple(account_name(a) for a in action.accounts)
            _lend(
                session, share, (*detail.accounts, *(a for a in named if a not in detail.accounts))
            )
        case ast.SetAccounts():
            _lend(session, share, tuple(account_name(a) for a in action.accounts))
        case ast.RemoveAccounts():
            gone = {account_name(a) for a in action.accounts}
            _lend(session, share, tuple(a for a in detail.accounts if a not in gone))
        case ast.SetProperties() if "SECURE_OBJECTS_ONLY" in action.properties:
            _secure_only(session, share, dict(action.properties))
        case _:
            return False
    return True


def _check_options(given: dict[str, Any]) -> None:
    """Take SHARE_RESTRICTIONS, which only means something to Business Critical providers."""
    if not isinstance(given.pop("SHARE_RESTRICTIONS", True), bool) or given:
        raise errors.invalid_property("invalid property of ADD ACCOUNTS")


def _lend(session: Context, share: Entity, accounts: tuple[str, ...]) -> None:
    if accounts and database_of(session, share) is None:
        raise errors.share_without_database(share.name)
    _change(session, share, replace(detail_of(share), accounts=accounts))


def _secure_only(session: Context, share: Entity, given: dict[str, Any]) -> None:
    """Snowflake lets the property go from true to false, and never back."""
    wanted = given.pop("SECURE_OBJECTS_ONLY")
    comment = given.pop("COMMENT", share.comment)
    detail = detail_of(share)
    if given or not isinstance(wanted, bool) or (wanted and not detail.secure_objects_only):
        raise errors.invalid_property("invalid property 'SECURE_OBJECTS_ONLY'")
    changed = session.account.catalog.change(share, comment=str(comment or ""))
    _change(session, changed, replace(detail, secure_objects_only=wanted))


def _change(session: Context, share: Entity, detail: ShareDetail) -> None:
    now = session.account.clock()
    session.account.catalog.change(share, detail=detail, altered_on=now)


_COLUMNS = (
    "created_on:t kind owner_account name database_name to owner comment listing_global_name "
    "secure_objects_only"
)


def _show(session: Context, statement: ast.Show) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-shares."""
    found = [
        e
        for e in session.account.catalog.children(Kind.SHARE)
        if matches(statement, e.name)
        and (access.sees(session, e) or access.may_globally(session, "IMPORT SHARE"))
    ]
    rows: list[Row] = []
    for share in limited(statement, found):
        if access.sees(session, share):
            rows.append(_outbound(session, share))
        if is_lent(session, share):
            rows.append(_inbound(session, share))
    return _COLUMNS, rows


def _provider(session: Context) -> str:
    info = session.account.info
    return f"{info.organization}.{info.name}"


def _secure(share: Entity) -> str:
    return str(detail_of(share).secure_objects_only).lower()


def _outbound(session: Context, share: Entity) -> Row:
    database = database_of(session, share)
    return (
        share.created_on,
        "OUTBOUND",
        _provider(session),
        share.name,
        database.name if database is not None else "",
        ", ".join(detail_of(share).accounts),
        share.owner,
        share.comment,
        "",
        _secure(share),
    )


def _inbound(session: Context, share: Entity) -> Row:
    made = [
        d.name
        for d in session.account.catalog.children(Kind.DATABASE)
        if isinstance(d.detail, DatabaseDetail)
        and d.detail.share == share.name
        and d.detail.share_id in (0, share.id)
    ]
    head = (share.created_on, "INBOUND", _provider(session), share.name, ", ".join(made))
    return (*head, "", "", share.comment, "", _secure(share))


def _describe(session: Context, share: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-share."""
    access.require_owner(session, share)
    rows: list[Row] = [
        (e.kind.value, render_name(e.path), g.created_on) for g, e in held_by(session, share)
    ]
    return "kind name shared_on:t", rows


register(
    ObjectKind(
        kind=Kind.SHARE,
        create={ast.CreateShare: create},
        alter=_alter,
        drop=holdings.drop,
        shows={"SHARES": _show},
        describe=_describe,
        export=Exporting(Phase.OWN),
    )
)
