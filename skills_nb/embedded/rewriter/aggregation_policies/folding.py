"""The fold: an aggregating query rebuilt so that no group tells about too few records.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.rewriter.aggregation_policies.guards_on_their_way import silence
from skills_nb.embedded.rewriter.aggregation_policies.layers import Layers, aliased
from skills_nb.embedded.rewriter.aggregation_policies.own_clauses import (
    is_alias,
    nodes_below,
    own_nodes,
)
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import Source, guards


def fold(query: exp.Select, sources: tuple[Source, ...]) -> None:
    """Rebuild a resolved aggregating query so that no group tells about too few records.

    Four layers: the rows with keys, guards and what aggregates read; whether a row's group is large
    enough; the groups, small ones as one; and the query's own words over them.
    """
    _order_by_results(query)
    _qualify(query, sources)
    silence(query, ())
    layers = Layers(_keys(query, sources), _thresholds(sources))
    held = [*query.expressions]
    held += [query.args[c] for c in ("having", "order") if query.args.get(c) is not None]
    for node in held:
        layers.replace_in(node, {p.alias for p in query.expressions}, sources)
    rows = exp.select(*layers.row_columns())
    for part in ("from_", "joins", "laterals", "where"):
        if query.args.get(part):
            rows.set(part, query.args[part])
            query.set(part, None)
    grouped = layers.grouped(layers.judged(rows))
    query.set("from_", exp.From(this=aliased(grouped, "__groups")))
    having = query.args.get("having")
    if having is not None:
        query.set("where", exp.Where(this=having.this))
    query.set("having", None)
    query.set("group", None)


def _order_by_results(query: exp.Select) -> None:
    """Put results in the place of their names: in ORDER BY, they win over columns."""
    order = query.args.get("order")
    shown = {p.alias: p.this for p in query.expressions}
    for key in order.expressions if order is not None else ():
        if isinstance(key.this, exp.Column) and not key.this.table and key.this.name in shown:
            key.set("this", shown[key.this.name].copy())


def _thresholds(sources: tuple[Source, ...]) -> list[tuple[exp.Expr, int]]:
    return [
        (names.column(guard.name, source.alias or None), guard.least or 0)
        for source in sources
        for guard in guards(source.columns)
    ]


def _keys(query: exp.Select, sources: tuple[Source, ...]) -> list[exp.Expr]:
    """Return the grouping expressions, positions and aliases looked up."""
    group = query.args.get("group")
    shown = [p.this for p in query.expressions]
    if group is None:
        aggregates = any(True for _ in own_nodes(query, exp.AggFunc)) or query.args.get("having")
        return [] if aggregates else shown
    if group.args.get("all"):
        return [
            value for value in shown if not any(True for _ in nodes_below([value], exp.AggFunc))
        ]
    by_alias = {p.alias: p.this for p in query.expressions}
    return [_looked_up(key, shown, by_alias, sources) for key in group.expressions]


def _looked_up(
    key: exp.Expr,
    shown: list[exp.Expr],
    by_alias: dict[str, exp.Expr],
    sources: tuple[Source, ...],
) -> exp.Expr:
    if isinstance(key, exp.Literal) and key.is_int and 1 <= int(key.name) <= len(shown):
        return shown[int(key.name) - 1]
    if isinstance(key, exp.Column) and is_alias(key, by_alias.keys(), sources):
        return by_alias[key.name]
    return key


def _qualify(query: exp.Select, sources: tuple[Source, ...]) -> None:
    """Write every column's table, so that two spellings of one column are equal."""
    for column in own_nodes(query, exp.Column):
        if column.args.get("table") is not None:
            continue
        holders = [s for s in sources if s.column(column.name) is not None]
        if len(holders) == 1 and holders[0].alias:
            column.set("table", names.quoted(holders[0].alias))
