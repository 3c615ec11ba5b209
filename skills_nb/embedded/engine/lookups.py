"""Lookups: what a session knows about names, rights and its own variables.

Room: embedded. Read-only questions that the rewrite and the statements ask a session.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import role_inheritance
from skills_nb.embedded.catalog.entities import Entity, Kind, UserDetail
from skills_nb.embedded.parser.parsing import parse_expression, parse_query
from skills_nb.embedded.physical.connection import BEGIN, COMMIT, ROLLBACK, Connection
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.session_state import Frame, Mover, StatementState
from skills_nb.embedded.session.variable_values import text_of
from skills_nb.embedded.storage.time_travel import images
from skills_nb.embedded.translator.rows import rows_as_query
from skills_nb.embedded.types.format_parameters import STANDARD
from skills_nb.embedded.types.scope import Env, OutColumn
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.task_run import TaskRun
from skills_nb.embedded.types.values import Column, KeptResult
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.session.context import AccountContext


class Lookups:
    """Where and as whom a session works."""

    client: str = "PythonConnector"
    knows_clouds_alone = False
    moves_files = Mover.SESSION
    transaction_id: str | None = None
    transaction_name = ""
    _has_begun = False

    def __init__(self, account: AccountContext, user: Entity, session_id: int) -> None:
        """Start without role, warehouse, database and schema; `enter` chooses them."""
        self.account: AccountContext = account
        self.user_id = user.id
        self._user = user
        self.id: int = session_id
        self.frame = Frame()
        """As whom and where the session works."""
        self.statement = StatementState()
        """What is known of the statement at work."""
        self.parameters: dict[str, Any] = {}
        self.customs = STANDARD
        """What the parameters say about moments, bytes and weeks."""
        self.query_ids: list[str] = []
        self.connection: Connection = account.store.cursor()
        self.quiet = threading.RLock()
        """Held while the session tidies up, when nobody may interrupt it."""
        self.temporary = 0
        self.in_transaction = False
        self.moment = 0
        """Instant of the statement, in microseconds."""
        self.transaction_moment = 0
        """Instant of the open transaction's BEGIN."""
        self.depth = 0
        """How many procedures and blocks are running, one inside of the other."""
        self.transaction_depth = 0
        """How many were when the open transaction began."""
        self.changed: set[tuple[str, str]] = set()
        """Places that the open transaction changes."""
        self.offsets: dict[int, int] = {}
        """Offsets of streams as the open transaction first read them."""
        self.task: TaskRun | None = None
        """The task that runs in this session."""
        self._available: frozenset[str] = frozenset()
        self._available_for: tuple[Any, ...] = ()
        self._active: frozenset[str] = frozenset()
        self._active_for: tuple[Any, ...] = ()

    @property
    def user(self) -> str:
        """Return the user's name, as it is by now."""
        return (self.account.catalog.by_id(self.user_id) or self._user).name

    @property
    def role(self) -> str | None:
        """Return the primary role; PUBLIC once the user does not hold it any more.

        Like the secondary ones it is looked at anew for each statement. What runs with its owner's
        rights has the owner's role, whoever the user is.

        See https://docs.snowflake.com/en/sql-reference/sql/use-secondary-roles
        """
        chosen = self.frame.role
        if chosen is None or self.frame.borrowed or chosen in self.available_roles():
            return chosen
        return "PUBLIC"

    @property
    def warehouse(self) -> str | None:
        """Return the current warehouse."""
        return self.frame.warehouse

    @property
    def database(self) -> str | None:
        """Return the current database."""
        return self.frame.database

    @property
    def schema(self) -> str | None:
        """Return the current schema."""
        return self.frame.schema

    @property
    def cursor(self) -> Connection:
        """Return the connection to the rows, inside of a transaction.

        Many statements are about the catalog alone and never ask.
        """
        if not self._has_begun:
            self._has_begun = True
            self.connection.execute(BEGIN)
        return self.connection

    def end_work(self, *, commit: bool) -> None:
        """End the transaction on the rows, where one has begun."""
        if self._has_begun:
            self._has_begun = False
            self.connection.execute(COMMIT if commit else ROLLBACK)

    def evaluated(self, value: exp.Expr, physical: str, env: Env | None = None) -> Any:
        """Evaluate an expression without rows, governed like a query, as a DuckDB type.

        The session does it: what is looked up knows no queries.

        Raises:
            NotImplementedError: always, but for the session.
        """
        raise NotImplementedError

    def run(self, statement: DuckSql, values: list[Any] | None = None) -> Connection:
        """Run a DuckDB statement in the session's transaction."""
        return self.cursor.execute(statement, values or [])

    @property
    def stamp(self) -> int:
        """Return the instant that changes carry: a mark of the session's while it may roll back."""
        return images.PENDING + self.id if self.in_transaction else self.moment

    # ---- roles

    def available_roles(self) -> frozenset[str]:
        """Return every role the user may take on."""
        key = (self.account.catalog.version, self.user)
        if key != self._available_for:
            self._available = role_inheritance.available(self.account.catalog, self.user)
            self._available_for = key
        return self._available

    def secondary_role_names(self) -> frozenset[str]:
        """Return the roles that secondary roles add, without what they inherit."""
        frame = self.frame
        if frame.secondary_mode == "NONE":
            return frozenset()
        held = role_inheritance.granted_to_user(self.account.catalog, self.user)
        return held if frame.secondary_mode == "ALL" else held & frozenset(frame.secondary_list)

    def active_roles(self) -> frozenset[str]:
        """Return primary and secondary roles with everything they inherit."""
        frame = self.frame
        key = (self.account.catalog.version, frame.role, frame.secondary_mode, frame.secondary_list)
        if key != self._active_for:
            found = self.primary_roles()
            for role in self.secondary_role_names():
                found |= role_inheritance.inherited(self.account.catalog, role)
            self._active, self._active_for = found, key
        return self._active

    def primary_roles(self) -> frozenset[str]:
        """Return the primary role with everything it inherits: what CREATE goes by."""
        if self.role is None:
            return frozenset({"PUBLIC"})
        return role_inheritance.inherited(self.account.catalog, self.role)

    # ---- names

    def env(self) -> Env:
        """Return the environment of a statement that the user typed."""
        return Env(self.active_roles(), self.role or "", self.database, self.schema)

    def qualify(self, path: tuple[str, ...], env: Env | None = None) -> tuple[str, ...]:
        """Complete the name of an object that lives in a schema.

        Raises:
            SqlError: a part is missing, and there is no current database (90105) or schema (90106).
        """
        database = env.database if env else self.database
        schema = env.schema if env else self.schema
        if len(path) >= 3:
            return path[-3:]
        if database is None:
            raise errors.no_current_database(self.statement.verb)
        if len(path) == 2:
            return (database, *path)
        if schema is None:
            raise errors.no_current_schema(self.statement.verb)
        return (database, schema, *path)

    def qualify_as(self, kind: Kind, path: tuple[str, ...]) -> tuple[str, ...]:
        """Complete the name of an object of this kind.

        Raises:
            SqlError: a part is missing, and there is no current database (90105) or schema (90106).
        """
        if kind.depth == 3:
            return self.qualify(path)
        if kind.depth == 2 and len(path) == 1:
            if self.database is None:
                raise errors.no_current_database(self.statement.verb)
            return (self.database, *path)
        return path[-kind.depth :]

    # ---- objects

    def relation(self, path: tuple[str, ...], *, in_body: bool = False) -> Entity | None:
        """Return the table or view of that full name, whoever may see it.

        What the text of a view or policy names is the lasting one, and so it is for code that runs
        with its owner's rights: nobody puts rows under such a text by a temporary table.
        """
        catalog = self.account.catalog
        entity = catalog.find(Kind.TABLE, path) or catalog.find(Kind.STREAM, path)
        if in_body or self.frame.borrowed:
            entity = catalog.standing(Kind.TABLE, path, 0) or entity
        return entity if entity is not None and self.sees(entity) else None

    def sees(self, entity: Entity) -> bool:
        """Tell whether the object is not another session's temporary table."""
        detail = entity.detail
        owner = getattr(detail, "temporary", 0)
        return owner in (0, self.id)

    def user_detail(self) -> UserDetail:
        """Return the user's entry, the last one that was known of a user who is gone."""
        entity = self.account.catalog.by_id(self.user_id) or self._user
        assert isinstance(entity.detail, UserDetail)
        return entity.detail

    def shut_out(self) -> SqlError | None:
        """Return why the user may send nothing more; None while nothing speaks against it.

        See https://docs.snowflake.com/en/sql-reference/sql/alter-user (DISABLED) and
        https://docs.snowflake.com/en/sql-reference/sql/drop-user
        """
        if self.account.catalog.by_id(self.user_id) is None:
            return errors.session_gone()
        return errors.disabled_user() if self.user_detail().disabled else None

    # ---- parsing

    def parse_query(self, text: str) -> exp.Query:
        """Parse a view's text; the tree is the caller's to change."""
        return parse_query(text)

    def parse_expression(self, text: str) -> exp.Expr:
        """Parse a policy's body or a default; the tree is the caller's to change."""
        return parse_expression(text)

    # ---- variables and results

    def variable_tree(self, name: str, *, missing_is_null: bool = False) -> exp.Expr:
        """Return the constant that a session variable stands for.

        Raises:
            SqlError: the session has no such variable (2211).
        """
        if name not in self.frame.variables:
            if missing_is_null:
                return exp.null()
            raise errors.missing_variable(name)
        value = self.frame.variables[name]
        return value.copy() if isinstance(value, exp.Expr) else exp.convert(value)

    def variable_texts(self) -> Mapping[str, str]:
        """Return the session variables as text, for IDENTIFIER($v)."""
        return {name: text_of(value) for name, value in self.frame.variables.items()}

    def query_id_at(self, position: int) -> str | None:
        """Return an earlier statement's id: 1 is the first of the session, -1 the latest."""
        index = position - 1 if position > 0 else position
        try:
            return self.query_ids[index]
        except IndexError:
            return None

    def earlier_result(self, query_id: str) -> Table:
        """Return the kept result of an earlier statement.

        Raises:
            SqlError: there is none, or it is another user's or of a role that is not active (709).

        See https://docs.snowflake.com/en/sql-reference/functions/result_scan
        """
        kept = self.kept_result(query_id)
        return kept.columns, kept.rows

    def kept_result(self, query_id: str) -> KeptResult:
        """Return what is kept of an earlier statement's result.

        Raises:
            SqlError: there is none, or it is another user's or of a role that is not active (709).
        """
        kept = self.account.results.get(query_id)
        is_own = kept is not None and kept.user_id == self.user_id
        if kept is None or not is_own or (kept.role or "PUBLIC") not in self.active_roles():
            raise errors.no_result(query_id)
        return kept

    def as_query(
        self, columns: tuple[Column, ...], rows: Sequence[tuple[Any, ...]]
    ) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over rows that are at hand."""
        self.temporary += 1
        return rows_as_query(self.run, f"__rows_{self.temporary}", columns, rows)
