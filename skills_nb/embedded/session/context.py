"""What a statement may ask of the session that it runs in, and of the account behind that.

Room: embedded. Everything below the session takes these protocols in its place: they know of no
module that answers a statement, so that none of those knows the session.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from sqlglot import exp

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.catalog.protection import Protection
from skills_nb.embedded.confined.processes import Worker
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.session.account_storage import Lends, Staged, Stored
from skills_nb.embedded.session.capabilities import Names, Roles, Rows
from skills_nb.embedded.session.session_state import Mover, StatementState
from skills_nb.embedded.types import default_clock
from skills_nb.embedded.types.format_parameters import Customs
from skills_nb.embedded.types.scope import Env
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.task_run import Run, TaskRun
from skills_nb.embedded.types.values import (
    AccountInfo,
    AiHandler,
    KeptResult,
    Outcome,
    Result,
)
from skills_nb.errors import SqlError
from skills_nb.ports import InnerStatement, Wire


class PythonSession(Protocol):
    """How the handler of a procedure comes to its Snowpark session."""

    @property
    def module(self) -> Path:
        """Return the code that opens a session over a wire, as `handler_session`."""
        ...

    @property
    def wire(self) -> Callable[[Context], Wire]:
        """Return what makes the wire to the session that calls."""
        ...


class PythonHandlers(Protocol):
    """The account's routines in Python."""

    trusted: bool
    """Whether Python runs where the machine cannot shut it in."""
    function_s: float
    """Seconds that a function may take for a row."""
    procedure_s: float
    """Seconds that a procedure may take between two of its statements."""

    def expect(self, session: Context) -> None:
        """Begin to load what procedures need, without waiting for it."""
        ...

    def is_on(self) -> bool:
        """Tell whether handlers run here."""
        ...

    def number(self, session: Context, owner: str, invoker: str, detail: RoutineDetail) -> int:
        """Return the number that stands for a function that somebody calls."""
        ...

    def rows(self, number: int, packed: Sequence[str]) -> list[str | None]:
        """Return what a function's handler returns for each row of arguments."""
        ...

    def begun(self, session: Context, *, is_rich: bool) -> Worker:
        """Return a worker, which whoever asks for it ends."""
        ...

    def end(self, query_id: str) -> None:
        """End what runs for a statement that is over."""
        ...

    def forget(self, session_id: int) -> None:
        """Forget what a session called that is over."""
        ...


class Work(Protocol):
    """A statement at work."""

    session: Context
    query_id: str
    thread: int
    reason: SqlError | None
    """Why it ends; None while it may go on."""

    def stop(self, reason: SqlError) -> None:
        """End the statement as soon as it can be ended; the first reason counts."""
        ...


class AccountContext(Protocol):
    """The account, as far as its statements know it."""

    catalog: Catalog
    info: AccountInfo
    clock: default_clock.Clock
    ids: default_clock.Ids
    lock: threading.RLock
    working: dict[str, Work]
    """Statements at work by query id: one, and those inside which it runs."""
    cancelled: dict[str, int]
    """Statements that somebody ended, with their sessions."""
    unmade: set[int]
    """Numbers of the tables that DuckDB does not know yet."""
    touched: set[int]
    """Numbers of the tables that statements looked at or changed."""
    read_from: set[int]
    """Those of them whose rows were read."""
    python_functions: set[str]
    """Handlers that DuckDB knows by now."""
    ai_handler: AiHandler | None
    python_session: PythonSession | None
    """Opens a Snowpark session over one of this account's, for procedures in Python."""
    python: PythonHandlers
    """Handlers in Python, in processes of their own."""
    is_rehearsal: bool
    """Whether what runs here is only tried: nothing of it may reach beyond the account."""

    def seen_by(self, session: int) -> AbstractContextManager[None]:
        """Let a session's temporary objects stand before lasting ones while it works."""
        ...

    @property
    def store(self) -> Stored:
        """Return where rows and history are kept."""
        ...

    @property
    def files(self) -> Staged:
        """Return where the files of stages are kept."""
        ...

    @property
    def results(self) -> Mapping[str, KeptResult]:
        """Return the results that are kept, by query id."""
        ...

    @property
    def lender(self) -> Lends | None:
        """Return who has the rows of tables that are not here; None where nobody has."""
        ...

    def instant(self) -> datetime:
        """Return an instant after every earlier one: when a statement happens."""
        ...

    def keep_result(self, query_id: str, kept: KeptResult) -> None:
        """Remember a result for RESULT_SCAN; the oldest go first."""
        ...

    def make_places(self, touched: Iterable[int]) -> bool:
        """Make what DuckDB does not know yet of the tables touched, or of all if none is."""
        ...

    def policies_of(self, entity: Entity) -> Protection:
        """Return what protects a table or view, policies of tags included."""
        ...

    def lent_rows(self, entities: Iterable[Entity]) -> dict[int, int]:
        """Count the rows of tables that are with whoever lends them still, by number."""
        ...


class Context(Names, Roles, Rows, Protocol):
    """A session, as those know it who answer its statements."""

    id: int
    client: str
    knows_clouds_alone: bool
    """Whether the client moves files through a cloud's storage alone."""
    moves_files: Mover
    """Who moves the files of the statement at work."""
    statement: StatementState
    """What is known of the statement at work."""
    query_ids: list[str]
    connection: Connection
    quiet: threading.RLock
    """Held while the session tidies up, when nobody may interrupt it."""
    parameters: dict[str, Any]
    customs: Customs
    """What the parameters say about moments, bytes and weeks."""
    in_transaction: bool
    transaction_id: str | None
    transaction_name: str
    """Of the latest transaction; empty before the first."""
    transaction_moment: int
    depth: int
    changed: set[tuple[str, str]]
    """Places that the open transaction changes."""
    offsets: dict[int, int]
    """Offsets of streams as the open transaction first read them."""
    task: TaskRun | None
    """The task that runs in this session."""
    temporary: int
    statement_limit_s: int
    inner: list[InnerStatement] | None
    """The statements that succeeded, those inside others first; None where nobody asks."""
    failed_runs: list[Run]
    """Runs that failed with the statement, to be kept although it is undone."""

    @property
    def account(self) -> AccountContext:
        """Return the account."""
        ...

    # ---- objects

    def relation(self, path: tuple[str, ...], *, in_body: bool = False) -> Entity | None:
        """Return the table or view of that full name, whoever may see it.

        Where the text of a view or policy names it, that is the lasting one.
        """
        ...

    def sees(self, entity: Entity) -> bool:
        """Tell whether the object is not another session's temporary table."""
        ...

    def tag_value(self, tag: tuple[str, ...], target: Entity, column: str) -> str | None:
        """Return a tag's value in force on a column, or on the object itself ('')."""
        ...

    def system_relation(self, path: tuple[str, ...], env: Env) -> Table | None:
        """Return the rows of an INFORMATION_SCHEMA or ACCOUNT_USAGE view; None for others."""
        ...

    def system_scalar(self, node: exp.Anonymous) -> exp.Expr | None:
        """Return the constant that stands for a system function; None for other functions."""
        ...

    def system_function(
        self, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
    ) -> Table | None:
        """Return the rows of an INFORMATION_SCHEMA table function; None for others."""
        ...

    def expectations(self, arguments: dict[str, exp.Expr]) -> Table:
        """Measure a table now, and tell which expectations it does not meet."""
        ...

    # ---- variables, texts and results

    def parse_query(self, text: str) -> exp.Query:
        """Parse a view's text; the tree is the caller's to change."""
        ...

    def parse_expression(self, text: str) -> exp.Expr:
        """Parse a policy's body or a default; the tree is the caller's to change."""
        ...

    def variable_tree(self, name: str, *, missing_is_null: bool = False) -> exp.Expr:
        """Return the constant that a session variable stands for."""
        ...

    def variable_texts(self) -> Mapping[str, str]:
        """Return the session variables as text, for IDENTIFIER($v)."""
        ...

    def query_id_at(self, position: int) -> str | None:
        """Return an earlier statement's id: 1 is the first of the session, -1 the latest."""
        ...

    def kept_result(self, query_id: str) -> KeptResult:
        """Return what is kept of an earlier statement's result."""
        ...

    def earlier_result(self, query_id: str) -> Table:
        """Return the kept result of an earlier statement."""
        ...

    # ---- work inside of a statement

    def end_work(self, *, commit: bool) -> None:
        """End the transaction on the rows, where one has begun."""
        ...

    def evaluated(self, value: exp.Expr, physical: str, env: Env | None = None) -> Any:
        """Evaluate an expression without rows, governed like a query, as a DuckDB type."""
        ...

    def aside(self, query: str) -> Outcome:
        """Evaluate a query that is no statement of its own: an expression of a script."""
        ...

    def execute(
        self,
        sql: str,
        *,
        bindings: object = None,
        query_tag: str | None = None,
        describe_only: bool = False,
        query_id: str | None = None,
    ) -> Result:
        """Run one statement."""
        ...

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
        """Run a statement of a script, procedure or task, which commits for itself."""
        ...

    def begin_change(self) -> None:
        """Begin a transaction before rows are changed, where AUTOCOMMIT is off."""
        ...

    def open_transaction(self, name: str | None = None) -> None:
        """Begin a transaction that spans statements."""
        ...

    def close_transaction(self, *, commit: bool) -> None:
        """End the transaction; history rows survive a rollback."""
        ...

    def commit_before_ddl(self) -> None:
        """Commit what is open: DDL is a transaction of its own."""
        ...

    def own_transactions(self) -> AbstractContextManager[None]:
        """Run a procedure or block, which must end the transactions that it begins."""
        ...
