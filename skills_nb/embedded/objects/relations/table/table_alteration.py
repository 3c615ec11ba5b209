"""CREATE OR ALTER TABLE: a table that stands becomes as it is written, and keeps its rows.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (CREATE OR ALTER TABLE usage notes)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, TableDetail
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.table import columns, constraints, table_creation
from skills_nb.embedded.objects.relations.table.column_definitions import (
    Clauses,
    TableOptions,
    column_defs,
    table_options,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create_or_alter(session: Context, tree: exp.Create, clauses: Clauses) -> Outcome:
    """Make a table, or change the one that stands.

    Raises:
        SqlError: IF NOT EXISTS stands beside OR ALTER (1420), it is made from a query or another
            table, names a policy or tag, or asks for what ALTER TABLE cannot change (0A000), a
            column that is to be NOT NULL holds NULL (1471), or the role does not own the table
            (2003, 3001).
    """
    options = table_options(tree)
    if tree.args.get("exists"):
        raise errors.invalid_property("options OR ALTER and IF NOT EXISTS are incompatible.")
    if tree.expression is not None or options.like is not None or options.copy_grants or clauses:
        raise errors.unsupported("CREATE OR ALTER TABLE with anything but columns and properties")
    written = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    path = session.qualify(names.table_path(written))
    own = session.id if options.temporary else 0
    standing = session.account.catalog.standing(Kind.TABLE, path, own)
    if standing is None:
        return table_creation.create(session, tree, clauses)
    entity = access.owned(session, Kind.TABLE, path)
    _alter(session, entity, tree, options)
    return status(DONE, "CREATE_TABLE")


def _alter(session: Context, entity: Entity, tree: exp.Create, options: TableOptions) -> None:
    detail = _table(entity)
    if detail.transient != options.transient or bool(detail.temporary) != options.temporary:
        raise errors.unsupported("CREATE OR ALTER TABLE that changes whether a table lasts")
    wanted = column_defs(session, tree)
    clustering.check(wanted, options.cluster_by)
    _refuse_order(detail, wanted)
    kept = {column.name for column in wanted}
    for gone in [c.name for c in detail.columns if c.name not in kept]:
        columns.change(session, entity, ast.DropColumns((gone,)))
        entity = _again(session, entity)
    for column in wanted:
        entity = _settled(session, entity, column)
    entity = constraints.settle(session, entity, tree)
    made = replace(
        _table(entity),
        cluster_by=options.cluster_by,
        change_tracking=options.change_tracking,
        retention_days=_retention(session, entity, options),
    )
    now = session.account.clock()
    session.account.catalog.change(
        entity, detail=made, comment=options.comment or "", altered_on=now
    )


def _table(entity: Entity) -> TableDetail:
    if not isinstance(entity.detail, TableDetail):
        raise errors.wrong_kind(entity.kind.value, entity.path, "TABLE")
    return entity.detail


def _again(session: Context, entity: Entity) -> Entity:
    return session.account.catalog.by_id(entity.id) or entity


def _refuse_order(detail: TableDetail, wanted: tuple[ColumnDef, ...]) -> None:
    """Refuse another order of columns: new ones come last.

    Raises:
        SqlError: there is no column (1003), or they are in another order (0A000).
    """
    if not wanted:
        raise errors.syntax("syntax error: a table needs columns.")
    written = [column.name for column in wanted]
    standing = [c.name for c in detail.columns if c.name in written]
    if written[: len(standing)] != standing:
        raise errors.unsupported("CREATE OR ALTER TABLE with its columns in another order")


def _settled(session: Context, entity: Entity, column: ColumnDef) -> Entity:
    """Add a column, or let it be as it is written."""
    standing = next((c for c in _table(entity).columns if c.name == column.name), None)
    if standing is None:
        bare = replace(column, primary_key=False, unique=False)  # its keys are settled afterwards
        return columns.add_column(session, entity, bare)
    if (standing.identity, standing.ordered) != (column.identity, column.ordered):
        raise errors.unsupported("CREATE OR ALTER TABLE that changes AUTOINCREMENT")
    for action in _changes(standing, column):
        columns.change(session, entity, action)
        entity = _again(session, entity)
    return entity


def _changes(standing: ColumnDef, wanted: ColumnDef) -> Iterator[ast.AlterColumn]:
    name = wanted.name
    if wanted.type != standing.type:
        yield ast.AlterColumn(name, "SET DATA TYPE", wanted.type.sql)
    if wanted.default != standing.default:
        word = "DROP DEFAULT" if wanted.default is None else "SET DEFAULT"
        yield ast.AlterColumn(name, word, wanted.default)
    if wanted.nullable != standing.nullable:
        yield ast.AlterColumn(name, "DROP NOT NULL" if wanted.nullable else "SET NOT NULL")
    if wanted.comment != standing.comment:
        word = "UNSET COMMENT" if wanted.comment is None else "COMMENT"
        yield ast.AlterColumn(name, word, wanted.comment)


def _retention(session: Context, entity: Entity, options: TableOptions) -> int:
    if options.retention_days is not None:
        return options.retention_days
    around = travel.retention_around(session, entity.path)
    return min(around, 1) if options.transient or options.temporary else around
