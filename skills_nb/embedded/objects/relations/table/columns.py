"""Columns: ADD, DROP, RENAME and changes of a column.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.permitted import column_of
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    PolicyRef,
    TableDetail,
    TagRef,
    ViewDetail,
)
from skills_nb.embedded.executor.column_defaults import default_tree, settled
from skills_nb.embedded.objects.attachments.attach import apply_clauses
from skills_nb.embedded.objects.object_kind import Action
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.table import column_values, constraints
from skills_nb.embedded.objects.relations.table.column_definitions import (
    column_def,
    refuse_doubles,
    with_order,
)
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images
from skills_nb.embedded.translator.storing import stored_value
from skills_nb.embedded.types.data_types import type_named
from skills_nb.sql.governance import ast


def change(session: Context, entity: Entity, action: Any) -> None:
    """Carry out one change of columns.

    Raises:
        SqlError: the change is none of columns (0A000).
    """
    detail = _table(entity)
    match action:
        case ast.AddColumns():
            _add(session, entity, action)
        case ast.DropColumns():
            for name in action.columns:
                entity = _drop(session, entity, name, if_exists=action.if_exists)
        case ast.RenameColumn():
            _rename(session, entity, detail, action.column, action.to)
        case ast.AlterColumn():
            _alter(session, entity, action)
        case _:
            raise errors.unsupported(type(action).__name__)


def _table(entity: Entity) -> TableDetail:
    if not isinstance(entity.detail, TableDetail):
        raise errors.wrong_kind(entity.kind.value, entity.path, "TABLE")
    return entity.detail


def _put(session: Context, entity: Entity, columns: tuple[ColumnDef, ...]) -> Entity:
    detail = replace(_table(entity), columns=columns)
    now = session.account.clock()
    return session.account.catalog.change(entity, detail=detail, altered_on=now)


def _physical(entity: Entity) -> DuckSql:
    return duck_sql.place(_table(entity).place)


def _images(session: Context, entity: Entity) -> tuple[DuckSql, ...]:
    """Name the tables of rows and of former rows, which change their columns together."""
    return images.both(session, _table(entity).place)


def _add(session: Context, entity: Entity, action: ast.AddColumns) -> None:
    for given in action.columns:
        column = with_order(session, _defined(given.definition))
        if action.if_not_exists and any(c.name == column.name for c in _table(entity).columns):
            continue
        entity = add_column(session, entity, column, if_not_exists=action.if_not_exists)
        apply_clauses(session, entity, given.clauses)


def add_column(
    session: Context, entity: Entity, column: ColumnDef, *, if_not_exists: bool = False
) -> Entity:
    """Add one column behind the others.

    Raises:
        SqlError: the name is taken (2025), or it may not be added so (2263, 2023, 0A000).
    """
    detail = _table(entity)
    refuse_doubles((*(c.name for c in detail.columns), column.name))
    column = column_values.added(session, detail, column, if_not_exists=if_not_exists)
    name, kind = duck_sql.name(column.name), duck_sql.kind(column.type.physical)
    made = duck_sql.of("ADD COLUMN {name} {kind}", name=name, kind=kind)
    if (value := _default(session, entity, column)) is not None:
        made = duck_sql.of("{made} DEFAULT {value}", made=made, value=value)
    for table in _images(session, entity):
        session.run(_altering(table, made))
        if value is not None:  # What is inserted says its default itself.
            session.run(_altering(table, duck_sql.of("ALTER {name} DROP DEFAULT", name=name)))
    if not column.nullable:
        session.run(_altering(_physical(entity), _required(name, required=True)))
    return _put(session, entity, (*detail.columns, column))


def _altering(table: DuckSql, change: DuckSql) -> DuckSql:
    return duck_sql.of("ALTER TABLE {table} {change}", table=table, change=change)


def _required(column: DuckSql, *, required: bool) -> DuckSql:
    if required:
        return duck_sql.of("ALTER COLUMN {column} SET NOT NULL", column=column)
    return duck_sql.of("ALTER COLUMN {column} DROP NOT NULL", column=column)


def _defined(text: str) -> ColumnDef:
    tree = parsing.parse_statement(f"CREATE TABLE x ({text})")
    assert isinstance(tree.this, exp.Schema)
    return column_def(tree.this.expressions[0])


def _default(session: Context, entity: Entity, column: ColumnDef) -> DuckSql | None:
    """Return what all rows get, former ones too: they are read as the table is now.

    It is a constant of DuckDB's, which sets no NOT NULL over rows that an expression changed.
    """
    if column.default is None:
        return None
    tree = default_tree(session, column, _table(entity).place)
    kind = duck_sql.kind(column.type.physical)
    value = stored_value(tree.copy(), column, session.customs)
    asked = duck_sql.of("SELECT CAST(CAST({value} AS {kind}) AS TEXT)", value=value, kind=kind)
    found = session.cursor.execute(asked).fetchone()
    if found is None or found[0] is None:
        return None
    return duck_sql.of("CAST({text} AS {kind})", text=duck_sql.text(found[0]), kind=kind)


def _drop(session: Context, entity: Entity, name: str, *, if_exists: bool) -> Entity:
    detail = _table(entity)
    if if_exists and all(c.name != name for c in detail.columns):
        return entity
    column_of(entity, name)
    clustering.check_free(detail.cluster_by, name, "DROP")
    for ref in session.account.catalog.policies_on(entity.id):
        if ref.column == name or name in ref.arguments:
            raise errors.column_has_policy(name)
    for tag in session.account.catalog.tags_on(entity.id):
        if tag.column == name:
            session.account.catalog.remove(tag)
    if len(detail.columns) == 1:
        raise errors.invalid_property("A table needs at least one column.")
    for table in _images(session, entity):
        session.run(_altering(table, duck_sql.of("DROP COLUMN {c}", c=duck_sql.name(name))))
    made = _put(session, entity, tuple(c for c in detail.columns if c.name != name))
    kept = constraints.followed(_table(made), name, None)
    return session.account.catalog.change(made, detail=kept)


def _rename(session: Context, entity: Entity, detail: TableDetail, old: str, new: str) -> None:
    column_of(entity, old)
    clustering.check_free(detail.cluster_by, old, "RENAME")
    if any(c.name.upper() == new.upper() for c in detail.columns if c.name != old):
        raise errors.duplicate_column(new)
    before, after = duck_sql.name(old), duck_sql.name(new)
    renamed = duck_sql.of("RENAME COLUMN {before} TO {after}", before=before, after=after)
    for table in _images(session, entity):
        session.run(_altering(table, renamed))
    made = _put(
        session, entity, tuple(replace(c, name=new) if c.name == old else c for c in detail.columns)
    )
    session.account.catalog.change(made, detail=constraints.followed(_table(made), old, new))
    for record in session.account.catalog.about(entity.id):
        moved = _moved(record, old, new)
        if moved is not record:
            session.account.catalog.remove(record)
            session.account.catalog.put(moved)


def _moved(record: Any, old: str, new: str) -> Any:
    """Let policies and tags follow a column to its new name."""
    if isinstance(record, PolicyRef):
        listed = tuple(new if a == old else a for a in record.arguments)
        column = new if record.column == old else record.column
        moved: Any = replace(record, arguments=listed, column=column)
    elif isinstance(record, TagRef) and record.column == old:
        moved = replace(record, column=new)
    else:
        return record
    return record if moved == record else moved


_SIMPLE: dict[str, Callable[[str | None], dict[str, Any]]] = {
    "SET DEFAULT": lambda value: {"default": value},
    "DROP DEFAULT": lambda value: {"default": None},
    "COMMENT": lambda value: {"comment": value},
    "UNSET COMMENT": lambda value: {"comment": None},
    "SET NOT NULL": lambda value: {"nullable": False},
    "DROP NOT NULL": lambda value: {"nullable": True},
}


def _alter(session: Context, entity: Entity, action: ast.AlterColumn) -> None:
    column = column_of(entity, action.column)
    if action.change == "SET DATA TYPE":
        made = _retyped(session, entity, column, action.value or "")
    elif action.change in _SIMPLE:
        column_values.check_change(column, action)
        made = replace(column, **_SIMPLE[action.change](action.value))
        default_tree(session, made, _table(entity).place)
        if action.change == "SET DEFAULT" and made.default is not None:
            made = replace(made, default=settled(session, made.default))
    else:
        raise errors.unsupported(f"ALTER COLUMN … {action.change}")
    if made.nullable != column.nullable:
        column_values.check_nullability(session, _table(entity), made)
        change = _required(duck_sql.name(column.name), required=not made.nullable)
        session.run(_altering(_physical(entity), change))
    _put(
        session, entity, tuple(made if c.name == column.name else c for c in _table(entity).columns)
    )


def _retyped(session: Context, entity: Entity, column: ColumnDef, spelling: str) -> ColumnDef:
    """Widen a number or text: the manual allows no other change of kind, and none of scale."""
    wanted, held = type_named(spelling), column.type
    if wanted.kind == "BINARY" and wanted != held:
        raise errors.cannot_retype(column.name, held.sql, wanted.sql)
    if wanted.kind != held.kind or (wanted.scale or 0) != (held.scale or 0):
        raise errors.cannot_retype(column.name, held.sql, wanted.sql)
    if (wanted.length or 0) < (held.length or 0):
        raise errors.cannot_retype(column.name, held.sql, wanted.sql)
    change = duck_sql.of(
        "ALTER COLUMN {name} SET DATA TYPE {kind}",
        name=duck_sql.name(column.name),
        kind=duck_sql.kind(wanted.physical),
    )
    for table in _images(session, entity):
        session.run(_altering(table, change))
    return replace(column, type=wanted)


def comment(session: Context, entity: Entity, name: str, text: str) -> None:
    """Set a column's comment, of a table or a view."""
    column_of(entity, name)
    detail = entity.detail
    assert isinstance(detail, (TableDetail, ViewDetail))
    listed = tuple(replace(c, comment=text) if c.name == name else c for c in detail.columns)
    session.account.catalog.change(entity, detail=replace(detail, columns=listed))


ACTIONS: dict[type[ast.Action], Action] = dict.fromkeys(
    (ast.AlterColumn, ast.AddColumns, ast.DropColumns, ast.RenameColumn), change
)
