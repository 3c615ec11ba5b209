"""Numbers and dates: results in Snowflake's types.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/operators-arithmetic
"""

from __future__ import annotations

import re
from functools import lru_cache

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.inference import (
    DAY_UNITS,
    aggregated,
    average_type,
    decimals,
    infer,
    is_cut_average,
    product_scale,
    quotient_scale,
)


def divide(node: exp.Expr) -> exp.Expr:
    """A quotient of NUMBERs is a NUMBER with six more digits; zero is an error."""
    left, right = infer(node.this), infer(node.expression)
    safe = duck.template(
        duck_sql.of("CASE WHEN :d = 0 THEN error('Division by zero') ELSE :d END"),
        d=exp.Paren(this=node.expression.copy()),
    )
    if isinstance(node.expression, exp.Literal) and float(node.expression.name or 0) != 0:
        safe = node.expression.copy()
    if left is None or right is None or not left.kind == right.kind == "FIXED":
        dividend = exp.Paren(this=node.this.copy())
        quotient = exp.Div(this=dividend, expression=safe, typed=False, safe=False)
        return exp.Paren(this=quotient)
    return _quotient(node.this, safe, quotient_scale(left.scale or 0))


_DOUBLE = duck_sql.of(
    "(CAST(struct_extract(__q, 'l') AS DOUBLE) / CAST(struct_extract(__q, 'r') AS DOUBLE))"
)
_UNITS = duck_sql.of("abs({double} * :power)", double=_DOUBLE)
_EXACT = duck_sql.of(
    "__native('quotient', CAST(struct_extract(__q, 'l') AS VARCHAR), "
    "CAST(struct_extract(__q, 'r') AS VARCHAR), :digits, :cut)"
)
_QUICK = {
    False: duck_sql.of("{units} < 1e15 AND abs({units} % 1 - 0.5) > {units} * 1e-15", units=_UNITS),
    True: duck_sql.of("abs(CAST(struct_extract(__q, 'l') AS DOUBLE)) < 1e15"),
}
"""Where DuckDB can tell: a quotient in DOUBLE that is no tie, or whole numbers to be cut."""
_MADE = {
    False: _DOUBLE,
    True: duck_sql.of(
        "(CAST(CAST(struct_extract(__q, 'l') * :units AS HUGEINT) * :shift "
        "// CAST(struct_extract(__q, 'r') AS HUGEINT) AS DECIMAL(38, 0)) * :unit)"
    ),
}


@lru_cache(maxsize=128)
def _once(digits: int, is_cut: bool) -> DuckSql:
    """Write a quotient whose sides are computed once, however often they are looked at."""
    return duck_sql.of(
        "list_transform([struct_pack(l := :l, r := :r)], lambda __q: CASE "
        "WHEN struct_extract(__q, 'l') IS NULL OR struct_extract(__q, 'r') IS NULL THEN NULL "
        "WHEN {quick} THEN CAST({made} AS {kind}) ELSE CAST({exact} AS {kind}) END)[1]",
        quick=_QUICK[is_cut],
        made=_MADE[is_cut],
        exact=_EXACT,
        kind=duck_sql.kind(f"DECIMAL(38, {digits})"),
    )


def _quotient(left: exp.Expr, right: exp.Expr, digits: int, cut: int | None = None) -> exp.Expr:
    """Divide exactly: rounded, or where `cut` says the digits of the dividend, cut.

    See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (division)
    """
    is_cut = cut is not None
    made = duck.template(
        _once(digits, is_cut),
        l=exp.Paren(this=left.copy()),
        r=right,
        digits=exp.Literal.number(digits),
        power=_power(digits),
        cut=exp.Boolean(this=is_cut),
        units=_power(cut or 0),
        shift=_power(digits - (cut or 0)),
        unit=_power(-digits),
    )
    return duck.cast(made, f"DECIMAL(38,{digits})")


def physical(node: exp.Cast) -> exp.Cast:
    """Cast to what holds a number here: all words for whole ones mean NUMBER(38, 0), a HUGEINT.

    All words for a floating-point number mean 64 bits, REAL and FLOAT4 too.

    See https://docs.snowflake.com/en/sql-reference/data-types-numeric
    """
    target, found = infer(node), infer(node.this)
    is_text = found is not None and found.kind == "TEXT"
    if is_text and target is not None and target.kind in _KINDS:
        node.set("this", digits_of(node.this).copy())
    if node.to.this == exp.DType.FLOAT:
        return type(node)(this=node.this.copy(), to=duck.physical("DOUBLE"))
    if target is None or target.kind != "FIXED" or (target.precision, target.scale) != (38, 0):
        return node
    if node.to.this == exp.DType.INT128 and not node.to.expressions:
        return node
    value = node.this.copy()
    if found is not None and found.kind == "REAL":
        # DuckDB gives halves to the even number where the type is one of whole numbers.
        value = type(node)(this=value, to=duck.physical("DECIMAL(38,0)"))
    return type(node)(this=value, to=duck.physical("HUGEINT"))


_KINDS = {"FIXED", "REAL"}


def listed(node: exp.Expr) -> exp.Expr:
    """Read texts of a column of VALUES as numbers where it holds numbers, too.

    See https://docs.snowflake.com/en/sql-reference/constructs/values
    """
    rows = [row.expressions for row in node.expressions if isinstance(row, exp.Tuple)]
    for column in zip(*rows, strict=False):
        found = [infer(value) for value in column]
        kinds = {one.kind for one in found if one is not None}
        if kinds & _KINDS and "TEXT" in kinds and kinds <= _KINDS | {"TEXT"}:
            for value, one in zip(column, found, strict=True):
                if one is not None and one.kind == "TEXT":
                    value.replace(duck.cast(digits_of(value), number_in(value)))
    return node


def number_in(value: exp.Expr) -> str:
    """Name the type of the number that a text is read as: what a constant needs, else a FLOAT."""
    if isinstance(value, exp.Literal) and (
        found := re.fullmatch(r"\s*-?\d+(?:\.(\d+))?", value.name)
    ):
        return f"DECIMAL(38,{len(found[1])})" if found[1] else "HUGEINT"
    return "DOUBLE"


_DIGITS = duck_sql.of("CASE WHEN contains(:v, '_') THEN concat(:v, chr(31)) ELSE :v END")
"""DuckDB would pass over what stands between digits; the mark is left out of its error."""


def digits_of(text: exp.Expr) -> exp.Expr:
    """Return a text as one that is no number to DuckDB either, where it is none to Snowflake."""
    if isinstance(text, exp.Literal) and "_" not in text.name:
        return text
    return duck.template(_DIGITS, v=duck.cast(text, "VARCHAR"))


def to_digits(node: exp.Expr) -> exp.Expr:
    """Round up or down at a digit, exactly.

    See https://docs.snowflake.com/en/sql-reference/functions/ceil (scale_expr)

    Raises:
        SqlError: there is nothing to round (938).
    """
    if not isinstance(node.this, exp.Expr):
        raise errors.not_enough_arguments(type(node).__name__.upper())
    found, digits = infer(node.this), decimals(node)
    if found is None or found.kind != "FIXED" or digits is None:
        return node
    if digits >= (found.scale or 0):
        value: exp.Expr = node.this
        return value  # which has no digits behind those
    if digits == 0:
        return node
    if abs(digits) > _SHIFTS:
        return node
    there, back = _power(digits), _power(-digits)
    held = duck.cast(node.this, f"DECIMAL(31, {min(found.scale or 0, 12)})")
    moved = duck.template(_MOVED, v=held, n=there)
    whole = duck.cast(type(node)(this=moved), "DECIMAL(31, 0)")
    kept = f"DECIMAL(38, {digits})" if digits > 0 else "HUGEINT"
    return duck.cast(duck.template(_MOVED, v=whole, n=back), kept)


_SHIFTS = 6
"""So far DuckDB moves the point of a number of 31 digits."""
_MOVED = duck_sql.of("(:v * :n)")


def _power(digits: int) -> exp.Expr:
    """Return ten to the power of so many, written out."""
    written = "1" + "0" * digits if digits >= 0 else "0." + "0" * (-digits - 1) + "1"
    return exp.Literal.number(written)


def count_if(node: exp.Expr) -> exp.Expr:
    """Count what is true; of no rows at all that is 0, where DuckDB's sum would be NULL."""
    if isinstance(node.this, exp.Distinct):
        return node
    counted = exp.Case(ifs=[exp.If(this=node.this.copy(), true=exp.Literal.number(1))])
    return exp.Count(this=counted, big_int=True)


def of_text(node: exp.Expr) -> exp.Expr:
    """Sums and averages read texts as numbers.

    See https://docs.snowflake.com/en/sql-reference/functions/sum
    """
    given = aggregated(node)
    found = infer(given)
    if found is not None and found.kind in ("TEXT", "VARIANT"):
        given.replace(
            duck.cast(duck.as_text(given) if found.kind == "VARIANT" else given, "DOUBLE")
        )
    return node


def average(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/avg."""
    inner = node
    while isinstance(inner, (exp.Window, exp.Filter)):
        inner = inner.this
    if not isinstance(inner, exp.Avg) or isinstance(node.parent, (exp.Window, exp.Filter)):
        return node
    found = infer(aggregated(inner))
    if found is None or found.kind != "FIXED":
        return node
    whole, many = node.copy(), node.copy()
    if node is inner:
        whole, many = exp.Sum(this=inner.this.copy()), _counted(inner)
    else:
        _aggregate(whole).replace(exp.Sum(this=inner.this.copy()))
        _aggregate(many).replace(_counted(inner))
    digits = average_type(node, found).scale or 0
    rows = exp.Nullif(this=many, expression=exp.Literal.number(0))
    return _quotient(whole, rows, digits, (found.scale or 0) if is_cut_average(node) else None)


def _aggregate(node: exp.Expr) -> exp.Expr:
    while isinstance(node, (exp.Window, exp.Filter)):
        node = node.this
    return node


def _counted(average: exp.Expr) -> exp.Expr:
    return exp.Count(this=average.this.copy(), big_int=True)


def date_add(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/dateadd: whole days stay a DATE."""
    unit = node.args.get("unit")
    amount = node.args.get("expression")
    if isinstance(node.this, exp.Null):
        node.set("this", duck.cast(node.this, "TIMESTAMP"))
    if isinstance(amount, exp.Expr) and not _is_whole(amount):
        node.set("expression", duck.cast(amount, "BIGINT"))
    if unit is not None and unit.name == "NANOSECOND":
        return _nanoseconds_later(node)
    found = infer(node.this)
    if found is None or found.kind != "DATE" or unit is None:
        return node
    if unit.name.upper() not in DAY_UNITS:
        return node
    return duck.cast(node, "DATE")


def _is_whole(amount: exp.Expr) -> bool:
    """Tell a whole constant, which needs no rounding."""
    inner = amount.this if isinstance(amount, exp.Neg) else amount
    return isinstance(inner, exp.Literal) and inner.is_int


def _nanoseconds_later(node: exp.Expr) -> exp.Expr:
    """Move a moment, whose smallest part here is a microsecond; refuse what would be lost."""
    found, value = infer(node.this), node.this
    if found is not None and found.kind == "DATE":
        value = duck.cast(value, "TIMESTAMP")
    return duck.template(_LATER, v=value, n=duck.cast(node.expression, "BIGINT"))


_LATER = duck_sql.of(
    "(:v + to_microseconds(CASE WHEN :n % 1000 <> 0 "
    "THEN error('Unsupported feature: nanoseconds below a microsecond') ELSE :n // 1000 END))"
)


def whole(node: exp.Expr) -> exp.Expr:
    """Reckon with whole numbers in 38 digits: DuckDB keeps small constants in 32 bits.

    See https://docs.snowflake.com/en/sql-reference/data-types-numeric (integers are NUMBER(38, 0))
    """
    sides = [infer(node.this), infer(node.expression)]
    if all(side is not None and side.kind == "FIXED" and not side.scale for side in sides):
        node.this.replace(duck.cast(node.this, "HUGEINT"))
    return node


def product(node: exp.Expr) -> exp.Expr:
    """Round a product of long fractions to the digits that its type has.

    See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (multiplication)
    """
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or {left.kind, right.kind} != {"FIXED"}:
        return node
    scales = (left.scale or 0, right.scale or 0)
    if sum(scales) <= (kept := product_scale(*scales)):
        return node
    made = exp.Mul(this=node.this.copy(), expression=node.expression.copy())
    return duck.cast(made, f"DECIMAL(38,{kept})")


_BITS = (
    *(exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot),
    *(exp.BitwiseLeftShift, exp.BitwiseRightShift),
)
_AS: dict[type[exp.Expr], str] = {
    **dict.fromkeys((exp.Chr, exp.Round, exp.Trunc, exp.Factorial), "INTEGER"),
    **dict.fromkeys(_BITS, "HUGEINT"),
}
INTEGER_ARGUMENTS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Substring: ("start", "length"),
    exp.Left: ("expression",),
    exp.Right: ("expression",),
    exp.Repeat: ("times",),
    exp.SplitPart: ("part_index",),
    exp.Round: ("decimals",),
    exp.Trunc: ("decimals",),
    exp.Chr: ("expressions",),
    exp.StrPosition: ("position", "occurrence"),
    exp.Strtok: ("part_index",),
    exp.Stuff: ("start", "length"),
    exp.GenerateSeries: ("start", "end", "step"),
    exp.Factorial: ("this",),
    exp.Randstr: ("this",),
    exp.Ntile: ("this",),
    **dict.fromkeys((exp.Lag, exp.Lead, exp.NthValue), ("offset",)),
    **dict.fromkeys(_BITS, ("this", "expression")),
}


def whole_arguments(node: exp.Expr) -> exp.Expr:
    """Counts and positions are smaller in DuckDB, while whole numbers here are HUGEINT."""
    kind = _AS.get(type(node), "BIGINT")
    for name in INTEGER_ARGUMENTS[type(node)]:
        value = node.args.get(name)
        for argument in value if isinstance(value, list) else [value]:
            if argument is not None and not isinstance(argument, (exp.Literal, exp.Neg)):
                argument.replace(duck.cast(argument, kind))
    return node
