"""Constants: the arguments of system functions and of methods.

Room: embedded. A system function may stand inside an argument; it is evaluated like in a query.
"""

from __future__ import annotations

import json
import math
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.session.context import Context
from skills_nb.errors import SqlError


def constant(session: Context, node: exp.Expr) -> Any:
    """Read a constant argument: text, number, boolean, object, or a session variable.

    Raises:
        SqlError: its value is not known before the statement runs (1014), it is a number that
            there is not (100038), or no JSON where JSON is read (100069).
    """
    match node:
        case exp.Parameter():
            return constant(session, session.variable_tree(node.name.upper()))
        case exp.Literal():
            return node.name if node.is_string else _number(node.name)
        case exp.RawString():
            return node.name
        case exp.Boolean():
            return bool(node.this)
        case exp.Null():
            return None
        case exp.Struct():
            return {_key(pair): constant(session, pair.expression) for pair in node.expressions}
        case exp.Array():
            return [constant(session, item) for item in node.expressions]
        case exp.Kwarg():
            return constant(session, node.expression)
        case exp.Neg():
            return _negated(constant(session, node.this))
        case exp.Paren():
            return constant(session, node.this)
        case exp.Subquery() | exp.Select() if (lone := _lone(node)) is not None:
            return constant(session, lone)
        case exp.ParseJSON():
            return _parsed(constant(session, node.this))
        case exp.Anonymous() if (made := session.system_scalar(node)) is not None:
            return _value(made)
        case exp.Func() if node.find(exp.Column, exp.Query) is None:
            return session.evaluated(node, "TEXT")
        case _:
            raise errors.invalid_argument(
                f"Invalid argument {node.sql('snowflake')}: a constant is needed"
            )


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.inf
    if not math.isfinite(found):
        raise errors.unrecognized("Numeric value", text)
    return found


def _negated(value: Any) -> Any:
    return None if value is None else -_number(str(value))


def _parsed(text: Any) -> Any:
    try:
        return None if text is None else json.loads(str(text))
    except (ValueError, RecursionError) as error:
        raise SqlError("Error parsing JSON", errno=100069, sqlstate="22P02") from error


def _value(made: exp.Expr) -> Any:
    """Return the value of a constant that stood for a system function."""
    if isinstance(made, exp.Cast):
        is_json = made.to.is_type("json")
        return json.loads(made.this.name) if is_json else None
    match made:
        case exp.Boolean():
            return bool(made.this)
        case exp.Literal(is_string=False):
            return float(made.name)
        case exp.Null():
            return None
        case _:
            return made.name


def _lone(node: exp.Expr) -> exp.Expr | None:
    """Return what a query without tables computes, where that is one value."""
    query = node.this if isinstance(node, exp.Subquery) else node
    if not isinstance(query, exp.Select) or query.args.get("from_") is not None:
        return None
    found = query.expressions[0] if len(query.expressions) == 1 else None
    return found.this if isinstance(found, exp.Alias) else found


def _key(pair: exp.Expr) -> str:
    key: object = pair.this
    if not isinstance(key, exp.Expr):
        raise errors.syntax("syntax error: an object is written as keys and values.")
    return str(key.name)
