"""Rows of an account for its shadow: copied when a statement first touches their table.

Room: embedded. A copy is read in a transaction of its own, so that what others have not committed
is not in it; nothing is ever written where rows are lent from. Together the copies are bounded:
a table beyond that stays empty, and the shadow knows that it is not to be believed about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql, Place
from skills_nb.embedded.storage.files import load_history
from skills_nb.embedded.storage.time_travel import images

if TYPE_CHECKING:
    from skills_nb.embedded.session.context import AccountContext

MOST_CELLS = 20_000_000
"""Values that one shadow borrows; copying so many takes about two seconds."""
_FIRST_ROW = 1 << 61
"""Number of the first row that a shadow makes itself: above every row that it borrows."""
_KEPT = (load_history.TABLE, duck_sql.place(("_account", "stream_offset")))
"""What an account remembers beside rows, and what a change of rows depends on."""
_SEQUENCES = duck_sql.of(
    "SELECT sequence_name, increment_by, min_value, max_value, "
    "coalesce(last_value + increment_by, start_value) FROM duckdb_sequences() "
    "WHERE schema_name = '_account' AND sequence_name <> 'row_number'"
)
_TABLES = duck_sql.of(
    "SELECT count(*) FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?"
)
_COLUMNS = duck_sql.of(
    "SELECT count(*) FROM duckdb_columns() WHERE schema_name = ? AND table_name = ?"
)

_NAMES = duck_sql.of(
    "SELECT column_name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? "
    "ORDER BY column_index"
)


class Lender(Protocol):
    """Whoever has the rows of a shadow's tables."""

    def begin(self, connection: Connection) -> None:
        """Give a new shadow what is remembered beside rows."""
        ...

    def counts(self, places: Iterable[Place]) -> dict[Place, int]:
        """Return how many rows tables hold now; a table that is no more is left out."""
        ...

    def lend(self, place: Place, connection: Connection) -> bool:
        """Copy a table's rows into the shadow's, which is empty; False where they are too many."""
        ...

    def started(self, query_id: str) -> datetime | None:
        """Return when a statement of the history began."""
        ...


class AccountRows:
    """The rows of an account in this process. Implements `Lender`."""

    def __init__(self, account: AccountContext, most_cells: int = MOST_CELLS) -> None:
        """Lend from an account, at most so many values in all."""
        self._account = account
        self._left = most_cells

    def begin(self, connection: Connection) -> None:
        """Give a new shadow the loads, the positions of streams and the sequences."""
        number_rows(connection)
        with self._reading() as cursor:
            for name, step, least, most, start in cursor.execute(_SEQUENCES).fetchall():
                connection.execute(
                    duck_sql.of(
                        "CREATE SEQUENCE {name} INCREMENT BY {step} "
                        "MINVALUE {least} MAXVALUE {most} START WITH {start}",
                        name=duck_sql.place(("_account", name)),
                        step=step,
                        least=least,
                        most=most,
                        start=start,
                    )
                )
            for table in _KEPT:
                _copy(cursor, table, connection)

    def counts(self, places: Iterable[Place]) -> dict[Place, int]:
        """Return how many rows tables hold now; a table that is no more is left out."""
        with self._reading() as cursor:
            return {place: _count(cursor, place) for place in places if _has(cursor, place)}

    def lend(self, place: Place, connection: Connection) -> bool:
        """Copy a table's rows, and those that it had; False where they are too many."""
        with self._reading() as cursor:
            wanted = [one for one in (place, images.past(place)) if _has(cursor, one)]
            cells = sum(_count(cursor, one) * _width(cursor, one) for one in wanted)
            if cells > self._left:
                return False
            self._left -= cells
            for one in wanted:
                if one != place:
                    _make_past(place, connection)
                _copy(cursor, duck_sql.place(one), connection)
        return True

    def texts(self, place: Place) -> dict[str, Any]:
        """Return `{columns, rows, has_past}` of a table; `rows` is None where they are too many."""
        with self._reading() as cursor:
            columns = [str(name) for (name,) in cursor.execute(_NAMES, list(place)).fetchall()]
            told = {"columns": columns, "rows": None, "has_past": _has(cursor, images.past(place))}
            if not columns or _count(cursor, place) * len(columns) > self._left:
                return told
            cells = [duck_sql.of("CAST({n} AS VARCHAR)", n=duck_sql.name(n)) for n in columns]
            asked = duck_sql.of(
                "SELECT {cells} FROM {t}", cells=duck_sql.listed(cells), t=duck_sql.place(place)
            )
            return {**told, "rows": [list(row) for row in cursor.execute(asked).fetchall()]}

    def started(self, query_id: str) -> datetime | None:
        """Return when a statement of the history began."""
        with self._reading() as cursor:
            where = duck_sql.of("WHERE query_id = ?")
            rows = self._account.store.history(cursor, ("start_time",), where, [query_id])
        return rows[0][0] if rows else None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._account.lock:
            cursor = self._account.store.cursor()
            try:
                yield cursor
            finally:
                cursor.close()


def number_rows(connection: Connection) -> None:
    """Let a new shadow number its rows above those that it borrows."""
    connection.execute(
        duck_sql.of(
            "CREATE OR REPLACE SEQUENCE {numbers} START WITH {first}",
            numbers=images.ROW_NUMBERS,
            first=_FIRST_ROW,
        )
    )


def _copy(source: Connection, table: DuckSql, target: Connection) -> None:
    """Copy a table's rows into the table of that name, column by column."""
    cursor = target.cursor()
    try:
        cursor.take(source, table)
    finally:
        cursor.close()


def _make_past(place: Place, connection: Connection) -> None:
    connection.execute(
        duck_sql.of(
            "CREATE TABLE {past} AS SELECT *, 0::BIGINT AS {until} FROM {rows} LIMIT 0",
            past=duck_sql.place(images.past(place)),
            until=duck_sql.name(images.UNTIL),
            rows=duck_sql.place(place),
        )
    )


def _has(cursor: Connection, place: Place) -> bool:
    return bool(_number(cursor, _TABLES, list(place)))


def _count(cursor: Connection, place: Place) -> int:
    return _number(cursor, duck_sql.of("SELECT count(*) FROM {t}", t=duck_sql.place(place)), [])


def _width(cursor: Connection, place: Place) -> int:
    return _number(cursor, _COLUMNS, list(place))


def _number(cursor: Connection, sql: DuckSql, values: list[str]) -> int:
    # All of it is fetched: a connection with an unfinished result takes no other work.
    ((found,),) = cursor.execute(sql, values).fetchall()
    return int(found)
