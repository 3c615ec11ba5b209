"""START WITH … CONNECT BY as a recursive query.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/constructs/connect-by
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar.column_titles import TEXT
from skills_nb.embedded.types import names

_TREE, _ROW, _UP = "__TREE", "__ROW", "__UP"
_LEVEL = "LEVEL"


def written_out(query: exp.Select) -> exp.Select:
    """Return the query over a recursive CTE that a hierarchical query stands for.

    Raises:
        SqlError: it reads several tables, or says NOCYCLE (0A000).
    """
    connect = query.args["connect"]
    if query.args.get("joins") or query.args.get("from_") is None:
        raise errors.unsupported("CONNECT BY over several tables")
    if connect.args.get("nocycle"):
        raise errors.unsupported("CONNECT BY NOCYCLE")
    query.set("connect", None)
    source = query.args["from_"].this
    alias = source.args.get("alias")
    name = names.stored(alias.this if alias is not None else source.this)
    carried = list(_carried(query))
    tree = _tree(source, connect, carried)
    known = exp.TableAlias(this=names.quoted(name))
    table = exp.Table(this=names.quoted(_TREE), alias=known)
    query.set("from_", exp.From(this=table))
    for number, (node, _, _) in enumerate(carried):
        taken: exp.Expr = names.column(f"__CARRIED{number}", name)
        if node.parent is query and (written := node.meta.get(TEXT)):
            taken = exp.alias_(taken, str(written).upper(), quoted=True)
        node.replace(taken)
    _without_own_columns(query, len(carried))
    given = query.args.get("with_")
    if given is not None:
        given.append("expressions", tree)
    else:
        query.set("with_", exp.With(expressions=[tree]))
    return query


def _carried(query: exp.Select) -> Iterator[tuple[exp.Expr, exp.Expr, exp.Expr | None]]:
    """Yield what rows take over from their parents: node, value, and a path's separator."""
    for node in list(query.walk()):
        if isinstance(node, exp.ConnectByRoot):
            yield node, node.this, None
        elif isinstance(node, exp.Anonymous) and str(node.this).upper() == "SYS_CONNECT_BY_PATH":
            if len(node.expressions) != 2:
                raise errors.not_enough_arguments("SYS_CONNECT_BY_PATH")
            yield node, node.expressions[0], node.expressions[1]


def _tree(
    source: exp.Expr,
    connect: exp.Connect,
    carried: list[tuple[exp.Expr, exp.Expr, exp.Expr | None]],
) -> exp.CTE:
    everything = exp.Column(this=exp.Star(), table=names.quoted(_ROW))
    first = exp.select(everything, _named(exp.Literal.number(1), _LEVEL))
    further = exp.select(
        everything.copy(),
        _named(exp.Add(this=names.column(_LEVEL, _UP), expression=exp.Literal.number(1)), _LEVEL),
    )
    for number, (_, value, separator) in enumerate(carried):
        title = f"__CARRIED{number}"
        mine, before = _of_row(value), names.column(title, _UP)
        start, goes_on = (mine, before) if separator is None else _path(mine, before, separator)
        first = first.select(_named(start, title), copy=False)
        further = further.select(_named(goes_on, title), copy=False)
    first = first.from_(_aliased(source))
    if connect.args.get("start") is not None:
        first = first.where(_of_row(connect.args["start"]))
    further = further.from_(_aliased(source)).join(
        exp.Table(this=names.quoted(_TREE), alias=exp.TableAlias(this=names.quoted(_UP))),
        on=_of_row(connect.args["connect"]),
    )
    union = exp.Union(this=first, expression=further, distinct=False)
    return exp.CTE(this=union, alias=exp.TableAlias(this=names.quoted(_TREE)))


def _named(value: exp.Expr, title: str) -> exp.Expr:
    return exp.alias_(value, title, quoted=True)


def _path(mine: exp.Expr, before: exp.Expr, separator: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    step = exp.DPipe(this=separator.copy(), expression=exp.cast(mine, "text"))
    return step, exp.DPipe(this=before, expression=step.copy())


def _aliased(source: exp.Expr) -> exp.Expr:
    made = source.copy()
    named = made.args.get("alias")
    columns = [column.copy() for column in named.columns] if named is not None else []
    made.set("alias", exp.TableAlias(this=names.quoted(_ROW), columns=columns))
    return made


def _of_row(value: exp.Expr) -> exp.Expr:
    """Read columns from the row, those behind PRIOR and LEVEL from its parent."""
    held = exp.Paren(this=value.copy())
    for node in list(held.find_all(exp.Prior)):
        for column in node.find_all(exp.Column):
            column.set("table", names.quoted(_UP))
        node.replace(node.this)
    for column in held.find_all(exp.Column):
        if names.stored(column.args.get("table")) != _UP:
            is_level = names.stored(column.this) == _LEVEL
            column.set("table", names.quoted(_UP if is_level else _ROW))
    made: exp.Expr = held.this
    return made


def _without_own_columns(query: exp.Select, carried: int) -> None:
    """Keep what the rewriting added out of `*`."""
    own = [_LEVEL, *(f"__CARRIED{number}" for number in range(carried))]
    for star in query.find_all(exp.Star):
        gone = [*(star.args.get("except_") or ()), *(names.column(name) for name in own)]
        star.set("except_", gone)
