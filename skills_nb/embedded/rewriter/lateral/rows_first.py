"""Rows first: what a lateral query yields, computed beside the source that it comes from.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.types import names

NUMBER = "number"
"""What the input's number is called beside its rows."""


def rows_first(node: exp.Expr, query: exp.Query, name: str, number: exp.Expr | None) -> None:
    """Compute the rows beside the source that they come from, so that they keep their order.

    DuckDB joins what a lateral query yields by its input, which turns the rows of one input around;
    taken as one list they are joined whole, and unnested where they are. `number` tells one input
    from another; None where nobody asks.
    """
    made, above = [n for n in query.walk() if n.args.get(names.ROWS)], node.parent
    if not made or above is None:
        return
    if isinstance(above, exp.Join) and above.side in ("RIGHT", "FULL"):
        return
    listed = exp.select(exp.alias_(made[0].copy(), "rows", quoted=True))
    if number is not None:
        listed.select(exp.alias_(number, NUMBER, quoted=True), copy=False)
        _numbered(query, names.column(NUMBER, name))
    for rows in made:
        rows.replace(names.column("rows", name))
    beside = exp.Lateral(this=listed.subquery(), alias=exp.TableAlias(this=names.quoted(name)))
    if isinstance(above, exp.Join):
        explicit = above.side or above.kind or above.args.get("on") is not None
        _before(above, "joins", exp.Join(this=beside, kind="CROSS" if explicit else None))
    else:
        _before(node, "laterals", beside)


def _numbered(query: exp.Query, number: exp.Expr) -> None:
    """Put the input's number in the place of SEQ."""
    for column in query.selects:
        if column.alias == "SEQ":
            column.set("this", number)


def _before(node: exp.Expr, part: str, other: exp.Expr) -> None:
    """Put a source before another one of the same query."""
    assert node.parent is not None
    listed = list(node.parent.args[part])
    listed.insert(next(i for i, one in enumerate(listed) if one is node), other)
    node.parent.set(part, listed)
