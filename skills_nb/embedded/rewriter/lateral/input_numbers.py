"""Input numbers: what SEQ of FLATTEN and its like tells, one number for each row of the input.

Room: embedded. Pure. Each source before the function numbers its rows in a column that no star
lists; several numbers make one as the pairs of whole numbers are counted, so that a join's rows
differ, too. Where nothing in the query can read SEQ, nothing is numbered.

See https://docs.snowflake.com/en/sql-reference/functions/flatten (SEQ)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.rewriter.protect import PROTECTS
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import NUMBERED

COUNTED = "counted"
"""Marks a query over `e`, whose column `i` counts the rows that it makes of one input."""
_CALLED = "input_number"
"""Where a source that is numbered already keeps the column's name."""
_FEW = 3
"""So many numbers at most are counted as pairs are, which makes digits of digits."""
Fresh = Callable[[str], str]


def number_of(node: exp.Expr, fresh: Fresh) -> exp.Expr | None:
    """Number the rows before a table function; None where the query cannot read the numbers."""
    query = node.find_ancestor(exp.Select)
    if query is None or not _may_read(node, query):
        return None
    parts = [_whole(_numbered(item, fresh)) for item in _before(query, node)]
    if not parts:
        return None
    if len(parts) > _FEW:
        return duck.template(duck_sql.of("CAST(hash(:v) AS HUGEINT)"), v=duck.call("row", *parts))
    return reduce(_paired, parts)


def _may_read(node: exp.Expr, query: exp.Select) -> bool:
    """Tell whether anything in a query may mean SEQ: its name there, a star, or a place."""
    alias = node.args.get("alias")
    listed = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    called = (listed[0].name if listed else "SEQ").upper()
    return any(
        isinstance(part, (exp.Star, exp.Parameter))
        or (isinstance(part, exp.Identifier) and part.name.upper() == called)
        for part in query.walk(prune=lambda part: part is node)
        if part is not node
    )


def _before(query: exp.Select, node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the sources that stand before one, those in parentheses among them."""
    first = query.args.get("from_")
    laterals = query.args.get("laterals") or ()
    joins = (join.this for join in query.args.get("joins") or ())
    for item in [*([first.this] if first is not None else []), *laterals, *joins]:
        if item is node:
            return
        for one in _flat(item):
            if one is node:
                return
            yield one


def _flat(item: exp.Expr) -> Iterator[exp.Expr]:
    inner = item.this
    holds = isinstance(item, exp.Subquery) and not isinstance(inner, exp.Query)
    yield from _flat(inner) if holds else (item,)
    for join in item.args.get("joins") or ():
        yield from _flat(join.this)


def _numbered(item: exp.Expr, fresh: Fresh) -> str:
    """Let a source number its rows; return the name of the column that does."""
    if known := item.meta.get(_CALLED):
        return str(known)
    name = fresh(NUMBERED)
    number = exp.alias_(exp.Window(this=exp.RowNumber()), name, quoted=True)
    alias = item.args.get("alias")
    if isinstance(item, (exp.Subquery, exp.Lateral)):
        inner = item.this.this if isinstance(item, exp.Lateral) else item.this
        held = item if isinstance(item, exp.Subquery) else item.this
        held.set("this", _around(inner, number))
        if isinstance(alias, exp.TableAlias) and alias.args.get("columns"):
            alias.append("columns", names.quoted(name))
    else:  # a CTE, or VALUES: the alias stays inside, and names the whole, too
        called = alias.this if isinstance(alias, exp.TableAlias) else item.this
        joins = item.args.pop("joins", None)
        held = exp.Subquery(alias=exp.TableAlias(this=called.copy()), joins=joins)
        item.replace(held)
        held.set("this", _selected(item, number))
    held.meta[_CALLED] = item.meta[_CALLED] = name
    return name


def _around(query: exp.Expr, number: exp.Expr) -> exp.Select:
    """Return a query whose rows are numbered; what it protects, it protects as before."""
    if isinstance(query, exp.Select) and query.meta.get(COUNTED):
        number.set("this", names.column("i", "e"))
        return query.select(number, copy=False)
    if isinstance(query, exp.Select) and query.args.get(PROTECTS) and _is_plain(query):
        return query.select(number, copy=False)
    inner = exp.Subquery(this=query.copy(), alias=exp.TableAlias(this=names.quoted("__inputs")))
    made = _selected(inner, number)
    if query.args.get(PROTECTS):
        made.set(PROTECTS, query.args[PROTECTS])
    return made


def _is_plain(query: exp.Select) -> bool:
    """Tell whether each row of a query is numbered by one more column of it."""
    parts = ("distinct", "group", "having", "qualify")
    return not any(query.args.get(part) for part in parts)


def _selected(source: exp.Expr, number: exp.Expr) -> exp.Select:
    """Return what a source holds with its number; by name where each column has its own."""
    shown = source.this.named_selects if isinstance(source, exp.Subquery) else ["*"]
    listed: list[exp.Expr]
    if "*" in shown or len(set(shown)) < len(shown):
        listed = [exp.Star()]
        listed[0].set(names.GOVERNED, True)
    else:
        listed = [names.column(name, source.alias) for name in shown]
    return exp.Select(expressions=[*listed, number], from_=exp.From(this=source))


def _whole(name: str) -> exp.Expr:
    """Count a row that an outer join has not found as one of its own."""
    return duck.template(
        duck_sql.of("CAST(coalesce(:n, 0) AS HUGEINT)"), n=exp.Column(this=names.quoted(name))
    )


def _paired(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    words = duck_sql.of("((:a + :b) * (:a + :b + 1) // 2 + :b)")
    return duck.template(words, a=left, b=right)
