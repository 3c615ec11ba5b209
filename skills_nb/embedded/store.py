"""The store: one DuckDB database that holds rows, catalog and history, and a lock on its folder.

Room: embedded. What the account knows is written in the transaction that changes the data, so that
the three agree whenever the process dies. An account in memory keeps its catalog in memory only.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import duckdb

from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.catalog import Change
from skills_nb.embedded.catalog.entities import Record
from skills_nb.embedded.files.records import create_sql as load_history_sql
from skills_nb.embedded.history import HISTORY_COLUMNS, HistoryRow
from skills_nb.embedded.natives import CALL, answer
from skills_nb.errors import SkillsError

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
_INSERT_HISTORY = 'INSERT INTO "_account".query_history VALUES '
_MARKS = "(" + ", ".join("?" for _ in HISTORY_COLUMNS) + ")"
_TOGETHER = 100
"""Rows of the history that one statement writes."""
_MOST_UNWRITTEN = 5_000
_CONFIG = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


class Store:
    """Owns the database connection."""

    def __init__(self, folder: Path | None) -> None:
        """Open or create the database in the folder; None keeps everything in memory.

        Raises:
            SkillsError: another process has the account open, or the file cannot be used.
        """
        self.folder = folder
        self._unwritten: list[list[Any]] = []
        """Rows of the history that nobody has read yet."""
        self._lock = _acquire(folder) if folder is not None else None
        try:
            self.connection = _connect(folder)
            self._prepare()
        except BaseException:
            self._release()
            raise

    @property
    def durable(self) -> bool:
        """Tell whether the account outlives the process."""
        return self.folder is not None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of its own, with a transaction of its own."""
        made = self.connection.cursor()
        made.execute("SET TimeZone = 'UTC'")
        return made

    def load(self) -> list[Record]:
        """Read the catalog."""
        rows = self.connection.execute('SELECT body FROM "_account".record').fetchall()
        return [codec.load(body) for (body,) in rows]

    def write(self, cursor: duckdb.DuckDBPyConnection, changes: Iterable[Change]) -> None:
        """Persist what a statement changed in the catalog, in the cursor's transaction."""
        if not self.durable:
            return
        final: dict[tuple[str, str], Record | None] = {}
        for name, key, _, after in changes:
            final[(name, repr(key))] = after
        for (name, key), record in final.items():
            cursor.execute('DELETE FROM "_account".record WHERE space = ? AND key = ?', [name, key])
            if record is not None:
                values = [name, key, codec.dump(record)]
                cursor.execute('INSERT INTO "_account".record VALUES (?, ?, ?)', values)

    def append_history(self, cursor: duckdb.DuckDBPyConnection, row: HistoryRow) -> None:
        """Add a row to the query history: in the cursor's transaction where it outlives us.

        In memory rows wait until somebody reads the history, which most statements never see.
        """
        values = [getattr(row, name) for name in HISTORY_COLUMNS]
        if self.durable:
            cursor.execute(_INSERT_HISTORY + _MARKS, values)
            return
        self._unwritten.append(values)
        if len(self._unwritten) >= _MOST_UNWRITTEN:
            self._write_history()

    def history(
        self, cursor: duckdb.DuckDBPyConnection, columns: str, rest: str, values: list[Any]
    ) -> list[tuple[Any, ...]]:
        """Read columns of the query history; `rest` are the clauses after FROM.

        In memory nothing of the history waits for a commit, so it is read outside of transactions.
        """
        sql = f'SELECT {columns} FROM "_account".query_history {rest}'
        if self.durable:
            return cursor.execute(sql, values).fetchall()
        self._write_history()
        return self.connection.execute(sql, values).fetchall()

    def forget_history(self) -> None:
        """Empty the query history."""
        self._unwritten.clear()
        self.connection.execute('DELETE FROM "_account".query_history')

    def _write_history(self) -> None:
        rows, self._unwritten = self._unwritten, []
        for first in range(0, len(rows), _TOGETHER):
            part = rows[first : first + _TOGETHER]
            marks = ", ".join([_MARKS] * len(part))
            values = [value for row in part for value in row]
            self.connection.execute(_INSERT_HISTORY + marks, values)

    def append_login(self, values: tuple[Any, ...]) -> None:
        """Remember that somebody logged in, or tried to: the values of `LOGIN_COLUMNS`."""
        marks = ", ".join("?" for _ in LOGIN_COLUMNS)
        self.connection.execute(f'INSERT INTO "_account".login VALUES ({marks})', list(values))

    def logins(self) -> list[tuple[Any, ...]]:
        """Read the logins, oldest first."""
        listed = ", ".join(LOGIN_COLUMNS)
        sql = f'SELECT {listed} FROM "_account".login ORDER BY moment, session_id'
        return self.connection.execute(sql).fetchall()

    def latest_statement(self) -> datetime | None:
        """Return when the last statement began, so that time goes on from there."""
        found = self.cursor().execute('SELECT max(start_time) FROM "_account".query_history')
        row = found.fetchone()
        return row[0].astimezone(UTC) if row and row[0] is not None else None

    def close(self) -> None:
        """Close the database and let other processes in."""
        self.connection.close()
        self._release()

    def _prepare(self) -> None:
        columns = ", ".join(f"{name} {kind}" for name, kind in HISTORY_COLUMNS.items())
        of_logins = ", ".join(f"{name} {kind}" for name, kind in LOGIN_COLUMNS.items())
        for statement in (
            'CREATE SCHEMA IF NOT EXISTS "_account"',
            'CREATE TABLE IF NOT EXISTS "_account".record '
            "(space VARCHAR, key VARCHAR, body VARCHAR)",
            f'CREATE TABLE IF NOT EXISTS "_account".query_history ({columns})',
            f'CREATE TABLE IF NOT EXISTS "_account".login ({of_logins})',
            load_history_sql(),
            'CREATE SEQUENCE IF NOT EXISTS "_account".row_number',
            'CREATE TABLE IF NOT EXISTS "_account".run (kind VARCHAR, object BIGINT, '
            "scheduled TIMESTAMPTZ, started TIMESTAMPTZ, completed TIMESTAMPTZ, state VARCHAR, "
            "query_id VARCHAR, error_code VARCHAR, error_message VARCHAR, body VARCHAR)",
            'CREATE TABLE IF NOT EXISTS "_account".stream_offset '
            "(stream BIGINT PRIMARY KEY, moment BIGINT)",
        ):
            self.connection.execute(statement)
        make: Any = self.connection.create_function
        make(CALL, lambda *given: answer(*given), None, "VARCHAR", null_handling="special")

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _connect(folder: Path | None) -> duckdb.DuckDBPyConnection:
    config: dict[str, Any] = dict(_CONFIG)
    try:
        return duckdb.connect(str(folder / FILE) if folder else ":memory:", config=config)
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise SkillsError(
            f"the embedded account in '{folder}' cannot be opened: {first}",
            hint="Restore the folder from a copy, or open another folder.",
        ) from error


def _acquire(folder: Path) -> IO[str]:
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / LOCK).open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise SkillsError(
            f"the embedded account in '{folder}' is in use by process {holder}",
            hint="Close it there, or open an account in another folder.",
        ) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
