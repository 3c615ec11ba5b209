"""Where an account keeps its rows and files, as a session asks for them.

Room: embedded. Protocols: what stands below the session knows nothing of who stores.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from skills_nb.embedded.catalog.catalog import Change
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.session.transfer_doors import TransferDoors
from skills_nb.embedded.types.history import HistoryRow


class Lends(Protocol):
    """Whoever has the rows of tables that are not here."""

    def started(self, query_id: str) -> datetime | None:
        """Return when a statement began that ran there; None where none is known."""
        ...


class Stored(Protocol):
    """Where an account's rows and its history are kept."""

    connection: Connection

    @property
    def durable(self) -> bool:
        """Tell whether the account outlives the process."""
        ...

    def cursor(self) -> Connection:
        """Return a connection of its own."""
        ...

    def write(self, cursor: Connection, changes: Iterable[Change]) -> None:
        """Write what changed in the catalog."""
        ...

    def append_history(self, cursor: Connection, row: HistoryRow) -> None:
        """Add a row to the query history."""
        ...

    def history(
        self, cursor: Connection, columns: Iterable[str], rest: DuckSql, values: list[Any]
    ) -> list[tuple[Any, ...]]:
        """Read columns of the query history; `rest` are the clauses after FROM."""
        ...

    def logins(self) -> list[tuple[Any, ...]]:
        """Read the logins, oldest first."""
        ...


class Staged(Protocol):
    """Where the files of stages are kept."""

    @property
    def doors(self) -> TransferDoors:
        """Return what lets clients in that move files over HTTP."""
        ...

    def root(self) -> Path:
        """Return the folder that holds all stages."""
        ...

    def folder(self, key: str) -> Path:
        """Return a stage's folder, made where it is missing."""
        ...
