"""Defaults of columns: what DEFAULT and a value that is left out stand for.

Room: embedded. A default is evaluated for whoever writes the row, so that it reads nothing: what a
table's owner makes of it would put into the table what the writer alone may see.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (DEFAULT)
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical.duck_sql import Place
from skills_nb.embedded.rewriter import expanding
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.sequences import next_identity
from skills_nb.embedded.types import names
from skills_nb.sql.identifiers import quote


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


def settled(session: Context, default: str) -> str:
    """Return a default with the full names of its sequences and functions.

    It means the same then in whatever schema a row is written.
    """
    tree, env = parsing.parse_expression(default), session.env()
    for column in list(_sequences(tree)):
        full = session.qualify(names.column_path(column)[:-1], env)
        tree = _put(tree, column, _sequence(full))
    for node in list(tree.find_all(exp.Anonymous, exp.Dot)):
        found = expanding.called(session, node, env)
        if found is not None:
            path, call = found
            tree = _put(tree, node, _dotted(session.qualify(path, env)[:-1], call))
    return tree.sql("snowflake")


def moved(default: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """Return a default whose sequences came along into the clone of a schema or database."""
    tree = parsing.parse_expression(default)
    for column in list(_sequences(tree)):
        path = names.column_path(column)[:-1]
        if path[: len(before)] == before:
            tree = _put(tree, column, _sequence((*after, *path[len(before) :])))
    return tree.sql("snowflake")


def _sequences(tree: exp.Expr) -> Iterator[exp.Column]:
    """Find `sequence.NEXTVAL`."""
    for column in tree.find_all(exp.Column):
        if column.table and column.name.upper() == "NEXTVAL":
            yield column


def _put(tree: exp.Expr, node: exp.Expr, made: exp.Expr) -> exp.Expr:
    if node is tree:
        return made
    node.replace(made)
    return tree


def _sequence(path: tuple[str, ...]) -> exp.Column:
    catalog, schema, name = map(_written, path)
    return exp.Column(this=_written("NEXTVAL"), table=name, db=schema, catalog=catalog)


def _dotted(before: tuple[str, ...], call: exp.Anonymous) -> exp.Expr:
    return exp.Dot.build([*map(_written, before), call.copy()])


def _written(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=quote(name) != name)


_READING = (exp.Query, exp.AggFunc, exp.Window)
