"""What a sandbox of an account is, as the measuring sees it.

Room: work (bench). A sandbox is fresh: nothing of an earlier answer is in it, and nothing of it
is left when it is closed. Statements run as a role with secondary roles off.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from skills_nb.bench.tasks.values import SnowflakeTask
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows


class Sandbox(Protocol):
    """One account, or the part of one that a task owns."""

    def enter(self, role: str, database: str | None, schema: str | None, warehouse: str) -> None:
        """Stand where an answer starts.

        Raises:
            SqlError: there is no such role, database, schema or warehouse.
        """
        ...

    def run(self, statement: str) -> QueryRows:
        """Run one statement of an answer, as the session stands.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def look(self, statement: str, role: str) -> QueryRows:
        """Run one statement of a check, as a role, wherever the session stood.

        Raises:
            SqlError: the account refused it.
        """
        ...

    def fingerprint(self) -> str:
        """Return a hash of everything in it: objects, rights, policies and rows."""
        ...


class Sandboxes(Protocol):
    """Makes sandboxes."""

    backend: str
    """`embedded` or `snowflake`."""

    def open(self, task: SnowflakeTask) -> AbstractContextManager[Sandbox]:
        """Return a fresh sandbox with nothing in it yet; closing it leaves nothing behind."""
        ...

    def is_gap(self, error: SqlError) -> bool:
        """Return whether a refusal is this backend's own limit, not the statement's fault."""
        ...
