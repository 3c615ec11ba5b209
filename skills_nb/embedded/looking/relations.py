"""SHOW of tables, columns, objects, parameters and variables: those with rows of their own.

Room: embedded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import names
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.looking import parameters_shown
from skills_nb.embedded.looking.filters import limited, matches, scope_of
from skills_nb.embedded.statements import access
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
Answer = tuple[str, list[Row]]

TABLE_COLUMNS = (
    "created_on:t name database_name schema_name kind comment cluster_by rows:n bytes:n owner "
    "retention_time automatic_clustering change_tracking search_optimization "
    "search_optimization_progress search_optimization_bytes is_external enable_schema_evolution "
    "owner_role_type is_event budget is_hybrid is_iceberg is_dynamic is_immutable"
)
_BYTES_A_ROW = 64
_BATCH = 200


def row_counts(session: Any, entities: Iterable[Entity]) -> dict[int, int | None]:
    """Count the rows of many tables; None where a row access policy hides how many."""
    counts: dict[int, int | None] = {}
    wanted: list[tuple[int, str]] = []
    for entity in entities:
        counts[entity.id] = None
        hidden = session.account.policies_of(entity).rows is not None
        if not isinstance(entity.detail, TableDetail) or hidden or entity.dropped_on is not None:
            continue
        if entity.id in session.account.unmade:
            counts[entity.id] = 0
        else:
            place = names.physical_table(entity.detail.place).sql("duckdb")
            wanted.append((entity.id, f"SELECT {entity.id}, count(*) FROM {place}"))
    for start in range(0, len(wanted), _BATCH):
        sql = " UNION ALL ".join(one for _, one in wanted[start : start + _BATCH])
        counts.update(session.cursor.execute(sql).fetchall())
    return counts


def table_row(session: AccountSession, e: Entity, rows: int | None) -> Row:
    """Return a table's row of SHOW TABLES."""
    d = e.detail
    assert isinstance(d, TableDetail)
    kind = "TEMPORARY" if d.temporary else "TRANSIENT" if d.transient else "TABLE"
    size = None if rows is None else rows * _BYTES_A_ROW
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        kind,
        e.comment,
        d.cluster_by,
        rows,
        size,
        e.owner,
        str(d.retention_days),
        "ON" if d.cluster_by else "OFF",
        "ON" if d.change_tracking else "OFF",
        "ON" if d.search else "OFF",
        100 if d.search else None,
        0 if d.search else None,
        "N",
        "N",
        "ROLE",
        "N",
        None,
        "N",
        "N",
        "N",
        "N",
    )


def columns_shown(detail: object) -> tuple[ColumnDef, ...]:
    """Return the columns of a table or view, none for anything else."""
    return detail.columns if isinstance(detail, (TableDetail, ViewDetail)) else ()


def _columns(session: AccountSession, statement: ast.Show) -> Answer:
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


def identity_words(column: ColumnDef) -> str:
    """Spell AUTOINCREMENT as SHOW and GET_DDL do."""
    if column.identity is None:
        return ""
    return f"IDENTITY START {column.identity[0]} INCREMENT {column.identity[1]} NOORDER"


def _relations(session: AccountSession, statement: ast.Show) -> list[Entity]:
    scope = statement.scope
    if scope is not None and scope.kind in ("TABLE", "VIEW"):
        return [access.existing(session, Kind.TABLE, scope.name)]
    if scope is not None and scope.kind is None and len(scope.name) != 2:
        found = access.find(session, Kind.TABLE, scope.name)
        if found is not None:
            return [found]
    roles = session.active_roles()
    within = session.account.catalog.within(Kind.TABLE, scope_of(session, statement, Kind.TABLE))
    return [e for e in within if session.sees(e) and session.account.rights.visible(roles, e)]


def _objects(session: AccountSession, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-objects."""
    spec = (
        "created_on:t name database_name schema_name kind comment cluster_by rows:n bytes:n "
        "owner retention_time owner_role_type budget is_hybrid is_dynamic"
    )
    found = [e for e in _relations(session, statement) if matches(statement, e.name)]
    rows: list[Row] = []
    counts = row_counts(session, found)
    for e in limited(statement, found):
        count = counts[e.id]
        size = None if count is None else count * _BYTES_A_ROW
        cluster = e.detail.cluster_by if isinstance(e.detail, TableDetail) else ""
        rows.append(
            (
                e.created_on,
                e.name,
                e.path[0],
                e.path[1],
                e.kind.value,
                e.comment,
                cluster,
                count,
                size,
                e.owner,
                "1",
                "ROLE",
                None,
                "N",
                "Y" if e.kind is Kind.DYNAMIC_TABLE else "N",
            )
        )
    return spec, rows


def _variables(session: AccountSession, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-variables."""
    now = session.account.clock()
    rows: list[Row] = [
        (session.id, now, now, name, value.name, "text" if value.is_string else "fixed", "")
        for name, value in sorted(session.variables.items())
        if matches(statement, name)
    ]
    return "session_id:n created_on:t updated_on:t name value type comment", rows


SPECIAL: dict[str, Callable[[AccountSession, ast.Show], Answer]] = {
    "COLUMNS": _columns,
    "OBJECTS": _objects,
    "PARAMETERS": parameters_shown.answer,
    "VARIABLES": _variables,
}
