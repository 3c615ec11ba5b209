"""Order: rows that a lateral join makes come in the order of the rows that they come from.

Room: embedded. DuckDB may turn such a join around, which scatters what FLATTEN and its like made of
one row; the optimizer that does so rests while such a statement runs. Statements run one at a time.
"""

from __future__ import annotations

from typing import Any

import duckdb

_LATERAL = "LATERAL ("


def execute(
    cursor: duckdb.DuckDBPyConnection, sql: str, values: list[Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """Run a statement of DuckDB's."""
    if _LATERAL not in sql:
        return cursor.execute(sql, values or [])
    aside = cursor.cursor()  # a failed statement leaves its own connection unable to reset
    aside.execute("SET disabled_optimizers = 'join_order'")
    try:
        return cursor.execute(sql, values or [])
    finally:
        aside.execute("RESET disabled_optimizers")
        aside.close()
