"""Parameters of lambdas, and hashes of whole rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import names, refusals, types
from skills_nb.embedded.inference import KIND


def mark(function: exp.Lambda) -> None:
    """Tell that a lambda's parameters are elements of an array, hence of type VARIANT.

    See https://docs.snowflake.com/en/user-guide/querying-semistructured (higher-order functions)
    """
    known = {names.stored(parameter) for parameter in function.expressions}
    for node in function.this.walk():
        bare = isinstance(node, exp.Identifier) and not isinstance(node.parent, exp.Column)
        if bare and names.stored(node) in known:
            node.meta[KIND] = types.VARIANT


def hash_of_all(node: exp.Expr) -> None:
    """Read HASH(*) and HASH_AGG(*) as the hash of the row as an object.

    See https://docs.snowflake.com/en/sql-reference/functions/hash
    """
    given = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if isinstance(node, exp.Anonymous) and str(node.this).upper() != "HASH":
        return
    for argument in given:
        column = argument.this if isinstance(argument, exp.Column) else argument
        if isinstance(column, exp.Star):
            argument.replace(exp.StarMap(this=argument.copy()))


METHOD = "INSTANCE!METHOD"
"""The function that a call of an instance's method is read as; nobody can type its name."""


def method_call(node: exp.ModelAttribute) -> exp.Expr:
    """Read `instance!METHOD(argument, …)` as a function of the instance's path and the method.

    See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
    """
    called = node.expression
    if not isinstance(called, exp.Func):
        return node
    if isinstance(node.this, exp.Anonymous):
        raise refusals.unsupported(f"{str(node.this.this).upper()}(…)!method")
    path = names.column_path(node.this) if isinstance(node.this, exp.Column) else _path(node.this)
    method = str(called.this) if isinstance(called, exp.Anonymous) else called.sql_name()
    listed = exp.Array(expressions=[exp.Literal.string(part) for part in path])
    given = [listed, exp.Literal.string(method.upper()), *called.expressions]
    made = exp.Anonymous(this=METHOD, expressions=given)
    made.meta.update(node.meta)
    return made


def _path(node: exp.Expr) -> tuple[str, ...]:
    """Return the stored parts of a dotted name that is no column."""
    if isinstance(node, exp.Dot):
        return (*_path(node.this), *_path(node.expression))
    return (names.stored(node),)
