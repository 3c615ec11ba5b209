"""Defaults of columns: what DEFAULT and a value that is left out stand for.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context


def or_default(value: exp.Expr, column: ColumnDef) -> exp.Expr:
    """Return a written value, or what the word DEFAULT in its place stands for."""
    word = value.this if isinstance(value, exp.Var) else value.name
    bare = isinstance(value, exp.Var) or (isinstance(value, exp.Column) and not value.table)
    if not bare or str(word).upper() != "DEFAULT":
        return value
    return parsing.parse_expression(column.default) if column.default else exp.null()


def default_tree(session: Context, column: ColumnDef) -> exp.Expr:
    """Return a column's default in DuckDB's terms; NULL where there is none."""
    if column.default is None:
        return exp.null()
    query = exp.select(exp.alias_(parsing.parse_expression(column.default), "D", quoted=True))
    made, _ = queries.governed(session, query, purpose=Purpose.DEFINE)
    value: exp.Expr = made.expressions[0].this
    return value
