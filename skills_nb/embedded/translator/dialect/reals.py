"""Functions of floating-point numbers: what has no finite answer is refused.

Room: embedded. Pure. DuckDB answers NaN and infinity where Snowflake refuses; an argument that is
neither finite itself is let through, since its answer is not either.

See https://docs.snowflake.com/en/sql-reference/functions-numeric
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.inference import KIND, infer

_SAID = duck_sql.of(
    "CAST(error('Invalid floating point operation: ' || :name || '(' || {a} || ')') AS DOUBLE)",
    a=duck_sql.of("regexp_replace(CAST(:a AS VARCHAR), '\\.0$', '')"),
)
_BOTH_SAID = duck_sql.of(
    "CAST(error('Invalid floating point operation: ' || :name || '(' || {a} || ',' || {b} || ')')"
    " AS DOUBLE)",
    a=duck_sql.of("regexp_replace(CAST(:a AS VARCHAR), '\\.0$', '')"),
    b=duck_sql.of("regexp_replace(CAST(:b AS VARCHAR), '\\.0$', '')"),
)
_ONE = duck_sql.of(
    "CASE WHEN isfinite(:a) AND NOT isfinite(:made) THEN {said} ELSE :made END", said=_SAID
)
_TWO = duck_sql.of(
    "CASE WHEN isfinite(:a) AND isfinite(:b) AND NOT isfinite(:made) THEN {said} ELSE :made END",
    said=_BOTH_SAID,
)
_ONCE = duck_sql.of("list_extract(list_transform([[:a, :b]], lambda x: :made), 1)")
_FIRST, _SECOND = duck_sql.of("list_extract(x, 1)"), duck_sql.of("list_extract(x, 2)")
_SMALL = (exp.Column, exp.Literal)
_OF_ONE: dict[type[exp.Expr], str] = {
    exp.Acos: "acos",
    exp.Acosh: "acosh",
    exp.Asin: "asin",
    exp.Atanh: "atanh",
    exp.Cosh: "cosh",
    exp.Cot: "cot",
    exp.Exp: "exp",
    exp.Ln: "ln",
    exp.Sinh: "sinh",
    exp.Sqrt: "sqrt",
}
REALS = (*_OF_ONE, exp.Log, exp.Pow)


def finite(node: exp.Expr) -> exp.Expr:
    """Compute a function of one or two numbers.

    See https://docs.snowflake.com/en/sql-reference/functions/sqrt
    """
    if node.args.get("expression") is None and type(node) not in _OF_ONE:
        return node
    first = _real(node.this)
    second = None if type(node) in _OF_ONE else _real(node.expression)
    if _is_small(node.this) and (second is None or _is_small(node.expression)):
        return _checked(node, first, second)
    inner = _checked(
        node, duck.template(_FIRST), None if second is None else duck.template(_SECOND)
    )
    return duck.template(_ONCE, a=first, b=second or exp.null(), made=inner)


def _checked(node: exp.Expr, first: exp.Expr, second: exp.Expr | None) -> exp.Expr:
    """Refuse the values that have no answer."""
    if second is None:
        name = _OF_ONE[type(node)]
        return duck.template(_ONE, a=first, made=duck.call(name, first), name=duck.text(name))
    name = "pow" if isinstance(node, exp.Pow) else "log"
    made = duck.call(name, first, second)
    return duck.template(_TWO, a=first, b=second, made=made, name=duck.text(name))


def _is_small(value: exp.Expr) -> bool:
    """Tell whether a value may stand several times in what is sent.

    What is nested would otherwise grow by as much on every level.
    """
    while isinstance(value, (exp.Neg, exp.Paren, exp.Cast)):
        value = value.this
    return isinstance(value, _SMALL)


def _real(value: exp.Expr) -> exp.Expr:
    """Read a number, a text or a VARIANT as a FLOAT."""
    found = infer(value)
    if found is not None and found.kind == "REAL":
        return value
    made = duck.cast(duck.as_text(value) if duck.is_variant(value) else value, "DOUBLE")
    made.meta[KIND] = data_types.REAL
    return made
