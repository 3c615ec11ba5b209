"""The session: statements in, results out, one transaction a statement unless the user opens one.

Room: embedded.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from skills_nb.embedded import errors, system_views
from skills_nb.embedded.authorizer import access, parameters, references
from skills_nb.embedded.authorizer.parameters import effective, timeout
from skills_nb.embedded.catalog.entities import Kind, Parameter
from skills_nb.embedded.engine import cancellation, executor
from skills_nb.embedded.engine.transactions import Transactions, history_row
from skills_nb.embedded.errors.sessions import aborted_transaction
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects.containers import shared_contents
from skills_nb.embedded.objects.routines.data_metric_function import evaluating
from skills_nb.embedded.parser.statement import Statement
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session import bound_values, runs
from skills_nb.embedded.session.session_state import Frame, Mover, StatementState
from skills_nb.embedded.storage.time_travel.travel import micros
from skills_nb.embedded.system_views import system_functions
from skills_nb.embedded.translator.python_functions.moment_functions import rows_seen
from skills_nb.embedded.translator.translate import translated
from skills_nb.embedded.types.data_types import LTZ, TZ
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.task_run import Run
from skills_nb.embedded.types.values import Outcome, Result
from skills_nb.errors import SqlError
from skills_nb.ports import InnerStatement

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.entities import Entity
    from skills_nb.embedded.session.context import AccountContext
    from skills_nb.embedded.types.scope import Env

__all__ = ["AccountSession"]
_LOG = logging.getLogger("skills_nb.embedded")


class AccountSession(Transactions):
    """One user's conversation with the account."""

    def __init__(self, account: AccountContext, user: Entity, session_id: int) -> None:
        """Start for a user; `Account.session` is the usual door."""
        super().__init__(account, user, session_id)
        self.shown_text: str | None = None
        self.statement_limit_s = 0
        """Seconds that a driver gave to the statement that it sent last; 0 for none."""
        self.failed_runs: list[Run] = []
        self._customs_for: tuple[Any, ...] = ()
        self._zone = "UTC"
        self.inner: list[InnerStatement] | None = None
        """The statements that succeeded, those inside others first; None where nobody asks."""

    def enter(
        self, role: str | None, warehouse: str | None, database: str | None, schema: str | None
    ) -> AccountSession:
        """Choose role, warehouse and schema: what was asked for, else the user's defaults.

        Raises:
            SqlError: the role that was asked for is not granted to the user (390189).
        """
        detail = self.user_detail()
        if role is not None and role not in self.available_roles():
            raise errors.login_role(role)
        default = detail.default_role if detail.default_role in self.available_roles() else ""
        mode = "ALL" if detail.default_secondary_roles else "NONE"
        self.frame = Frame(role or default or "PUBLIC", secondary_mode=mode)
        self._enter_warehouse(warehouse or detail.default_warehouse or None)
        namespace = tuple(p for p in detail.default_namespace.split(".") if p)
        self._enter_schema(
            database or (namespace[0] if namespace else None),
            schema or (namespace[1] if len(namespace) > 1 else None),
        )
        return self

    def _enter_warehouse(self, name: str | None) -> None:
        found = self.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
        if found and access.holds_any(self, found):
            self.frame = replace(self.frame, warehouse=name)

    def _enter_schema(self, database: str | None, schema: str | None) -> None:
        found = self.account.catalog.find(Kind.DATABASE, (database,)) if database else None
        if found is None or not access.holds_any(self, found):
            return
        self.frame = replace(self.frame, database=found.name)
        wanted = self.account.catalog.find(Kind.SCHEMA, (found.name, schema or "PUBLIC"))
        if wanted and access.holds_any(self, wanted):
            self.frame = replace(self.frame, schema=wanted.name)

    # ---- executing

    def execute(
        self,
        sql: str,
        *,
        bindings: object = None,
        query_tag: str | None = None,
        describe_only: bool = False,
        query_id: str | None = None,
        columnar: bool = False,
    ) -> Result:
        """Run one statement; `columnar` where whoever asks reads its rows as Arrow.

        Raises:
            SqlError: the account refuses it, or its user (390101, 390111); nothing has changed.
        """
        if not describe_only:
            cancellation.heed(self, sql)
        with self.account.lock, self.account.seen_by(self.id):
            self.require_user()
            made = query_id or self.account.ids()
            started = self.account.instant()
            shown, self.shown_text = self.shown_text or sql, None
            self.statement = StatementState(
                shown, "UNKNOWN", tag=query_tag, query_id=made, columnar=columnar
            )
            self.moment = micros(started)
            watch = cancellation.Watch(self, made, timeout(self))
            try:
                with watch:
                    outcome = self._attempt(sql, bindings, describe_only=describe_only)
                    outcome = executor.printed(self, outcome)
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
                self.abandon()
                raise
            finally:
                self.account.python.end(made)
            if self.inner is not None:
                self.inner.append(
                    InnerStatement(sql, outcome.row_count, self.database, self.schema)
                )
            return executor.kept(self, made, outcome, describe_only=describe_only)

    def require_user(self) -> None:
        """Refuse a user who may send nothing more, and undo what was not committed.

        Raises:
            SqlError: the user was disabled (390101) or dropped (390111) meanwhile.
        """
        refusal = self.shut_out()
        if refusal is None or any(cancellation.of_session(self)):
            return
        with self.account.lock:
            self.end_transaction(commit=False)
            self.end_work(commit=True)
        raise refusal

    def _refusal(self, error: Exception, query_id: str) -> SqlError:
        """Return what the user sees; trouble of our own goes to the log, under its number."""
        if isinstance(error, (SqlError, duckdb.Error)):
            return translated(error, hide_values=self.statement.governed)
        if isinstance(error, RecursionError):
            return errors.too_deep()
        refusal = errors.incident(query_id)
        _LOG.error("%s in %s", refusal.message, self.statement.type, exc_info=error)
        return refusal

    def evaluated(self, value: exp.Expr, physical: str, env: Env | None = None) -> Any:
        """Evaluate an expression without rows, governed like a query, as a DuckDB type."""
        asked = value.copy()
        if physical == LTZ.physical:
            asked = exp.Cast(this=asked, to=exp.DataType(this=exp.DType.TIMESTAMPLTZ))
        query = exp.select(exp.alias_(asked, "V", quoted=True))
        made, _ = queries.governed(self, query, env, purpose=Purpose.CONSTANT)
        wanted = duck_sql.of(
            "SELECT CAST(V AS {kind}) FROM ({query})", kind=duck_sql.kind(physical), query=made
        )
        row = self.cursor.execute(wanted).fetchone()
        ((found,),) = rows_seen([row or (None,)], [TZ.kind])
        return found

    def expectations(self, arguments: dict[str, exp.Expr]) -> Table:
        """Measure a table now, and tell which expectations it does not meet."""
        return evaluating.expectations(self, arguments)

    def aside(self, query: str) -> Outcome:
        """Evaluate a query that is no statement of its own: an expression of a script.

        Raises:
            SqlError: it cannot be evaluated; what ran before it stays.
        """
        try:
            tree = self.parse_query(query)
            return queries.select(self, tree, describe_only=False)
        except (SqlError, duckdb.Error) as error:
            self.abandon()
            refusal = translated(error, hide_values=self.statement.governed)
            raise refusal from (error if refusal is not error else None)

    def nested(
        self,
        sql: str,
        *,
        bindings: object = None,
        query_tag: str | None = None,
        describe_only: bool = False,
        query_id: str | None = None,
        shown: str | None = None,
        mover: Mover = Mover.NOBODY,
    ) -> Result:
        """Run a statement of a script, procedure or task, which commits for itself.

        Inside a transaction it is a part of that.

        Args:
            sql: the statement.
            bindings: values for its `?`.
            query_tag: its tag in the history; None for that of the statement around it.
            describe_only: whether its columns alone are asked for.
            query_id: its number in the history, if it has one already.
            shown: what the history shows: a statement with its variables' names, not their values.
            mover: who moves its files, where it is about any.

        Raises:
            SqlError: the account refuses it; what ran before it stays.
        """
        outer, moved = self.statement, self.moves_files
        if not self.in_transaction:
            with self.quiet:
                self.keep_catalog()
                self.end_work(commit=True)
        try:
            self.shown_text, self.moves_files = shown, mover
            tag = outer.tag if query_tag is None else query_tag
            return self.execute(
                sql,
                bindings=bindings,
                query_tag=tag,
                describe_only=describe_only,
                query_id=query_id,
            )
        finally:
            governed = outer.governed or self.statement.governed
            self.statement, self.moves_files = replace(outer, governed=governed), moved

    def _attempt(self, sql: str, bindings: object, *, describe_only: bool) -> Outcome:
        statement = self._read(sql, bindings)
        self._follow()
        while True:
            try:
                return executor.run(self, statement, describe_only=describe_only)
            except duckdb.CatalogException:
                if not self.account.unmade:
                    raise
                touched = {*self.statement.reads, *self.account.touched}
                # What it made already, such as a table's place, would stand in the way of others.
                self.abandon()
                self.account.make_places(touched)

    def _read(self, sql: str, bindings: object) -> Statement:
        """Parse a statement; in an aborted transaction only its end is one."""
        try:
            read = executor.read(self, sql, bound_values.received(bindings))
        except SqlError:
            if self.aborted:
                raise aborted_transaction() from None
            raise
        if self.aborted and not read.ends_transaction:
            raise aborted_transaction()
        kind = "CALL" if read.is_call else self.statement.type
        self.statement = replace(self.statement, type=kind, verb=read.verb)
        return read

    def _follow(self) -> None:
        """Take up what parameters say by now about moments, in trees and in DuckDB."""
        key = (self.account.catalog.version_of(Parameter), *self.parameters.items())
        if key != self._customs_for:
            self.customs, self._customs_for = parameters.customs(self), key
            zone = parameters.zone(self)
            if zone != self._zone:
                self._zone = zone
                self.cursor.execute(duck_sql.of("SET TimeZone = {zone}", zone=duck_sql.text(zone)))

    def _end_description(self) -> None:
        """Leave catalog and rows as they were, whatever was described."""
        self.account.catalog.revert()
        if not self.in_transaction:
            self.end_work(commit=False)

    def begin_change(self) -> None:
        """Begin a transaction before rows are changed, where AUTOCOMMIT is off.

        See https://docs.snowflake.com/en/sql-reference/transactions
        """
        if self.in_transaction:
            return
        if not effective(self, "AUTOCOMMIT") and self.task is None:
            self.open_transaction()

    def keep_catalog(self) -> None:
        """Write what changed in the catalog, and what that changes for consumers of shares."""
        if self.account.catalog.is_changed:
            shared_contents.refresh(self)
        super().keep_catalog()

    def _succeed(self, query_id: str, sql: str, started: datetime, outcome: Outcome) -> None:
        self.statement = replace(self.statement, type=outcome.statement_type)
        row = history_row(self, query_id, started, outcome.row_count)
        self.keep_catalog()
        self.record(row)
        if not self.in_transaction:
            self.end_work(commit=True)
        self.query_ids.append(query_id)

    def _fail(self, query_id: str, sql: str, started: datetime, refusal: SqlError) -> None:
        self.abandon()
        row = history_row(self, query_id, started, None, refusal)
        if self.in_transaction:
            self.record(row)
            self.aborted = bool(effective(self, "TRANSACTION_ABORT_ON_ERROR"))
        else:
            self.account.store.append_history(self.account.store.connection, row)
        for run in self.failed_runs:
            runs.keep(self, run)
        self.failed_runs.clear()
        self.query_ids.append(query_id)

    def close(self) -> None:
        """End the session; what was not committed is undone."""
        with self.account.lock:
            if self.in_transaction:
                self.end_transaction(commit=False)
                self.end_work(commit=True)
            executor.drop_temporary(self)
            self.account.python.forget(self.id)
            self.connection.close()

    # ---- what the account itself offers to queries

    def tag_value(self, tag: tuple[str, ...], target: Entity, column: str) -> str | None:
        """Return a tag's value in force on a column, or on the object itself ('').

        Raises:
            SqlError: there is no such tag (2003).
        """
        entity = self.account.catalog.find(Kind.TAG, tag)
        if entity is None:
            raise access.missing(self, Kind.TAG, tag)
        found = references.effective_tags(self, target, column).get(entity.id)
        return found[0].value if found is not None else None

    def system_relation(self, path: tuple[str, ...], env: Env) -> Table | None:
        """Return the rows of an INFORMATION_SCHEMA or ACCOUNT_USAGE view; None for others."""
        return system_views.view(self, path, env)

    def system_scalar(self, node: exp.Anonymous) -> exp.Expr | None:
        """Return the constant that stands for a system function; None for other functions."""
        return system_functions.answer(self, node)

    def system_function(
        self, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
    ) -> Table | None:
        """Return the rows of an INFORMATION_SCHEMA table function; None for others."""
        return system_views.function(self, path, arguments, env)
