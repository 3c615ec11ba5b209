"""Outer joins by marks: FROM a, b WHERE a.id = b.id(+) is a LEFT JOIN of b.

Room: embedded. Pure. The general parser reads a mark and drops it where it writes the query, which
would join inner; so it is written out here, or refused.

See https://docs.snowflake.com/en/sql-reference/constructs/where#joins-in-the-where-clause
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.errors import SqlError


def is_stray(column: exp.Column) -> bool:
    """Return whether a mark stands elsewhere than in the WHERE clause of a plain query."""
    if not _is_marked(column):
        return False
    where = column.find_ancestor(exp.Where, exp.Select)
    query = where.parent if isinstance(where, exp.Where) else None
    return not isinstance(query, exp.Select) or query.args.get("connect") is not None


def refused() -> SqlError:
    """Return the refusal of a mark that this account cannot follow."""
    return errors.unsupported("this use of (+): write LEFT JOIN instead")


def written_out(query: exp.Select) -> None:
    """Write marked conditions as LEFT JOINs.

    Raises:
        SqlError: a mark that stands beside JOIN, under OR, or without its table (0A000).
    """
    where = query.args.get("where")
    if where is None or not any(map(_is_marked, where.find_all(exp.Column))):
        return
    kept: list[exp.Expr] = []
    conditions: dict[str, list[exp.Expr]] = {}
    for condition in _conjuncts(where.this):
        table = _marked_table(condition)
        (conditions.setdefault(table, []) if table else kept).append(condition)
    _join(query, conditions)
    query.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)


def _join(query: exp.Select, conditions: dict[str, list[exp.Expr]]) -> None:
    sources = [query.args["from_"].this, *map(_plain_source, query.args.get("joins") or ())]
    inner = [s for s in sources if _name(s) not in conditions]
    outer = [s for s in sources if _name(s) in conditions]
    if not inner or len(outer) != len(conditions):
        raise refused()
    ordered = [*inner, *_after_what_they_need(outer, conditions, {_name(s) for s in inner})]
    if query.is_star and ordered != sources:
        raise refused()
    joins = [
        exp.Join(this=source, side="LEFT", on=exp.and_(*conditions[_name(source)], copy=False))
        if source in outer
        else exp.Join(this=source, kind="CROSS")
        for source in ordered[1:]
    ]
    query.set("from_", exp.From(this=ordered[0]))
    query.set("joins", joins)


def _after_what_they_need(
    outer: Sequence[exp.Expr], conditions: dict[str, list[exp.Expr]], there: set[str]
) -> list[exp.Expr]:
    """Return the sources in an order in which each comes after those that its conditions name."""
    left, ordered = list(outer), list[exp.Expr]()
    while left:
        source = next(
            (s for s in left if _tables(conditions[_name(s)]) <= {*there, _name(s)}), None
        )
        if source is None:
            raise refused()
        left.remove(source)
        ordered.append(source)
        there = {*there, _name(source)}
    return ordered


def _plain_source(join: exp.Join) -> exp.Expr:
    """Return what a comma joins; JOIN and marks do not go together."""
    if any(value for part, value in join.args.items() if part != "this"):
        raise refused()
    found: exp.Expr = join.this
    return found


def _conjuncts(condition: exp.Expr) -> list[exp.Expr]:
    condition = condition.unnest()
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _marked_table(condition: exp.Expr) -> str:
    """Return the table whose columns a condition marks, its marks taken off; "" without any."""
    marked = [column for column in condition.find_all(exp.Column) if _is_marked(column)]
    tables = _tables(marked)
    if marked and (len(tables) != 1 or "" in tables or condition.find(exp.Or, exp.Query)):
        raise refused()
    for column in marked:
        column.set("join_mark", None)
    return tables.pop() if tables else ""


def _tables(conditions: Iterable[exp.Expr]) -> set[str]:
    return {
        _folded(column.args.get("table")) for c in conditions for column in c.find_all(exp.Column)
    }


def _name(source: exp.Expr) -> str:
    alias = source.args.get("alias")
    return _folded(alias.this if alias is not None else source.this)


def _folded(identifier: object) -> str:
    if not isinstance(identifier, exp.Identifier):
        return ""
    return identifier.name if identifier.quoted else identifier.name.upper()


def _is_marked(column: exp.Column) -> bool:
    return bool(column.args.get("join_mark"))
