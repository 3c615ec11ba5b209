"""SHOW COLUMNS and SHOW OBJECTS: of tables and views alike.

Room: embedded.
"""

from __future__ import annotations

import json

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
    TableDetail,
)
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.objects.object_kind import Answer, Row, Show
from skills_nb.embedded.objects.relations.described_columns import identity_words
from skills_nb.embedded.objects.relations.table.row_counts import row_counts, size_of
from skills_nb.embedded.objects.show_filters import limited, matches, scope_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _columns(session: Context, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-columns."""
    spec = (
        "table_name schema_name column_name data_type null? default kind expression comment "
        "database_name autoincrement schema_evolution_record"
    )
    rows: list[Row] = []
    for e in _relations(session, statement):
        for c in columns_shown(e.detail):
            if matches(statement, c.name):
                rows.append(
                    (
                        e.name,
                        e.path[1],
                        c.name,
                        json.dumps(c.type.as_json(c.nullable), separators=(",", ":")),
                        str(c.nullable).lower(),
                        c.default or "",
                        "COLUMN",
                        "",
                        c.comment or "",
                        e.path[0],
                        identity_words(c),
                        None,
                    )
                )
    return spec, rows[: statement.limit]


def _relations(session: Context, statement: ast.Show) -> list[Entity]:
    scope = statement.scope
    if scope is not None and scope.kind in ("TABLE", "VIEW"):
        return [access.existing(session, Kind.TABLE, scope.name)]
    if scope is not None and scope.kind is None and len(scope.name) != 2:
        found = access.find(session, Kind.TABLE, scope.name)
        if found is not None:
            return [found]
    within = session.account.catalog.within(Kind.TABLE, scope_of(session, statement, Kind.TABLE))
    return [e for e in within if access.sees(session, e)]


def _objects(session: Context, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-objects."""
    spec = (
        "created_on:t name database_name schema_name kind comment cluster_by rows:n bytes:n "
        "owner retention_time owner_role_type budget is_hybrid is_dynamic is_iceberg"
    )
    found = [e for e in _relations(session, statement) if matches(statement, e.name)]
    rows: list[Row] = []
    counts = row_counts(session, found)
    for e in limited(statement, found):
        count = counts[e.id]
        cluster = e.detail.cluster_by if isinstance(e.detail, TableDetail) else ""
        rows.append(
            (
                e.created_on,
                e.name,
                e.path[0],
                e.path[1],
                "TABLE" if e.kind is Kind.DYNAMIC_TABLE else e.kind.value,
                e.comment,
                cluster,
                count,
                size_of(count),
                e.owner,
                "1",
                "ROLE",
                None,
                "N",
                "Y" if e.kind is Kind.DYNAMIC_TABLE else "N",
                "N",
            )
        )
    return spec, rows


SHOWS: dict[str, Show] = {
    "COLUMNS": _columns,
    "OBJECTS": _objects,
}
