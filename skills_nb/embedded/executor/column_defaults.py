"""Defaults of columns: what DEFAULT and a value that is left out stand for.

Room: embedded. A default is evaluated for whoever writes the row, so that it reads nothing: what a
table's owner makes of it would put into the table what the writer alone may see.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (DEFAULT)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical.duck_sql import Place
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.sequences import next_identity


def or_default(session: Context, value: exp.Expr, column: ColumnDef, place: Place) -> exp.Expr:
    """Return a written value, or what the word DEFAULT stands for in a table at `place`.

    Raises:
        SqlError: the default reads something (0A000).
    """
    word = value.this if isinstance(value, exp.Var) else value.name
    bare = isinstance(value, exp.Var) or (isinstance(value, exp.Column) and not value.table)
    if not bare or str(word).upper() != "DEFAULT":
        return value
    if column.identity is not None:
        return next_identity(session, place, column)
    if column.default is None:
        return exp.null()
    check(session, column.default)
    return parsing.parse_expression(column.default)


def default_tree(session: Context, column: ColumnDef, place: Place) -> exp.Expr:
    """Return a column's default, or next number, in DuckDB's terms; NULL where there is neither.

    Raises:
        SqlError: the default reads something (0A000).
    """
    if column.identity is not None:
        return next_identity(session, place, column)
    return exp.null() if column.default is None else check(session, column.default)


def check(session: Context, default: str) -> exp.Expr:
    """Return a default in DuckDB's terms.

    Raises:
        SqlError: it is no simple expression: it reads tables or columns, itself or through a
            function (0A000, 904), or there is none of its functions (2140).
    """
    written = parsing.parse_expression(default)
    if isinstance(written, _READING) or written.find(*_READING) is not None:
        raise errors.unsupported("a query, an aggregate or a window in DEFAULT")
    query = exp.select(exp.alias_(written, "D", quoted=True))
    made, _ = queries.governed(session, query, purpose=Purpose.DEFINE)
    value: exp.Expr = made.expressions[0].this
    if value.find(exp.Table) is not None:
        raise errors.unsupported("a function that reads tables in DEFAULT")
    return value


_READING = (exp.Query, exp.AggFunc, exp.Window)
