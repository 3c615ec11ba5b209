"""EXPLAIN: what a statement would do, without doing it.

Room: embedded. The plan is read from the statement's tree. It is compiled for the role first, so
that what may not be read cannot be explained; sizes are left out, since rows here have no
partitions.

See https://docs.snowflake.com/en/sql-reference/sql/explain
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from skills_nb.embedded.executor import queries
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome

_TABULAR = columns_of(
    "step:n id:n parentOperators:a operation objects:a alias expressions:a partitionsTotal:n "
    "partitionsAssigned:n bytesAssigned:n"
)
_CONTENT = columns_of("content")
_CLAUSES = (
    ("limit", "Limit"),
    ("order", "Sort"),
    ("qualify", "Filter"),
    ("having", "Filter"),
    ("group", "Aggregate"),
    ("where", "Filter"),
)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a plan; its number is its place."""

    name: str
    """As Snowflake's EXPLAIN calls it: `TableScan`, `Filter`, …."""
    parent: int | None
    """Number of the operation that takes its rows; None for the last one."""
    expressions: tuple[str, ...] = ()
    """What it computes, as SQL; empty for nothing."""
    table: str | None = None
    """Full name of what it reads; None where it reads rows of other operations."""
    alias: str | None = None
    """Name that the query gives the table; None for none."""


def answer(session: Context, form: str, query: exp.Query) -> Outcome:
    """Return the plan of a query in the form asked for.

    Raises:
        SqlError: the query cannot be compiled.
    """
    queries.governed(session, query.copy(), purpose=Purpose.DESCRIBE)
    plan: list[Operation] = []
    _query(session, query, None, plan)
    columns, rows = _FORMS[form](plan)
    return Outcome(columns, rows, "EXPLAIN", len(rows))


def _add(plan: list[Operation], operation: Operation) -> int:
    plan.append(operation)
    return len(plan) - 1


def _query(session: Context, tree: exp.Expr, parent: int | None, plan: list[Operation]) -> None:
    if isinstance(tree, exp.SetOperation):
        above = _add(plan, Operation("UnionAll", parent))
        for side in (tree.left, tree.right):
            _query(session, side, above, plan)
        return
    if isinstance(tree, exp.Subquery):
        _query(session, tree.this, parent, plan)
        return
    shown = tuple(e.sql("snowflake") for e in tree.expressions)
    above = _add(plan, Operation("Result" if parent is None else "Projection", parent, shown))
    for clause, name in _CLAUSES:
        node = tree.args.get(clause)
        if node is not None:
            above = _add(plan, Operation(name, above, (_said(node),)))
    _sources(session, tree, above, plan)


def _said(clause: exp.Expr) -> str:
    inner = clause.this if isinstance(clause.this, exp.Expr) else None
    if inner is not None:
        return inner.sql("snowflake")
    return ", ".join(e.sql("snowflake") for e in clause.expressions) or clause.sql("snowflake")


def _sources(session: Context, tree: exp.Expr, above: int, plan: list[Operation]) -> None:
    first = tree.args.get("from_")
    if first is None:
        return
    joins = list(tree.args.get("joins") or ())
    for join in reversed(joins):
        on = join.args.get("on")
        kind = "CartesianJoin" if on is None and not join.args.get("using") else "InnerJoin"
        kind = f"{join.side.title()}OuterJoin" if join.side else kind
        above = _add(plan, Operation(kind, above, (on.sql("snowflake"),) if on is not None else ()))
    for node in [first.this, *(join.this for join in joins)]:
        _source(session, node, above, plan)


def _source(session: Context, node: exp.Expr, above: int, plan: list[Operation]) -> None:
    alias = node.args.get("alias")
    called = names.stored(alias.this) if isinstance(alias, exp.TableAlias) and alias.this else None
    if isinstance(node, exp.Subquery):
        _query(session, node.this, above, plan)
    elif isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        path = names.table_path(node)
        known = {names.stored(cte.args["alias"].this) for cte in _ctes(node)}
        if len(path) == 1 and path[0] in known:
            plan.append(Operation("WithReference", above, alias=called or path[0]))
            return
        full = ".".join(session.qualify(path))
        plan.append(Operation("TableScan", above, table=full, alias=called))
    else:
        name = "ValuesClause" if isinstance(node, exp.Values) else "TableFunction"
        plan.append(Operation(name, above, (node.sql("snowflake"),)))


def _ctes(node: exp.Expr) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    above = node.parent
    while above is not None:
        clause = above.args.get("with_")
        found.extend(clause.expressions if clause is not None else ())
        above = above.parent
    return found


Shown = tuple[tuple[Any, ...], tuple[tuple[Any, ...], ...]]


def _tabular(plan: list[Operation]) -> Shown:
    rows: list[tuple[Any, ...]] = [
        (None, None, None, "GlobalStats", None, None, None, None, None, None)
    ]
    for number, one in enumerate(plan):
        rows.append(
            (
                1,
                number,
                None if one.parent is None else json.dumps([one.parent]),
                one.name,
                None if one.table is None else json.dumps([one.table]),
                one.alias,
                json.dumps(list(one.expressions)) if one.expressions else None,
                None,
                None,
                None,
            )
        )
    return _TABULAR, tuple(rows)


def _json(plan: list[Operation]) -> Shown:
    listed = []
    for number, one in enumerate(plan):
        made: dict[str, Any] = {"id": number, "operation": one.name}
        made |= {"parentOperators": [one.parent]} if one.parent is not None else {}
        made |= {"objects": [one.table]} if one.table is not None else {}
        made |= {"alias": one.alias} if one.alias is not None else {}
        made |= {"expressions": list(one.expressions)} if one.expressions else {}
        listed.append(made)
    return _CONTENT, ((json.dumps({"GlobalStats": {}, "Operations": [listed]}),),)


def _text(plan: list[Operation]) -> Shown:
    lines = ["GlobalStats:", "Operations:"]
    for number, one in enumerate(plan):
        above = "" if one.parent is None else f"->  parent {one.parent}  "
        what = "  ".join(filter(None, (one.table, one.alias, ", ".join(one.expressions))))
        lines.append(f"1:{number}     {above}{one.name}  {what}".rstrip())
    return _CONTENT, (("\n".join(lines),),)


_FORMS = {"TABULAR": _tabular, "JSON": _json, "TEXT": _text}
