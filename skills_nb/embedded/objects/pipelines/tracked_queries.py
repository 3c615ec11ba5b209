"""Tracked queries: which views' changes a stream can follow.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/streams-intro (Streams on views)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, ViewDetail
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.sql.identifiers import render_name

_KEPT_OUT: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Group, "GROUP BY"),
    (exp.Qualify, "QUALIFY"),
    (exp.Distinct, "DISTINCT"),
    (exp.Limit, "LIMIT"),
    (exp.Fetch, "LIMIT"),
    (exp.Window, "window functions"),
    (exp.AggFunc, "aggregates"),
    (exp.Except, "EXCEPT"),
    (exp.Intersect, "INTERSECT"),
    (exp.Exists, "a subquery outside of FROM"),
)
_HOLDERS = (exp.From, exp.Join, exp.Subquery, exp.SetOperation, exp.CTE)
"""What a query in parentheses may stand in; anywhere else its answer is a value."""


def check(session: Context, view: Entity) -> None:
    """Refuse a view whose changes cannot be tracked, itself or through the views that it reads.

    Raises:
        SqlError: it does more than project, filter, join and put together (0A000).
    """
    detail = view.detail
    if not isinstance(detail, ViewDetail):
        return
    query = parsing.parse_query(detail.query)
    found = _kept_out(query)
    if found:
        raise errors.unsupported(f"change tracking of a view with {found}")
    for path in _read(view, query):
        inner = session.account.catalog.find(Kind.VIEW, path)
        if inner is not None and inner.id != view.id:
            check(session, inner)


def base_tables(session: Context, view: Entity) -> tuple[str, ...]:
    """Name the tables that a view reads, itself or through other views; each once, in order."""
    assert isinstance(view.detail, ViewDetail)
    listed: dict[str, None] = {}
    for path in _read(view, parsing.parse_query(view.detail.query)):
        found = session.account.catalog.find(Kind.TABLE, path)
        if found is None or found.id == view.id:
            continue
        if found.kind is Kind.VIEW:
            listed |= dict.fromkeys(base_tables(session, found))
        else:
            listed[render_name(found.path)] = None
    return tuple(listed)


def _read(view: Entity, query: exp.Query) -> list[tuple[str, ...]]:
    """List the full names behind FROM."""
    paths = (names.table_path(table) for table in query.find_all(exp.Table))
    return [(*view.path[: 3 - len(path)], *path) for path in paths]


def _kept_out(query: exp.Query) -> str:
    """Name what of a query cannot be tracked; empty for nothing."""
    for kind, word in _KEPT_OUT:
        if query.find(kind) is not None:
            return word
    joins = [join for join in query.find_all(exp.Join) if join.side or join.method == "ASOF"]
    if joins:
        return f"joins of type {joins[0].side or joins[0].method}"
    if any(one.args.get("distinct") for one in query.find_all(exp.Union)):
        return "UNION"
    held = (one for one in query.find_all(exp.Subquery) if not isinstance(one.parent, _HOLDERS))
    return "a subquery outside of FROM" if next(held, None) is not None else ""
