"""A session that works as the role a thread began with, whatever its own role is by now.

Room: work. Source: ARCHITECTURE, What must stay true; Spec: Multi-Account Context.
"""

from __future__ import annotations

from skills_nb.model.events import AccountContext
from skills_nb.ports import Fate, QueryRows, SqlSession, StatementOutcome
from skills_nb.sql.identifiers import render_name


class ActingSession:
    """Lends a role to whatever asks for none. Implements `ports.SqlSession`."""

    def __init__(self, session: SqlSession, role: str) -> None:
        """Work through a session that somebody else closes.

        Args:
            session: the session as it is.
            role: stored name of the role to work as.
        """
        self._session = session
        self._name = role
        self._role = render_name((role,))

    def context(self) -> AccountContext:
        """Return where the session works, as the role that is lent."""
        return self._session.context().model_copy(update={"current_role": self._name})

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement, as `role` if given.

        Raises:
            SqlError: the account refused it, or the role.
        """
        return self._session.query(sql, role=role or self._role, limit=limit)

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account, as `role` if given.

        Raises:
            SqlError: the account refused it, or the role.
        """
        return self._session.execute(sql, role=role or self._role, tag=tag)

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long, as `role` if given; return its query id.

        Raises:
            SqlError: the account did not take it, or the role.
        """
        return self._session.submit(sql, role=role or self._role, tag=tag)

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last.

        Raises:
            SqlError: the account refused it.
        """
        return self._session.outcome(query_id)

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history by its tag."""
        return self._session.fate(tag, query_id=query_id, sql=sql)

    def close(self) -> None:
        """Leave the session open: it is not ours."""
