"""What a query over protected rows may say.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter import picking
from skills_nb.embedded.rewriter.aggregation_policies.own_clauses import own_nodes, text_of
from skills_nb.embedded.types.scope import Source, guards

_ALLOWED = (exp.Avg, exp.Count, exp.Sum, exp.ApproxDistinct, exp.Hll)


def checked(query: exp.Select) -> bool:
    """Tell whether a query over protected rows aggregates them.

    Raises:
        SqlError: it says what such a query must not say (3652).
    """
    aggregates = list(own_nodes(query, exp.AggFunc))
    _refuse_windows(query)
    if not (aggregates or query.args.get("group") or query.args.get("distinct")):
        return False
    _refuse_groupings(query)
    for aggregate in aggregates:
        _check_aggregate(aggregate)
    for cast in own_nodes(query, exp.Cast):
        if not isinstance(cast, exp.TryCast) and _reads_rows(cast):
            raise errors.aggregation_violated(text_of(cast))
    return True


def _refuse_windows(query: exp.Select) -> None:
    window = next(own_nodes(query, exp.Window), None)
    if window is not None:
        raise errors.aggregation_violated(text_of(window))
    if query.args.get("qualify"):
        raise errors.aggregation_violated("QUALIFY")


def _refuse_groupings(query: exp.Select) -> None:
    group = query.args.get("group")
    if group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets) is not None:
        raise errors.aggregation_violated(text_of(group).strip())


def _check_aggregate(aggregate: exp.Expr) -> None:
    if not isinstance(aggregate, _ALLOWED):
        raise errors.aggregation_violated(text_of(aggregate))
    for node in aggregate.walk():
        if node is not aggregate and not isinstance(node, picking.PREPARING):
            raise errors.aggregation_violated(text_of(aggregate))


def _reads_rows(value: exp.Expr) -> bool:
    """Tell whether an expression reads a column outside of any aggregate."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Column):
            return True
        if not isinstance(node, (exp.AggFunc, exp.Query)):
            pending.extend(node.iter_expressions())
    return False


def refuse_correlated(outer: tuple[tuple[Source, ...], ...], source: Source) -> None:
    """Refuse a column of an enclosing query where either query reads protected rows.

    Raises:
        SqlError: such a column is used (3652).
    """
    if not outer or source.bound or any(source is own for own in outer[0]):
        return
    if guards(source.columns) or any(guards(own.columns) for own in outer[0]):
        raise errors.aggregation_violated("CORRELATED SUBQUERY")
