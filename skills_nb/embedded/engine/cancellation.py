"""Watching: statements at work, and how one is ended from outside.

Room: embedded. A statement holds the account's lock while it works, so whoever wants to end it
cannot be a statement that waits for the lock: the wire and a timer do it, and a statement that
calls SYSTEM$CANCEL_QUERY is looked at before it gets in line. DuckDB forgets an interruption that
comes between two of its queries, so a watch repeats it until the statement is over, and never while
the session tidies up (`quiet`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.engine import time_limits
from skills_nb.embedded.parser.statement import (
    Administration,
    AnonymousProcedure,
    Block,
    General,
    parse,
)
from skills_nb.embedded.session.context import AccountContext, Context, Work
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

_PAUSE_S = 0.02
_ONE, _ALL = "SYSTEM$CANCEL_QUERY", "SYSTEM$CANCEL_ALL_QUERIES"
_USER = "ALTER USER"
_WORDS = re.compile(r"CANCEL_|\bDISABLED\b|\bABORT\b", re.IGNORECASE)
"""What is in every statement that ends others."""
_IN_SCRIPTS = re.compile(
    r"(SYSTEM\$CANCEL_QUERY|SYSTEM\$CANCEL_ALL_QUERIES)\s*\(\s*'?([^')\s]+)'?\s*\)", re.IGNORECASE
)
"""A script's statements are read when they run, which is when it holds the lock."""


class Watch:
    """One statement at work; a context manager around its work."""

    def __init__(self, session: Context, query_id: str, limit_s: float | None) -> None:
        """Watch a statement of a session, for `limit_s` seconds if there is a limit."""
        self.session = session
        self.query_id = query_id
        self.thread = threading.get_ident()
        self.reason: SqlError | None = None
        self._limit_s = limit_s
        self._limit: object = None
        self._over = threading.Event()

    def stop(self, reason: SqlError) -> None:
        """End the statement as soon as it can be ended; the first reason counts."""
        if self.reason is None:
            self.reason = reason
            threading.Thread(target=self._interrupt, name="skills-stop", daemon=True).start()

    def _interrupt(self) -> None:
        while not self._over.wait(_PAUSE_S):
            with self.session.quiet:
                if not self._over.is_set():
                    self.session.connection.interrupt()

    def __enter__(self) -> Watch:
        self.session.account.working[self.query_id] = self
        if (limit_s := self._limit_s) is not None:
            self._limit = time_limits.begin(limit_s, lambda: self.stop(errors.timed_out(limit_s)))
        return self

    def __exit__(self, *_: object) -> None:
        time_limits.end(self._limit)
        with self.session.quiet:
            self._over.set()
        self.session.account.working.pop(self.query_id, None)


def heed(session: Context, sql: str) -> None:
    """Cancel what the text asks to cancel, before it waits for that very statement."""
    working = session.account.working
    if not working or not _WORDS.search(sql):
        return
    asked = set(_cancelled(sql, session.variable_texts()))
    for watch in [*working.values()]:
        if asked & {(_ONE, watch.query_id), (_ALL, str(watch.session.id))}:
            cancel(session, watch)
        elif (_USER, watch.session.user) in asked and _owns_user(session, watch.session.user):
            watch.stop(errors.canceled())


def _owns_user(session: Context, name: str) -> bool:
    user = session.account.catalog.find(Kind.USER, (name,))
    return user is not None and access.owns(session, user)


def _is_stopping(action: ast.Action) -> bool:
    """Tell whether an action on a user ends the user's statements.

    See https://docs.snowflake.com/en/sql-reference/sql/alter-user
    """
    disabled = isinstance(action, ast.SetProperties) and action.properties.get("DISABLED")
    return disabled is True or isinstance(action, ast.AbortAllQueries)


def _cancelled(sql: str, variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what a statement cancels when it runs: the function, and whom it names."""
    try:
        what = parse(sql, {}, variables).what
    except SqlError:
        return
    match what:
        case General(tree=tree):
            for call in tree.find_all(exp.Anonymous):
                if len(call.expressions) == 1:
                    yield str(call.this).upper(), call.expressions[0].name
        case Administration(statement=ast.Call(name=(name,), arguments=(argument,))):
            yield name, argument.strip("'")
        case Administration(statement=ast.Alter(kind="USER", name=(name,), actions=actions)):
            if any(map(_is_stopping, actions)):
                yield _USER, name
        case Administration(statement=ast.Chain(steps=steps)):
            for step in steps:
                yield from _cancelled(step, variables)
        case Administration(statement=ast.ExecuteImmediate(text=str(text))):
            yield from _cancelled(text, variables)
        case Block(text=text) | AnonymousProcedure(text=text):
            yield from ((name.upper(), named) for name, named in _IN_SCRIPTS.findall(text))
        case _:
            return


def cancel(session: Context, watch: Work) -> None:
    """End another statement on behalf of a session that may do that.

    See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_query
    """
    if _may_cancel(session, watch):
        session.account.cancelled[watch.query_id] = watch.session.id
        watch.stop(errors.canceled())


def _may_cancel(session: Context, watch: Work) -> bool:
    if watch.session.user == session.user or access.administers(session):
        return True
    name = watch.session.warehouse
    warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
    return warehouse is not None and access.may(session, "OPERATE", warehouse)


def is_inside(account: AccountContext) -> bool:
    """Tell whether this thread is inside a statement of the account, as a procedure's code is."""
    return any(watch.thread == threading.get_ident() for watch in [*account.working.values()])


def of_session(session: Context) -> Iterator[Work]:
    """Find what a session works on."""
    return (w for w in [*session.account.working.values()] if w.session is session)
