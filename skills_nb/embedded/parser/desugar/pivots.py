"""PIVOT and UNPIVOT as grouped and joined queries.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/constructs/pivot and
https://docs.snowflake.com/en/sql-reference/constructs/unpivot
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar import window_rules
from skills_nb.embedded.types import names

_SOURCE, _LISTED = "__SOURCE", "__LISTED"


def written_out(node: exp.Expr) -> exp.Expr:
    """Return the subquery that a table with PIVOT or UNPIVOT clauses stands for."""
    source = node.copy()
    pivots = source.args["pivots"]
    source.set("pivots", None)
    joins = source.args.get("joins")
    source.set("joins", None)
    for pivot in pivots:
        query = _unpivoted(source, pivot) if pivot.args.get("unpivot") else _pivoted(source, pivot)
        source = exp.Subquery(this=query, alias=pivot.args.get("alias"))
    source.set("joins", joins)
    return source


def is_known(node: exp.Expr) -> bool:
    """Tell whether a table has such clauses and none waits for an answer of the data."""
    pivots = node.args.get("pivots") or ()
    return bool(pivots) and not any(is_dynamic(pivot) for pivot in pivots)


def is_dynamic(pivot: exp.Pivot) -> bool:
    """Tell whether the values to spread are asked of the data.

    Raises:
        SqlError: nothing is to be spread, or what is no column (1003).
    """
    if not pivot.args.get("fields"):
        raise errors.syntax("syntax error: PIVOT and UNPIVOT need FOR … IN (…).")
    if not all(_is_named(pivot, field.this) for field in pivot.args["fields"]):
        raise errors.syntax("syntax error: FOR takes the name of a column.")
    listed = pivot.args["fields"][0].expressions
    return any(isinstance(value, (exp.PivotAny, exp.Query)) for value in listed)


def _is_named(pivot: exp.Pivot, what: exp.Expr) -> bool:
    """Tell whether FOR takes a column, or names the new one and its values."""
    if pivot.args.get("unpivot"):
        return all(isinstance(one, exp.Identifier) for one in (what, *pivot.expressions))
    return isinstance(what, exp.Column) and isinstance(what.this, exp.Identifier)


def dynamic(root: exp.Expr) -> list[exp.Pivot]:
    """List the pivots below a query that wait for an answer."""
    return [pivot for pivot in root.find_all(exp.Pivot) if is_dynamic(pivot)]


def question(pivot: exp.Pivot) -> exp.Query:
    """Return the query that answers which values a dynamic pivot spreads, CTEs included."""
    made = _asked(pivot)
    for above in _ancestors(pivot):
        clause = above.args.get("with_")
        for cte in reversed(clause.expressions if clause is not None else ()):
            if not any(node is pivot for node in cte.walk()):
                made = made.with_(cte.args["alias"].copy(), as_=cte.this.copy())
    return made


def _ancestors(node: exp.Expr) -> Iterator[exp.Expr]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _asked(pivot: exp.Pivot) -> exp.Select:
    assert pivot.parent is not None
    source = pivot.parent.copy()
    source.set("pivots", None)
    source.set("joins", None)
    field = pivot.args["fields"][0]
    wanted = field.expressions[0]
    if isinstance(wanted, exp.Query):
        return exp.select("*").from_(wanted.copy().subquery("__VALUES"))
    asked = exp.select(exp.alias_(field.this.copy(), "V", quoted=True)).from_(source.copy())
    grouped = asked.group_by(field.this.copy())
    order = wanted.this
    if isinstance(order, exp.Order):
        grouped.set("order", order.copy())
        return grouped
    return grouped.order_by(field.this.copy())


def _pivoted(source: exp.Expr, pivot: exp.Pivot) -> exp.Select:
    (field, *more) = pivot.args["fields"]
    if more:
        raise errors.unsupported("PIVOT over several columns")
    aggregates = pivot.expressions
    _check_aggregates(aggregates)
    gone = {names.stored(c.this): c.this for a in aggregates for c in a.find_all(exp.Column)}
    gone[names.stored(field.this.this)] = field.this.this
    query = exp.select(exp.Star(except_=[exp.Column(this=i.copy()) for i in gone.values()]))
    for value in field.expressions:
        for aggregate in aggregates:
            query = query.select(_spread(aggregate, field.this, value, pivot), copy=False)
    query = query.from_(source)
    query.set("group", exp.Group(all=True))
    return query


def _check_aggregates(aggregates: list[exp.Expr]) -> None:
    if len(aggregates) > 1:
        raise errors.unsupported("PIVOT with several aggregates")
    for aggregate in aggregates:
        called = aggregate.this if isinstance(aggregate, exp.Alias) else aggregate
        if isinstance(called, exp.Func) and not isinstance(called, _AGGREGATES):
            if isinstance(called, exp.Anonymous) and not called.expressions:
                continue  # What aggregates nothing is refused as such.
            raise errors.unsupported(f"PIVOT with {window_rules.name_of(called)}")
        if isinstance(called, exp.Count) and isinstance(called.this, exp.Star):
            raise errors.unsupported("PIVOT with COUNT(*)")


_AGGREGATES = (exp.Avg, exp.Count, exp.Max, exp.Min, exp.Sum)


def _spread(aggregate: exp.Expr, field: exp.Expr, value: exp.Expr, pivot: exp.Pivot) -> exp.Expr:
    """Aggregate the rows of one value.

    Raises:
        SqlError: there is nothing to aggregate (1003).
    """
    inner = aggregate.this if isinstance(aggregate, exp.Alias) else aggregate
    wanted = value.this if isinstance(value, exp.PivotAlias) else value
    same = exp.NullSafeEQ(this=field.copy(), expression=wanted.copy())
    made: exp.Expr = inner.copy()
    given = next(iter(made.expressions), None) if isinstance(made, exp.Anonymous) else made.this
    if isinstance(given, exp.Distinct):
        given = given.expressions[0]
    if not isinstance(given, exp.Expr):
        raise errors.syntax("syntax error: PIVOT aggregates a column.")
    one = exp.Literal.number(1) if isinstance(given, exp.Star) else given.copy()
    given.replace(exp.If(this=same, true=one))
    default = pivot.args.get("default_on_null")
    if isinstance(default, exp.Expr) and not isinstance(default, exp.Boolean):
        made = exp.Coalesce(this=made, expressions=[default.copy()])
    return exp.alias_(made, _title(aggregate, value), quoted=True)


def _title(aggregate: exp.Expr, value: exp.Expr) -> str:
    shown = value.sql("snowflake")
    if isinstance(value, exp.PivotAlias):
        shown = _said(value.args["alias"])
    if not isinstance(aggregate, exp.Alias):
        return shown
    ending = f"_{_said(aggregate.args['alias'])}"
    # The ending of a text's column stands inside its quotes.
    return f"{shown[:-1]}{ending}'" if shown.endswith("'") else shown + ending


def _said(alias: exp.Expr) -> str:
    return alias.name if isinstance(alias, exp.Literal) else names.stored(alias)


def _unpivoted(source: exp.Expr, pivot: exp.Pivot) -> exp.Select:
    """Join each row with the list of columns, and take the listed one's value."""
    if source.args.get("alias") is None:
        source.set("alias", exp.TableAlias(this=names.quoted(_SOURCE)))
    alias = source.args["alias"].this
    field = pivot.args["fields"][0]
    columns = list(_columns(field))
    kept = exp.Star(except_=[exp.Column(this=column.copy()) for column, _ in columns])
    number = names.column("COLUMN1", _LISTED)
    value = exp.Case(this=number)
    for i, (column, _) in enumerate(columns):
        value = value.when(
            exp.Literal.number(i), exp.Column(this=column.copy(), table=alias.copy()), copy=False
        )
    rows = [
        exp.Tuple(expressions=[exp.Literal.number(i), exp.Literal.string(name)])
        for i, (_, name) in enumerate(columns)
    ]
    listed = exp.Values(expressions=rows, alias=exp.TableAlias(this=names.quoted(_LISTED)))
    query = exp.select(
        exp.Column(this=kept, table=alias.copy()),
        exp.alias_(names.column("COLUMN2", _LISTED), field.this.copy()),
        exp.alias_(value, pivot.expressions[0].copy()),
    ).from_(source)
    query.append("joins", exp.Join(this=listed, kind="CROSS"))
    if not pivot.args.get("include_nulls"):
        query = query.where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.null())))
    return query


def _columns(field: exp.In) -> Iterator[tuple[exp.Expr, str]]:
    for listed in field.expressions:
        column = listed.this if isinstance(listed, exp.PivotAlias) else listed
        if not isinstance(column, exp.Column):
            raise errors.syntax(f"syntax error: UNPIVOT names columns, not '{column.name[:40]}'.")
        shown = listed.args["alias"] if isinstance(listed, exp.PivotAlias) else column.this
        yield column.this, _said(shown)
