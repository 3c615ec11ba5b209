"""The row that several changes meet: refused, and shown to whom may see it.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.executor.dml.change_targets import Target, placeholder, with_row_ids
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.errors import SqlError

_BARE = frozenset({"FIXED", "REAL", "BOOLEAN"})
_QUOTED = frozenset(
    {"TEXT", "DATE", "TIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ", "VARIANT"}
)


def refusal(session: Context, target: Target, row_id: int) -> SqlError:
    """Return the refusal of a row that several changes meet.

    It tells the row as it stands in the target, unless something protects the table: whoever may
    not read all of it learns nothing from the words.
    """
    if not _is_open(session, target):
        return errors.duplicate_merge_row()
    query = exp.select(*(_text(c) for c in target.detail.columns))
    query.set("from_", exp.From(this=placeholder(target.alias)))
    read = duck_sql.of(
        "SELECT * EXCLUDE (rid) FROM ({rows}) WHERE rid = {number}",
        rows=with_row_ids(session, query, target, "SELECT"),
        number=row_id,
    )
    row = session.cursor.execute(read).fetchone()
    found = zip(target.detail.columns, row or (), strict=True)
    return errors.duplicate_merge_row(tuple(_shown(c, value) for c, value in found))


def _is_open(session: Context, target: Target) -> bool:
    held = session.account.policies_of(target.entity)
    if held.masks or held.rows is not None or held.constrains:
        return False
    known = _BARE | _QUOTED
    return access.may(session, "SELECT", target.entity) and all(
        c.type.kind in known for c in target.detail.columns
    )


def _text(column: ColumnDef) -> exp.Expr:
    named = names.column(column.name)
    return exp.alias_(exp.cast(named, exp.DataType.Type.VARCHAR), column.name, quoted=True)


def _shown(column: ColumnDef, value: str | None) -> str:
    if value is None:
        return "NULL"
    return value if column.type.kind in _BARE else f'"{value}"'
