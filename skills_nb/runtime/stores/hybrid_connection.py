"""The line to a store on Snowflake: one connection, one transaction at a time, opened anew.

Room: work (runtime, stores). Rules: values are bound at the server, so that a long document is no
part of a statement's text; what the account refuses leaves here as `SqlError`; a line that is gone
is given up, and the next use opens another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from skills_nb.errors import SqlError
from skills_nb.runtime.snowpark.reopening_session import is_gone
from skills_nb.runtime.snowpark.sql_errors import explain_errors

if TYPE_CHECKING:
    from snowflake.connector import SnowflakeConnection

Rows = Sequence[Sequence[Any]]


class HybridConnection:
    """A connection that comes back."""

    def __init__(self, opens: Callable[[], SnowflakeConnection]) -> None:
        """Remember how to open; nothing is opened yet."""
        self._opens = opens
        self._connection: SnowflakeConnection | None = None
        self._lock = threading.RLock()

    def ask(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        """Return the rows of a statement that stands for itself.

        Raises:
            SqlError: the account refused it, or cannot be reached.
        """
        with self._used():
            return self._ran(sql, values)[0]

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Return how many rows a statement changed.

        Raises:
            SqlError: the account refused it, or cannot be reached.
        """
        with self._used():
            return self._ran(sql, values)[1]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let what is asked inside be done whole or not at all.

        Raises:
            SqlError: it could not be begun or ended.
        """
        with self._used():
            self._ran("BEGIN TRANSACTION", ())
            try:
                yield
                self._ran("COMMIT", ())
            except BaseException:
                # Where the line is gone, the account rolls back when it ends the session.
                if self._connection is not None:
                    with suppress(SqlError):
                        self._ran("ROLLBACK", ())
                raise

    def close(self) -> None:
        """Hang up; the account ends a session that cannot be told."""
        with self._lock, suppress(SqlError), explain_errors():
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def _used(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except SqlError as problem:
                if is_gone(problem):
                    self.close()
                raise

    def _ran(self, sql: str, values: Sequence[Any]) -> tuple[Rows, int]:
        with explain_errors():
            if self._connection is None:
                self._connection = self._opens()
            with closing(self._connection.cursor()) as cursor:
                cursor.execute(sql, tuple(values) or None)
                return cursor.fetchall(), int(cursor.rowcount or 0)
