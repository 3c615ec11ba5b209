"""OBJECT values put together of keys and values.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/object_construct
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck

_MEMBER = duck_sql.of("(CAST(to_json(CAST(:k AS VARCHAR)) AS VARCHAR) || ':' || :v)")
_OBJECT = duck_sql.of("('{' || :members || '}')")


def object_construct(node: exp.Expr) -> exp.Expr:
    """Build an object; a pair whose key or value is NULL is left out.

    See https://docs.snowflake.com/en/sql-reference/functions/object_construct and
    https://docs.snowflake.com/en/sql-reference/functions/object_construct_keep_null

    Raises:
        SqlError: two keys are the same (100171).
    """
    if not all(isinstance(pair, (*_PAIRS, exp.Alias)) for pair in node.expressions):
        return node
    pairs = [_pair(one) for one in node.expressions]
    constant = [key.name for key, _ in pairs if _is_constant(key)]
    for name in constant:
        if constant.count(name) > 1:
            raise errors.duplicate_key(name)
    if not pairs:
        return duck.cast(duck.text("{}"), "JSON")
    if len(constant) == len(pairs):
        pairs.sort(key=lambda pair: pair[0].name)
    members = [_member(key, value, isinstance(node, exp.JSONObject)) for key, value in pairs]
    made = duck.template(_OBJECT, members=duck.call("concat_ws", duck.text(","), *members))
    if len(constant) < len(pairs) > 1:
        made = duck.native("distinct_keys", made, to="VARCHAR")
    return duck.cast(made, "JSON")


_PAIRS = (exp.PropertyEQ, exp.Slice, exp.JSONKeyValue)


def _pair(one: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    if isinstance(one, exp.Alias):
        return one.args["alias"], one.this
    return one.this, one.expression


def _is_constant(key: exp.Expr) -> bool:
    return isinstance(key, (exp.Literal, exp.Identifier))


def _member(key: exp.Expr, value: exp.Expr, keeps_null: bool) -> exp.Expr:
    """Write a pair as JSON; NULL where it is left out."""
    if _is_constant(key):
        name: exp.Expr = duck.text(key.name)
    else:
        name = duck.as_text(key) if duck.is_variant(key) else duck.printed(key) or key
    written: exp.Expr = duck.cast(duck.json(value), "VARCHAR")
    if keeps_null:
        written = exp.Coalesce(this=written, expressions=[duck.text("null")])
    return duck.template(_MEMBER, k=name, v=written)
