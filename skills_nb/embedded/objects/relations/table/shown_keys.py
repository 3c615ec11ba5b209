"""SHOW PRIMARY KEYS, UNIQUE KEYS, IMPORTED KEYS and EXPORTED KEYS.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys and its siblings
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, TableConstraint, TableDetail
from skills_nb.embedded.objects.show_filters import scope_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

Row = tuple[Any, ...]
_OWN = (
    "created_on:t database_name schema_name table_name column_name key_sequence:n "
    "constraint_name rely comment"
)
_BETWEEN = (
    "created_on:t pk_database_name pk_schema_name pk_table_name pk_column_name fk_database_name "
    "fk_schema_name fk_table_name fk_column_name key_sequence:n update_rule delete_rule fk_name "
    "pk_name deferrability rely comment"
)


def own(session: Context, statement: ast.Show, kind: str) -> tuple[str, list[Row]]:
    """Show the primary or unique keys of tables."""
    rows: list[Row] = [
        (table.created_on, *table.path, column, place, held.name, _relies(held), held.comment)
        for table in _tables(session, statement)
        for held in _constraints(table)
        if held.kind == kind
        for place, column in enumerate(held.columns, 1)
    ]
    return _OWN, rows[: statement.limit]


def between(session: Context, statement: ast.Show, *, imported: bool) -> tuple[str, list[Row]]:
    """Show foreign keys: those that tables have, or those that refer to them."""
    wanted = {table.path for table in _tables(session, statement)}
    rows: list[Row] = []
    for table in _seen(session, ()):
        for held in _constraints(table):
            end = table.path if imported else held.referenced
            if held.kind == "FOREIGN KEY" and end in wanted:
                rows += _pairs(session, table, held)
    return _BETWEEN, rows[: statement.limit]


def _pairs(session: Context, table: Entity, held: TableConstraint) -> Iterator[Row]:
    primary = _key_name(session, held)
    pairs = zip(held.referenced_columns, held.columns, strict=True)
    for place, (there, here) in enumerate(pairs, 1):
        head = (table.created_on, *held.referenced, there, *table.path, here, place)
        rules = ("NO ACTION", "NO ACTION", held.name, primary, "NOT DEFERRABLE", _relies(held))
        yield (*head, *rules, held.comment)


def _relies(held: TableConstraint) -> str:
    return str(held.rely).lower()


def _key_name(session: Context, held: TableConstraint) -> str | None:
    other = session.account.catalog.find(Kind.TABLE, held.referenced)
    listed = _constraints(other) if other is not None else ()
    same = (one.name for one in listed if one.columns == held.referenced_columns)
    return next(same, None)


def _constraints(table: Entity) -> tuple[TableConstraint, ...]:
    return table.detail.constraints if isinstance(table.detail, TableDetail) else ()


def _tables(session: Context, statement: ast.Show) -> list[Entity]:
    scope = statement.scope
    if scope is not None and scope.name and scope.kind in (None, "TABLE"):
        found = access.find(session, Kind.TABLE, scope.name)
        if found is not None or scope.kind == "TABLE":
            return [access.existing(session, Kind.TABLE, scope.name)]
    return _seen(session, scope_of(session, statement, Kind.TABLE))


def _seen(session: Context, scope: tuple[str, ...]) -> list[Entity]:
    within = session.account.catalog.within(Kind.TABLE, scope)
    return [e for e in within if access.sees(session, e)]
