"""Moments with a zone of their own, where rows are ordered, grouped or told apart by them.

Room: embedded. Pure. Such moments are equal where their instants are, whatever their offsets. What
DuckDB would compare as it holds it is asked for by its instant instead, while the tree is still in
Snowflake's terms; a group shows the moment of one of its rows.

See https://docs.snowflake.com/en/sql-reference/data-types-datetime (TIMESTAMP_TZ)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlglot import exp

from skills_nb.embedded.translator.dialect import zoned
from skills_nb.embedded.types.data_types import LTZ
from skills_nb.embedded.types.inference import data_type
from skills_nb.embedded.types.tree_copies import copied

_SOURCES = (exp.Column, exp.Cast, exp.Anonymous, exp.ConvertTimezone, exp.TimestampTzFromParts)
"""What such moments come from."""
_SETS = ("rollup", "cube", "grouping_sets", "totals")
_QUANTILES = (exp.PercentileCont, exp.PercentileDisc)


def compared(nodes: list[exp.Expr]) -> bool:
    """Compare instants wherever such moments are put in order or told apart.

    The nodes are those of a tree, parents first; tell whether there are such moments among them.
    """
    if not any(isinstance(node, _SOURCES) and zoned.is_zoned(node) for node in nodes):
        return False
    for node in reversed(nodes):
        how = _HOW.get(type(node))
        if how is not None:
            how(node)
    return True


def _by_instant(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=copied(value), to=copied(data_type(LTZ)))


def _each(values: Iterable[exp.Expr | None]) -> None:
    for value in list(values):
        if value is not None and zoned.is_zoned(value):
            value.replace(_by_instant(value))


# ---- values


def _case(node: exp.Expr) -> None:
    if node.this is not None:
        _each([node.this, *(one.this for one in node.args["ifs"])])


def _decoded(node: exp.Expr) -> None:
    pairs = node.expressions[1:]
    _each([*node.expressions[:1], *pairs[: len(pairs) // 2 * 2 : 2]])


def _null_if_equal(node: exp.Expr) -> None:
    other = node.args.get("expression")
    if other is not None and (zoned.is_zoned(node.this) or zoned.is_zoned(other)):
        same = exp.EQ(this=copied(node.this), expression=copied(other))
        chosen = exp.Case(ifs=[exp.If(this=same, true=exp.null())], default=copied(node.this))
        node.replace(chosen)


def _within(node: exp.Expr) -> None:
    _answers(node.args.get("query"))


def _any_or_all(node: exp.Expr) -> None:
    _answers(node.this)


def _answers(held: exp.Expr | None) -> None:
    """Let a query, whose answers are compared, give instants."""
    query = held.this if isinstance(held, exp.Subquery) else held
    if isinstance(query, exp.Select) and len(query.expressions) == 1:
        _each([query.expressions[0].unalias()])


def _by_extreme(node: exp.Expr) -> None:
    _each([node.args.get("expression")])


def _counted(node: exp.Expr) -> None:
    _each([node.this])


def _hashed(node: exp.Expr) -> None:
    if str(node.this).upper() == "HASH":
        _each(node.expressions)


# ---- rows


def _partitioned(node: exp.Expr) -> None:
    _each(node.args.get("partition_by") or ())


def _ordered(node: exp.Expr) -> None:
    """Order by the instant; DuckDB orders a set operation by its columns alone."""
    order = node.parent
    around = order.parent if isinstance(order, exp.Order) else None
    if isinstance(around, exp.Select):
        value = meant(node.this, around)
        if zoned.is_zoned(value):
            node.set("this", _by_instant(value))
    elif isinstance(around, exp.Window) or (
        isinstance(around, (exp.GroupConcat, exp.WithinGroup))
        and not isinstance(around.this, _QUANTILES)
        and around.find(exp.Distinct) is None  # DuckDB orders such by what they list alone
    ):
        _each([node.this])


def meant(key: exp.Expr, query: exp.Select) -> exp.Expr:
    """Return the value that a place among the columns of a result, or an alias, stands for."""
    shown = query.expressions
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.name) <= len(shown):
        place: exp.Expr = shown[int(key.name) - 1]
        return place.unalias()
    if isinstance(key, exp.Column) and not key.table:
        named = [one.unalias() for one in shown if one.alias_or_name == key.name]
        return named[0] if named else key
    return key


def _told_apart(node: exp.Expr) -> None:
    assert isinstance(node, exp.Select)
    _grouped(node)
    distinct = node.args.get("distinct")
    values = [shown.unalias() for shown in node.expressions]
    if distinct is None or distinct.args.get("on") is not None:
        return
    if any(map(zoned.is_zoned, values)):
        keys = [
            _by_instant(value) if zoned.is_zoned(value) else exp.Literal.number(place)
            for place, value in enumerate(values, start=1)
        ]
        distinct.set("on", exp.Tuple(expressions=keys))


def _grouped(query: exp.Select) -> None:
    """Group by the instant, and show of each group any of its moments."""
    group = query.args.get("group")
    if group is None or any(group.args.get(part) for part in _SETS):
        return
    keys = _keys(query, group)
    moments = [copied(value) for _, value in keys if zoned.is_zoned(value)]
    parts = _above_groups(query)
    if not moments or not all(_can_be_shown(part, moments) for part in parts):
        return
    made = [_by_instant(v) if zoned.is_zoned(v) else copied(key) for key, v in keys]
    group.set("all", None)
    group.set("expressions", made)
    for part in parts:
        for node in list(_over_groups(part, moments)):
            if _is_one_of(node, moments):
                node.replace(exp.AnyValue(this=copied(node)))


def _keys(query: exp.Select, group: exp.Group) -> list[tuple[exp.Expr, exp.Expr]]:
    """List what is grouped by, as written and as meant.

    For ALL that is what no aggregate is in, as far as that is certain.
    """
    if not group.args.get("all"):
        return [(key, meant(key, query)) for key in group.expressions]
    shown = query.expressions
    if any(one.find(exp.Window, exp.Query, exp.Anonymous) for one in shown):
        return []
    values = [one.unalias() for one in shown if one.find(exp.AggFunc) is None]
    return [(value, value) for value in values]


def _above_groups(query: exp.Select) -> list[exp.Expr]:
    """List what is made of groups, each in a place from which it can be replaced."""
    order = query.args.get("order")
    keys = list(order.expressions) if order is not None else []
    named = {shown.alias for shown in query.expressions if shown.alias}
    keys = [
        one for one in keys if not (isinstance(one.this, exp.Column) and one.this.name in named)
    ]
    clauses = [query.args.get(name) for name in ("having", "qualify")]
    return [*query.expressions, *(one for one in clauses if one is not None), *keys]


def _can_be_shown(part: exp.Expr, moments: list[exp.Expr]) -> bool:
    """Tell whether nothing but aggregates needs the moments of rows."""
    if part.find(exp.Grouping, exp.GroupingId) is not None:
        return False
    return not any(
        _is_one_of(node, moments) for query in part.find_all(exp.Query) for node in query.walk()
    )


def _over_groups(part: exp.Expr, moments: list[exp.Expr]) -> Iterator[exp.Expr]:
    """Yield the nodes that are not within an aggregate, whose arguments are rows."""
    pending = [part]
    while pending:
        node = pending.pop()
        yield node
        if _is_one_of(node, moments) or _is_of_rows(node):
            continue
        pending.extend(node.iter_expressions())


def _is_of_rows(node: exp.Expr) -> bool:
    is_aggregate = isinstance(node, (exp.AggFunc, exp.WithinGroup, exp.Filter))
    return is_aggregate and not isinstance(node.parent, exp.Window)


def _is_one_of(node: exp.Expr, moments: list[exp.Expr]) -> bool:
    return any(_is_same(node, moment) for moment in moments)


def _is_same(one: exp.Expr, other: exp.Expr) -> bool:
    """Compare expressions; a column may be written with its table's name or without."""
    if isinstance(one, exp.Column) and isinstance(other, exp.Column):
        tables = {one.table, other.table} - {""}
        return one.name == other.name and len(tables) < 2
    return type(one) is type(other) and one == other


_HOW: dict[type[exp.Expr], Callable[[exp.Expr], None]] = {
    exp.Anonymous: _hashed,
    **dict.fromkeys((exp.Any, exp.All), _any_or_all),
    **dict.fromkeys((exp.ApproxDistinct, exp.Hll), _counted),
    **dict.fromkeys((exp.ArgMax, exp.ArgMin), _by_extreme),
    exp.Case: _case,
    exp.DecodeCase: _decoded,
    exp.In: _within,
    exp.Nullif: _null_if_equal,
    exp.Ordered: _ordered,
    exp.Select: _told_apart,
    exp.Window: _partitioned,
}
