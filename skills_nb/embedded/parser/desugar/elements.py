"""Parameters of lambdas, and hashes of whole rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.inference import KIND


def mark(function: exp.Lambda) -> None:
    """Tell that a lambda's parameters are elements of an array, hence of type VARIANT.

    See https://docs.snowflake.com/en/user-guide/querying-semistructured (higher-order functions)
    """
    known = {names.stored(parameter) for parameter in function.expressions}
    for parent in list(function.walk()):
        for key, held in list(parent.args.items()):
            if isinstance(held, exp.Column) and _is_parameter(held, known):
                parent.set(key, held.this.copy())
    for node in function.this.walk():
        bare = isinstance(node, exp.Identifier) and not isinstance(node.parent, exp.Column)
        if bare and names.stored(node) in known:
            node.meta[KIND] = data_types.VARIANT


def _is_parameter(column: exp.Column, known: set[str]) -> bool:
    """Tell a parameter that is left as a column: in what a function is read as, it stands twice."""
    return len(column.parts) == 1 and names.stored(column.this) in known


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

MODEL_CALL = "MODEL()!METHOD"
"""The function that a call of a model's method is read as."""


def method_call(node: exp.ModelAttribute) -> exp.Expr:
    """Read `instance!METHOD(argument, …)` as a function of the instance's path and the method.

    `MODEL(name, version)!METHOD(…)` becomes one of the model's path, version and method.

    See https://docs.snowflake.com/en/sql-reference/snowflake-db-classes
    and https://docs.snowflake.com/en/sql-reference/commands-model
    """
    called = node.expression
    if not isinstance(called, exp.Func):
        return node
    method = str(called.this) if isinstance(called, exp.Anonymous) else called.sql_name()
    function, of = METHOD, _listed(node.this)
    if isinstance(node.this, exp.Anonymous):
        function, of = MODEL_CALL, _model_and_version(node.this)
    given = [*of, exp.Literal.string(method.upper()), *called.expressions]
    made = exp.Anonymous(this=function, expressions=given)
    made.meta.update(node.meta)
    return made


def _listed(named: exp.Expr) -> list[exp.Expr]:
    path = names.column_path(named) if isinstance(named, exp.Column) else _path(named)
    return [exp.Array(expressions=[exp.Literal.string(part) for part in path])]


def _model_and_version(call: exp.Anonymous) -> list[exp.Expr]:
    """Return a model's path and its version, which is empty for the default one."""
    if str(call.this).upper() != "MODEL" or len(call.expressions) not in (1, 2):
        raise errors.unsupported(f"{str(call.this).upper()}(…)!method")
    model, *version = call.expressions
    chosen = names.stored(version[0]) if version else ""
    return [*_listed(model), exp.Literal.string(chosen)]


def _path(node: exp.Expr) -> tuple[str, ...]:
    """Return the stored parts of a dotted name that is no column."""
    if isinstance(node, exp.Dot):
        return (*_path(node.this), *_path(node.expression))
    return (names.stored(node),)
