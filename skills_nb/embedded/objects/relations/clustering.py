"""Clustering keys: what they may name, and how they are shown and written.

Room: embedded. A key changes no answer; it is kept as SHOW TABLES shows it: `LINEAR(a, b)`.

See https://docs.snowflake.com/en/user-guide/tables-clustering-keys
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.types import names

_NO_KEYS = (exp.Query, exp.AggFunc, exp.Window)
_WORD = "LINEAR"


def shown(expressions: str | None) -> str:
    """Return a key as SHOW TABLES shows it; empty for none."""
    return f"{_WORD}({expressions})" if expressions else ""


def written(key: str) -> str:
    """Return the clause that makes a key, with a blank before it; empty for none."""
    return f" cluster by {key.removeprefix(_WORD)}" if key else ""


def check(columns: tuple[ColumnDef, ...], key: str) -> None:
    """Refuse a key that the columns of a table or view do not have.

    Raises:
        SqlError: it names another column (904), or is more than an expression (0A000).
    """
    listed = {column.name for column in columns}
    for name in _columns(key):
        if name not in listed:
            raise errors.no_column(name)
    if key and parsing.parse_expression(key).find(*_NO_KEYS) is not None:
        raise errors.unsupported("a query, an aggregate or a window in CLUSTER BY")


def check_free(key: str, column: str, change: str) -> None:
    """Refuse to rename or drop a column that a key names.

    Raises:
        SqlError: the key names it (0A000).
    """
    if column in _columns(key):
        raise errors.unsupported(f"{change} COLUMN of a clustering key")


def _columns(key: str) -> list[str]:
    if not key:
        return []
    return [names.stored(c.this) for c in parsing.parse_expression(key).find_all(exp.Column)]
