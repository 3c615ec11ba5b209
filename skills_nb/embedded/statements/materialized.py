"""Materialized views: what their queries may say, and how they are told from other views.

Room: embedded. A materialized view is read like any view, so that it is always fresh, as
Snowflake's are: what is stored behind it is a matter of speed, and nothing is stored here.

See https://docs.snowflake.com/en/user-guide/views-materialized
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names, refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.statements import access

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

WORD = "MATERIALIZED VIEW"
_KEPT_OUT: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.SetOperation, "a set operator"),
    (exp.Subquery, "a subquery"),
    (exp.With, "a common table expression"),
    (exp.Join, "more than one table"),
    (exp.Having, "HAVING"),
    (exp.Order, "ORDER BY"),
    (exp.Limit, "LIMIT"),
    (exp.Window, "a window function"),
    (exp.CurrentTimestamp, "a nondeterministic function"),
    (exp.CurrentDate, "a nondeterministic function"),
    (exp.Rand, "a nondeterministic function"),
)


def check(session: AccountSession, path: tuple[str, ...], query: exp.Query) -> None:
    """Refuse what Snowflake refuses in a materialized view, and whoever may not make one.

    Raises:
        SqlError: the role lacks CREATE MATERIALIZED VIEW (3001), or the query is more than a
            selection or grouping of one table (2219).
    """
    schema = access.existing(session, Kind.SCHEMA, path[:-1])
    if not session.account.rights.has(session.primary_roles(), f"CREATE {WORD}", schema):
        raise access.denied(schema)
    for kind, what in _KEPT_OUT:
        if query.find(kind) is not None:
            raise refusals.not_materialized(f"{what} in the view definition")
    tables = list(query.find_all(exp.Table))
    if len(tables) != 1 or not isinstance(tables[0].this, exp.Identifier):
        raise refusals.not_materialized("a view definition that does not read one table")
    source = session.readable(session.qualify(names.table_path(tables[0])), session.env())
    if not isinstance(source.detail, TableDetail):
        raise refusals.not_materialized("a view definition that reads another view")


def is_materialized(entity: Entity) -> bool:
    """Tell a materialized view from everything else."""
    return isinstance(entity.detail, ViewDetail) and entity.detail.materialized


def check_named(entity: Entity, words: str) -> None:
    """Refuse a statement that calls a view by the other kind's name."""
    if entity.kind is Kind.VIEW and is_materialized(entity) is not (words == WORD):
        found = WORD if is_materialized(entity) else Kind.VIEW.value
        raise refusals.wrong_kind(found, entity.path, words)
