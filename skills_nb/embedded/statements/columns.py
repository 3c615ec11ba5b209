"""Columns: ADD, DROP, RENAME and changes of a column.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import names, parsing, queries, refusals
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    PolicyRef,
    TableDetail,
    TagRef,
    ViewDetail,
)
from skills_nb.embedded.statements import constraints
from skills_nb.embedded.statements.attach import apply_clauses
from skills_nb.embedded.statements.definitions import column_def, refuse_doubles
from skills_nb.embedded.statements.objects import type_named
from skills_nb.embedded.statements.permitted import column_of
from skills_nb.embedded.statements.storing import stored_value
from skills_nb.embedded.versions import images
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def change(session: AccountSession, entity: Entity, action: Any) -> None:
    """Carry out one change of columns."""
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
            raise refusals.unsupported(type(action).__name__)


def _table(entity: Entity) -> TableDetail:
    if not isinstance(entity.detail, TableDetail):
        raise refusals.wrong_kind(entity.kind.value, entity.path, "TABLE")
    return entity.detail


def _put(session: AccountSession, entity: Entity, columns: tuple[ColumnDef, ...]) -> Entity:
    detail = replace(_table(entity), columns=columns)
    now = session.account.clock()
    return session.account.catalog.change(entity, detail=detail, altered_on=now)


def _physical(entity: Entity) -> str:
    return names.physical_table(_table(entity).place).sql("duckdb")


def _images(session: AccountSession, entity: Entity) -> tuple[str, ...]:
    """Name the tables of rows and of former rows, which change their columns together."""
    return images.both(session, _table(entity).place)


def _add(session: AccountSession, entity: Entity, action: ast.AddColumns) -> None:
    for given in action.columns:
        detail = _table(entity)
        column = _defined(given.definition)
        if action.if_not_exists and any(c.name == column.name for c in detail.columns):
            continue
        refuse_doubles((*(c.name for c in detail.columns), column.name))
        name = names.quoted(column.name).sql("duckdb")
        for table in _images(session, entity):
            session.run(f"ALTER TABLE {table} ADD COLUMN {name} {column.type.physical}")
        _fill_default(session, entity, column)
        if not column.nullable:
            session.run(f"ALTER TABLE {_physical(entity)} ALTER COLUMN {name} SET NOT NULL")
        entity = _put(session, entity, (*detail.columns, column))
        apply_clauses(session, entity, given.clauses)


def _defined(text: str) -> ColumnDef:
    tree = parsing.parse_statement(f"CREATE TABLE x ({text})")
    assert isinstance(tree.this, exp.Schema)
    return column_def(tree.this.expressions[0])


def _fill_default(session: AccountSession, entity: Entity, column: ColumnDef) -> None:
    if column.default is None:
        return
    value = stored_value(default_tree(session, column), column, session.customs).sql("duckdb")
    name = names.quoted(column.name).sql("duckdb")
    session.run(f"UPDATE {_physical(entity)} SET {name} = {value}")


def or_default(value: exp.Expr, column: ColumnDef) -> exp.Expr:
    """Return a written value, or what the word DEFAULT in its place stands for."""
    word = value.this if isinstance(value, exp.Var) else value.name
    bare = isinstance(value, exp.Var) or (isinstance(value, exp.Column) and not value.table)
    if not bare or str(word).upper() != "DEFAULT":
        return value
    return parsing.parse_expression(column.default) if column.default else exp.null()


def default_tree(session: AccountSession, column: ColumnDef) -> exp.Expr:
    """Return a column's default in DuckDB's terms; NULL where there is none."""
    if column.default is None:
        return exp.null()
    query = exp.select(exp.alias_(parsing.parse_expression(column.default), "D", quoted=True))
    made, _ = queries.governed(session, query)
    value: exp.Expr = made.expressions[0].this
    return value


def _drop(session: AccountSession, entity: Entity, name: str, *, if_exists: bool) -> Entity:
    detail = _table(entity)
    if if_exists and all(c.name != name for c in detail.columns):
        return entity
    column_of(entity, name)
    for ref in session.account.catalog.policies_on(entity.id):
        if ref.column == name or name in ref.arguments:
            raise refusals.column_has_policy(name)
    for tag in session.account.catalog.tags_on(entity.id):
        if tag.column == name:
            session.account.catalog.remove(tag)
    if len(detail.columns) == 1:
        raise refusals.invalid_property("A table needs at least one column.")
    for table in _images(session, entity):
        session.run(f"ALTER TABLE {table} DROP COLUMN {names.quoted(name).sql('duckdb')}")
    made = _put(session, entity, tuple(c for c in detail.columns if c.name != name))
    kept = constraints.followed(_table(made), name, None)
    return session.account.catalog.change(made, detail=kept)


def _rename(
    session: AccountSession, entity: Entity, detail: TableDetail, old: str, new: str
) -> None:
    column_of(entity, old)
    if any(c.name.upper() == new.upper() for c in detail.columns if c.name != old):
        raise refusals.duplicate_column(new)
    before, after = (names.quoted(n).sql("duckdb") for n in (old, new))
    for table in _images(session, entity):
        session.run(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
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


def _alter(session: AccountSession, entity: Entity, action: ast.AlterColumn) -> None:
    column = column_of(entity, action.column)
    if action.change == "SET DATA TYPE":
        made = _retyped(session, entity, column, action.value or "")
    elif action.change in _SIMPLE:
        made = replace(column, **_SIMPLE[action.change](action.value))
    else:
        raise refusals.unsupported(f"ALTER COLUMN … {action.change}")
    name = names.quoted(column.name).sql("duckdb")
    if made.nullable != column.nullable:
        verb = "DROP" if made.nullable else "SET"
        session.run(f"ALTER TABLE {_physical(entity)} ALTER COLUMN {name} {verb} NOT NULL")
    _put(
        session, entity, tuple(made if c.name == column.name else c for c in _table(entity).columns)
    )


def _retyped(
    session: AccountSession, entity: Entity, column: ColumnDef, spelling: str
) -> ColumnDef:
    """Widen a type: the manual allows no other change of kind, and no loss of scale."""
    wanted, held = type_named(spelling), column.type
    if wanted.kind != held.kind or (wanted.scale or 0) != (held.scale or 0):
        raise refusals.cannot_retype(column.name, held.sql, wanted.sql)
    if (wanted.length or 0) < (held.length or 0):
        raise refusals.cannot_retype(column.name, held.sql, wanted.sql)
    name = names.quoted(column.name).sql("duckdb")
    for table in _images(session, entity):
        session.run(f"ALTER TABLE {table} ALTER COLUMN {name} SET DATA TYPE {wanted.physical}")
    return replace(column, type=wanted)


def comment(session: AccountSession, entity: Entity, name: str, text: str) -> None:
    """Set a column's comment, of a table or a view."""
    column_of(entity, name)
    detail = entity.detail
    assert isinstance(detail, (TableDetail, ViewDetail))
    listed = tuple(replace(c, comment=text) if c.name == name else c for c in detail.columns)
    session.account.catalog.change(entity, detail=replace(detail, columns=listed))
