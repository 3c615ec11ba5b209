"""CREATE TABLE and CREATE VIEW.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table and
https://docs.snowflake.com/en/sql-reference/sql/create-view
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import dialect, names, powering, queries, refusals
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.statements import access, constraints, materialized, places
from skills_nb.embedded.statements.attach import apply_clauses
from skills_nb.embedded.statements.definitions import (
    TableOptions,
    column_defs,
    refuse_doubles,
    table_options,
)
from skills_nb.embedded.values import Column, Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Clauses = tuple[ast.TableAction, ...]


def run(session: AccountSession, tree: exp.Create, clauses: Clauses, text: str) -> Outcome:
    """Run CREATE TABLE or CREATE VIEW."""
    kind = str(tree.args.get("kind", "")).upper()
    session.commit_before_ddl()
    if kind == "TABLE":
        return _table(session, tree, clauses)
    if kind == "VIEW":
        return _view(session, tree, clauses, text)
    raise refusals.unsupported(f"CREATE {kind}")


def _target(tree: exp.Create) -> exp.Table:
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(target, exp.Table):
        raise refusals.syntax(f"syntax error: unexpected '{tree.this.sql('snowflake')}'.")
    return target


def _table(session: AccountSession, tree: exp.Create, clauses: Clauses) -> Outcome:
    options = table_options(tree)
    path, standing, goes_on = access.start_create(
        session,
        Kind.TABLE,
        names.table_path(_target(tree)),
        or_replace=bool(tree.args.get("replace")),
        if_not_exists=bool(tree.args.get("exists")),
        temporary=options.temporary,
    )
    if not goes_on:
        return access.status(f"{path[-1]} already exists, statement succeeded.", "CREATE_TABLE")
    source = tree.expression
    if isinstance(source, exp.Query):
        return _table_as(session, tree, path, standing, source, clauses)
    listed = column_defs(session, tree) if options.like is None else _like(session, options.like)
    if not listed:
        raise refusals.syntax("syntax error: a table needs columns.")
    entity = _make(session, path, standing, listed, options)
    constraints.attach(session, entity, tree)
    apply_clauses(session, entity, clauses)
    return access.status(f"Table {path[-1]} successfully created.", "CREATE_TABLE")


def _like(session: AccountSession, path: tuple[str, ...]) -> tuple[ColumnDef, ...]:
    source = session.readable(session.qualify(path), session.env())
    if not isinstance(source.detail, TableDetail):
        raise refusals.wrong_kind(source.kind.value, source.path, "TABLE")
    return source.detail.columns


def _make(
    session: AccountSession,
    path: tuple[str, ...],
    standing: Entity | None,
    columns: tuple[ColumnDef, ...],
    options: TableOptions,
) -> Entity:
    grants = access.grants_kept(session, standing) if options.copy_grants else []
    if standing is not None:
        places.drop(session, standing)
    detail = TableDetail(
        columns,
        places.free_place(session, path),
        transient=options.transient,
        temporary=session.id if options.temporary else 0,
        cluster_by=options.cluster_by,
        retention_days=options.retention_days,
        change_tracking=options.change_tracking,
    )
    places.make(session, detail)
    entity = access.finish_create(session, Kind.TABLE, path, detail, options.comment)
    access.give_back(session, entity, grants)
    return entity


def _table_as(
    session: AccountSession,
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
        powering.wake_warehouse(session)
    described = session.cursor.execute(f"DESCRIBE {dialect.to_sql(query)}").fetchall()
    columns = queries.columns_of(found, [str(row[1]) for row in described])
    listed = _as_columns(session, tree, columns)
    buffer = f"__ctas_{session.temporary}"
    session.temporary += 1
    session.run(f'CREATE OR REPLACE TEMP TABLE "{buffer}" AS {dialect.to_sql(query)}')
    entity = _make(session, path, standing, listed, options)
    assert isinstance(entity.detail, TableDetail)
    places.fill(session, entity.detail, buffer)
    session.run(f'DROP TABLE temp.main."{buffer}"')
    apply_clauses(session, entity, clauses)
    return access.status(f"Table {path[-1]} successfully created.", "CREATE_TABLE_AS_SELECT")


def _given_columns(
    session: AccountSession, tree: exp.Create, columns: tuple[Column, ...]
) -> tuple[ColumnDef, ...]:
    """Read the columns in front of AS; bare names take the types of the query."""
    if not isinstance(tree.this, exp.Schema):
        return ()
    listed = tree.this.expressions
    if not all(isinstance(one, exp.Identifier) for one in listed):
        return column_defs(session, tree)
    if len(listed) != len(columns):
        raise refusals.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(listed)}"
        )
    return tuple(
        ColumnDef(names.stored(name), column.type, column.nullable)
        for name, column in zip(listed, columns, strict=True)
    )


def _as_columns(
    session: AccountSession, tree: exp.Create, columns: tuple[Column, ...]
) -> tuple[ColumnDef, ...]:
    given = _given_columns(session, tree, columns)
    if given and len(given) != len(columns):
        raise refusals.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(given)}"
        )
    made = given or tuple(ColumnDef(c.name, c.type, c.nullable) for c in columns)
    refuse_doubles(tuple(c.name for c in made))
    return made


def _view(session: AccountSession, tree: exp.Create, clauses: Clauses, text: str) -> Outcome:
    options = table_options(tree)
    if options.transient or (options.temporary and options.materialized):
        raise refusals.unsupported("TEMPORARY MATERIALIZED VIEW or TRANSIENT VIEW")
    path, standing, goes_on = access.start_create(
        session,
        Kind.VIEW,
        names.table_path(_target(tree)),
        or_replace=bool(tree.args.get("replace")),
        if_not_exists=bool(tree.args.get("exists")),
        temporary=options.temporary,
    )
    if not goes_on:
        return access.status(f"{path[-1]} already exists, statement succeeded.", "CREATE_VIEW")
    if standing is not None:
        access.check_temporary(session, standing, session.id if options.temporary else 0)
    if not isinstance(tree.expression, exp.Query):
        raise refusals.syntax("syntax error: a view needs a query.")
    if options.materialized:
        materialized.check(session, path, tree.expression)
    source = tree.expression.sql("snowflake")
    session.is_defining = True
    try:
        query, found = queries.governed(session, tree.expression.copy(), shown=False)
    finally:
        session.is_defining = False
    described = session.cursor.execute(f"DESCRIBE {dialect.to_sql(query)}").fetchall()
    columns = queries.columns_of(found, [str(row[1]) for row in described])
    detail = ViewDetail(
        _view_columns(tree, columns),
        text.strip().rstrip(";"),
        source,
        secure=options.secure,
        materialized=options.materialized,
        cluster_by=options.cluster_by,
        temporary=session.id if options.temporary else 0,
    )
    grants = access.grants_kept(session, standing) if options.copy_grants else []
    if standing is not None:
        places.drop(session, standing)
    entity = access.finish_create(session, Kind.VIEW, path, detail, options.comment)
    access.give_back(session, entity, grants)
    apply_clauses(session, entity, clauses)
    word = "Materialized view" if options.materialized else "View"
    return access.status(f"{word} {path[-1]} successfully created.", "CREATE_VIEW")


def _view_columns(tree: exp.Create, columns: tuple[Column, ...]) -> tuple[ColumnDef, ...]:
    given: list[exp.Expr] = tree.this.expressions if isinstance(tree.this, exp.Schema) else []
    if given and len(given) != len(columns):
        raise refusals.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(given)}"
        )
    listed = [names.stored(_identifier(g)) for g in given] or [c.name for c in columns]
    refuse_doubles(tuple(listed))
    comments = [_comment(g) for g in given] or [None] * len(columns)
    return tuple(
        ColumnDef(name, c.type, c.nullable, comment=comment)
        for name, c, comment in zip(listed, columns, comments, strict=True)
    )


def _identifier(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.ColumnDef, exp.Column)) else node


def _comment(node: exp.Expr) -> str | None:
    found = node.find(exp.CommentColumnConstraint)
    return found.this.name if found is not None else None
