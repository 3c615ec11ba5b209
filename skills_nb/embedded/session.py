"""The session: statements in, results out, one transaction a statement unless the user opens one.

Room: embedded.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from skills_nb.embedded import dialect, executor, ordering, queries, refusals, watching
from skills_nb.embedded.catalog.entities import Kind, Parameter
from skills_nb.embedded.history import HistoryRow
from skills_nb.embedded.lookups import Lookups
from skills_nb.embedded.natives.moments import rows_seen
from skills_nb.embedded.pipelines import runs
from skills_nb.embedded.redaction import without_secrets
from skills_nb.embedded.refusals.sessions import aborted_transaction
from skills_nb.embedded.statements import parameters
from skills_nb.embedded.statements.parameters import effective, timeout
from skills_nb.embedded.translate import translated
from skills_nb.embedded.types import LTZ, TZ
from skills_nb.embedded.values import Outcome, Result
from skills_nb.embedded.versions import images
from skills_nb.embedded.versions.travel import micros
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.account import Account
    from skills_nb.embedded.catalog.entities import Entity
    from skills_nb.embedded.scope import Env

__all__ = ["AccountSession"]
_ENDS = re.compile(r"\s*(?:COMMIT|ROLLBACK)\b", re.I)
"""What may follow in a transaction that was aborted."""
_LOG = logging.getLogger("skills_nb.embedded")
_OF_STATEMENT = ("statement_text", "tag", "governed", "read_objects", "consumed", "query_id")
"""What belongs to one statement, and comes back when one that it ran inside is done."""


class AccountSession(Lookups):
    """One user's conversation with the account."""

    def __init__(self, account: Account, user: Entity, session_id: int) -> None:
        """Start for a user; `Account.session` is the usual door."""
        super().__init__(account, user, session_id)
        self.sent: list[tuple[str, list[Any]]] = []
        self.unsaved: list[HistoryRow] = []
        self.governed = False
        self.read_objects: dict[int, set[str]] = {}
        self.statement_type = ""
        self.tag: str | None = None
        self._marked = -1
        self.shown_text: str | None = None
        self.failed_runs: list[runs.Run] = []
        self._customs_for: tuple[Any, ...] = ()
        self.aborted = False
        """True once a statement failed in a transaction that no other may go on with."""

    def enter(
        self, role: str | None, warehouse: str | None, database: str | None, schema: str | None
    ) -> AccountSession:
        """Choose role, warehouse and schema: what was asked for, else the user's defaults."""
        detail = self.user_detail()
        if role is not None and role not in self.available_roles():
            raise refusals.login_role(role)
        default = detail.default_role if detail.default_role in self.available_roles() else ""
        self.role = role or default or "PUBLIC"
        self.secondary_mode = "ALL" if detail.default_secondary_roles else "NONE"
        self._enter_warehouse(warehouse or detail.default_warehouse or None)
        namespace = tuple(p for p in detail.default_namespace.split(".") if p)
        self._enter_schema(
            database or (namespace[0] if namespace else None),
            schema or (namespace[1] if len(namespace) > 1 else None),
        )
        return self

    def _enter_warehouse(self, name: str | None) -> None:
        found = self.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
        if found and self.account.rights.has_any(self.active_roles(), found):
            self.warehouse = name

    def _enter_schema(self, database: str | None, schema: str | None) -> None:
        found = self.account.catalog.find(Kind.DATABASE, (database,)) if database else None
        if found is None or not self.account.rights.has_any(self.active_roles(), found):
            return
        self.database = found.name
        wanted = self.account.catalog.find(Kind.SCHEMA, (found.name, schema or "PUBLIC"))
        if wanted and self.account.rights.has_any(self.active_roles(), wanted):
            self.schema = wanted.name

    # ---- executing

    def execute(
        self,
        sql: str,
        *,
        bindings: Mapping[str, Any] | None = None,
        query_tag: str | None = None,
        describe_only: bool = False,
        query_id: str | None = None,
    ) -> Result:
        """Run one statement.

        Raises:
            SqlError: the account refuses it; nothing has changed.
        """
        watching.heed(self, sql)
        with self.account.lock:
            made = query_id or self.account.ids()
            started = self.account.instant()
            shown, self.shown_text = self.shown_text or sql, None
            self._prepare(shown, query_tag)
            self.query_id = made
            self.moment = micros(started)
            watch = watching.Watch(self, made, timeout(self))
            try:
                with watch:
                    outcome = self._attempt(sql, bindings or {}, describe_only=describe_only)
                with self.quiet:
                    if describe_only:
                        self._end_description()
                    else:
                        self._succeed(made, shown, started, outcome)
            except Exception as error:  # noqa: BLE001 - raised again in Snowflake's words
                refusal = watch.reason or self._refusal(error, made)
                refusal.query_id = made
                self._fail(made, shown, started, refusal)
                raise refusal from (error if refusal is not error else None)
            except BaseException:
                self._abandon()
                raise
            return executor.kept(self, made, outcome, describe_only=describe_only)

    def _refusal(self, error: Exception, query_id: str) -> SqlError:
        """Return what the user sees; trouble of our own goes to the log, under its number."""
        if isinstance(error, (SqlError, duckdb.Error)):
            return translated(error, hide_values=self.governed)
        refusal = refusals.incident(query_id)
        _LOG.error("%s in %s", refusal.message, self.statement_type, exc_info=error)
        return refusal

    def evaluated(self, value: exp.Expr, physical: str, env: Env | None = None) -> Any:
        """Evaluate an expression without rows, governed like a query, as a DuckDB type."""
        asked = value.copy()
        if physical == LTZ.physical:
            asked = exp.Cast(this=asked, to=exp.DataType(this=exp.DType.TIMESTAMPLTZ))
        query = exp.select(exp.alias_(asked, "V", quoted=True))
        made, _ = queries.governed(self, query, env)
        text = f"SELECT CAST(V AS {physical}) FROM ({dialect.to_sql(made)})"
        row = self.cursor.execute(text).fetchone()
        ((found,),) = rows_seen([row or (None,)], [TZ.kind])
        return found

    def aside(self, query: str) -> Outcome:
        """Evaluate a query that is no statement of its own: an expression of a script.

        Raises:
            SqlError: it cannot be evaluated; what ran before it stays.
        """
        try:
            tree = self.parse_query(query)
            return queries.select(self, tree, describe_only=False)
        except (SqlError, duckdb.Error) as error:
            self._abandon()
            refusal = translated(error, hide_values=self.governed)
            raise refusal from (error if refusal is not error else None)

    def nested(self, sql: str, *, shown: str | None = None, **how: Any) -> Result:
        """Run a statement of a script, procedure or task, which commits for itself.

        Inside a transaction it is a part of that.

        Args:
            sql: the statement.
            shown: what the history shows: a statement with its variables' names, not their values.
            how: what `execute` takes.

        Raises:
            SqlError: the account refuses it; what ran before it stays.
        """
        about = {name: getattr(self, name) for name in _OF_STATEMENT}
        if not self.in_transaction:
            with self.quiet:
                self._keep_catalog()
                self.end_work(commit=True)
        try:
            self.shown_text = shown
            return self.execute(sql, **{"query_tag": self.tag, **how})
        finally:
            governed = self.governed
            for name, value in about.items():
                setattr(self, name, value)
            self.governed = self.governed or governed

    def _prepare(self, sql: str, query_tag: str | None) -> None:
        self.statement_text = sql
        self.tag = query_tag
        self.governed = False
        self.read_objects = {}
        self.consumed = {}
        self.statement_type = "UNKNOWN"

    def _attempt(self, sql: str, bindings: Mapping[str, Any], *, describe_only: bool) -> Outcome:
        if self.aborted and not _ENDS.match(sql):
            raise aborted_transaction()
        self._follow()
        while True:
            try:
                return executor.run(self, sql, bindings, describe_only=describe_only)
            except duckdb.CatalogException:
                if not self.account.make_places(self.read_objects):
                    raise
                self._abandon()

    def _follow(self) -> None:
        """Take up what parameters say by now about moments, in trees and in DuckDB."""
        key = (self.account.catalog.version_of(Parameter), *self.parameters.items())
        if key != self._customs_for:
            self.customs, self._customs_for = parameters.customs(self), key
            self.cursor.execute("SET TimeZone = " + exp.Literal.string(parameters.zone(self)).sql())

    def _end_description(self) -> None:
        if not self.in_transaction:
            self.end_work(commit=False)

    def begin_change(self) -> None:
        """Begin a transaction before rows are changed, where AUTOCOMMIT is off.

        See https://docs.snowflake.com/en/sql-reference/transactions
        """
        if not effective(self, "AUTOCOMMIT") and self.task is None:
            self.open_transaction()

    def _succeed(self, query_id: str, sql: str, started: datetime, outcome: Outcome) -> None:
        self.statement_type = outcome.statement_type
        row = self._history(query_id, sql, started, None, outcome.row_count)
        self._keep_catalog()
        self._record(row)
        if not self.in_transaction:
            self.end_work(commit=True)
        self.query_ids.append(query_id)

    def _keep_catalog(self) -> None:
        """Write what changed in the catalog, in the transaction that changed the rows."""
        changes, store = self.account.catalog.take_journal(), self.account.store
        if store.durable:
            store.write(self.cursor, changes)

    def _fail(self, query_id: str, sql: str, started: datetime, refusal: SqlError) -> None:
        self._abandon()
        row = self._history(query_id, sql, started, refusal, None)
        if self.in_transaction:
            self._record(row)
            self.aborted = bool(effective(self, "TRANSACTION_ABORT_ON_ERROR"))
        else:
            self.account.store.append_history(self.account.store.connection, row)
        for run in self.failed_runs:
            runs.keep(self, run)
        self.failed_runs.clear()
        self.query_ids.append(query_id)

    def _record(self, row: HistoryRow) -> None:
        """Add a row to the history, and again where an open transaction takes it back."""
        store = self.account.store
        store.append_history(self.cursor if store.durable else self.connection, row)
        if self.in_transaction and store.durable:
            self.unsaved.append(row)

    def _abandon(self) -> None:
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

    # ---- transactions

    def run(self, statement: str, values: list[Any] | None = None) -> duckdb.DuckDBPyConnection:
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
            self.cursor.execute(f"SET VARIABLE moment = {self.stamp}::BIGINT")

    def open_transaction(self) -> None:
        """Begin a transaction that spans statements."""
        if not self.in_transaction:
            self.in_transaction = True
            self.transaction_moment = self.moment
            self.transaction_id = str(len(self.query_ids) + 1 + self.id * 1_000_000)

    def close_transaction(self, *, commit: bool) -> None:
        """End the transaction; history rows survive a rollback."""
        if not self.in_transaction:
            return
        commit, self.aborted = commit and not self.aborted, False
        if commit:
            images.settle(self, self.changed, self.moment)
        rows, self.unsaved, self.sent = self.unsaved, [], []
        self.in_transaction, self.transaction_id = False, None
        self.changed.clear()
        self.offsets.clear()
        self.end_work(commit=commit)
        if not commit:
            for row in rows:
                self.account.store.append_history(self.cursor, row)

    def commit_before_ddl(self) -> None:
        """Commit what is open: DDL is a transaction of its own."""
        self.close_transaction(commit=True)

    def close(self) -> None:
        """End the session; what was not committed is undone."""
        with self.account.lock:
            if self.in_transaction:
                self.close_transaction(commit=False)
                self.end_work(commit=True)
            executor.drop_temporary(self)
            self.connection.close()

    # ---- history

    def _history(
        self,
        query_id: str,
        sql: str,
        started: datetime,
        refusal: SqlError | None,
        row_count: int | None,
    ) -> HistoryRow:
        tag = self.tag if self.tag is not None else str(effective(self, "QUERY_TAG"))
        reads = {str(k): sorted(v) for k, v in self.read_objects.items()}
        return HistoryRow(
            query_id=query_id,
            query_text=without_secrets(sql),
            database_name=self.database,
            schema_name=self.schema,
            query_type=self.statement_type,
            session_id=self.id,
            user_name=self.user,
            role_name=self.role,
            warehouse_name=self.warehouse,
            query_tag=tag,
            execution_status=_status(refusal),
            error_code=f"{refusal.errno:06d}" if refusal and refusal.errno else None,
            error_message=str(refusal) if refusal else None,
            start_time=started,
            end_time=self.account.clock(),
            rows_produced=row_count,
            transaction_id=self.transaction_id,
            reads=json.dumps(reads) if reads else None,
        )


def _status(refusal: SqlError | None) -> str:
    """Return how the history calls what became of a statement."""
    if refusal is None:
        return "SUCCESS"
    return "INCIDENT" if refusal.errno == refusals.INCIDENT else "FAIL"
