"""DESCRIBE of tables and views: a row a column.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import ColumnDef, Entity
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.objects.object_kind import Row
from skills_nb.embedded.objects.shown_values import y_or_n
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import render_name

COLUMNS = (
    "name type kind null? default primary~key unique~key check expression comment "
    "policy~name privacy~domain"
)


def describe(session: Context, entity: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-table."""
    masks = session.account.policies_of(entity).masks
    rows: list[Row] = []
    for c in columns_shown(entity.detail):
        ref = masks.get(c.name)
        policy = session.account.catalog.by_id(ref.policy_id) if ref else None
        rows.append(
            (
                c.name,
                c.type.sql,
                "COLUMN",
                y_or_n(c.nullable),
                identity_words(c) or c.default,
                y_or_n(c.primary_key),
                y_or_n(c.unique),
                None,
                None,
                c.comment,
                render_name(policy.path) if policy else None,
                None,
            )
        )
    return COLUMNS, rows


def identity_words(column: ColumnDef) -> str:
    """Spell AUTOINCREMENT as SHOW and GET_DDL do."""
    if column.identity is None:
        return ""
    start, step = column.identity
    return f"IDENTITY START {start} INCREMENT {step} {order_word(column).upper()}"


def order_word(column: ColumnDef) -> str:
    """Say whether AUTOINCREMENT keeps the order in which rows come."""
    return "order" if column.ordered else "noorder"
