"""Materialized views: what their queries may say, and how they are told from other views.

Room: embedded. A materialized view is read like any view, so that it is always fresh, as
Snowflake's are: what is stored behind it is a matter of speed, and nothing is stored here.

See https://docs.snowflake.com/en/user-guide/views-materialized
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, name_resolution
from skills_nb.embedded.binder.dependencies import used_by
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.objects.relations import materialized_queries
from skills_nb.embedded.objects.show_filters import limited, matches, scope_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.sql.governance import ast

WORD = "MATERIALIZED VIEW"


def check(session: Context, path: tuple[str, ...], query: exp.Query) -> None:
    """Refuse what Snowflake refuses in a materialized view, and whoever may not make one.

    Raises:
        SqlError: the role lacks CREATE MATERIALIZED VIEW (3001), the query is more than a
            selection or grouping of one table (2219), or a policy protects what it reads (0A000).
    """
    schema = access.existing(session, Kind.SCHEMA, path[:-1])
    access.require_create_in(session, schema, WORD)
    env = replace(session.env(), database=path[0], schema=path[1])
    materialized_queries.check(session, query, env)
    tables = list(query.find_all(exp.Table))
    if len(tables) != 1 or not isinstance(tables[0].this, exp.Identifier):
        raise errors.not_materialized("a view definition that does not read one table")
    named = session.qualify(names.table_path(tables[0]), env)
    source = name_resolution.readable(session, named, env)
    if not isinstance(source.detail, TableDetail):
        raise errors.not_materialized("a view definition that reads another view")
    if source.kind is not Kind.TABLE:
        raise errors.not_materialized("a view definition that reads a dynamic table")
    _refuse_protected(session, source, query)


def _refuse_protected(session: Context, source: Entity, query: exp.Query) -> None:
    """Refuse to store what a policy filters, groups or masks; other columns may be stored."""
    held = session.account.policies_of(source)
    if held.rows is not None or held.aggregations:
        kind = "ROW ACCESS POLICY" if held.rows is not None else "AGGREGATION POLICY"
        raise errors.unsupported(f"CREATE MATERIALIZED VIEW on a table with a {kind}")
    if held.masks.keys() & _columns_read(query, set(held.masks)):
        raise errors.unsupported("CREATE ON MASKING POLICY COLUMN")


def _columns_read(query: exp.Query, all_of_them: set[str]) -> set[str]:
    """Return the columns that a query names; a star names all of them but those that it leaves."""
    columns = query.find_all(exp.Column)
    read = {names.stored(c.this) for c in columns if c.find_ancestor(exp.Star) is None}
    for selected in query.selects:
        star = selected.this if isinstance(selected, exp.Column) else selected
        if isinstance(star, exp.Star):
            left = star.args.get("except_") or []
            read |= all_of_them - {names.stored(each.this) for each in left}
    return read


def is_materialized(entity: Entity) -> bool:
    """Tell a materialized view from everything else."""
    return isinstance(entity.detail, ViewDetail) and entity.detail.materialized


def check_named(entity: Entity, words: str) -> None:
    """Refuse a statement that calls a view by the other kind's name.

    Raises:
        SqlError: it is called so (1512).
    """
    if entity.kind is Kind.VIEW and is_materialized(entity) is not (words == WORD):
        found = WORD if is_materialized(entity) else Kind.VIEW.value
        raise errors.wrong_kind(found, entity.path, words)


_COLUMNS = (
    "created_on:t name reserved database_name schema_name cluster_by rows:n bytes:n "
    "source_database_name source_schema_name source_table_name refreshed_on:t compacted_on:t owner "
    "invalid invalid_reason behind_by comment text is_secure automatic_clustering owner_role_type"
)


def show(session: Context, statement: ast.Show) -> tuple[str, list[tuple[Any, ...]]]:
    """Show the materialized views of what IN names; none of them is ever behind."""
    within = session.account.catalog.within(Kind.TABLE, scope_of(session, statement, Kind.VIEW))
    found = [
        e
        for e in within
        if is_materialized(e) and matches(statement, e.name) and access.sees(session, e)
    ]
    return _COLUMNS, [_row(session, e) for e in limited(statement, found)]


def _row(session: Context, e: Entity) -> tuple[Any, ...]:
    detail = e.detail
    assert isinstance(detail, ViewDetail)
    source = next(used_by(session, e), None)
    shown = access.reads_text(session, e)
    now = session.account.clock()
    return (
        e.created_on,
        e.name,
        "",
        *e.path[:2],
        detail.cluster_by,
        None,
        None,
        *(source.path if source is not None else (None,) * 3),
        now,
        now,
        e.owner,
        "false" if source is not None else "true",
        "" if source is not None else "Base table is dropped.",
        "0s",
        e.comment,
        detail.text if shown else "",
        str(detail.secure).lower(),
        "ON" if detail.cluster_by else "OFF",
        "ROLE",
    )
