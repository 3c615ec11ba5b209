"""Shares as INFORMATION_SCHEMA and ACCOUNT_USAGE list them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/shares
"""

from __future__ import annotations

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.object_details import ShareDetail
from skills_nb.embedded.objects.containers import shared_contents
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import Row, Rows


def all_shares(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/shares."""
    rows: list[Row] = []
    for e in session.account.catalog.children(Kind.SHARE):
        d = e.detail
        assert isinstance(d, ShareDetail)
        lent = ", ".join(d.accounts)
        lender = shared_contents.database_of(session, e)
        database = lender.name if lender is not None else ""
        head = (e.created_on, e.altered_on or e.created_on, None, e.name, e.owner, e.comment)
        rows.append((*head, database, d.secure_objects_only, lent, None))
    spec = (
        "CREATED_ON:t MODIFIED_ON:t DELETED_ON:t NAME OWNER COMMENT DATABASE_NAME "
        "SECURE_OBJECTS_ONLY:b TARGET_ACCOUNTS LISTING_GLOBAL_NAME"
    )
    return spec, rows


def shares_shown(session: Context, roles: frozenset[str], database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema."""
    spec, rows = all_shares(session)
    seen = {
        e.name
        for e in session.account.catalog.children(Kind.SHARE)
        if access.sees(session, e, roles)
    }
    return spec, [row for row in rows if row[3] in seen]
