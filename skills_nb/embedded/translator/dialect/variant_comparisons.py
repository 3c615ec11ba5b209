"""Comparisons of a VARIANT with a value that is none.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-semistructured
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.translator.dialect import duck, moments
from skills_nb.embedded.types.inference import infer

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)


def compared(node: exp.Expr) -> exp.Expr:
    """A VARIANT is compared as the type of the other side."""
    left, right = node.this, node.expression
    for mine, other in ((left, right), (right, left)):
        kinds = [found.kind for side in (mine, other) if (found := infer(side)) is not None]
        if kinds == ["TEXT", "BINARY"]:
            mine.replace(moments.to_binary(exp.ToBinary(this=mine.copy())))
        elif duck.is_variant(mine) and not duck.is_variant(other):
            mine.replace(_like_other(mine, other))
    return node


def _like_other(mine: exp.Expr, other: exp.Expr) -> exp.Expr:
    found = infer(other)
    text = duck.as_text(mine)
    if found is None or found.kind == "TEXT":
        return text
    if found.kind in ("FIXED", "REAL"):
        return duck.cast(text, "DOUBLE")
    return duck.cast(text, found.physical)


def within(node: exp.Expr) -> exp.Expr:
    """See compared; for IN."""
    first = next(iter(node.expressions), None)
    if duck.is_variant(node.this) and first is not None and not duck.is_variant(first):
        node.set("this", _like_other(node.this, first))
    return node


def between(node: exp.Expr) -> exp.Expr:
    """See compared; for BETWEEN."""
    low = node.args["low"]
    if duck.is_variant(node.this) and not duck.is_variant(low):
        node.set("this", _like_other(node.this, low))
    return node


def case(node: exp.Expr) -> exp.Expr:
    """See compared; for CASE with a value that is compared."""
    value, first = node.args.get("this"), node.args["ifs"][0].this
    if value is not None and duck.is_variant(value) and not duck.is_variant(first):
        node.set("this", _like_other(value, first))
    return node


def decoded(node: exp.Expr) -> exp.Expr:
    """See compared; for DECODE."""
    value, first = node.expressions[:2]
    if duck.is_variant(value) and not duck.is_variant(first):
        value.replace(_like_other(value, first))
    return node
