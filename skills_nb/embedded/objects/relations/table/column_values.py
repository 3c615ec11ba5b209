"""Column values: what ALTER TABLE may say of defaults, and what it may not take back.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table and
https://docs.snowflake.com/en/sql-reference/sql/alter-table-column
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef, TableDetail
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.inference import infer
from skills_nb.sql.governance import ast

_MOMENTS = frozenset({"DATE", "TIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"})
_NUMBERS = frozenset({"FIXED", "REAL"})


def added(
    session: Context, detail: TableDetail, column: ColumnDef, *, if_not_exists: bool
) -> ColumnDef:
    """Return a column as ADD COLUMN may add it.

    Raises:
        SqlError: its default is no literal (2263) or of another type (2023), it counts itself in a
            table with rows, or IF NOT EXISTS is written beside a default or key (0A000).
    """
    has_value = column.default is not None or column.identity is not None
    if if_not_exists and (has_value or column.unique or column.primary_key):
        raise errors.unsupported("ADD COLUMN IF NOT EXISTS with a default or key")
    if column.identity is not None and _has_rows(session, detail):
        raise errors.unsupported("ADD COLUMN with AUTOINCREMENT to a table with rows")
    if column.default is not None:
        _check_literal(column, column.default)
    return replace(column, keeps_default=column.default is not None)


def _has_rows(session: Context, detail: TableDetail) -> bool:
    asked = duck_sql.of("SELECT 1 FROM {table} LIMIT 1", table=duck_sql.place(detail.place))
    return session.cursor.execute(asked).fetchone() is not None


def check_nullability(session: Context, detail: TableDetail, column: ColumnDef) -> None:
    """Refuse NOT NULL of a column that holds NULL, and of semi-structured data.

    Raises:
        SqlError: the column holds NULL (1471), or it is semi-structured and there are rows (0A000).
    """
    if column.nullable:
        return
    if column.type.kind in SEMI_STRUCTURED and _has_rows(session, detail):
        raise errors.unsupported("SET NOT NULL of semi-structured data in a table with rows")
    asked = duck_sql.of(
        "SELECT 1 FROM {table} WHERE {name} IS NULL LIMIT 1",
        table=duck_sql.place(detail.place),
        name=duck_sql.name(column.name),
    )
    if session.cursor.execute(asked).fetchone() is not None:
        raise errors.holds_null(column.name)


def _check_literal(column: ColumnDef, default: str) -> None:
    tree = parsing.parse_expression(default)
    found = infer(tree)
    if isinstance(tree, exp.Null):
        return
    if not _is_literal(tree) or found is None:
        raise errors.not_constant(default)
    kind = column.type.kind
    alike = kind == found.kind or {kind, found.kind} <= _NUMBERS or kind in SEMI_STRUCTURED
    if not alike:
        raise errors.default_of_another_type(column.name, column.type.sql, found.sql)


def _is_literal(tree: exp.Expr) -> bool:
    """Tell whether a default is a literal; `DATE '2026-01-31'` is read as a cast of its text."""
    if isinstance(tree, exp.Cast):
        found = infer(tree)
        is_moment = found is not None and found.kind in _MOMENTS
        return is_moment and isinstance(tree.this, exp.Literal) and tree.this.is_string
    bare = tree.this if isinstance(tree, exp.Neg) else tree
    return isinstance(bare, (exp.Literal, exp.Boolean))


def check_change(column: ColumnDef, action: ast.AlterColumn) -> None:
    """Refuse the changes of a default that ALTER COLUMN does not make.

    Raises:
        SqlError: anything but a sequence is to replace a sequence, or what goes is no default of
            CREATE TABLE (0A000).
    """
    if action.change == "SET DEFAULT":
        if not _is_sequence(action.value):
            raise errors.unsupported("SET DEFAULT of anything but a sequence")
        if not _is_sequence(column.default):
            raise errors.unsupported("SET DEFAULT of a column without a sequence")
    if action.change == "DROP DEFAULT" and column.identity is not None:
        raise errors.unsupported("DROP DEFAULT of AUTOINCREMENT")
    if action.change == "DROP DEFAULT" and column.keeps_default:
        raise errors.unsupported("DROP DEFAULT of a column that ALTER TABLE added")


def _is_sequence(default: str | None) -> bool:
    tree = parsing.parse_expression(default) if default is not None else None
    return isinstance(tree, exp.Column) and bool(tree.table) and tree.name.upper() == "NEXTVAL"
