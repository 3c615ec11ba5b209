"""Comparisons of a VARIANT: with a value that is none, and with another VARIANT.

Room: embedded. Pure. DuckDB holds a VARIANT as a text and would put 10 before 9. Wherever VARIANTs
are put in order, a key stands in for them, while the tree is still in Snowflake's terms.

See https://docs.snowflake.com/en/sql-reference/data-types-semistructured
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck, instants, moments
from skills_nb.embedded.types.inference import WRITTEN, infer
from skills_nb.embedded.types.tree_copies import copied

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


# ---- the order of VARIANTs

_KEY = "__KEY_OF_VARIANT"
_KEY_SQL = duck_sql.of(
    "CASE WHEN :v IS NOT NULL THEN row("
    "CASE json_type(:v) WHEN 'BOOLEAN' THEN 0 WHEN 'UBIGINT' THEN 1 WHEN 'BIGINT' THEN 1"
    " WHEN 'HUGEINT' THEN 1 WHEN 'DOUBLE' THEN 1 WHEN 'NULL' THEN 3 ELSE 2 END, "
    "CASE WHEN json_type(:v) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"
    " THEN TRY_CAST(CAST(:v AS VARCHAR) AS DOUBLE) END, "
    "CASE WHEN json_type(:v) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"
    " THEN TRY_CAST(CAST(:v AS VARCHAR) AS DECIMAL(38,9))"
    " END, CASE WHEN json_type(:v) NOT IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"
    " THEN json_extract_string(:v, '$') END) END"
)
"""Truths come first, then numbers by what they are worth, texts and documents, JSON's null."""
_SETTLED = (exp.PercentileCont, exp.PercentileDisc)
"""What gives one of the values that are ordered, which therefore stay what they are."""


def is_key(node: exp.Anonymous) -> bool:
    """Tell whether a call is one that stands for the key of a VARIANT; nobody can write it."""
    return str(node.this) == _KEY and not node.meta.get(WRITTEN)


def key(node: exp.Anonymous) -> exp.Expr:
    """Return what a VARIANT is ordered by."""
    return duck.template(_KEY_SQL, v=node.expressions[0])


def ordered(nodes: list[exp.Expr]) -> bool:
    """Let keys stand in for VARIANTs that are put in order; tell whether there were any.

    The nodes are those of a tree, parents first.
    """
    changed = [how(node) for node in reversed(nodes) if (how := _HOW.get(type(node))) is not None]
    return any(changed)


def _keyed(value: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=_KEY, expressions=[copied(value)])


def _each(values: Iterable[exp.Expr | None]) -> bool:
    """Replace values by their keys if all of them are VARIANTs."""
    listed = [value for value in values if value is not None]
    if not listed or not all(map(duck.is_variant, listed)):
        return False
    for value in listed:
        value.replace(_keyed(value))
    return True


def _in_order(node: exp.Expr) -> bool:
    order = node.parent
    around = order.parent if isinstance(order, exp.Order) else None
    if isinstance(around, exp.Select):
        value = instants.meant(node.this, around)
        if not duck.is_variant(value):
            return False
        node.set("this", _keyed(value))
        return True
    if isinstance(around, exp.SetOperation):
        return _in_order_of_both(node, around)
    return not _gives_what_it_orders(around) and _each([node.this])


def _in_order_of_both(node: exp.Expr, around: exp.SetOperation) -> bool:
    """Order a set operation from outside: DuckDB orders it by its columns alone."""
    first: exp.Expr = around.left
    while isinstance(first, (exp.SetOperation, exp.Subquery)):
        first = first.left if isinstance(first, exp.SetOperation) else first.this
    if not isinstance(first, exp.Select) or node.find(exp.Anonymous) is not None:
        return False
    shown = [one.alias_or_name for one in first.expressions]
    value = instants.meant(node.this, first)
    place = next((i for i, one in enumerate(first.expressions) if one.unalias() is value), None)
    if place is None or shown.count(shown[place]) > 1 or not duck.is_variant(value):
        return False
    _put_around(around)
    column = exp.column(exp.to_identifier(shown[place], quoted=True))
    node.set("this", exp.Anonymous(this=_KEY, expressions=[column]))
    return True


def _put_around(inner: exp.SetOperation) -> None:
    """Make an operation what a query over it reads, which takes its order and its limits."""
    made = exp.Select(expressions=[exp.Star()])
    inner.replace(made)
    for name in ("with_", "order", "limit", "offset"):
        if (part := inner.args.get(name)) is not None:
            inner.set(name, None)
            made.set(name, part)
    source = exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("both")))
    made.set("from_", exp.From(this=source))


def _gives_what_it_orders(around: exp.Expr | None) -> bool:
    """Tell of aggregates whose order stands for a value, or may be of what they list alone."""
    return isinstance(around, (exp.GroupConcat, exp.ArrayAgg, exp.WithinGroup)) and (
        isinstance(around.this, _SETTLED) or around.find(exp.Distinct) is not None
    )


def _sides(node: exp.Expr) -> bool:
    return _each([node.this, node.expression])


def _between(node: exp.Expr) -> bool:
    return _each([node.this, node.args["low"], node.args["high"]])


def _among(node: exp.Expr) -> bool:
    return bool(node.expressions) and _each([node.this, *node.expressions])


def _extreme(node: exp.Expr) -> bool:
    """MAX and MIN give the value whose key is the extreme one."""
    value = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    if not duck.is_variant(value):
        return False
    made = exp.ArgMax if isinstance(node, exp.Max) else exp.ArgMin
    node.replace(made(this=copied(value), expression=_keyed(value)))
    return True


def _distinct_in_order(node: exp.Expr) -> bool:
    """Sort what ARRAY_AGG lists once each: DuckDB orders such by what they list alone."""
    order, inner = node.expression, node.this
    if not isinstance(order, exp.Order) or isinstance(node.parent, (exp.Window, exp.Filter)):
        return False
    first = order.expressions[0]
    is_alone = isinstance(inner, exp.ArrayAgg) and isinstance(inner.this, exp.Distinct)
    if len(order.expressions) > 1 or not is_alone or not duck.is_variant(first.this):
        return False
    asc = exp.false() if first.args.get("desc") else exp.true()
    node.replace(exp.ArraySort(this=copied(inner), asc=asc))
    return True


def _by_extreme(node: exp.Expr) -> bool:
    return _each([node.args.get("expression")])


def _chosen(node: exp.Expr) -> bool:
    """GREATEST and LEAST give the extreme element of an array of what is not NULL."""
    values = [node.this, *node.expressions]
    if not any(map(duck.is_variant, values)):
        return False
    listed = exp.Array(expressions=[copied(value) for value in values])
    made = (exp.ArrayMax if isinstance(node, exp.Greatest) else exp.ArrayMin)(this=listed)
    if node.args.get("ignore_nulls"):
        node.replace(made)
        return True
    known = exp.and_(*(copied(value).is_(exp.null()).not_() for value in values))
    node.replace(exp.Case(ifs=[exp.If(this=known, true=made)]))
    return True


_HOW: dict[type[exp.Expr], Callable[[exp.Expr], bool]] = {
    **dict.fromkeys(COMPARISONS, _sides),
    **dict.fromkeys((exp.ArgMax, exp.ArgMin), _by_extreme),
    **dict.fromkeys((exp.Max, exp.Min), _extreme),
    **dict.fromkeys((exp.Greatest, exp.Least), _chosen),
    exp.Between: _between,
    exp.In: _among,
    exp.Ordered: _in_order,
    exp.WithinGroup: _distinct_in_order,
}
