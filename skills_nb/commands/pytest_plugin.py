"""The pytest plugin: an embedded account for each test, ready in milliseconds.

Room: commands. Loaded at the start of every test run of whoever has this package installed, so it
imports nothing before a test asks for an account.

    def test_analysts_see_no_addresses(snowflake_account):
        admin = snowflake_account.connect()
        admin.sql("CREATE DATABASE shop").collect()
        ...
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.runtime.mounted_connection import Session


class SnowflakeAccount:
    """A new account in memory: the system roles, the user ADMIN, the warehouse COMPUTE_WH."""

    def __init__(self, account: Account) -> None:
        """Hand out sessions on an account; the fixture `snowflake_account` is the usual door."""
        from skills_nb.embedded.wire import EmbeddedWire

        self._account = account
        self._wire = EmbeddedWire(account)
        self._sessions: list[Session] = []

    def connect(
        self, user: str = "ADMIN", role: str | None = None, **connector_options: Any
    ) -> Session:
        """Return a Snowpark session, closed after the test.

        Args:
            user: who logs in.
            role: a role granted to that user; ACCOUNTADMIN for ADMIN when left out.
            connector_options: handed to the connector, such as `database` and `warehouse`.

        Raises:
            snowflake.connector.errors.DatabaseError: the user is unknown, or lacks the role.
        """
        from skills_nb.runtime import mounted_connection

        default = "ACCOUNTADMIN" if user.upper() == "ADMIN" else None
        connection = mounted_connection.connect(
            self._wire, user=user, role=role or default, **connector_options
        )
        made = mounted_connection.session(connection)
        self._sessions.append(made)
        return made

    def run(self, script: str) -> None:
        """Run the statements of a script one by one as ACCOUNTADMIN, without Snowpark.

        Raises:
            SqlError: a statement is refused.
        """
        from skills_nb.sql.statements import split

        with closing(self._account.session("ADMIN", "ACCOUNTADMIN")) as session:
            for statement in split(script):
                session.execute(statement.text)

    def close(self) -> None:
        """End the sessions; what they made is gone."""
        for session in self._sessions:
            session.close()
            session.connection.close()
        self._sessions.clear()


@pytest.fixture
def snowflake_account() -> Iterator[SnowflakeAccount]:
    """Give a test a new embedded Snowflake account of its own, in memory and without demo data."""
    from skills_nb.commands.home import embedded_accounts
    from skills_nb.embedded.engine.account import Account

    with Account.open(None) as account:
        embedded_accounts.let_handlers_in(account)
        handed = SnowflakeAccount(account)
        yield handed
        handed.close()


@pytest.fixture
def snowflake_session(snowflake_account: SnowflakeAccount) -> Session:
    """Give a test a Snowpark session on its `snowflake_account`, as ACCOUNTADMIN."""
    return snowflake_account.connect(warehouse="COMPUTE_WH")
