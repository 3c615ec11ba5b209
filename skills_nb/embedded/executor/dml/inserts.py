"""INSERT.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.executor import queries
from skills_nb.embedded.executor.column_defaults import default_tree, or_default
from skills_nb.embedded.executor.dml.change_buffers import BUFFER, let_go, put_aside
from skills_nb.embedded.executor.dml.change_targets import Target, listed_columns, target_of
from skills_nb.embedded.executor.dml.deletes import emptying
from skills_nb.embedded.executor.dml.row_counts import COUNT_NAMES, counted
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.translator.storing import stored_text, stored_value
from skills_nb.embedded.types import names
from skills_nb.embedded.types.values import Outcome


def insert(session: Context, tree: exp.Insert) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/insert."""
    node = tree.this
    listed: tuple[str, ...] = ()
    if isinstance(node, exp.Schema):
        listed = tuple(names.stored(_bare(c)) for c in node.expressions)
        node = node.this
    target = target_of(session, node, "INSERT")
    columns = listed_columns(target, listed)
    _put_defaults(session, tree.expression, target, columns)
    source = _source(session, tree.expression, columns)
    if tree.args.get("overwrite"):
        # Read before the table is emptied: the query may be about it.
        source = put_aside(session, source)
        images.keep(session, target.detail.place)
        session.run(emptying(target))
    writes.note(session, target.detail.place)
    count = _append(session, target, columns, source)
    if source == BUFFER:
        let_go(session, count)
    return counted(COUNT_NAMES[exp.Insert], (count,), "INSERT")


def _source(session: Context, source: exp.Expr, columns: tuple[ColumnDef, ...]) -> DuckSql:
    """Return the rows to insert as a query in DuckDB's terms, one column a target column."""
    if isinstance(source, exp.Values):
        source = exp.select("*").from_(source)
    if not isinstance(source, exp.Query):
        raise errors.unsupported("INSERT without VALUES or a query")
    query, found = queries.governed(session, source)
    if len(found) != len(columns):
        raise errors.wrong_count(
            f"Insert value list does not match column list expecting {len(columns)} "
            f"but got {len(found)}"
        )
    listed = duck_sql.names(f"v{i}" for i in range(len(found)))
    return duck_sql.of("({query}) AS q({listed})", query=query, listed=listed)


def _put_defaults(
    session: Context, source: exp.Expr, target: Target, columns: tuple[ColumnDef, ...]
) -> None:
    """Replace the word DEFAULT in VALUES."""
    if not isinstance(source, exp.Values):
        return
    for row in source.expressions:
        for i, value in enumerate(list(row.expressions)):
            if i < len(columns):
                made = or_default(session, value, columns[i], target.detail.place)
                if made is not value:
                    value.replace(made)


def _append(
    session: Context, target: Target, columns: tuple[ColumnDef, ...], source: DuckSql
) -> int:
    given = {c.name: f"v{i}" for i, c in enumerate(columns)}
    values: list[DuckSql | exp.Expr] = []
    for column in target.detail.columns:
        if column.name in given:
            values.append(stored_text(given[column.name], None, column, session.customs))
            continue
        value = default_tree(session, column, target.detail.place)
        values.append(stored_value(value, column, session.customs))
    made = session.run(
        duck_sql.of(
            "INSERT INTO {table} ({columns}) SELECT {values} FROM {source}",
            table=target.physical,
            columns=target.columns,
            values=duck_sql.listed(values),
            source=source,
        )
    ).fetchone()
    return int(made[0]) if made else 0


def _bare(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.Column, exp.ColumnDef)) else node
