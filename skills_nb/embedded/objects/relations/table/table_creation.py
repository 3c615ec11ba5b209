"""CREATE TABLE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, TableDetail
from skills_nb.embedded.executor import dml, queries
from skills_nb.embedded.objects.attachments.attach import apply_clauses
from skills_nb.embedded.objects.lifecycle import create_steps
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.table import constraints
from skills_nb.embedded.objects.relations.table.column_definitions import (
    Clauses,
    TableOptions,
    column_defs,
    refuse_doubles,
    table_options,
)
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session import warehouse_resume
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import physical_tables
from skills_nb.embedded.storage.time_travel import sequences, travel
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Column, Outcome


def create(session: Context, tree: exp.Create, clauses: Clauses) -> Outcome:
    """Make a table with its columns, or with those of a query and its rows.

    Raises:
        SqlError: it has no columns (1003), the name is taken (2002), or the role may not create it
            (3001).
    """
    options = table_options(tree)
    path, standing, goes_on = create_steps.start_relation(
        session, Kind.TABLE, tree, temporary=options.temporary
    )
    if not goes_on:
        return status(f"{path[-1]} already exists, statement succeeded.", "CREATE_TABLE")
    source = tree.expression
    if isinstance(source, exp.Query):
        return _create_as(session, tree, path, standing, source, clauses)
    if options.like is not None:
        _make_like(session, path, standing, options, options.like, clauses)
    else:
        listed = column_defs(session, tree)
        if not listed:
            raise errors.syntax("syntax error: a table needs columns.")
        entity = _make(session, path, standing, listed, options)
        constraints.attach(session, entity, tree)
        apply_clauses(session, entity, clauses)
    return status(f"Table {path[-1]} successfully created.", "CREATE_TABLE")


def _make_like(
    session: Context,
    path: tuple[str, ...],
    standing: Entity | None,
    options: TableOptions,
    like: tuple[str, ...],
    clauses: Clauses,
) -> None:
    """Make an empty table like another: its columns, keys, clustering and tags, no policies.

    Raises:
        SqlError: the other is no table (1512), or may not be read (2003, 3001).

    See https://docs.snowflake.com/en/user-guide/object-tagging/interaction
    """
    source = name_resolution.readable_here(session, like)
    detail = source.detail
    if not isinstance(detail, TableDetail):
        raise errors.wrong_kind(source.kind.value, source.path, "TABLE")
    tags = session.account.catalog.tags_on(source.id)  # Read first: it may be what is replaced.
    wanted = replace(options, cluster_by=options.cluster_by or detail.cluster_by)
    columns = tuple(replace(column, keeps_default=False) for column in detail.columns)
    made = _make(session, path, standing, columns, wanted, source)
    made = constraints.copy(session, made, detail.constraints)
    for ref in tags:
        session.account.catalog.put(replace(ref, object_id=made.id))
    apply_clauses(session, made, clauses)


def _make(
    session: Context,
    path: tuple[str, ...],
    standing: Entity | None,
    columns: tuple[ColumnDef, ...],
    options: TableOptions,
    source: Entity | None = None,
) -> Entity:
    clustering.check(columns, options.cluster_by)
    copies = options.copy_grants
    kept = create_steps.grants_kept(session, path, standing, source) if copies else None
    if standing is not None:
        physical_tables.drop(session, standing)
    detail = TableDetail(
        columns,
        physical_tables.free_place(session, path),
        transient=options.transient,
        temporary=session.id if options.temporary else 0,
        cluster_by=options.cluster_by,
        retention_days=_retention(session, path, options),
        change_tracking=options.change_tracking,
    )
    physical_tables.make(session, detail)
    for column in detail.columns:
        if column.identity is not None:
            sequences.make_identity(session, detail.place, column, column.identity[0])
    return create_steps.finish_create(session, Kind.TABLE, path, detail, options.comment, kept)


def _retention(session: Context, path: tuple[str, ...], options: TableOptions) -> int:
    """Return for how many days rows are kept: as written, else as in the schema, shortly if so."""
    if options.retention_days is not None:
        return options.retention_days
    around = travel.retention_around(session, path)
    return min(around, 1) if options.transient or options.temporary else around


def _create_as(
    session: Context,
    tree: exp.Create,
    path: tuple[str, ...],
    standing: Entity | None,
    source: exp.Query,
    clauses: Clauses,
) -> Outcome:
    """CREATE TABLE … AS SELECT: the rows are read before an old table goes."""
    options = table_options(tree)
    computes = queries.needs_warehouse(source)
    query, found = queries.governed(session, source)
    if computes:
        warehouse_resume.wake_warehouse(session)
    described = session.cursor.execute(duck_sql.of("DESCRIBE {query}", query=query)).fetchall()
    columns = queries.columns_of(found, [str(row[1]) for row in described])
    listed = _as_columns(session, tree, columns)
    buffer = duck_sql.temporary(f"__ctas_{session.temporary}")
    session.temporary += 1
    dml.fill_buffer(session, buffer, query)
    entity = _make(session, path, standing, listed, options)
    assert isinstance(entity.detail, TableDetail)
    physical_tables.fill(session, entity.detail, buffer)
    dml.drop_buffer(session, buffer)
    apply_clauses(session, entity, clauses)
    return status(f"Table {path[-1]} successfully created.", "CREATE_TABLE_AS_SELECT")


def _given_columns(
    session: Context, tree: exp.Create, columns: tuple[Column, ...]
) -> tuple[ColumnDef, ...]:
    """Read the columns in front of AS; bare names take the types of the query."""
    if not isinstance(tree.this, exp.Schema):
        return ()
    listed = tree.this.expressions
    if not all(isinstance(one, exp.Identifier) for one in listed):
        return column_defs(session, tree)
    if len(listed) != len(columns):
        raise errors.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(listed)}"
        )
    return tuple(
        ColumnDef(names.stored(name), column.type, column.nullable)
        for name, column in zip(listed, columns, strict=True)
    )


def _as_columns(
    session: Context, tree: exp.Create, columns: tuple[Column, ...]
) -> tuple[ColumnDef, ...]:
    given = _given_columns(session, tree, columns)
    if given and len(given) != len(columns):
        raise errors.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(given)}"
        )
    made = given or tuple(ColumnDef(c.name, c.type, c.nullable) for c in columns)
    refuse_doubles(tuple(c.name for c in made))
    return made
