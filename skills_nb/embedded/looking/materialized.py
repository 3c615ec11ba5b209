"""SHOW MATERIALIZED VIEWS.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-materialized-views
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind, ViewDetail
from skills_nb.embedded.dependencies import used_by
from skills_nb.embedded.looking.filters import limited, matches, scope_of
from skills_nb.embedded.statements.materialized import is_materialized
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_COLUMNS = (
    "created_on:t name reserved database_name schema_name cluster_by rows:n bytes:n "
    "source_database_name source_schema_name source_table_name refreshed_on:t compacted_on:t owner "
    "invalid invalid_reason behind_by comment text is_secure automatic_clustering owner_role_type"
)


def answer(session: AccountSession, statement: ast.Show) -> tuple[str, list[tuple[Any, ...]]]:
    """Show the materialized views of what IN names; none of them is ever behind."""
    roles = session.active_roles()
    within = session.account.catalog.within(Kind.TABLE, scope_of(session, statement, Kind.VIEW))
    found = [
        e
        for e in within
        if is_materialized(e)
        and matches(statement, e.name)
        and session.account.rights.visible(roles, e)
    ]
    return _COLUMNS, [_row(session, e) for e in limited(statement, found)]


def _row(session: AccountSession, e: Entity) -> tuple[Any, ...]:
    detail = e.detail
    assert isinstance(detail, ViewDetail)
    source = next(used_by(session, e), None)
    shown = not detail.secure or session.account.rights.owns(session.active_roles(), e)
    now = session.account.clock()
    return (
        e.created_on,
        e.name,
        "",
        *e.path[:2],
        detail.cluster_by,
        None,
        None,
        *(source.path if source is not None else (None,) * 3),
        now,
        now,
        e.owner,
        "false" if source is not None else "true",
        "" if source is not None else "Base table is dropped.",
        "0s",
        e.comment,
        detail.text if shown else "",
        str(detail.secure).lower(),
        "ON" if detail.cluster_by else "OFF",
        "ROLE",
    )
