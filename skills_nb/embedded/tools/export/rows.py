"""INSERT statements: the rows of every table.

Room: embedded. Values stand as Snowflake reads them whatever its formats are set to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, TableDetail
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.storage.time_travel import sequences
from skills_nb.embedded.tools.export.objects import lasting
from skills_nb.embedded.translator.python_functions.moment_functions import seen
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

_AT_ONCE = 500
"""Rows of a statement; Snowflake takes 16,384 at most."""


def inserts(account: Account) -> Iterator[str]:
    """Return the statements that fill the tables."""
    for entity in lasting(account, Kind.TABLE):
        assert isinstance(entity.detail, TableDetail)
        yield from _of_table(account, entity, entity.detail)


def count_on(account: Account) -> None:
    """Let the columns that number their rows count on behind the rows that came."""
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for entity in lasting(account, Kind.TABLE):
        assert isinstance(entity.detail, TableDetail)
        for column in entity.detail.columns:
            if column.identity is not None:
                sequences.count_on(session, entity.detail.place, column)
    session.end_work(commit=True)
    session.close()


def _of_table(account: Account, entity: Entity, detail: TableDetail) -> Iterator[str]:
    listed = ", ".join(quote(column.name) for column in detail.columns)
    target = f"INSERT INTO {render_name(entity.path)} ({listed})"
    writers = [_writer(column) for column in detail.columns]
    wanted = duck_sql.names(column.name for column in detail.columns)
    cursor = account.store.cursor()
    table = duck_sql.place(detail.place)
    cursor.execute(duck_sql.of("SELECT {wanted} FROM {table}", wanted=wanted, table=table))
    fetched = iter(cursor.fetchone, None)
    while batch := list(islice(fetched, _AT_ONCE)):
        values = ",\n".join(_row(row, writers) for row in batch)
        yield f"{target}{_source(detail.columns)}VALUES\n{values}"
    cursor.close()


def _row(row: tuple[Any, ...], writers: Iterable[Callable[[Any], str]]) -> str:
    cells = ("NULL" if v is None else write(v) for v, write in zip(row, writers, strict=True))
    return f"({', '.join(cells)})"


def _source(columns: tuple[ColumnDef, ...]) -> str:
    """Return what stands before VALUES: a query where a column takes more than constants."""
    if not any(column.type.kind in _READERS for column in columns):
        return " "
    shown = []
    for position, column in enumerate(columns, 1):
        reader = _READERS.get(column.type.kind)
        shown.append(f"{reader}(${position})" if reader else f"${position}")
    return f" SELECT {', '.join(shown)} FROM "


def _writer(column: ColumnDef) -> Callable[[Any], str]:
    kind = column.type.kind
    if kind in SEMI_STRUCTURED:
        return _json
    return _WRITERS.get(kind, lambda value: literal(str(value)))


def _json(value: Any) -> str:
    return literal(value if isinstance(value, str) else json.dumps(value))


def _boolean(value: Any) -> str:
    return "TRUE" if value else "FALSE"


def _real(value: float) -> str:
    # As text: infinities and NaN have no other form, and a column is of one type.
    return literal(repr(value))


def _zoned(value: Mapping[str, Any]) -> str:
    return literal(seen(value).isoformat(" "))


def _binary(value: Any) -> str:
    return f"X'{bytes(value).hex().upper()}'"


_READERS = {**dict.fromkeys(SEMI_STRUCTURED, "PARSE_JSON"), "REAL": "TO_DOUBLE"}
_WRITERS: dict[str, Callable[[Any], str]] = {
    "FIXED": str,
    "REAL": _real,
    "BOOLEAN": _boolean,
    "BINARY": _binary,
    "TIMESTAMP_TZ": _zoned,
}
