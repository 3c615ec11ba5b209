"""A session that comes back: where its connection or its token is gone, it logs in again.

Room: work (runtime, snowpark). Rules: what only reads is asked again once; a statement that may
change the account is never sent again from here, because only the query history can tell whether
it ran: the caller asks that on the session that is opened for it.
Source: THREADS, Crash window of a statement.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.ports import Fate, QueryRows, StatementOutcome
from skills_nb.runtime.snowpark.snowpark_session import SnowparkSession
from skills_nb.sql.identifiers import quote

if TYPE_CHECKING:
    from snowflake.snowpark import Session

Standing = Mapping[str, str]
"""Role, warehouse, database and schema, as far as set."""
Opens = Callable[[Standing], SnowparkSession]

GONE = frozenset({390111, 390112, 390114, 390195, 390318})
"""The session or its token is no longer known. Source: the connector's own network module."""
CLIENT_ERRNOS = range(250_000, 300_000)
"""The connector's own numbers: the way to the account is broken (290000 + HTTP status, too)."""

_Told = TypeVar("_Told")


class ReopeningSession:
    """Logs in again when it must. Implements `ports.SqlSession`."""

    def __init__(self, opens: Opens) -> None:
        """Remember how to open; `opens` is told where the lost session stood."""
        self._opens = opens
        self._opened: SnowparkSession | None = None
        self._stood: Standing = {}
        self._told: Standing = {}
        """Where the account said last that the session stands."""
        self._lock = threading.RLock()

    @property
    def snowpark(self) -> Session:
        """Return Snowpark's session as it is now; another one once this had to log in again."""
        return self._session().snowpark

    def context(self) -> AccountContext:
        """Return where and as whom the session works, read afresh."""
        told = self._read(lambda session: session.context())
        self._told = _place(told)
        return told

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement, once more where the connection was lost over it."""
        return self._read(lambda session: session.query(sql, role=role, limit=limit))

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history, on a session that answers."""
        try:
            # Histories that cannot be read make the answer `unknown`: ask for a sign of life first.
            self._read(lambda session: session.query("SELECT 1"))
        except SqlError as problem:
            return Fate("unknown", error=problem.message)
        return self._read(lambda session: session.fate(tag, query_id=query_id, sql=sql))

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account; it is sent at most once."""
        return self._sent(lambda session: session.execute(sql, role=role, tag=tag))

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long; it is sent at most once."""
        return self._sent(lambda session: session.submit(sql, role=role, tag=tag))

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last."""
        return self._sent(lambda session: session.outcome(query_id))

    def close(self) -> None:
        """End the session if it is open."""
        with self._lock:
            opened, self._opened = self._opened, None
            if opened is not None:
                opened.close()

    def _session(self) -> SnowparkSession:
        if self._opened is None:
            self._opened = self._opens(self._stood)
        return self._opened

    def _read(self, asks: Callable[[SnowparkSession], _Told]) -> _Told:
        with self._lock:
            try:
                return self._sent(asks)
            except SqlError as problem:
                if not is_gone(problem):
                    raise
                return self._sent(asks)

    def _sent(self, sends: Callable[[SnowparkSession], _Told]) -> _Told:
        with self._lock:
            session = self._session()
            try:
                return sends(session)
            except SqlError as problem:
                if is_gone(problem):
                    self._leave(session)
                raise

    def _leave(self, session: SnowparkSession) -> None:
        """Give a lost session up, and remember where it stood."""
        # The connector follows USE, and not a CREATE DATABASE that changes the place as well.
        self._stood, self._opened = {**self._told, **session.standing()}, None
        # It is gone: that it cannot be ended properly is nothing new.
        with suppress(SqlError):
            session.close()


def _place(told: AccountContext) -> Standing:
    found = {"database": told.current_database, "schema": told.current_schema}
    return {name: quote(value) for name, value in found.items() if value}


def is_gone(problem: SqlError) -> bool:
    """Return whether an error says that the session, or the way to it, is no longer there."""
    return problem.errno is not None and (problem.errno in GONE or problem.errno in CLIENT_ERRNOS)
