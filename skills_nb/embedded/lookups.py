"""Lookups: what a session knows about names, rights and its own variables.

Room: embedded. Read-only questions that the rewrite and the statements ask a session.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import refusals, system
from skills_nb.embedded.catalog.entities import Entity, Kind, UserDetail
from skills_nb.embedded.dialect.customs import STANDARD
from skills_nb.embedded.parsing import parse_expression, parse_query
from skills_nb.embedded.rows import rows_as_query
from skills_nb.embedded.scope import Env, OutColumn
from skills_nb.embedded.system import functions, references
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.versions import images

if TYPE_CHECKING:
    import duckdb

    from skills_nb.embedded.account import Account
    from skills_nb.embedded.pipelines.runs import TaskRun


class Lookups:
    """Where and as whom a session works."""

    client: str = "PythonConnector"
    client_moves_files = False
    statement_text: str = ""
    transaction_id: str | None = None
    is_defining = False
    """True while a view is defined: of what it reads, only the columns matter."""
    _has_begun = False

    def __init__(self, account: Account, user: Entity, session_id: int) -> None:
        """Start without role, warehouse, database and schema; `enter` chooses them."""
        self.account: Account = account
        self.user_id = user.id
        self.user: str = user.name
        self.id: int = session_id
        self.role: str | None = None
        self.warehouse: str | None = None
        self.database: str | None = None
        self.schema: str | None = None
        self.secondary_mode = "NONE"
        self.secondary_list: tuple[str, ...] = ()
        self.variables: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self.customs = STANDARD
        """What the parameters say about moments, bytes and weeks."""
        self.query_ids: list[str] = []
        self.connection: duckdb.DuckDBPyConnection = account.store.cursor()
        self.quiet = threading.RLock()
        """Held while the session tidies up, when nobody may interrupt it."""
        self.temporary = 0
        self.in_transaction = False
        self.query_id = ""
        """Number of the statement in the history."""
        self.moment = 0
        """Instant of the statement, in microseconds."""
        self.transaction_moment = 0
        """Instant of the open transaction's BEGIN."""
        self.changed: set[tuple[str, str]] = set()
        """Places that the open transaction changes."""
        self.offsets: dict[int, int] = {}
        """Offsets of streams as the open transaction first read them."""
        self.task: TaskRun | None = None
        """The task that runs in this session."""
        self.borrowed = False
        """True while a routine or task runs as its owner: the session itself cannot change."""
        self.consumed: dict[int, int] = {}
        """Streams that the statement reads, with the instant up to which."""
        self.piped: tuple[Outcome, ...] = ()
        self._active: frozenset[str] = frozenset()
        self._active_for: tuple[Any, ...] = ()

    @property
    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return the connection to the rows, inside of a transaction.

        Many statements are about the catalog alone and never ask.
        """
        if not self._has_begun:
            self._has_begun = True
            self.connection.execute("BEGIN TRANSACTION")
        return self.connection

    def end_work(self, *, commit: bool) -> None:
        """End the transaction on the rows, where one has begun."""
        if self._has_begun:
            self._has_begun = False
            self.connection.execute("COMMIT" if commit else "ROLLBACK")

    def evaluated(self, value: exp.Expr, physical: str, env: Env | None = None) -> Any:
        """Evaluate an expression without rows, governed like a query, as a DuckDB type.

        The session does it: what is looked up knows no queries.
        """
        raise NotImplementedError

    def run(self, statement: str, values: list[Any] | None = None) -> duckdb.DuckDBPyConnection:
        """Run a DuckDB statement in the session's transaction."""
        return self.cursor.execute(statement, values or [])

    @property
    def stamp(self) -> int:
        """Return the instant that changes carry: a mark of the session's while it may roll back."""
        return images.PENDING + self.id if self.in_transaction else self.moment

    # ---- roles

    def available_roles(self) -> frozenset[str]:
        """Return every role the user may take on."""
        return self.account.rights.available(self.user)

    def secondary_role_names(self) -> frozenset[str]:
        """Return the roles that secondary roles add, without what they inherit."""
        if self.secondary_mode == "NONE":
            return frozenset()
        held = self.account.rights.granted_to_user(self.user)
        return held if self.secondary_mode == "ALL" else held & frozenset(self.secondary_list)

    def active_roles(self) -> frozenset[str]:
        """Return primary and secondary roles with everything they inherit."""
        key = (self.account.catalog.version, self.role, self.secondary_mode, self.secondary_list)
        if key != self._active_for:
            found = self.primary_roles()
            for role in self.secondary_role_names():
                found |= self.account.rights.closure(role)
            self._active, self._active_for = found, key
        return self._active

    def primary_roles(self) -> frozenset[str]:
        """Return the primary role with everything it inherits: what CREATE goes by."""
        if self.role is None:
            return frozenset({"PUBLIC"})
        return self.account.rights.closure(self.role)

    # ---- names

    def env(self) -> Env:
        """Return the environment of a statement that the user typed."""
        return Env(self.active_roles(), self.role or "", self.database, self.schema)

    def qualify(self, path: tuple[str, ...], env: Env | None = None) -> tuple[str, ...]:
        """Complete the name of an object that lives in a schema."""
        database = env.database if env else self.database
        schema = env.schema if env else self.schema
        if len(path) >= 3:
            return path[-3:]
        if database is None:
            raise refusals.no_current_database(self.verb())
        if len(path) == 2:
            return (database, *path)
        if schema is None:
            raise refusals.no_current_schema(self.verb())
        return (database, schema, *path)

    def qualify_as(self, kind: Kind, path: tuple[str, ...]) -> tuple[str, ...]:
        """Complete the name of an object of this kind."""
        if kind.depth == 3:
            return self.qualify(path)
        if kind.depth == 2 and len(path) == 1:
            if self.database is None:
                raise refusals.no_current_database(self.verb())
            return (self.database, *path)
        return path[-kind.depth :]

    def verb(self) -> str:
        """Return the statement's first word, for messages."""
        words = self.statement_text.split(None, 1)
        return words[0].upper() if words else "SELECT"

    # ---- objects

    def relation(self, path: tuple[str, ...]) -> Entity | None:
        """Return the table or view of that full name, whoever may see it."""
        catalog = self.account.catalog
        entity = catalog.find(Kind.TABLE, path) or catalog.find(Kind.STREAM, path)
        return entity if entity is not None and self.sees(entity) else None

    def sees(self, entity: Entity) -> bool:
        """Tell whether the object is not another session's temporary table."""
        detail = entity.detail
        owner = getattr(detail, "temporary", 0)
        return owner in (0, self.id)

    def readable(self, path: tuple[str, ...], env: Env, privilege: str = "SELECT") -> Entity:
        """Return a table or view that the roles may read (or write, as the privilege says)."""
        entity = self.relation(path)
        rights = self.account.rights
        if entity is None or not rights.reachable(env.roles, entity):
            raise self.missing_relation(path, env)
        if rights.has(env.roles, privilege, entity):
            return entity
        if rights.has_any(env.roles, entity):
            raise refusals.insufficient_privileges(entity.kind.value, entity.name)
        raise refusals.not_found("Object", path)

    def missing_relation(self, path: tuple[str, ...], env: Env) -> Exception:
        """Return the error for a name that leads nowhere, naming the part that is missing."""
        for kind, depth in ((Kind.DATABASE, 1), (Kind.SCHEMA, 2)):
            parent = self.account.catalog.find(kind, path[:depth])
            if parent is None or not self.account.rights.has_any(env.roles, parent):
                return refusals.not_found(kind.title, path[:depth])
        if self.account.catalog.find(Kind.SEMANTIC_VIEW, path) is not None:
            return refusals.unsupported("a semantic view in FROM without SEMANTIC_VIEW")
        return refusals.not_found("Object", path)

    def user_detail(self) -> UserDetail:
        """Return the user's entry."""
        entity = self.account.catalog.by_id(self.user_id)
        assert entity is not None
        assert isinstance(entity.detail, UserDetail)
        return entity.detail

    def tag_value(self, tag: tuple[str, ...], target: Entity, column: str) -> str | None:
        """Return a tag's value in force on a column, or on the object itself ('')."""
        entity = self.account.catalog.find(Kind.TAG, tag)
        if entity is None:
            raise refusals.not_found("Tag", tag)
        found = references.effective_tags(self, target, column).get(entity.id)
        return found[0].value if found is not None else None

    # ---- parsing

    def parse_query(self, text: str) -> exp.Query:
        """Parse a view's text; the tree is the caller's to change."""
        return parse_query(text)

    def parse_expression(self, text: str) -> exp.Expr:
        """Parse a policy's body or a default; the tree is the caller's to change."""
        return parse_expression(text)

    # ---- variables and results

    def variable_tree(self, name: str, *, missing_is_null: bool = False) -> exp.Expr:
        """Return the constant that a session variable stands for."""
        if name not in self.variables:
            if missing_is_null:
                return exp.null()
            raise refusals.missing_variable(name)
        value = self.variables[name]
        return value.copy() if isinstance(value, exp.Expr) else exp.convert(value)

    def variable_texts(self) -> Mapping[str, str]:
        """Return the session variables as text, for IDENTIFIER($v)."""
        return {
            name: value.name if isinstance(value, exp.Literal) else str(value)
            for name, value in self.variables.items()
        }

    def query_id_at(self, position: int) -> str | None:
        """Return an earlier statement's id: 1 is the first of the session, -1 the latest."""
        index = position - 1 if position > 0 else position
        try:
            return self.query_ids[index]
        except IndexError:
            return None

    def earlier_result(self, query_id: str) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over the kept result of an earlier statement.

        See https://docs.snowflake.com/en/sql-reference/functions/result_scan
        """
        kept = self.account.results.get(query_id)
        allowed = kept is not None and kept.user == self.user
        if kept is None or not allowed or (kept.role or "PUBLIC") not in self.active_roles():
            raise refusals.no_result(query_id)
        return self.as_query(kept.columns, kept.rows)

    def as_query(
        self, columns: tuple[Column, ...], rows: tuple[tuple[Any, ...], ...]
    ) -> tuple[exp.Query, tuple[OutColumn, ...]]:
        """Return a query over rows that are at hand."""
        self.temporary += 1
        return rows_as_query(self.run, f"__rows_{self.temporary}", columns, rows)

    # ---- what the account itself offers to queries

    def system_relation(
        self, path: tuple[str, ...], env: Env
    ) -> tuple[exp.Query, tuple[OutColumn, ...]] | None:
        """Return a query over an INFORMATION_SCHEMA or ACCOUNT_USAGE view; None for others."""
        found = system.view(self, path, env)
        return self.as_query(*found) if found is not None else None

    def system_scalar(self, node: exp.Anonymous) -> exp.Expr | None:
        """Return the constant that stands for a system function; None for other functions."""
        return functions.answer(self, node)

    def system_function(
        self, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
    ) -> tuple[exp.Query, tuple[OutColumn, ...]] | None:
        """Return a query over an INFORMATION_SCHEMA table function; None for others."""
        found = system.function(self, path, arguments, env)
        return self.as_query(*found) if found is not None else None
