"""The table that a statement changes, and its rows as the role may see them.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.binder import lineage
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, TableDetail
from skills_nb.embedded.executor import queries
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter.protect import ROW_ID, protected
from skills_nb.embedded.rewriter.query import QueryRewriter
from skills_nb.embedded.session import warehouse_resume
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import ChangedTable, Source, visible


@dataclass(frozen=True, slots=True)
class Target:
    """The table that a statement changes."""

    entity: Entity
    """The table, which the role may change."""
    detail: TableDetail
    """The entity's, known to be a table's."""
    alias: str
    """Stored name by which the statement refers to it; the table's own where it gives none."""

    @property
    def physical(self) -> DuckSql:
        """Name the DuckDB table, quoted."""
        return duck_sql.place(self.detail.place)

    @property
    def columns(self) -> DuckSql:
        """List the table's columns, quoted."""
        return duck_sql.names(c.name for c in self.detail.columns)


def target_of(session: Context, node: exp.Expr, privilege: str) -> Target:
    """Find the table to change, which the role must hold the privilege on.

    Raises:
        SqlError: it is no name (1003), is not there or is hidden (2003), the privilege is missing
            (3001), or it is no table that can be written to (2014).
    """
    if not isinstance(node, exp.Table):
        raise errors.syntax(f"syntax error: unexpected '{node.sql('snowflake')}'.")
    path = session.qualify(names.table_path(node))
    entity = name_resolution.readable(session, path, session.env(), privilege)
    if not isinstance(entity.detail, TableDetail):
        raise errors.not_a_table(entity.path)
    if entity.detail.dynamic is not None:
        raise errors.not_a_table(entity.path)
    warehouse_resume.wake_warehouse(session)
    if session.in_transaction:
        session.changed.add(entity.detail.place)
    alias = node.args.get("alias")
    shown = names.stored(alias.this) if alias is not None else entity.name
    return Target(entity, entity.detail, shown)


def listed_columns(target: Target, listed: tuple[str, ...]) -> tuple[ColumnDef, ...]:
    """Return the columns that a statement lists; all of them where it lists none.

    Raises:
        SqlError: the table has no such column (904), or one is listed twice (2025).
    """
    if not listed:
        return target.detail.columns
    known = {c.name: c for c in target.detail.columns}
    for name in listed:
        if name not in known:
            raise errors.invalid_identifier(name)
    if len(set(listed)) < len(listed):
        raise errors.duplicate_column(next(n for n in listed if listed.count(n) > 1))
    return tuple(known[name] for name in listed)


def placeholder(alias: str) -> ChangedTable:
    """Stand in a FROM for the table that is changed."""
    return ChangedTable(this=exp.select("1"), alias=exp.TableAlias(this=names.quoted(alias)))


def with_row_ids(session: Context, query: exp.Select, target: Target, privilege: str) -> exp.Expr:
    """Rewrite a query whose placeholder becomes the governed target; add its row id as `rid`.

    Who reads a column of the target, if only in a predicate, needs SELECT on it.
    """
    rewriter = QueryRewriter(session)
    wanted = "SELECT" if query.find(exp.Column) is not None else privilege

    def fill(node: ChangedTable) -> Source:
        inner, found = protected(
            rewriter, target.entity.path, session.env(), with_row_id=True, privilege=wanted
        )
        node.set("this", inner)
        # Who may change the rows of a table need not aggregate them; nothing of them is shown.
        return Source(target.alias, visible(found), path=target.entity.path)

    rewriter.sources.target = fill
    session.account.read_from.add(target.entity.id)
    row_id = exp.alias_(names.column(ROW_ID, target.alias), "rid", quoted=True)
    query.append("expressions", row_id)
    held = exp.Paren(this=query)
    found = rewriter.govern(query, session.env())
    settled, _ = lineage.judged(held.this, found)
    return queries.finished(session, rewriter, settled)
