"""The store: one DuckDB database that holds rows, catalog and history, and a lock on its folder.

Room: embedded. What the account knows is written in the transaction that changes the data, so that
the three agree whenever the process dies. An account in memory keeps its catalog in memory only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.catalog import Change
from skills_nb.embedded.catalog.entities import Record
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection, opened
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.storage import private_folder, room
from skills_nb.embedded.storage.files.load_history import create_sql as load_history_sql
from skills_nb.embedded.translator.python_functions import CALL, answer, ending
from skills_nb.embedded.types.history import HISTORY_COLUMNS, HistoryRow
from skills_nb.errors import SkillsError
from skills_nb.system import file_locks, plain_files

FILE = "account.duckdb"
LOCK = "account.lock"
LOGIN_COLUMNS = {
    "moment": "TIMESTAMPTZ",
    "user_name": "VARCHAR",
    "session_id": "BIGINT",
    "client": "VARCHAR",
    "version": "VARCHAR",
    "error_code": "BIGINT",
    "error_message": "VARCHAR",
}
"""Column of the table of logins to its DuckDB type, in order."""
_MARKS = duck_sql.marks(len(HISTORY_COLUMNS))
_TOGETHER = 100
"""Rows of the history that one statement writes."""
_MOST_UNWRITTEN = 5_000


class Store:
    """Owns the database connection."""

    def __init__(self, folder: Path | None) -> None:
        """Open or create the database in the folder; None keeps everything in memory.

        Raises:
            SkillsError: another process has the account open, the file cannot be used, or others
                could read it.
        """
        self.folder = folder
        self.is_ending: Callable[[], bool] = lambda: False
        """Tells whether the statement at work is ended, which functions in Python ask."""
        self._unwritten: list[list[Any]] = []
        """Rows of the history that nobody has read yet."""
        self._lock = _acquire(folder) if folder is not None else None
        try:
            self.connection = _connect(folder)
            self._prepare()
            if folder is not None:
                private_folder.close_files(folder, (FILE, f"{FILE}.wal", LOCK))
        except BaseException:
            self._release()
            raise

    @property
    def durable(self) -> bool:
        """Tell whether the account outlives the process."""
        return self.folder is not None

    def cursor(self) -> Connection:
        """Return a connection of its own, with a transaction of its own."""
        return self.connection.cursor()

    def load(self) -> list[Record]:
        """Read the catalog."""
        asked = duck_sql.of('SELECT body FROM "_account".record')
        rows = self.connection.execute(asked).fetchall()
        return [codec.load(body) for (body,) in rows]

    def write(self, cursor: Connection, changes: Iterable[Change]) -> None:
        """Persist what a statement changed in the catalog, in the cursor's transaction."""
        if not self.durable:
            return
        final: dict[tuple[str, str], Record | None] = {}
        for name, key, _, after in changes:
            final[(name, repr(key))] = after
        for (name, key), record in final.items():
            cursor.execute(_FORGET_RECORD, [name, key])
            if record is not None:
                values = [name, key, codec.dump(record)]
                cursor.execute(_KEEP_RECORD, values)

    def append_history(self, cursor: Connection, row: HistoryRow) -> None:
        """Add a row to the query history: in the cursor's transaction where it outlives us.

        In memory rows wait until somebody reads the history, which most statements never see.
        """
        values = [getattr(row, name) for name in HISTORY_COLUMNS]
        if self.durable:
            cursor.execute(_inserting(1), values)
            return
        self._unwritten.append(values)
        if len(self._unwritten) >= _MOST_UNWRITTEN:
            self._write_history()

    def history(
        self, cursor: Connection, columns: Iterable[str], rest: DuckSql, values: list[Any]
    ) -> list[tuple[Any, ...]]:
        """Read columns of the query history; `rest` are the clauses after FROM.

        In memory nothing of the history waits for a commit, so it is read outside of transactions.
        """
        sql = duck_sql.of(
            'SELECT {columns} FROM "_account".query_history {rest}',
            columns=duck_sql.names(columns),
            rest=rest,
        )
        if self.durable:
            return cursor.execute(sql, values).fetchall()
        self._write_history()
        return self.connection.execute(sql, values).fetchall()

    def forget_history(self) -> None:
        """Empty the query history."""
        self._unwritten.clear()
        self.connection.execute(duck_sql.of('DELETE FROM "_account".query_history'))

    def _write_history(self) -> None:
        rows, self._unwritten = self._unwritten, []
        for first in range(0, len(rows), _TOGETHER):
            part = rows[first : first + _TOGETHER]
            values = [value for row in part for value in row]
            self.connection.execute(_inserting(len(part)), values)

    def append_login(self, values: tuple[Any, ...]) -> None:
        """Remember that somebody logged in, or tried to: the values of `LOGIN_COLUMNS`."""
        marks = duck_sql.marks(len(LOGIN_COLUMNS))
        made = duck_sql.of('INSERT INTO "_account".login VALUES {marks}', marks=marks)
        self.connection.execute(made, list(values))

    def logins(self) -> list[tuple[Any, ...]]:
        """Read the logins, oldest first."""
        asked = duck_sql.of(
            'SELECT {columns} FROM "_account".login ORDER BY moment, session_id',
            columns=duck_sql.names(LOGIN_COLUMNS),
        )
        return self.connection.execute(asked).fetchall()

    def latest_statement(self) -> datetime | None:
        """Return when the last statement began, so that time goes on from there."""
        asked = duck_sql.of('SELECT max(start_time) FROM "_account".query_history')
        found = self.cursor().execute(asked)
        row = found.fetchone()
        return row[0].astimezone(UTC) if row and row[0] is not None else None

    def close(self) -> None:
        """Close the database and let other processes in."""
        self.connection.close()
        self._release()

    def abandon(self) -> None:
        """Let go of the parent's lock in a forked child, and of nothing else."""
        self._release()

    def _prepare(self) -> None:
        for statement in _TABLES:
            self.connection.execute(statement)
        self.connection.define(CALL, lambda *given: self._answer(*given), None, "VARCHAR")
        room.define(self.connection)

    def _answer(self, *given: Any) -> str | None:
        ending.begin(self.is_ending)
        return answer(*given)

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


_FORGET_RECORD = duck_sql.of('DELETE FROM "_account".record WHERE space = ? AND key = ?')
_KEEP_RECORD = duck_sql.of('INSERT INTO "_account".record VALUES (?, ?, ?)')
_TABLES = (
    duck_sql.of('CREATE SCHEMA IF NOT EXISTS "_account"'),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".record (space VARCHAR, key VARCHAR, body VARCHAR)'
    ),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".query_history ({columns})',
        columns=duck_sql.columns(HISTORY_COLUMNS),
    ),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".login ({columns})',
        columns=duck_sql.columns(LOGIN_COLUMNS),
    ),
    load_history_sql(),
    duck_sql.of('CREATE SEQUENCE IF NOT EXISTS "_account".row_number'),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".run (kind VARCHAR, object BIGINT, '
        "scheduled TIMESTAMPTZ, started TIMESTAMPTZ, completed TIMESTAMPTZ, state VARCHAR, "
        "query_id VARCHAR, error_code VARCHAR, error_message VARCHAR, body VARCHAR)"
    ),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".stream_offset '
        "(stream BIGINT PRIMARY KEY, moment BIGINT)"
    ),
    duck_sql.of(
        'CREATE TABLE IF NOT EXISTS "_account".write '
        "(place_schema VARCHAR, place_table VARCHAR, moment BIGINT)"
    ),
)


def _inserting(rows: int) -> DuckSql:
    return duck_sql.of(
        'INSERT INTO "_account".query_history VALUES {rows}', rows=duck_sql.listed([_MARKS] * rows)
    )


def _connect(folder: Path | None) -> Connection:
    try:
        return opened(folder / FILE if folder else None)
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise SkillsError(
            f"the embedded account in '{folder}' cannot be opened: {first}",
            hint="Restore the folder from a copy, or open another folder.",
        ) from error


def _acquire(folder: Path) -> int:
    path = private_folder.closed(folder) / LOCK
    lock = plain_files.open_bytes(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        file_locks.take(lock)
    except OSError as error:
        holder = plain_files.holder_of(lock) or "unknown"
        os.close(lock)
        raise SkillsError(
            f"the embedded account in '{folder}' is in use by process {holder}",
            hint="Close it there, or open an account in another folder.",
        ) from error
    plain_files.name_holder(lock)
    return lock
