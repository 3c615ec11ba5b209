"""CREATE RECURSIVE VIEW: a view that names itself, read as one over a recursive query.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql/create-view (RECURSIVE)
"""

from __future__ import annotations

import re

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types import names

_WORD = re.compile(
    r"(\A\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:SECURE\s+)?"
    r"(?:(?:(?:LOCAL|GLOBAL)\s+)?TEMP(?:ORARY)?\s+)?)RECURSIVE\s+(?=VIEW\b)",
    re.I,
)


def without_word(text: str) -> str:
    """Return the statement of a view without RECURSIVE; every other text as it is."""
    return _WORD.sub(r"\1", text)


def closed(tree: exp.Expr) -> None:
    """Make the query of a recursive view one that names itself by WITH RECURSIVE, in place.

    Raises:
        SqlError: the view has no list of columns or no query (1003).
    """
    if not isinstance(tree, exp.Create) or not isinstance(tree.expression, exp.Query):
        raise errors.syntax("syntax error: a view needs a query.")
    schema = tree.this
    if not isinstance(schema, exp.Schema) or not schema.expressions:
        raise errors.syntax("syntax error: a recursive view needs a list of its columns.")
    name = schema.this.this
    columns = [_identifier(one) for one in schema.expressions]
    body = tree.expression.copy()
    for table in list(body.find_all(exp.Table)):
        if _names_same(table, schema.this):
            # The query that stands for the view has one name, without a schema.
            table.set("db", None)
            table.set("catalog", None)
    rows = exp.CTE(
        this=body,
        alias=exp.TableAlias(this=name.copy(), columns=[one.copy() for one in columns]),
    )
    query = exp.select(*(exp.column(one.copy()) for one in columns))
    query = query.from_(exp.Table(this=name.copy()))
    query.set("with_", exp.With(expressions=[rows], recursive=True))
    tree.set("expression", query)


def _names_same(table: exp.Table, view: exp.Table) -> bool:
    """Tell whether a table is named as the view is, as far as both are written out."""
    pairs = zip(reversed(table.parts), reversed(view.parts), strict=False)
    return all(names.stored(one) == names.stored(other) for one, other in pairs)


def _identifier(node: exp.Expr) -> exp.Expr:
    found: exp.Expr = node.this if isinstance(node, (exp.ColumnDef, exp.Column)) else node
    return found
