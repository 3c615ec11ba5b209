"""Order: rows that a lateral join makes come in the order of the rows that they come from.

Room: embedded. DuckDB may turn such a join around, which scatters what FLATTEN and its like made of
one row; the optimizer that does so rests while such a statement runs. Statements run one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql

_LATERAL = "LATERAL ("
_REST = duck_sql.of("SET disabled_optimizers = 'join_order'")
_WORK = duck_sql.of("RESET disabled_optimizers")


def execute(cursor: Connection, statement: DuckSql, values: list[Any] | None = None) -> Connection:
    """Run a statement of DuckDB's."""
    with kept(cursor, statement):
        return cursor.execute(statement, values or [])


@contextmanager
def kept(cursor: Connection, statement: DuckSql) -> Iterator[None]:
    """Let the optimizer rest, where it would scatter rows, while such a statement runs."""
    if _LATERAL not in statement.text:
        yield
        return
    aside = cursor.cursor()  # a failed statement leaves its own connection unable to reset
    aside.execute(_REST)
    try:
        yield
    finally:
        aside.execute(_WORK)
        aside.close()
