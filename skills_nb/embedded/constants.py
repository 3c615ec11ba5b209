"""Constants: the arguments of system functions and of methods.

Room: embedded. A system function may stand inside an argument; it is evaluated like in a query.
"""

from __future__ import annotations

import json
from typing import Any

from sqlglot import exp

from skills_nb.embedded import refusals


def constant(session: Any, node: exp.Expr) -> Any:
    """Read a constant argument: text, number, boolean, object, or a session variable."""
    match node:
        case exp.Parameter():
            return constant(session, session.variable_tree(node.name.upper()))
        case exp.Literal():
            return node.name if node.is_string else float(node.name)
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
            return -constant(session, node.this)
        case exp.Paren():
            return constant(session, node.this)
        case exp.Subquery() | exp.Select() if (lone := _lone(node)) is not None:
            return constant(session, lone)
        case exp.ParseJSON():
            return json.loads(constant(session, node.this))
        case exp.Anonymous() if (made := session.system_scalar(node)) is not None:
            return _value(made)
        case exp.Func() if node.find(exp.Column, exp.Query) is None:
            return session.evaluated(node, "TEXT")
        case _:
            raise refusals.invalid_argument(
                f"Invalid argument {node.sql('snowflake')}: a constant is needed"
            )


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
    key = pair.this
    return str(key.name)
