"""UPDATE.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.executor.column_defaults import or_default
from skills_nb.embedded.executor.dml.change_buffers import (
    BUFFER,
    IS_MATCHED,
    count_matched,
    count_met_twice,
    first_met_twice,
    let_go,
    match,
)
from skills_nb.embedded.executor.dml.change_targets import Target, target_of
from skills_nb.embedded.executor.dml.conflicts import refusal
from skills_nb.embedded.executor.dml.row_counts import COUNT_NAMES, counted
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.translator.storing import stored_text
from skills_nb.embedded.types import names
from skills_nb.embedded.types.values import Outcome


def update(session: Context, tree: exp.Update) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/update.

    Raises:
        SqlError: what is set is no column (1003), the table has no such column (904), one is set
            twice (2025), or several rows would change the same one while
            ERROR_ON_NONDETERMINISTIC_UPDATE is on (100090).
    """
    target = target_of(session, tree.this, "UPDATE")
    known = {c.name: c for c in target.detail.columns}
    columns: list[ColumnDef] = []
    values: list[exp.Expr] = []
    for pair in tree.expressions:
        name = assigned_name(target, pair)
        if name not in known:
            raise errors.invalid_identifier(name)
        if known[name] in columns:
            raise errors.duplicate_column(name)
        columns.append(known[name])
        values.append(or_default(session, pair.expression, known[name], target.detail.place))
    sources = [tree.args["from_"].this] if tree.args.get("from_") else []
    joins = tree.args["from_"].args.get("joins") or [] if tree.args.get("from_") else []
    others = [*sources, *joins]
    total = match(session, target, others, values, tree.args.get("where"), "UPDATE")
    sets = [
        assigned(c.name, stored_text(f"v{i}", "b", c, session.customs))
        for i, c in enumerate(columns)
    ]
    distinct = count_matched(session) if others else total
    if total > distinct and effective(session, "ERROR_ON_NONDETERMINISTIC_UPDATE"):
        raise refusal(session, target, first_met_twice(session))
    writes.note(session, target.detail.place)
    images.keep(session, target.detail.place, IS_MATCHED)
    once = duck_sql.of("(SELECT DISTINCT ON (rid) * FROM {b})", b=BUFFER) if others else BUFFER
    session.run(updating(session, target, sets, once))
    multi = count_met_twice(session) if total > distinct else 0
    let_go(session, total)
    return counted(COUNT_NAMES[exp.Update], (distinct, multi), "UPDATE")


def assigned_name(target: Target, pair: exp.Expr) -> str:
    """Return the stored name of the column that an assignment is for.

    Raises:
        SqlError: it is no assignment to a column (1003), or to one of another table (904).
    """
    if not (isinstance(pair, exp.EQ) and isinstance(pair.this, exp.Column)):
        raise errors.syntax("syntax error: SET takes COLUMN = value.")
    name, table = names.stored(pair.this.this), pair.this.args.get("table")
    if table is not None and names.stored(table) != target.alias:
        raise errors.invalid_identifier(f"{names.stored(table)}.{name}")
    return name


def assigned(name: str, value: DuckSql | exp.Expr) -> DuckSql:
    """Write what a column becomes."""
    return duck_sql.of("{name} = {value}", name=duck_sql.name(name), value=value)


def updating(session: Context, target: Target, sets: Iterable[DuckSql], rows: DuckSql) -> DuckSql:
    """Write the change of the rows that others, called b, give the numbers of."""
    since = duck_sql.of("{stamp}", stamp=session.stamp)
    return duck_sql.of(
        "UPDATE {table} AS t SET {sets} FROM {rows} AS b WHERE t.rowid = b.rid",
        table=target.physical,
        sets=duck_sql.listed([*sets, assigned(images.SINCE, since)]),
        rows=rows,
    )
