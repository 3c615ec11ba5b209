"""Bytes of tables: what each takes now, and what is kept of it for time travel.

Room: embedded. Bytes are estimated from rows.

See https://docs.snowflake.com/en/sql-reference/info-schema/table_storage_metrics
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.objects.relations.table.row_counts import row_counts
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.information_schema.databases_and_tables import table_row
from skills_nb.embedded.types.system_rows import Rows, laid_out, yes

_BYTES = 8
"""Place of BYTES in the row of INFORMATION_SCHEMA.TABLES."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table and the bytes that it takes."""

    entity: Entity
    """The table, which may be dropped."""
    active: int
    """Bytes of the rows that it has now; 0 where it is dropped."""
    kept: int
    """For time travel."""


def stored_tables(session: Context) -> list[StoredTable]:
    """Return every table, dropped ones too; where rows are hidden nothing is told of them."""
    catalog = session.account.catalog
    tables = [e for e in catalog.all(Entity) if isinstance(e.detail, TableDetail)]
    counts = row_counts(session, tables)
    found = []
    for e in tables:
        size = table_row(e, counts[e.id])[_BYTES] or 0
        gone = e.dropped_on is not None
        found.append(StoredTable(e, 0 if gone else size, size if gone else 0))
    return found


def _clone_group(entity: Entity) -> int:
    """Return the number of the oldest table that a clone comes from; its own for no clone."""
    detail = entity.detail
    return (detail.clone_group if isinstance(detail, TableDetail) else 0) or entity.id


_STORAGE: dict[str, Callable[[StoredTable], Any]] = {
    "TABLE_CATALOG": lambda t: t.entity.path[0],
    "TABLE_SCHEMA": lambda t: t.entity.path[1],
    "TABLE_NAME": lambda t: t.entity.name,
    "ID:n": lambda t: t.entity.id,
    "CLONE_GROUP_ID:n": lambda t: _clone_group(t.entity),
    "IS_TRANSIENT": lambda t: yes(
        isinstance(t.entity.detail, TableDetail) and t.entity.detail.transient
    ),
    "ACTIVE_BYTES:n": lambda t: t.active,
    "TIME_TRAVEL_BYTES:n": lambda t: t.kept,
    "FAILSAFE_BYTES:n": lambda _: 0,
    "RETAINED_FOR_CLONE_BYTES:n": lambda _: 0,
    "TABLE_CREATED:t": lambda t: t.entity.created_on,
    "TABLE_DROPPED:t": lambda t: t.entity.dropped_on,
    "TABLE_ENTERED_FAILSAFE:t": lambda _: None,
    "COMMENT": lambda t: t.entity.comment or None,
}


def table_storage(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/table_storage_metrics."""
    deleted: dict[str, Callable[[StoredTable], Any]] = {
        "DELETED:b": lambda t: t.entity.dropped_on is not None
    }
    return laid_out({**_STORAGE, **deleted}, stored_tables(session))


def table_storage_seen(session: Context, roles: frozenset[str], database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/table_storage_metrics."""
    found = (
        t
        for t in stored_tables(session)
        if t.entity.path[0] == database and access.sees(session, t.entity, roles)
    )
    return laid_out(_STORAGE, found)
