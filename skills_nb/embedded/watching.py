"""Watching: statements at work, and how one is ended from outside.

Room: embedded. A statement holds the account's lock while it works, so whoever wants to end it
cannot be a statement that waits for the lock: the wire, a timer, and a look at the text of
SYSTEM$CANCEL_QUERY before it gets in line do it. DuckDB forgets an interruption that comes between
two of its queries, so a watch repeats it until the statement is over, and never while the session
tidies up (`quiet`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.account import Account
    from skills_nb.embedded.session import AccountSession

_PAUSE_S = 0.02
_CANCEL = re.compile(r"SYSTEM\$CANCEL_QUERY\s*\(\s*'([^']+)'\s*\)", re.IGNORECASE)
_CANCEL_ALL = re.compile(r"SYSTEM\$CANCEL_ALL_QUERIES\s*\(\s*'?(\d+)'?\s*\)", re.IGNORECASE)


class Watch:
    """One statement at work; a context manager around its work."""

    def __init__(self, session: AccountSession, query_id: str, limit_s: float | None) -> None:
        """Watch a statement of a session, for `limit_s` seconds if there is a limit."""
        self.session = session
        self.query_id = query_id
        self.thread = threading.get_ident()
        self.reason: SqlError | None = None
        self._limit_s = limit_s
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

    def _expire(self) -> None:
        if self._limit_s is not None and not self._over.wait(self._limit_s):
            self.stop(refusals.timed_out(self._limit_s))

    def __enter__(self) -> Watch:
        self.session.account.working[self.query_id] = self
        if self._limit_s is not None:
            threading.Thread(target=self._expire, name="skills-limit", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self.session.quiet:
            self._over.set()
        self.session.account.working.pop(self.query_id, None)


def heed(session: AccountSession, sql: str) -> None:
    """Cancel what the text asks to cancel, before it waits for that very statement."""
    working = session.account.working
    if not working or "CANCEL_" not in sql.upper():
        return
    for watch in [*working.values()]:
        if watch.query_id in _CANCEL.findall(sql) or (
            str(watch.session.id) in _CANCEL_ALL.findall(sql)
        ):
            cancel(session, watch)


def cancel(session: AccountSession, watch: Watch) -> None:
    """End another statement on behalf of a session that may do that.

    See https://docs.snowflake.com/en/sql-reference/functions/system_cancel_query
    """
    if _may_cancel(session, watch):
        session.account.cancelled[watch.query_id] = watch.session.id
        watch.stop(refusals.canceled())


def _may_cancel(session: AccountSession, watch: Watch) -> bool:
    roles, rights = session.active_roles(), session.account.rights
    if watch.session.user == session.user or "ACCOUNTADMIN" in roles:
        return True
    name = watch.session.warehouse
    warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
    return warehouse is not None and rights.has(roles, "OPERATE", warehouse)


def is_inside(account: Account) -> bool:
    """Tell whether this thread is inside a statement of the account, as a procedure's code is."""
    return any(watch.thread == threading.get_ident() for watch in [*account.working.values()])


def of_session(session: AccountSession) -> Iterator[Watch]:
    """Find what a session works on."""
    return (w for w in [*session.account.working.values()] if w.session is session)
