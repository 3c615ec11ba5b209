"""Materialized queries: what the query of a materialized view may not say.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/views-materialized
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter import expanding
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.scope import Env

_CHANGING = "a nondeterministic function"
_KEPT_OUT: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.SetOperation, "a set operator"),
    (exp.Subquery, "a subquery"),
    (exp.With, "a common table expression"),
    (exp.Join, "more than one table"),
    (exp.Having, "HAVING"),
    (exp.Window, "a window function"),
    (exp.Order, "ORDER BY"),
    (exp.Limit, "LIMIT"),
    (exp.Rollup, "GROUP BY ROLLUP"),
    (exp.Cube, "GROUP BY CUBE"),
    (exp.GroupingSets, "GROUP BY GROUPING SETS"),
    (exp.HistoricalData, "Time Travel"),
    (exp.TableSample, "SAMPLE"),
    *(
        (kind, _CHANGING)
        for kind in (
            exp.CurrentTimestamp,
            exp.CurrentDate,
            exp.CurrentTime,
            exp.Localtime,
            exp.Localtimestamp,
            exp.Rand,
            exp.Randn,
            exp.Randstr,
            exp.Uuid,
            exp.Seq1,
            exp.Seq2,
            exp.Seq4,
            exp.Seq8,
            exp.CurrentUser,
            exp.CurrentRole,
            exp.CurrentAccount,
            exp.CurrentDatabase,
            exp.CurrentSchema,
            exp.CurrentWarehouse,
            exp.CurrentSession,
        )
    ),
)
_AGGREGATES = (
    exp.ApproxDistinct,
    exp.Avg,
    exp.BitwiseAndAgg,
    exp.BitwiseOrAgg,
    exp.BitwiseXorAgg,
    exp.Count,
    exp.CountIf,
    exp.Hll,
    exp.Max,
    exp.Min,
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
    exp.Sum,
    exp.Variance,
    exp.VariancePop,
)


def check(session: Context, query: exp.Query, env: Env) -> None:
    """Refuse what Snowflake refuses in the query of a materialized view.

    Raises:
        SqlError: the query is more than a selection or grouping of one table (2219).
    """
    written = query
    while isinstance(query, exp.Subquery):  # parentheses around all of it are no subquery
        query = query.this
    for kind, what in _KEPT_OUT:
        if (query if kind is exp.Subquery else written).find(kind) is not None:
            raise errors.not_materialized(f"{what} in the view definition")
    for call in query.find_all(exp.AggFunc):
        if not isinstance(call, _AGGREGATES):
            raise errors.not_materialized("an unsupported aggregate function")
        if isinstance(call.this, exp.Distinct):
            raise errors.not_materialized("DISTINCT in an aggregate function")
    calls = query.find_all(exp.Anonymous, exp.Dot)
    if any(expanding.called(session, call, env) is not None for call in calls):
        raise errors.not_materialized("a user-defined function in the view definition")
    _check_keys(query)


def _check_keys(query: exp.Query) -> None:
    """Refuse to group by what is not selected; a number stands for what is."""
    group = query.args.get("group")
    selected = [e.unalias() for e in query.selects]
    aliases = {e.alias.upper() for e in query.selects if e.alias}
    for key in group.expressions if group is not None else ():
        is_alias = isinstance(key, exp.Column) and key.name.upper() in aliases
        if not (isinstance(key, exp.Literal) or is_alias or key in selected):
            raise errors.not_materialized("a GROUP BY key that is not in the SELECT list")
