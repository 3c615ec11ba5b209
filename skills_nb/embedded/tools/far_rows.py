"""Rows of an account that another process has: asked for over its wire, as texts.

Room: embedded. The holder's side answers what the borrower's side asks; fewer rows come than in
one process, because texts are slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

import duckdb

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql, Place
from skills_nb.embedded.storage.lending import AccountRows, number_rows
from skills_nb.errors import SqlError

MOST_CELLS = 1_000_000
"""Values that one shadow borrows from another process."""
_TYPES = duck_sql.of(
    "SELECT column_name, data_type FROM duckdb_columns() "
    "WHERE schema_name = ? AND table_name = ? ORDER BY column_index"
)
_SHORT = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ"}
Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Sends a question to the holder; raises `SqlError` where that gets no answer."""


class FarRows:
    """The rows of an account in another process. Implements `lending.Lender`."""

    def __init__(self, ask: Ask) -> None:
        """Remember how the holder is asked."""
        self._ask = ask
        self._left = MOST_CELLS

    def begin(self, connection: Connection) -> None:
        """Let a new shadow number its rows above those that it borrows."""
        number_rows(connection)

    def counts(self, places: Iterable[Place]) -> dict[Place, int]:
        """Return how many rows tables hold now; a table that is no more is left out."""
        asked = list(places)
        told = self._ask({"counts": [list(place) for place in asked]})["counts"]
        return {place: told[n] for n, place in enumerate(asked) if told[n] is not None}

    def lend(self, place: Place, connection: Connection) -> bool:
        """Copy a table's rows into the shadow's; False where they are too many or cannot come."""
        try:
            told = self._ask({"rows": list(place), "most": self._left})
        except SqlError:
            return False
        columns, rows = told["columns"], told["rows"]
        if rows is None or told["has_past"]:
            # What a table held once stays where it is, so that a copy would not know it.
            return False
        self._left -= len(rows) * len(columns)
        return not rows or _is_put(connection, place, columns, rows)

    def started(self, query_id: str) -> datetime | None:
        """Return nothing: of another process's past nothing is known here."""
        return None


def _is_put(
    connection: Connection, place: Place, columns: list[str], rows: list[list[str | None]]
) -> bool:
    types = dict(connection.execute(_TYPES, list(place)).fetchall())
    known = [(n, name) for n, name in enumerate(columns, 1) if name in types]
    try:
        connection.execute(_putting(place, types, known), [rows])
    except (duckdb.Error, ValueError):
        # A value or a type that has no text of its own stays where it is.
        return False
    return True


def _putting(place: Place, types: Mapping[str, str], known: list[tuple[int, str]]) -> DuckSql:
    kinds = {name: duck_sql.kind(_SHORT.get(types[name], types[name])) for _, name in known}
    values = [duck_sql.of("CAST(r[{n}] AS {kind})", n=n, kind=kinds[name]) for n, name in known]
    return duck_sql.of(
        "INSERT INTO {table} ({names}) SELECT {values} "
        "FROM (SELECT unnest(CAST(? AS VARCHAR[][])) AS r)",
        table=duck_sql.place(place),
        names=duck_sql.names(name for _, name in known),
        values=duck_sql.listed(values),
    )


def answer(account: Account, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a borrower: how many rows tables hold, or the rows of one as texts."""
    lender = AccountRows(account, min(int(asked.get("most", 0)), MOST_CELLS))
    if "counts" in asked:
        places = [(str(schema), str(table)) for schema, table in asked["counts"]]
        counts = lender.counts(places)
        return {"counts": [counts.get(place) for place in places]}
    schema, table = asked["rows"]
    return lender.texts((str(schema), str(table)))
