"""Sandboxes on a real account: what a task owns is not there before, and is gone afterwards.

Room: work (bench). The account belongs to somebody: only names that the task declares are made
room for, none of them may exist before, and only they are dropped. One sandbox at a time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from skills_nb.bench.tasks.task_values import SnowflakeTask
from skills_nb.errors import SkillsError, SqlError
from skills_nb.ports import QueryRows, SqlSession
from skills_nb.sql.identifiers import quote, split_name
from skills_nb.sql.tokens import literal

_KINDS: Mapping[str, str] = {
    "databases": "DATABASE",
    "roles": "ROLE",
    "warehouses": "WAREHOUSE",
    "users": "USER",
}
"""Kinds that a task may own, in the order of dropping."""
_VOLATILE = frozenset({"created_on", "granted_by"})
"""Columns of SHOW that differ between two accounts in the same state."""
MOST_ROWS = 100_000
Note = Callable[[str, str], None]
"""Keeps on disk what was begun or ended, and whose."""


class AccountSandboxes:
    """Makes room on a real account. Implements `sandboxes.Sandboxes`."""

    backend = "snowflake"

    def __init__(self, opens: Callable[[], SqlSession], note: Note, limit_s: int = 120) -> None:
        """Remember how sessions are opened; none is yet."""
        self._opens = opens
        self._note = note
        self._limit_s = limit_s

    @contextmanager
    def open(self, task: SnowflakeTask) -> Iterator[AccountSandbox]:
        """Return a sandbox of the names that the task owns.

        Raises:
            SkillsError: the task owns nothing, or one of its names is taken.
        """
        if not any(task.owns.values()):
            raise SkillsError("the task does not say what it owns, so it cannot run here")
        sandbox = AccountSandbox(self._opens, task.owns, self._limit_s)
        try:
            taken = sandbox.taken()
            if taken:
                raise SkillsError(
                    f"the account holds {', '.join(taken)} already",
                    hint="use an account, or names, that nobody else works with",
                )
            for kind, name in sandbox.owned():
                self._note("intended", f"{kind} {name}")
            try:
                yield sandbox
            finally:
                for kind, name in sandbox.drop():
                    self._note("dropped", f"{kind} {name}")
        finally:
            sandbox.close()

    def is_gap(self, error: SqlError) -> bool:
        """Return False: what the real account refuses, it refuses."""
        return False


class AccountSandbox:
    """A part of a real account. Implements `sandboxes.Sandbox`."""

    def __init__(
        self,
        opens: Callable[[], SqlSession],
        owns: Mapping[str, tuple[str, ...]],
        limit_s: int,
    ) -> None:
        """Open the first session."""
        self._opens = opens
        self._owns = owns
        self._limit_s = limit_s
        self._session = self._opened()

    def _opened(self) -> SqlSession:
        session = self._opens()
        session.query(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {self._limit_s}")
        return session

    def run(self, statement: str) -> QueryRows:
        """Run one statement as the session stands."""
        return self._session.query(statement, limit=MOST_ROWS)

    def become(self, role: str) -> None:
        """Go on as a role; one that nobody holds is granted first, as an administrator can."""
        try:
            self.run(f"USE ROLE {role}")
        except SqlError:
            self.run("USE ROLE ACCOUNTADMIN")
            user = self.run("SELECT CURRENT_USER()").rows[0][0]
            self.run(f"GRANT ROLE {role} TO USER {quote(str(user))}")
            self.run(f"USE ROLE {role}")
        self.run("USE SECONDARY ROLES NONE")

    def renew(self) -> None:
        """Go on in a new session."""
        self._session.close()
        self._session = self._opened()

    def owned(self) -> Iterator[tuple[str, str]]:
        """Yield kind and name of what the task owns."""
        for plural, kind in _KINDS.items():
            for name in self._owns.get(plural, ()):
                yield kind, name

    def taken(self) -> list[str]:
        """Return what of it exists."""
        self.become("ACCOUNTADMIN")
        return [f"{kind} {name}" for kind, name in self.owned() if self._exists(kind, name)]

    def _exists(self, kind: str, name: str) -> bool:
        stored = split_name(name)[-1]
        pattern = literal(stored.replace("_", "\\_").replace("%", "\\%"))
        return bool(self.run(f"SHOW {kind}S LIKE {pattern}").rows)

    def drop(self) -> Iterator[tuple[str, str]]:
        """Drop what the task owns; yields what is gone."""
        self.renew()
        self.become("ACCOUNTADMIN")
        for kind, name in self.owned():
            self.run(f"DROP {kind} IF EXISTS {name}")
            yield kind, name

    def fingerprint(self) -> str:
        """Return a hash of definitions, rights and rows of what the task owns."""
        self.become("ACCOUNTADMIN")
        parts = [part for kind, name in self.owned() for part in self._portrait(kind, name)]
        text = json.dumps(parts, sort_keys=True, default=str)
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def inventory(self) -> None:
        """Return None: what else a shared account holds changes while others work in it."""

    def _portrait(self, kind: str, name: str) -> Iterator[Any]:
        if not self._exists(kind, name):
            return
        if kind == "DATABASE":
            yield self.run(f"SELECT GET_DDL('DATABASE', {literal(name)}, TRUE)").rows
            yield from self._tables(name)
        if kind == "ROLE":
            yield _steady(self.run(f"SHOW GRANTS TO ROLE {name}"))
            yield _steady(self.run(f"SHOW GRANTS OF ROLE {name}"))

    def _tables(self, database: str) -> Iterator[Any]:
        listed = self.run(
            f"SELECT TABLE_SCHEMA, TABLE_NAME FROM {database}.INFORMATION_SCHEMA.TABLES "
            "WHERE TABLE_TYPE = 'BASE TABLE' ORDER BY 1, 2"
        )
        for schema, table in listed.rows:
            name = f"{database}.{quote(str(schema))}.{quote(str(table))}"
            rows = sorted(map(repr, self.run(f"SELECT * FROM {name}").rows))
            yield [name, rows]

    def close(self) -> None:
        """End the session."""
        self._session.close()


def _steady(found: QueryRows) -> list[list[Any]]:
    """Return rows without what differs between two accounts in the same state, in order."""
    kept = [i for i, column in enumerate(found.columns) if column.lower() not in _VOLATILE]
    return sorted(([row[i] for i in kept] for row in found.rows), key=repr)
