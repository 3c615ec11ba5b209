"""The demo account: an outdoor shop's data, and the people who may and may not see it.

Room: embedded (demo). `seed` speaks Snowflake SQL to a fresh account and nothing else, so every
statement of it could be run on Snowflake. Generators load when `seed` is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class DemoSession(Protocol):
    """What seeding needs of a session."""

    def execute(self, sql: str, *, bindings: Mapping[str, Any] | None = None) -> object:
        """Run one statement, with arrays of values bound to its placeholders."""


class DemoAccount(Protocol):
    """What seeding needs of an account."""

    def session(self, user: str, role: str) -> DemoSession:
        """Open a session."""


def seed(account: DemoAccount) -> None:
    """Create roles, users, warehouses and `PROD` with about 5,000 rows in a fresh account.

    Raises:
        SqlError: the account is not fresh, or refuses a statement.
    """
    from skills_nb.embedded.tools.demo.script import statements

    session = account.session(user="ADMIN", role="ACCOUNTADMIN")
    for text, bindings in statements():
        session.execute(text, bindings=bindings)
