"""Conditions of tasks: what may stand behind WHEN.

Room: embedded. Pure. A condition is judged without a warehouse, so that it is made of constants,
two functions, comparisons of these, and casts.

See https://docs.snowflake.com/en/sql-reference/sql/create-task (WHEN)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser import parsing

_FUNCTIONS = ("SYSTEM$GET_PREDECESSOR_RETURN_VALUE", "SYSTEM$STREAM_HAS_DATA")
_CONVERSIONS = (exp.Cast, exp.ToBoolean, exp.ToNumber, exp.ToDouble, exp.ToChar)
_PARTS = (
    exp.Boolean,
    exp.Connector,
    exp.DataTypeParam,
    exp.Literal,
    exp.Neg,
    exp.Not,
    exp.Null,
    exp.Paren,
    exp.Tuple,
)
_TYPES = exp.DataType.TEXT_TYPES | exp.DataType.NUMERIC_TYPES | {exp.DataType.Type.BOOLEAN}


def check(condition: str) -> None:
    """Refuse a condition that takes more than the cloud services to judge.

    Raises:
        SqlError: another function, a column or a query stands in it (91089), or it is no expression
            (1003).
    """
    for node in parsing.parse_expression(condition).walk():
        if not _is_allowed(node):
            raise errors.task_misused(
                "Invalid expression for task condition expression. Only some data type conversions "
                f"and the following functions are allowed: [{', '.join(_FUNCTIONS)}]."
            )


def _is_allowed(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        return str(node.this).upper() in _FUNCTIONS
    if isinstance(node, exp.DataType):
        return node.this in _TYPES
    compares = isinstance(node, exp.Predicate) and not isinstance(
        node, (exp.Func, exp.SubqueryPredicate)
    )
    return compares or isinstance(node, (*_PARTS, *_CONVERSIONS))
