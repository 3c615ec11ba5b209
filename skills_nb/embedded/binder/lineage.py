"""Lineage: which results come from columns that a projection policy protects.

Room: embedded. Values are marked where they are read and stay so through views, common table
expressions, subqueries and functions; only the outermost query is held to the marks. Counting a
column tells no value of it.

See https://docs.snowflake.com/en/user-guide/projection-policies
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder.columns import RESTRICTED
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import SAID, data_type
from skills_nb.embedded.types.scope import (
    FAIL,
    OutColumn,
    guards,
    stricter,
    visible,
)

_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct, exp.Exists)
_WHOLE = "__whole"


def restriction(value: exp.Expr) -> str:
    """Return the mark of an expression: the strictest of what it is computed from."""
    found: list[str] = []
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, _COUNTS):
            continue
        held = node.args.get(RESTRICTED)
        if held is not None:
            found.append(held)
        elif isinstance(node, exp.In):
            pending += [node.this, *node.expressions]
        else:
            pending.extend(node.iter_expressions())
    return stricter(found)


def judged(
    query: exp.Query, found: tuple[OutColumn, ...]
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Hold a statement's own query to the policies of what it reads.

    Raises:
        SqlError: it shows rows that must be aggregated (3651), or a column that may not be
            projected (3650).
    """
    if guards(found):
        raise errors.aggregation_required()
    failing = [_written(query, i, c) for i, c in enumerate(found) if c.restricted == FAIL]
    if failing:
        raise errors.projection_restricted([*dict.fromkeys(failing)])
    if not any(c.restricted for c in found):
        return query, found
    return _outer(query, found), found


def unguarded(
    query: exp.Query, found: tuple[OutColumn, ...]
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Leave the guards of a view's query aside: whoever reads the view is held to them."""
    if not guards(found):
        return query, found
    shown = visible(found)
    values = [exp.alias_(place(i), c.name, quoted=True) for i, c in enumerate(shown)]
    return enclosed(query, len(found), values), shown


def place(position: int) -> exp.Column:
    """Name a column of the query that `enclosed` encloses."""
    return names.column(f"c{position}", _WHOLE)


def enclosed(query: exp.Query, width: int, projections: list[exp.Expr]) -> exp.Select:
    """Return a query over a query, whose columns are named by position so that none meets another.

    Guards stand last, so that the first places are those of the columns that can be named.
    """
    listed = [names.quoted(f"c{i}") for i in range(width)]
    alias = exp.TableAlias(this=names.quoted(_WHOLE), columns=listed)
    return exp.select(*projections).from_(exp.Subquery(this=query, alias=alias))


def _outer(query: exp.Query, found: tuple[OutColumn, ...]) -> exp.Query:
    """Put NULL in the place of columns that must not be shown."""
    shown = [
        exp.alias_(_null(c) if c.restricted else place(i), c.name, quoted=True)
        for i, c in enumerate(found)
    ]
    return enclosed(query, len(found), shown)


def _null(column: OutColumn) -> exp.Expr:
    if column.type is None:
        return exp.null()
    return exp.Cast(this=exp.null(), to=data_type(column.type).copy())


def _written(query: exp.Query, position: int, column: OutColumn) -> str:
    """Spell a projection the way the refusal lists it."""
    if not isinstance(query, exp.Select):
        return column.name
    value = query.expressions[position].this
    value = value.meta.get(SAID, value).copy()
    if value.find(exp.Query) is not None or _is_expanded(value):
        return column.name
    for read in value.find_all(exp.Column):
        read.set("table", None)
    for identifier in value.find_all(exp.Identifier):
        identifier.set("quoted", False)
    return str(value.sql("snowflake")).upper()


def _is_expanded(value: exp.Expr) -> bool:
    """Tell the body of a user's function, which is nobody's to read, from what was written."""
    return any(
        isinstance(cast.this, (exp.Paren, exp.Anonymous)) for cast in value.find_all(exp.Cast)
    )
