"""What a sandbox of an account is, as the measuring sees it.

Room: work (bench). A sandbox is fresh: nothing of an earlier answer is in it, and nothing of it
is left when it is closed.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from skills_nb.bench.snowflake.collateral import Inventory
from skills_nb.bench.tasks.task_values import SnowflakeTask
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import split

ADMIN_ROLE = "ACCOUNTADMIN"


class Sandbox(Protocol):
    """One account, or the part of one that a task owns, and a session in it."""

    def run(self, statement: str) -> QueryRows:
        """Run one statement as the session stands.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def become(self, role: str) -> None:
        """Go on as a role and as nothing else: secondary roles are off.

        Raises:
            SqlError: there is no such role.
        """
        ...

    def renew(self) -> None:
        """Go on in a new session: what the old one set, or kept for itself, is gone."""
        ...

    def fingerprint(self) -> str:
        """Return a hash of everything in it: objects, rights, policies and rows."""
        ...

    def inventory(self) -> Inventory | None:
        """Return everything in the account as plain facts; None where it cannot all be told."""
        ...


class Sandboxes(Protocol):
    """Makes sandboxes."""

    @property
    def backend(self) -> str:
        """Return `embedded` or `snowflake`."""
        ...

    def open(self, task: SnowflakeTask) -> AbstractContextManager[Sandbox]:
        """Return a fresh sandbox with nothing in it yet; closing it leaves nothing behind."""
        ...

    def is_gap(self, error: SqlError) -> bool:
        """Return whether a refusal is this backend's own limit, not the statement's fault."""
        ...


def run_script(sandbox: Sandbox, script: str, role: str = ADMIN_ROLE) -> int:
    """Run a script's statements one by one, from a role on; return how many there were.

    Raises:
        SqlError: the account refused one.
    """
    sandbox.become(role)
    statements = split(script)
    for statement in statements:
        sandbox.run(statement.text)
    return len(statements)
