"""Sandboxes on the embedded account: a new account in memory for each, with a clock of its own.

Room: work (bench). The clock starts at the same instant in every sandbox and moves by a
millisecond a look, and ids count: the same statements leave the same account, on any day.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from skills_nb.bench.snowflake.collateral import FILE, ROWS, Inventory
from skills_nb.bench.tasks.task_values import SnowflakeTask
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.json_values import json_safe

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.engine.session import AccountSession
    from skills_nb.embedded.storage.files.files import StagedFile

BEGINNING = datetime(2026, 1, 5, 8, tzinfo=UTC)
"""When every sandbox begins."""
_GAP = (2, "0A000")
"""How the embedded account says that it lacks something."""
_INCIDENT = 300010
"""How it says that it broke over a statement."""


class EmbeddedSandboxes:
    """Makes embedded accounts. Implements `sandboxes.Sandboxes`."""

    backend = "embedded"

    def __init__(self, limit_s: int = 120) -> None:
        """Let no statement take longer than a limit."""
        self.limit_s = limit_s

    @contextmanager
    def open(self, task: SnowflakeTask) -> Iterator[EmbeddedSandbox]:
        """Return a new account in memory."""
        from skills_nb.embedded.engine.account import Account

        with Account.open(None, clock=_Ticking(), ids=_Counting()) as account:
            sandbox = EmbeddedSandbox(account, self.limit_s)
            try:
                yield sandbox
            finally:
                sandbox.close()

    def is_gap(self, error: SqlError) -> bool:
        """Return whether the embedded account lacks what was asked of it, or broke over it."""
        return (error.errno, error.sqlstate) == _GAP or error.errno == _INCIDENT


class EmbeddedSandbox:
    """One embedded account. Implements `sandboxes.Sandbox`."""

    def __init__(self, account: Account, limit_s: int) -> None:
        """Log in as the administrator."""
        self.account = account
        self._limit_s = limit_s
        self._session = self._logged_in()

    def _logged_in(self) -> AccountSession:
        session = self.account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        session.execute(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {self._limit_s}")
        return session

    def run(self, statement: str) -> QueryRows:
        """Run one statement as the session stands."""
        result = self._session.execute(statement)
        rows = tuple(tuple(json_safe(cell) for cell in row) for row in result.rows)
        names = tuple(column.name for column in result.columns)
        return QueryRows(names, rows, len(result.rows), result.query_id)

    def become(self, role: str) -> None:
        """Go on as a role; one that nobody holds is granted first, as an administrator can."""
        try:
            self.run(f"USE ROLE {role}")
        except SqlError:
            self.run("USE ROLE ACCOUNTADMIN")
            self.run(f"GRANT ROLE {role} TO USER ADMIN")
            self.run(f"USE ROLE {role}")
        self.run("USE SECONDARY ROLES NONE")

    def renew(self) -> None:
        """Go on in a new session."""
        self._session.close()
        self._session = self._logged_in()

    def fingerprint(self) -> str:
        """Return a hash of the catalog, of every table's rows and of the names of staged files.

        Bytes of files that an account writes itself follow the order of rows, which nothing
        promises.
        """
        held = self.account.fingerprint()
        names = [[title, file.name] for title, file in self._files()]
        text = json.dumps([held, self._row_hashes(), names], sort_keys=True, default=str)
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def inventory(self) -> Inventory:
        """Return the catalog as facts, with hashes of every table's rows and every staged file."""
        from skills_nb.embedded.catalog.surveying import inventory
        from skills_nb.sql.identifiers import render_name

        found = inventory(self.account.catalog)
        for path, rows in self._rows():
            title = f"table {render_name(path)}"
            if title in found:
                found[title][ROWS] = rows
        for title, file in self._files():
            if title in found:
                found[title][FILE + file.name] = file.digest
        return found

    def _files(self) -> list[tuple[str, StagedFile]]:
        """Return every file of a stage or of a table's own stage, with what it belongs to."""
        from skills_nb.embedded.catalog.entities import Entity, Kind
        from skills_nb.embedded.storage.files import files, opening
        from skills_nb.sql.identifiers import render_name

        listed = []
        for entity in self.account.catalog.all(Entity):
            if entity.kind in (Kind.STAGE, Kind.TABLE):
                folder = self.account.files.root() / opening.key_of(entity)
                title = f"{entity.kind.value.lower()} {render_name(entity.path)}"
                listed += [(title, f) for f in (files.found(folder) if folder.is_dir() else ())]
        return listed

    def _row_hashes(self) -> list[list[str]]:
        return [[str(path), rows] for path, rows in self._rows()]

    def _rows(self) -> list[tuple[tuple[str, ...], str]]:
        """Return every table with a hash of its rows, read below all policies.

        Numbers that the account gives rows for itself follow the order in which they came, which
        nothing promises.
        """
        from skills_nb.embedded.catalog.entities import Entity, TableDetail
        from skills_nb.embedded.physical import duck_sql

        found = []
        cursor = self.account.store.cursor()
        try:
            for table in self.account.catalog.all(Entity):
                if isinstance(table.detail, TableDetail):
                    asked = duck_sql.of(
                        "SELECT COLUMNS(lambda c: NOT starts_with(c, 'metadata$')) FROM {place}",
                        place=duck_sql.place(table.detail.place),
                    )
                    rows = cursor.execute(asked).fetchall()
                    text = "\n".join(sorted(map(repr, rows)))
                    found.append((table.path, hashlib.sha256(text.encode()).hexdigest()))
        finally:
            cursor.close()
        return found

    def close(self) -> None:
        """End the session."""
        self._session.close()


class _Ticking:
    """A clock that moves by a millisecond a look."""

    def __init__(self) -> None:
        self._looks = 0

    def __call__(self) -> datetime:
        self._looks += 1
        return BEGINNING + timedelta(milliseconds=self._looks)


class _Counting:
    """Query ids that count."""

    def __init__(self) -> None:
        self._made = 0

    def __call__(self) -> str:
        self._made += 1
        return f"{self._made:08x}-0000-4000-8000-000000000000"
