"""The wire as code inside a statement sees it: one session, that of the statement.

Room: embedded. A procedure's handler gets a Snowpark session; what that sends is sent by the
session that called the procedure, with the role that the procedure runs as.
See https://docs.snowflake.com/en/developer-guide/stored-procedure/python/procedure-python-overview
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.wire.answers import Document, done
from skills_nb.embedded.wire.statements import Statements
from skills_nb.embedded.wire.wire import EmbeddedWire


class InsideWire(EmbeddedWire):
    """A wire on which every login reaches the same session."""

    def __init__(self, session: Context) -> None:
        """Answer for the session whose statement is at work."""
        account = session.account
        assert isinstance(session, AccountSession)
        assert isinstance(account, Account)
        super().__init__(account)
        self._inside = session
        self._statements = Statements(account, nested=True)

    def _login(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        return self._begun(self._inside)

    def _admit(self, session: AccountSession) -> None:
        # A statement that is at work is finished.
        pass

    def _logout(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        # The session goes on when the handler is through.
        self._sessions.pop(self._token(headers), None)
        return done({})
