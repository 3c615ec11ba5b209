"""Types of expressions, as far as the tree tells; DuckDB tells the rest.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sqlglot import exp

from skills_nb.embedded import types
from skills_nb.embedded.types import SfType, parse_type


KIND = "kind"
"""Where a tree keeps the type that was known of what stood in its place."""


@lru_cache(maxsize=512)
def _built(spelling: str) -> exp.DataType:
    return exp.DataType.build(spelling, dialect="snowflake")


def data_type(sf_type: SfType) -> exp.DataType:
    """Return sqlglot's node for a type."""
    return _built(sf_type.sql)


def of_data_type(node: exp.DataType) -> SfType | None:
    """Read sqlglot's node for a type."""
    return _of_spelling(node.sql("snowflake"))


@lru_cache(maxsize=512)
def _of_spelling(spelling: str) -> SfType | None:
    return parse_type(spelling)


def infer(node: exp.Expr) -> SfType | None:
    """Return the type of an expression whose columns are resolved; None where unsure."""
    if isinstance(node, (exp.Alias, exp.Paren)):
        return infer(node.this)
    if isinstance(node, exp.Column):
        return of_data_type(node.type) if isinstance(node.type, exp.DataType) else None
    if isinstance(node, (exp.Cast, exp.TryCast)):
        return of_data_type(node.to)
    if isinstance(node, exp.Neg):
        return infer(node.this)
    if isinstance(node, exp.Literal):
        return _literal(node)
    rule = _RULES.get(type(node))
    return rule(node) if rule else node.meta.get(KIND)


def _literal(node: exp.Literal) -> SfType:
    if node.is_string:
        return types.text(len(node.name)) if node.name else types.text(0)
    whole, _, fraction = node.name.partition(".")
    if "e" in node.name.lower():
        return types.REAL
    return types.fixed(max(1, len(whole.lstrip("0")) + len(fraction)), len(fraction))


def _fixed(sf_type: SfType) -> Callable[[exp.Expr], SfType | None]:
    return lambda node: sf_type


def _same(node: exp.Expr) -> SfType | None:
    """Give the type of the argument: MIN, MAX, LAG, NULLIF and other functions that pass it on."""
    return infer(node.this)


def _semi_structured_or_none(node: exp.Expr) -> SfType | None:
    return types.VARIANT


def _of_bracket(node: exp.Expr) -> SfType | None:
    found = infer(node.this)
    return types.VARIANT if found and found.kind in types.SEMI_STRUCTURED else None


def _sum(node: exp.Expr) -> SfType | None:
    found = infer(node.this)
    return types.fixed(38, found.scale or 0) if found and found.kind == "FIXED" else found


def _sum_of_two(node: exp.Expr) -> SfType | None:
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or left.kind != "FIXED" or right.kind != "FIXED":
        return None
    return types.fixed(38, max(left.scale or 0, right.scale or 0))


def _product(node: exp.Expr) -> SfType | None:
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or left.kind != "FIXED" or right.kind != "FIXED":
        return None
    return types.fixed(38, min((left.scale or 0) + (right.scale or 0), 12))


_RULES: dict[type[exp.Expr], Callable[[exp.Expr], SfType | None]] = {
    **dict.fromkeys((exp.Min, exp.Max, exp.AnyValue, exp.Nullif, exp.Lag, exp.Lead), _same),
    **dict.fromkeys((exp.FirstValue, exp.LastValue, exp.Window), _same),
    exp.ParseJSON: _fixed(types.VARIANT),
    exp.JSONExtract: _semi_structured_or_none,
    exp.Bracket: _of_bracket,
    exp.ArrayAgg: _fixed(types.ARRAY),
    exp.WithinGroup: _same,
    exp.Array: _fixed(types.ARRAY),
    exp.Struct: _fixed(types.OBJECT),
    exp.Count: _fixed(types.fixed(18)),
    exp.RowNumber: _fixed(types.fixed(18)),
    exp.Length: _fixed(types.fixed(18)),
    exp.CurrentTimestamp: _fixed(types.LTZ),
    exp.CurrentDate: _fixed(types.DATE),
    exp.Upper: _fixed(types.TEXT),
    exp.Sum: _sum,
    exp.Add: _sum_of_two,
    exp.Sub: _sum_of_two,
    exp.Mul: _product,
}
