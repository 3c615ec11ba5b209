"""Transactions: what a session's statements change, kept together or undone together.

Room: embedded. A statement is a transaction of its own unless the user opened one. DuckDB knows no
savepoints: what an open transaction did is played again where a statement of it is undone.

See https://docs.snowflake.com/en/sql-reference/transactions
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import duckdb

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.engine.lookups import Lookups
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.context import AccountContext, Context
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.translator import ordering
from skills_nb.embedded.types.history import HistoryRow
from skills_nb.errors import SqlError
from skills_nb.sql.secret_literals import without_secrets, without_secrets_of_value


class Transactions(Lookups):
    """A session, as far as it keeps or undoes what its statements change."""

    def __init__(self, account: AccountContext, user: Entity, session_id: int) -> None:
        """Start without an open transaction."""
        super().__init__(account, user, session_id)
        self.sent: list[tuple[DuckSql, list[Any]]] = []
        """What the open transaction changed, to be played again."""
        self.unsaved: list[HistoryRow] = []
        """Rows of the history that the open transaction would take back."""
        self.aborted = False
        """True once a statement failed in a transaction that no other may go on with."""
        self._marked = -1

    def run(self, statement: DuckSql, values: list[Any] | None = None) -> Connection:
        """Run a changing DuckDB statement in the session's transaction."""
        self._mark_time()
        made = ordering.execute(self.cursor, statement, values)
        if self.in_transaction:
            self.sent.append((statement, values or []))
        return made

    def _mark_time(self) -> None:
        """Tell DuckDB the instant that new rows stand since."""
        if self._marked != self.stamp:
            self._marked = self.stamp
            self.cursor.execute(
                duck_sql.of("SET VARIABLE moment = {stamp}::BIGINT", stamp=self.stamp)
            )

    def open_transaction(self, name: str | None = None) -> None:
        """Begin a transaction that spans statements; without a name it gets one.

        Raises:
            SqlError: one is open that was begun outside of the procedure or block that runs:
                DuckDB has one a connection (0A000).
        """
        if self.in_transaction and self.transaction_depth != self.depth:
            raise errors.unsupported("a transaction inside of another")
        if not self.in_transaction:
            self.in_transaction = True
            self.transaction_depth = self.depth
            self.transaction_moment = self.moment
            self.transaction_id = str(len(self.query_ids) + 1 + self.id * 1_000_000)
            self.transaction_name = name or self.account.ids()

    def close_transaction(self, *, commit: bool) -> None:
        """End the transaction as the statement at work asks for.

        Raises:
            SqlError: it was begun outside of the procedure or block that runs.
        """
        if self.in_transaction and self.transaction_depth != self.depth:
            raise errors.other_scope()
        self.end_transaction(commit=commit)

    def end_transaction(self, *, commit: bool) -> None:
        """End the transaction, whoever began it; history rows survive a rollback."""
        if not self.in_transaction:
            return
        commit, self.aborted = commit and not self.aborted, False
        if commit:
            images.settle(self, self.changed, self.moment)
            writes.settle(self, self.moment)
        rows, self.unsaved, self.sent = self.unsaved, [], []
        self.in_transaction, self.transaction_id = False, None
        self.changed.clear()
        self.offsets.clear()
        self.end_work(commit=commit)
        if not commit:
            for row in rows:
                self.account.store.append_history(self.cursor, row)

    def commit_before_ddl(self) -> None:
        """Commit what is open: DDL is a transaction of its own.

        Raises:
            SqlError: it was begun outside of the procedure or block that runs.
        """
        self.close_transaction(commit=True)

    @contextmanager
    def own_transactions(self) -> Iterator[None]:
        """Run a procedure or block, which must end the transactions that it begins.

        Where it fails inside of a transaction, what it changed is no part of that.

        Raises:
            SqlError: one is still open, and was rolled back (90232); what else the procedure was
                refused for is not told then.
        """
        before, refusal = len(self.sent), None
        self.depth += 1
        try:
            yield
        except SqlError as error:
            refusal = error
            if self.in_transaction and self.transaction_depth < self.depth:
                del self.sent[before:]
        finally:
            left_open = self.in_transaction and self.transaction_depth == self.depth
            self.depth -= 1
            if left_open:
                self.end_transaction(commit=False)
        if left_open:
            raise errors.incomplete_transaction() from refusal
        if refusal is not None:
            raise refusal

    def keep_catalog(self) -> None:
        """Write what changed in the catalog, in the transaction that changed the rows."""
        changes, store = self.account.catalog.take_journal(), self.account.store
        if store.durable:
            store.write(self.cursor, changes)

    def record(self, row: HistoryRow) -> None:
        """Add a row to the history, and again where an open transaction takes it back."""
        store = self.account.store
        store.append_history(self.cursor if store.durable else self.connection, row)
        if self.in_transaction and store.durable:
            self.unsaved.append(row)

    def abandon(self) -> None:
        """Undo the statement; an open transaction is played again up to it."""
        self.account.catalog.revert()
        with self.quiet:
            try:
                self.end_work(commit=False)
            except duckdb.TransactionException:
                if self.in_transaction:
                    raise
            if self.in_transaction:
                for statement, values in self.sent:
                    self.cursor.execute(statement, values)
                for row in self.unsaved:
                    self.account.store.append_history(self.cursor, row)


def history_row(
    session: Context,
    query_id: str,
    started: datetime,
    row_count: int | None,
    refusal: SqlError | None = None,
) -> HistoryRow:
    """Return what the history tells of the statement that has just been carried out."""
    statement = session.statement
    tag = statement.tag if statement.tag is not None else str(effective(session, "QUERY_TAG"))
    reads = {str(k): sorted(v) for k, v in statement.reads.items()}
    return HistoryRow(
        query_id=query_id,
        query_text=without_secrets(statement.text),
        database_name=session.database,
        schema_name=session.schema,
        query_type=statement.type,
        session_id=session.id,
        user_name=session.user,
        role_name=session.role,
        warehouse_name=session.warehouse,
        query_tag=without_secrets_of_value(tag),
        execution_status=_status(refusal),
        error_code=f"{refusal.errno:06d}" if refusal and refusal.errno else None,
        error_message=without_secrets(refusal.message) if refusal else None,
        start_time=started,
        end_time=session.account.clock(),
        rows_produced=row_count,
        transaction_id=session.transaction_id,
        reads=json.dumps(reads) if reads else None,
    )


def _status(refusal: SqlError | None) -> str:
    """Return how the history calls what became of a statement."""
    if refusal is None:
        return "SUCCESS"
    return "INCIDENT" if refusal.errno == errors.INCIDENT else "FAIL"
