"""OBJECT values put together of keys and values, and values taken out of documents.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/object_construct
"""

from __future__ import annotations

import json
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.inference import infer, of_data_type

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


_STEP = duck_sql.of("CASE WHEN CAST(:i AS BIGINT) >= 0 THEN '$[' || CAST(:i AS BIGINT) || ']' END")
"""Below the first place there is nothing; DuckDB would count from the end."""


def bracket(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/user-guide/querying-semistructured (bracket notation)."""
    if not duck.is_variant(node.this) or len(node.expressions) != 1:
        return node
    step = node.expressions[0]
    if isinstance(step, exp.Literal) and step.is_string:
        path: exp.Expr = duck.text('$."' + step.name.replace('"', '\\"') + '"')
    elif isinstance(step, exp.Literal):
        path = duck.text(f"$[{step.name}]")
    else:
        path = duck.template(_STEP, i=step)
    return duck.cast(duck.call("json_extract", node.this, path), "JSON")


def by_path(node: exp.Expr) -> exp.Expr:
    """Below the first place there is nothing, in a path, too."""
    for step in node.expression.find_all(exp.JSONPathSubscript):
        if isinstance(step.this, int) and step.this < 0:
            return duck.cast(exp.null(), "JSON")
    return node


def get(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/get."""
    step, found = node.expression, infer(node.expression)
    if isinstance(step, exp.Null):
        return duck.cast(exp.null(), "JSON")
    if isinstance(step, exp.Literal) and step.is_string:
        path: exp.Expr = duck.text('$."' + step.name.replace('"', '\\"') + '"')
    elif found is not None and found.kind == "TEXT":
        path = duck.template(duck_sql.of("'$.\"' || replace(:k, '\"', '\\\"') || '\"'"), k=step)
    else:
        path = duck.template(_STEP, i=step)
    return duck.cast(duck.call("json_extract", duck.cast(node.this, "JSON"), path), "JSON")


def of_type(document: exp.Expr, node: exp.Cast) -> exp.Expr:
    """Cast each value in a document to the type that a structured type says for it.

    See https://docs.snowflake.com/en/sql-reference/data-types-structured

    Raises:
        SqlError: such a cast is only tried, which Snowflake does not support (0A000).
    """
    if not node.to.expressions:
        return document
    if isinstance(node, exp.TryCast):
        raise errors.unsupported("TRY_CAST to a structured type")
    return duck.native("structured", document, duck.text(json.dumps(_said(node.to))))


def _said(kind: exp.DataType) -> dict[str, Any]:
    parts = [one for one in kind.expressions if not isinstance(one, exp.DataTypeParam)]
    if parts and kind.this == exp.DType.ARRAY:
        return {"array": _said(parts[0])}
    if parts and kind.this == exp.DType.MAP:
        return {"map": [_said(one) for one in parts]}
    if parts:
        return {"object": {one.name: _said(one.args["kind"]) for one in parts}}
    found = of_data_type(kind)
    if found is None:
        return {"kind": "VARIANT"}
    sizes = {"precision": found.precision, "scale": found.scale, "length": found.length}
    return {"kind": found.kind, **{name: size for name, size in sizes.items() if size is not None}}
