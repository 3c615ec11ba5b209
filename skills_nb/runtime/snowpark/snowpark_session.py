"""An account's session as `ports.SqlSession`: one statement at a time, tagged, in a borrowed role.

Room: work (runtime, snowpark). Rules: what the session was (its role, its own query tag) it is
again after every call, also after a failed one; a statement that succeeded is reported as such
whatever happens afterwards.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from skills_nb.errors import SqlError, UsageError
from skills_nb.model.effects import EVERY_ROLE
from skills_nb.model.events import AccountContext
from skills_nb.ports import Fate, QueryRows, StatementOutcome
from skills_nb.runtime.snowpark import query_history, sql_errors
from skills_nb.runtime.snowpark import session_context as contexts
from skills_nb.runtime.snowpark.parent_queries import SoughtStatement
from skills_nb.runtime.snowpark.submitted_statements import await_end
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.identifiers import quote, resolve
from skills_nb.sql.json_values import json_safe
from skills_nb.sql.result_counts import counts_of, is_counted, total_of

if TYPE_CHECKING:
    from snowflake.connector.cursor import SnowflakeCursor
    from snowflake.snowpark import Session

    from skills_nb.runtime.wire_session import WireCursor, WireSession

_NOT_STATEMENTS = 250_000
"""From here on numbers are of connections, logins and sessions, and not of statements."""


class SnowparkSession:
    """An account behind a Snowpark session, or a login on a wire. Implements `ports.SqlSession`."""

    def __init__(
        self,
        session: Session | WireSession,
        *,
        is_ours: bool = True,
        probe_limit_s: int | None = None,
    ) -> None:
        """Work through a session that somebody opened; `close` ends it where it is ours.

        Args:
            session: Snowpark's, or one on a wire, which has the same shape here.
            is_ours: whether it ends with this one.
            probe_limit_s: seconds that the account gives to what only looks; None: as it is set.
        """
        self._session = session
        self._probe_limit_s = probe_limit_s
        self._is_ours = is_ours
        self._one_at_a_time = threading.RLock()
        self._owed_role: str | None = None
        """Role to return to, where that failed after the last statement."""

    def context(self) -> AccountContext:
        """Return where and as whom the session works, read afresh.

        What an account does not tell stays empty; a session is not told the edition.

        Raises:
            SqlError: the account cannot be reached.
        """
        with self._turn():
            return contexts.read(self._ask)

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement, as `role` if given; values as `json_safe` has them.

        What is provably a read may be asked unasked, so it has the session's limit; a procedure
        that classifies, or a model that is asked, takes the time it takes.

        Raises:
            SqlError: the account refused it.
        """
        limit_s = self._probe_limit_s if why_no_probe(sql) is None else None
        with self._turn(), self._as_role(role), self._ran(sql, limit_s=limit_s) as cursor:
            fetched = cursor.fetchmany(limit) if limit > 0 else []
            count = cursor.rowcount
            return QueryRows(
                columns=tuple(column.name for column in cursor.description),
                rows=tuple(tuple(json_safe(cell) for cell in row) for row in fetched),
                row_count=len(fetched) if count is None else count,
                query_id=cursor.sfqid or "",
                types=tuple(_type_of(column) for column in cursor.description),
            )

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account, tagged for the query history.

        Only this statement carries the tag; the session's own stays as it is.

        Raises:
            SqlError: the account refused it.
        """
        with self._turn(), self._as_role(role):
            begin = time.monotonic()
            with self._ran(sql, tag=tag) as cursor:
                duration_s = time.monotonic() - begin
                count, counts = _changed_rows(cursor)
                return StatementOutcome(cursor.sfqid or "", count, duration_s, counts)

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long, tagged; return its query id while it runs.

        A borrowed role stays until the outcome was asked for, because nobody promises that the
        statement is compiled by now.

        Raises:
            SqlError: the account did not take it.
        """
        with self._turn():
            self._borrow(role)
            try:
                with (
                    sql_errors.explain_errors(),
                    closing(self._session.connection.cursor()) as cursor,
                ):
                    cursor.execute_async(sql, _statement_params={"QUERY_TAG": tag})
                    return cursor.sfqid or ""
            except SqlError:
                self._return_role()
                raise

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last; its role is given back.

        Raises:
            SqlError: the account refused it.
        """
        begin = time.monotonic()
        connection = self._session.connection
        with self._one_at_a_time:
            try:
                with sql_errors.explain_errors(), closing(connection.cursor()) as cursor:
                    self._await_end(query_id, cursor)
                    duration_s = time.monotonic() - begin
                    count, counts = _report(cursor, query_id)
                    return StatementOutcome(query_id, count, duration_s, counts)
            finally:
                self._return_role()

    def _await_end(self, query_id: str, cursor: SnowflakeCursor | WireCursor) -> None:
        """Wait until a statement is done; whoever interrupts the waiting ends the statement."""
        try:
            await_end(self._session.connection, query_id)
        except KeyboardInterrupt:
            # What became of it is looked up when the thread is gone on with.
            cursor.abort_query(query_id)
            raise

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history by its id, or by tag and text where it has none.

        Histories that cannot be read make the answer `unknown`, never an exception.
        """
        with self._one_at_a_time:
            return query_history.find_fate(self._ask, SoughtStatement(tag, query_id, sql))

    def standing(self) -> Mapping[str, str]:
        """Return role, warehouse, database and schema as last told, without asking the account."""
        connection = self._session.connection
        told = {
            "role": self._owed_role or connection.role,
            "warehouse": connection.warehouse,
            "database": connection.database,
            "schema": connection.schema,
        }
        return {name: quote(value) for name, value in told.items() if value}

    @property
    def snowpark(self) -> Session:
        """Return Snowpark's session, which is the one that statements are sent through."""
        return self._session

    def close(self) -> None:
        """End the session; the connection is closed even where the account refuses the rest.

        Raises:
            SqlError: the account did not end the session, which it will do by itself in time.
        """
        if not self._is_ours:
            return
        with self._one_at_a_time, sql_errors.explain_errors():
            connection = self._session.connection
            try:
                self._session.close()
            finally:
                connection.close()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._one_at_a_time:
            if self._owed_role is not None:
                self._use_role(self._owed_role)
                self._owed_role = None
            yield

    @contextmanager
    def _as_role(self, role: str | None) -> Iterator[None]:
        """Borrow a role, or all of them, and give it back."""
        if role == EVERY_ROLE:
            with self._as_every_role():
                yield
            return
        self._borrow(role)
        try:
            yield
        finally:
            self._return_role()

    @contextmanager
    def _as_every_role(self) -> Iterator[None]:
        """Use the user's other roles beside the current one, if the session does not do so yet."""
        told = self._ask("SELECT CURRENT_SECONDARY_ROLES() AS NAMES", ())[0]["NAMES"]
        has_all = json.loads(told or "{}").get("value") == "ALL"
        if not has_all:
            with self._ran("USE SECONDARY ROLES ALL"):
                pass
        try:
            yield
        finally:
            if not has_all:
                self._is_accepted("USE SECONDARY ROLES NONE")

    def _borrow(self, role: str | None) -> None:
        """Take a role where it is not the current one, which is owed from then on."""
        wanted = None if role is None else _role_name(role)
        current = wanted and self._ask("SELECT CURRENT_ROLE() AS NAME", ())[0]["NAME"]
        if wanted is not None and wanted != current:
            self._use_role(wanted)
            self._owed_role = current

    def _return_role(self) -> None:
        # A refusal here must not hide what became of the statement: the role stays owed, and the
        # next call starts by returning it or by saying why it cannot.
        owed = self._owed_role
        if owed is not None and self._is_accepted(f"USE ROLE {quote(owed)}"):
            self._owed_role = None

    def _is_accepted(self, sql: str) -> bool:
        try:
            with self._ran(sql):
                return True
        except SqlError:
            return False

    def _use_role(self, name: str) -> None:
        with self._ran(f"USE ROLE {quote(name)}"):
            pass

    def _ask(self, sql: str, parameters: Sequence[Any]) -> Sequence[Mapping[str, Any]]:
        with self._ran(sql, parameters=parameters) as cursor:
            names = [column.name for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    @contextmanager
    def _ran(
        self,
        sql: str,
        *,
        tag: str | None = None,
        parameters: Sequence[Any] = (),
        limit_s: int | None = None,
    ) -> Iterator[SnowflakeCursor | WireCursor]:
        """Run one statement; yields its cursor, closed afterwards."""
        given = {"QUERY_TAG": tag, "STATEMENT_TIMEOUT_IN_SECONDS": limit_s}
        with sql_errors.explain_errors(), closing(self._session.connection.cursor()) as cursor:
            ran = cursor.execute(
                sql,
                tuple(parameters) or None,
                _statement_params={name: v for name, v in given.items() if v is not None} or None,
            )
            if ran is None:
                raise SqlError("the statement is empty", hint="write a statement into it")
            yield ran


def _type_of(column: Any) -> str:
    """Return the connector's name of a result column's type."""
    named: str | None = getattr(column, "type_name", None)
    if named is not None:
        return named
    from snowflake.connector.constants import FIELD_ID_TO_NAME

    return str(FIELD_ID_TO_NAME.get(column.type_code, "TEXT"))


def _role_name(role: str) -> str:
    """Return the stored name of a role given as typed SQL, or as a name that SQL would quote."""
    try:
        return resolve(role)
    except UsageError:
        return role


def _report(
    cursor: SnowflakeCursor | WireCursor, query_id: str
) -> tuple[int | None, Mapping[str, int]]:
    """Return what a statement that succeeded changed, where the account still tells it.

    Raises:
        SqlError: the way to the account is broken; the history will tell.
    """
    try:
        with sql_errors.explain_errors():
            return _changed_rows(cursor.query_result(query_id))
    except SqlError as problem:
        if problem.errno is None or problem.errno >= _NOT_STATEMENTS:
            raise
        return None, {}


def _changed_rows(cursor: SnowflakeCursor | WireCursor) -> tuple[int | None, Mapping[str, int]]:
    """Return how many rows a statement changed, and its counts; None where it changes no rows."""
    names = [column.name for column in cursor.description]
    if not is_counted(names):
        return None, {}
    try:
        with sql_errors.explain_errors():
            rows = [tuple(row) for row in cursor.fetchall()]
    except SqlError:
        # The statement succeeded; that its report got lost on the way must not undo that.
        return None, {}
    counts = counts_of(names, rows)
    return (None, {}) if counts is None else (total_of(counts), counts)
