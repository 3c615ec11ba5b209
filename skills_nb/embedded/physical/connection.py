"""The connection: the only way to DuckDB, one statement a call.

Room: embedded. DuckDB reads no file but its own, no environment, no extension; its configuration is
locked, but for the session's time zone and the optimizer's rest (`ordering`). What it is given to
run is a `DuckSql` that holds one statement of a kind that the account uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import duckdb

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql

_CONFIG: dict[str, Any] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
}
_IN_MEMORY: dict[str, Any] = {**_CONFIG, "temp_directory": ""}
"""DuckDB would put rows that memory has no room for into the folder that a person works in."""
BEGIN = duck_sql.of("BEGIN TRANSACTION")
COMMIT = duck_sql.of("COMMIT")
ROLLBACK = duck_sql.of("ROLLBACK")
_UTC = duck_sql.of("SET GLOBAL TimeZone = 'UTC'")
"""The zone that every connection begins with, wherever the machine stands."""
_LOCKS = (
    duck_sql.of("SET allow_extension_repositories = 'forbidden'"),
    duck_sql.of("SET allowed_configs = ['TimeZone', 'disabled_optimizers']"),
    duck_sql.of("SET lock_configuration = true"),
)
_KINDS = frozenset(
    {
        duckdb.StatementType.SELECT,
        duckdb.StatementType.INSERT,
        duckdb.StatementType.UPDATE,
        duckdb.StatementType.DELETE,
        duckdb.StatementType.CREATE,
        duckdb.StatementType.DROP,
        duckdb.StatementType.ALTER,
        duckdb.StatementType.TRANSACTION,
        duckdb.StatementType.SET,
        duckdb.StatementType.MULTI,
    }
)
"""Kinds of statements that the account uses."""
BORROWED = "borrowed"
"""Name under which DuckDB sees rows on their way in."""


class Connection:
    """A connection to DuckDB with a transaction of its own, and what it answered last."""

    def __init__(self, held: duckdb.DuckDBPyConnection) -> None:
        """Wrap a connection; `opened` and `cursor` are the doors."""
        self._duckdb = held

    def cursor(self) -> Connection:
        """Return another connection to the same database."""
        return Connection(self._duckdb.cursor())

    def execute(self, statement: DuckSql, values: Sequence[object] = ()) -> Self:
        """Run one statement, with values for its `?`.

        Raises:
            TypeError: it is a text that is no `DuckSql`.
            SqlError: it is not one statement (8), or of a kind that the account does not use
                (0A000).
            duckdb.Error: DuckDB refuses it.
            duckdb.InvalidInputException: it refuses half a character.
        """
        try:
            self._duckdb.execute(self._checked(statement), list(values))
        except UnicodeDecodeError as error:
            # DuckDB shows a byte of the value that it refuses, which may be half a character.
            raise duckdb.InvalidInputException(error.object.decode(errors="replace")) from None
        return self

    def batches(self, statement: DuckSql, most: int) -> tuple[list[str], Iterator[Any]]:
        """Return the types of a query's columns, and its rows in Arrow's record batches.

        It runs as the batches are read; until then, and where nobody reads them, it does not.

        Args:
            statement: one query.
            most: so many rows has a batch at most.

        Raises:
            TypeError: as `execute`.
            SqlError: as `execute`.
            duckdb.Error: DuckDB refuses it, now or on the way.
        """
        found = self._checked(statement)
        # Who read one row alone left the rest of an answer open, which keeps Arrow out.
        self._duckdb.complete()
        relation = self._duckdb.sql(found)
        return [str(kind) for kind in relation.types], _read(relation, most)

    def _checked(self, statement: DuckSql) -> duckdb.Statement:
        """Let through one statement of our own, of a kind that the account uses."""
        if type(statement) is not DuckSql:
            raise TypeError("DuckDB is given SQL that skills_nb.embedded.physical.duck_sql made")
        found = self._duckdb.extract_statements(statement.text)
        if len(found) != 1:
            raise errors.statement_count(len(found), 1)
        if found[0].type not in _KINDS:
            raise errors.unwritable(found[0].type.name)
        return found[0]

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Describe the columns of the answer: name, type and more."""
        return list(self._duckdb.description or ())

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row of the answer."""
        return self._duckdb.fetchone()

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rest of the answer."""
        return self._duckdb.fetchall()

    def define(
        self,
        name: str,
        function: Callable[..., object],
        takes: list[str] | None,
        returns: str,
        *,
        side_effects: bool = False,
    ) -> None:
        """Make a Python function one of DuckDB's, which also gets NULL."""
        make: Any = self._duckdb.create_function
        make(name, function, takes, returns, null_handling="special", side_effects=side_effects)

    def define_rows(
        self,
        name: str,
        one: Callable[..., object],
        batch: Callable[..., object],
        takes: list[str],
        returns: str,
        *,
        side_effects: bool = True,
    ) -> None:
        """Make a Python function one of DuckDB's that is asked for many rows at once.

        Args:
            name: what DuckDB calls it.
            one: takes the values of a row.
            batch: takes columns of Arrow, and is called in its place where Arrow is installed.
            takes: DuckDB's types of the arguments.
            returns: DuckDB's type of the answer.
            side_effects: whether it is asked anew for every row, constants or not.
        """
        make: Any = self._duckdb.create_function
        is_batch = find_spec("pyarrow") is not None
        how = {"type": "arrow"} if is_batch else {}
        function = batch if is_batch else one
        make(
            name,
            function,
            takes,
            returns,
            null_handling="special",
            side_effects=side_effects,
            **how,
        )

    def take(self, source: Connection, table: DuckSql) -> None:
        """Copy a table's rows from another database into the table of that name."""
        read = source._duckdb.sql(duck_sql.of("SELECT * FROM {t}", t=table).text)
        with self.borrowed(_Stream(read)) as given:
            self.execute(duck_sql.of("INSERT INTO {t} BY NAME SELECT * FROM {b}", t=table, b=given))

    @contextmanager
    def borrowed(self, columns: object) -> Iterator[DuckSql]:
        """Let statements read what Arrow holds, under the name that is given."""
        self._duckdb.register(BORROWED, columns)
        try:
            yield duck_sql.name(BORROWED)
        finally:
            self._duckdb.unregister(BORROWED)

    def interrupt(self) -> None:
        """End what runs, from another thread."""
        self._duckdb.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._duckdb.close()


def _read(relation: Any, most: int) -> Iterator[Any]:
    """Run a relation's query; Arrow tells what goes wrong on the way as trouble of its own."""
    reader = relation.to_arrow_reader(most)
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:
            raise _own_error(str(error)) from error
        yield batch


def _own_error(text: str) -> duckdb.Error:
    """Return DuckDB's error whose text Arrow tells."""
    kind, found = text.partition(" Error:")[0].replace(" ", ""), duckdb.Error
    named = getattr(duckdb, f"{_ERRORS.get(kind, kind)}Exception", None)
    if isinstance(named, type) and issubclass(named, duckdb.Error):
        found = named
    return found(text)


_ERRORS = {"INTERRUPT": "Interrupt", "INTERNAL": "Internal", "FATAL": "Fatal", "IO": "IO"}
"""Classes of errors that the text writes in capitals."""


class _Stream:
    """Rows on their way from one database to another. See the Arrow PyCapsule interface."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        """Take the rows of a query."""
        self._relation: Any = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as an Arrow stream."""
        return self._relation.__arrow_c_stream__(requested_schema)


def opened(file: Path | None) -> Connection:
    """Open a database in a file, or one in memory, and lock what it may do.

    Raises:
        duckdb.Error: it cannot be opened.
    """
    place, config = (str(file), _CONFIG) if file else (":memory:", _IN_MEMORY)
    made = Connection(duckdb.connect(place, config=dict(config)))
    for setting in (_UTC, *_LOCKS):
        made.execute(setting)
    return made
