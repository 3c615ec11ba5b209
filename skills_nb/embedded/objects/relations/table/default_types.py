"""Types of defaults: which a column of CREATE TABLE takes.

Room: embedded. What ADD COLUMN takes is narrower.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (DEFAULT)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context

_NUMBERS = frozenset({"FIXED", "REAL"})
_STAMPS = frozenset({"TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"})
_MOMENTS = _STAMPS | {"DATE", "TIME"}
_NOT_TAKEN = {
    "FIXED": frozenset({"TEXT"}),
    "REAL": frozenset({"TEXT"}),
    "TEXT": _NUMBERS | _MOMENTS,
    "BOOLEAN": _NUMBERS,
    "VARIANT": _NUMBERS,
    "DATE": _STAMPS | {"TEXT"},
    "TIME": _STAMPS | {"TEXT"},
    "TIMESTAMP_NTZ": frozenset({"TEXT"}),
    "TIMESTAMP_LTZ": frozenset({"TEXT"}),
    "TIMESTAMP_TZ": frozenset({"TEXT"}),
}
"""By a column's kind, those of defaults that it does not take."""


def refuse_other(session: Context, column: ColumnDef, default: str) -> None:
    """Refuse a default of a type that the column does not take.

    Raises:
        SqlError: it has such a type (2262).
    """
    value = exp.alias_(exp.Paren(this=parsing.parse_expression(default)), "D", quoted=True)
    found = queries.defined(session, exp.select(value), session.env())[0]
    if found is not None and found.kind in _NOT_TAKEN.get(column.type.kind, ()):
        raise errors.default_not_taken(column.name)
