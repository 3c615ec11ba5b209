"""The DDL of tables, with the policies and tags that hang on them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import ColumnDef, Entity, TableDetail
from skills_nb.embedded.objects.ddl_words import tight_comment, written_name
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.attached_clauses import (
    aggregation_clause,
    masking_clause,
    projection_clause,
    row_access_clause,
    tag_clause,
)
from skills_nb.embedded.objects.relations.described_columns import order_word
from skills_nb.embedded.objects.relations.table.keys_ddl import constraint, keys
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal


def ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a table with its keys and what hangs on it."""
    detail = entity.detail
    assert isinstance(detail, TableDetail)
    name = written_name(entity, qualified=qualified)
    lines = [_column(session, entity, column) for column in detail.columns]
    lines += keys(detail)
    lines += [constraint(held) for held in detail.constraints if held.referenced]
    life = "TEMPORARY " if detail.temporary else "TRANSIENT " if detail.transient else ""
    body = ",\n\t".join(lines)
    cluster = clustering.written(detail.cluster_by)
    return (
        f"create or replace {life}TABLE {name}{cluster} (\n\t{body}\n)"
        f"{row_access_clause(session, entity)}{aggregation_clause(session, entity)}"
        f"{tag_clause(session, entity, '')}{tight_comment(entity)}"
    )


def _column(session: Context, entity: Entity, column: ColumnDef) -> str:
    parts = [quote(column.name), column.type.sql]
    if not column.nullable:
        parts.append("NOT NULL")
    if column.default is not None:
        parts.append(f"DEFAULT {column.default}")
    if column.identity is not None:
        start, step = column.identity
        parts.append(f"autoincrement start {start} increment {step} {order_word(column)}")
    parts.append(masking_clause(session, entity, column.name))
    parts.append(projection_clause(session, entity, column.name))
    parts.append(tag_clause(session, entity, column.name).strip())
    if column.comment:
        parts.append(f"COMMENT {literal(column.comment)}")
    return " ".join(part for part in parts if part)
