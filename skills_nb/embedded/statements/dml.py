"""Changes of rows: INSERT, UPDATE, DELETE, MERGE, TRUNCATE.

Room: embedded. A changing statement first reads what the role may see, as a query like any other:
which rows it touches (by row id) and what it writes. Only then are stored rows touched, so that a
predicate over a masked column compares masked values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import dialect, names, powering, queries, refusals
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, TableDetail
from skills_nb.embedded.dialect import duck
from skills_nb.embedded.files import records
from skills_nb.embedded.rewrite import lineage
from skills_nb.embedded.rewrite.protect import ROW_ID, protected
from skills_nb.embedded.rewrite.query import QueryRewriter
from skills_nb.embedded.scope import ChangedTable, Source, visible
from skills_nb.embedded.statements.access import DONE, status
from skills_nb.embedded.statements.columns import default_tree, or_default
from skills_nb.embedded.statements.parameters import effective
from skills_nb.embedded.statements.storing import stored_text, stored_value
from skills_nb.embedded.types import INTEGER
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.versions import images

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

COUNT_NAMES: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Insert: ("number of rows inserted",),
    exp.Update: ("number of rows updated", "number of multi-joined rows updated"),
    exp.Delete: ("number of rows deleted",),
    exp.Merge: ("number of rows inserted", "number of rows updated"),
}
_BUFFER = 'temp.main."__change"'
"""What a change has read; the next one replaces it, so that a small one need not be dropped."""
_IS_MATCHED = f"rowid IN (SELECT rid FROM {_BUFFER})"
_SMALL = 10_000
"""Rows of a buffer that may stay until the next change."""


def count_columns(listed: tuple[str, ...]) -> tuple[Column, ...]:
    """Return the columns of a change's answer."""
    return tuple(Column(name, INTEGER, nullable=False) for name in listed)


def counted(listed: tuple[str, ...], counts: tuple[int, ...], word: str) -> Outcome:
    """Answer a change with its counts."""
    return Outcome(
        count_columns(listed),
        (counts,),
        word,
        counts[0] if len(counts) == 1 else counts[0] + (counts[1] if word == "MERGE" else 0),
    )


@dataclass(frozen=True, slots=True)
class Target:
    """The table that a statement changes."""

    entity: Entity
    detail: TableDetail
    alias: str

    @property
    def physical(self) -> str:
        """Name the DuckDB table, quoted."""
        return names.physical_table(self.detail.place).sql("duckdb")

    @property
    def columns(self) -> str:
        """List the table's columns, quoted."""
        return ", ".join(names.quoted(c.name).sql("duckdb") for c in self.detail.columns)


def target_of(session: AccountSession, node: exp.Expr, privilege: str) -> Target:
    """Find the table to change, which the role must hold the privilege on."""
    if not isinstance(node, exp.Table):
        raise refusals.syntax(f"syntax error: unexpected '{node.sql('snowflake')}'.")
    path = session.qualify(names.table_path(node))
    entity = session.readable(path, session.env(), privilege)
    if not isinstance(entity.detail, TableDetail):
        raise refusals.not_a_table(entity.path)
    if entity.detail.dynamic is not None:
        raise refusals.not_a_table(entity.path)
    powering.wake_warehouse(session)
    if session.in_transaction:
        session.changed.add(entity.detail.place)
    alias = node.args.get("alias")
    shown = names.stored(alias.this) if alias is not None else entity.name
    return Target(entity, entity.detail, shown)


# ---- INSERT


def insert(session: AccountSession, tree: exp.Insert) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/insert."""
    node = tree.this
    listed: tuple[str, ...] = ()
    if isinstance(node, exp.Schema):
        listed = tuple(names.stored(_bare(c)) for c in node.expressions)
        node = node.this
    target = target_of(session, node, "INSERT")
    columns = listed_columns(target, listed)
    source = _source(session, tree.expression, columns)
    if tree.args.get("overwrite"):
        # Read before the table is emptied: the query may be about it.
        source = _put_aside(session, source)
        images.keep(session, target.detail.place)
        session.run(f"DELETE FROM {target.physical}")
    count = _append(session, target, columns, source)
    if source == _BUFFER:
        _let_go(session, count)
    return counted(COUNT_NAMES[exp.Insert], (count,), "INSERT")


def listed_columns(target: Target, listed: tuple[str, ...]) -> tuple[ColumnDef, ...]:
    """Return the columns that a statement lists; all of them where it lists none."""
    if not listed:
        return target.detail.columns
    known = {c.name: c for c in target.detail.columns}
    for name in listed:
        if name not in known:
            raise refusals.invalid_identifier(name)
    if len(set(listed)) < len(listed):
        raise refusals.duplicate_column(next(n for n in listed if listed.count(n) > 1))
    return tuple(known[name] for name in listed)


def _source(session: AccountSession, source: exp.Expr, columns: tuple[ColumnDef, ...]) -> str:
    """Return the rows to insert as a query in DuckDB's terms, one column a target column."""
    _put_defaults(source, columns)
    if isinstance(source, exp.Values):
        source = exp.select("*").from_(source)
    if not isinstance(source, exp.Query):
        raise refusals.unsupported("INSERT without VALUES or a query")
    query, found = queries.governed(session, source)
    if len(found) != len(columns):
        raise refusals.wrong_count(
            f"Insert value list does not match column list expecting {len(columns)} "
            f"but got {len(found)}"
        )
    listed = ", ".join(f'"v{i}"' for i in range(len(found)))
    return f"({query.sql('duckdb')}) AS q({listed})"


def _put_aside(session: AccountSession, source: str) -> str:
    """Read a query's rows into a temporary table, and return its name."""
    session.run(f"CREATE OR REPLACE TEMP TABLE {_BUFFER} AS SELECT * FROM {source}")
    return _BUFFER


def _put_defaults(source: exp.Expr, columns: tuple[ColumnDef, ...]) -> None:
    """Replace the word DEFAULT in VALUES."""
    if not isinstance(source, exp.Values):
        return
    for row in source.expressions:
        for i, value in enumerate(list(row.expressions)):
            if i < len(columns):
                made = or_default(value, columns[i])
                if made is not value:
                    value.replace(made)


def _append(
    session: AccountSession, target: Target, columns: tuple[ColumnDef, ...], source: str
) -> int:
    given = {c.name: f"v{i}" for i, c in enumerate(columns)}
    values: list[str] = []
    for column in target.detail.columns:
        if column.name in given:
            values.append(stored_text(given[column.name], None, column, session.customs))
            continue
        if column.identity is not None:
            value: exp.Expr = next_identity(session, target, column)
        else:
            value = default_tree(session, column)
        values.append(stored_value(value, column, session.customs).sql("duckdb"))
    made = session.run(
        f"INSERT INTO {target.physical} ({target.columns}) SELECT {', '.join(values)} FROM {source}"
    ).fetchone()
    return int(made[0]) if made else 0


def next_identity(session: AccountSession, target: Target, column: ColumnDef) -> exp.Expr:
    """Number rows on from the highest value that the column holds."""
    start, step = column.identity or (1, 1)
    name = names.quoted(column.name).sql("duckdb")
    best = "max" if step > 0 else "min"
    row = session.cursor.execute(f"SELECT {best}({name}) FROM {target.physical}").fetchone()
    first = start if row is None or row[0] is None else int(row[0]) + step
    return duck.template(f"{first} + ({step}) * (row_number() OVER () - 1)")


def _bare(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.Column, exp.ColumnDef)) else node


# ---- UPDATE and DELETE


def update(session: AccountSession, tree: exp.Update) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/update."""
    target = target_of(session, tree.this, "UPDATE")
    known = {c.name: c for c in target.detail.columns}
    columns: list[ColumnDef] = []
    values: list[exp.Expr] = []
    for pair in tree.expressions:
        name = names.stored(pair.this.this)
        if name not in known:
            raise refusals.invalid_identifier(name)
        columns.append(known[name])
        values.append(or_default(pair.expression, known[name]))
    sources = [tree.args["from_"].this] if tree.args.get("from_") else []
    joins = tree.args["from_"].args.get("joins") or [] if tree.args.get("from_") else []
    others = [*sources, *joins]
    total = _match(session, target, others, values, tree.args.get("where"), "UPDATE")
    sets = ", ".join(
        f"{names.quoted(c.name).sql('duckdb')} = {stored_text(f'v{i}', 'b', c, session.customs)}"
        for i, c in enumerate(columns)
    )
    distinct = _distinct(session) if others else total
    if total > distinct and effective(session, "ERROR_ON_NONDETERMINISTIC_UPDATE"):
        raise refusals.duplicate_merge_row()
    images.keep(session, target.detail.place, _IS_MATCHED)
    sets += f', "{images.SINCE}" = {session.stamp}'
    once = f"(SELECT DISTINCT ON (rid) * FROM {_BUFFER})" if others else _BUFFER
    session.run(f"UPDATE {target.physical} AS t SET {sets} FROM {once} AS b WHERE t.rowid = b.rid")
    _let_go(session, total)
    multi = _multi(session, total, distinct)
    return counted(COUNT_NAMES[exp.Update], (distinct, multi), "UPDATE")


def _multi(session: AccountSession, total: int, distinct: int) -> int:
    return total - distinct if total > distinct else 0


def delete(session: AccountSession, tree: exp.Delete) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/delete."""
    target = target_of(session, tree.this, "DELETE")
    using = list(tree.args.get("using") or ())
    total = _match(session, target, using, [], tree.args.get("where"), "DELETE")
    distinct = _distinct(session) if using else total
    images.keep(session, target.detail.place, _IS_MATCHED)
    session.run(f"DELETE FROM {target.physical} WHERE {_IS_MATCHED}")
    _let_go(session, total)
    return counted(COUNT_NAMES[exp.Delete], (distinct,), "DELETE")


def _distinct(session: AccountSession) -> int:
    """Count the rows that were matched, each once however often it met another table's."""
    row = session.cursor.execute(f"SELECT count(DISTINCT rid) FROM {_BUFFER}").fetchone()
    return int(row[0]) if row else 0


def _let_go(session: AccountSession, rows: int) -> None:
    """Drop a buffer that is too large to wait for the next change."""
    if rows > _SMALL:
        session.run(f"DROP TABLE {_BUFFER}")


def _match(
    session: AccountSession,
    target: Target,
    others: list[exp.Expr],
    values: list[exp.Expr],
    where: exp.Expr | None,
    privilege: str,
) -> int:
    """Read ids and new values of the rows that a change is about; return how many there are."""
    query = exp.select(*(exp.alias_(v.copy(), f"v{i}", quoted=True) for i, v in enumerate(values)))
    query.set("from_", exp.From(this=placeholder(target.alias)))
    for other in others:
        query.append("joins", other if isinstance(other, exp.Join) else exp.Join(this=other))
    if where is not None:
        query.set("where", where.copy())
    sql = with_row_ids(session, query, target, privilege)
    made = session.run(f"CREATE OR REPLACE TEMP TABLE {_BUFFER} AS {sql}").fetchone()
    return int(made[0]) if made else 0


def placeholder(alias: str) -> ChangedTable:
    """Stand in a FROM for the table that is changed."""
    return ChangedTable(this=exp.select("1"), alias=exp.TableAlias(this=names.quoted(alias)))


def with_row_ids(session: AccountSession, query: exp.Select, target: Target, privilege: str) -> str:
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
    row_id = exp.alias_(names.column(ROW_ID, target.alias), "rid", quoted=True)
    query.append("expressions", row_id)
    held = exp.Paren(this=query)
    found = rewriter.govern(query, session.env())
    queries.note(session, rewriter)
    settled, _ = lineage.judged(held.this, found)
    return dialect.to_sql(dialect.translate(exp.Paren(this=settled), session.customs).this)


def truncate(session: AccountSession, tree: exp.TruncateTable) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/truncate-table."""
    for node in tree.expressions:
        path = session.qualify(names.table_path(node))
        if tree.args.get("exists") and session.relation(path) is None:
            continue
        target = target_of(session, node, "TRUNCATE")
        images.keep(session, target.detail.place)
        session.run(f"DELETE FROM {target.physical}")
        records.forget(session, target.entity.id)
    return status(DONE, "TRUNCATE_TABLE")
