"""Which part of a view of the system a query can need, read off the query.

Room: embedded. Pure. In doubt it is everything: a name that stands anywhere in the SELECT counts as
a column's, and a condition counts only where it stands alone or among others that must all hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded.types import names
from skills_nb.embedded.types.asked import ALL, Asked

_ANY_COLUMN = (exp.DynamicIdentifier, exp.MatchRecognize, exp.Parameter, exp.Pivot)
"""What may mean a column that it does not name."""


def asked_of(node: exp.Table, alias: str) -> Asked:
    """Return what the SELECT around a table in FROM can need of it, before it is rewritten."""
    clause = node.parent
    query = clause.parent if isinstance(clause, (exp.From, exp.Join)) else None
    if not isinstance(query, exp.Select) or _is_renamed(node) or _means_any(query):
        return ALL
    named = frozenset(str(part.this).upper() for part in query.find_all(exp.Identifier, exp.Var))
    is_alone = isinstance(clause, exp.From) and not (
        query.args.get("joins") or query.args.get("laterals") or node.args.get("joins")
    )
    return Asked(named, dict(_texts(query, alias)) if is_alone else {})


def _is_renamed(node: exp.Table) -> bool:
    alias = node.args.get("alias")
    return bool(alias is not None and alias.args.get("columns"))


def _means_any(query: exp.Select) -> bool:
    """Tell whether columns may be meant that no name in the query names."""
    if any(join.method == "NATURAL" for join in query.find_all(exp.Join)):
        return True
    stars = query.find_all(exp.Star)
    return any(not isinstance(star.parent, exp.Count) for star in stars) or any(
        True for _ in query.find_all(*_ANY_COLUMN)
    )


def _texts(query: exp.Select, alias: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the columns that must be one of some texts."""
    where = query.args.get("where")
    for condition in _all_must_hold(where.this) if where is not None else ():
        column = condition.this
        if not isinstance(column, exp.Column) or not _is_of(column, alias):
            continue
        if isinstance(condition, exp.EQ):
            values = [condition.expression]
        elif isinstance(condition, exp.In):
            values = condition.expressions
        else:
            continue
        if values and all(isinstance(one, exp.Literal) and one.is_string for one in values):
            yield names.stored(column.this), frozenset(str(one.this) for one in values)


def _is_of(column: exp.Column, alias: str) -> bool:
    table = column.args.get("table")
    return column.args.get("db") is None and (table is None or names.stored(table) == alias)


def _all_must_hold(condition: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(condition, exp.Paren):
        yield from _all_must_hold(condition.this)
    elif isinstance(condition, exp.And):
        yield from _all_must_hold(condition.this)
        yield from _all_must_hold(condition.expression)
    else:
        yield condition
