"""Tracked queries: which views' changes a stream can follow.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/streams-intro (Streams on views)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, ViewDetail
from skills_nb.embedded.objects.query_parts import (
    OUTSIDE_OF_FROM,
    Parts,
    part_in,
    reads_for_value,
)
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.sql.identifiers import render_name

_KEPT_OUT: Parts = (
    (exp.Group, "GROUP BY"),
    (exp.Qualify, "QUALIFY"),
    (exp.Distinct, "DISTINCT"),
    (exp.Limit, "LIMIT"),
    (exp.Fetch, "LIMIT"),
    (exp.Window, "window functions"),
    (exp.AggFunc, "aggregates"),
    (exp.Except, "EXCEPT"),
    (exp.Intersect, "INTERSECT"),
    (exp.Exists, OUTSIDE_OF_FROM),
)


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
    if what := part_in(query, _KEPT_OUT):
        return what
    joins = [join for join in query.find_all(exp.Join) if join.side or join.method == "ASOF"]
    if joins:
        return f"joins of type {joins[0].side or joins[0].method}"
    if any(one.args.get("distinct") for one in query.find_all(exp.Union)):
        return "UNION"
    return OUTSIDE_OF_FROM if reads_for_value(query) else ""
