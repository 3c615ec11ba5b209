"""Temporary tables that hold what a change has read, before anything is written.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.executor.dml.change_targets import Target, placeholder, with_row_ids
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context

BUFFER = duck_sql.temporary("__change")
"""What a change has read; the next one replaces it, so that a small one need not be dropped."""


IS_MATCHED = duck_sql.of("rowid IN (SELECT rid FROM {buffer})", buffer=BUFFER)


_SMALL = 10_000
"""Rows of a buffer that may stay until the next change."""


def put_aside(session: Context, source: DuckSql) -> DuckSql:
    """Read a query's rows into a temporary table, and return its name."""
    session.run(
        duck_sql.of(
            "CREATE OR REPLACE TEMP TABLE {buffer} AS SELECT * FROM {source}",
            buffer=BUFFER,
            source=source,
        )
    )
    return BUFFER


def count_matched(session: Context) -> int:
    """Count the rows that were matched, each once however often it met another table's."""
    asked = duck_sql.of("SELECT count(DISTINCT rid) FROM {buffer}", buffer=BUFFER)
    row = session.cursor.execute(asked).fetchone()
    return int(row[0]) if row else 0


def count_met_twice(session: Context) -> int:
    """Count the rows that met several of another table's."""
    asked = duck_sql.of(
        "SELECT count(*) FROM (SELECT rid FROM {buffer} GROUP BY rid HAVING count(*) > 1)",
        buffer=BUFFER,
    )
    row = session.cursor.execute(asked).fetchone()
    return int(row[0]) if row else 0


def first_met_twice(session: Context) -> int:
    """Return the id of the first row that was matched more than once, of which there is one."""
    asked = duck_sql.of(
        "SELECT rid FROM {buffer} GROUP BY rid HAVING count(*) > 1 ORDER BY rid LIMIT 1",
        buffer=BUFFER,
    )
    row = session.cursor.execute(asked).fetchone()
    assert row is not None, "some row was matched more than once"
    return int(row[0])


def let_go(session: Context, rows: int) -> None:
    """Drop a buffer that is too large to wait for the next change."""
    if rows > _SMALL:
        drop_buffer(session, BUFFER)


def drop_buffer(session: Context, buffer: DuckSql) -> None:
    """Drop a temporary table."""
    session.run(duck_sql.of("DROP TABLE {buffer}", buffer=buffer))


def fill_buffer(session: Context, buffer: DuckSql, query: exp.Expr) -> int:
    """Read a query into a temporary table; return how many rows there are."""
    made = duck_sql.of(
        "CREATE OR REPLACE TEMP TABLE {buffer} AS {query}", buffer=buffer, query=query
    )
    row = session.run(made).fetchone()
    return int(row[0]) if row else 0


def match(
    session: Context,
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
    return fill_buffer(session, BUFFER, with_row_ids(session, query, target, privilege))
