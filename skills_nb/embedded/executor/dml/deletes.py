"""DELETE and TRUNCATE.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.executor.dml.change_buffers import IS_MATCHED, count_matched, let_go, match
from skills_nb.embedded.executor.dml.change_targets import Target, target_of
from skills_nb.embedded.executor.dml.row_counts import COUNT_NAMES, counted
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import records
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome


def emptying(target: Target) -> DuckSql:
    """Write the deletion of all rows."""
    return duck_sql.of("DELETE FROM {table}", table=target.physical)


def deleting(target: Target, condition: DuckSql) -> DuckSql:
    """Write the deletion of rows."""
    return duck_sql.of(
        "DELETE FROM {table} WHERE {condition}", table=target.physical, condition=condition
    )


def delete(session: Context, tree: exp.Delete) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/delete.

    Raises:
        SqlError: no table is named (1003).
    """
    if not isinstance(tree.this, exp.Expr):
        # `DELETE t`, which is read as a DELETE of nothing.
        raise errors.syntax("syntax error: DELETE needs FROM.")
    target = target_of(session, tree.this, "DELETE")
    using = list(tree.args.get("using") or ())
    total = match(session, target, using, [], tree.args.get("where"), "DELETE")
    distinct = count_matched(session) if using else total
    writes.note(session, target.detail.place)
    images.keep(session, target.detail.place, IS_MATCHED)
    session.run(deleting(target, IS_MATCHED))
    let_go(session, total)
    return counted(COUNT_NAMES[exp.Delete], (distinct,), "DELETE")


def _is_missing(session: Context, path: tuple[str, ...]) -> bool:
    entity = session.relation(path)
    return entity is None or access.is_hidden(session, entity)


def truncate(session: Context, tree: exp.TruncateTable) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/truncate-table."""
    for node in tree.expressions:
        path = session.qualify(names.table_path(node))
        if tree.args.get("exists") and _is_missing(session, path):
            continue
        target = target_of(session, node, "TRUNCATE")
        writes.note(session, target.detail.place)
        images.keep(session, target.detail.place)
        session.run(emptying(target))
        records.forget(session, target.entity.id)
    return status(DONE, "TRUNCATE_TABLE")
