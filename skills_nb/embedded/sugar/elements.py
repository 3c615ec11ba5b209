"""Parameters of lambdas, and hashes of whole rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import names, types
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
