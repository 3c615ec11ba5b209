"""Rows at hand as a query: catalog views, kept results and bound arrays in DuckDB.

Room: embedded. A few rows stand in the query itself; more travel as JSON, column by column, which
is the fastest way in without Arrow.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded import names
from skills_nb.embedded.dialect import duck, zoned
from skills_nb.embedded.natives import CALL
from skills_nb.embedded.scope import OutColumn
from skills_nb.embedded.types import SEMI_STRUCTURED
from skills_nb.embedded.values import Column

_IN_ZONE = ", 'TIMESTAMP_TZ', NULL, FALSE, 'AUTO', 1970, current_setting('TimeZone')"
_FEW = 2_000
"""So many cells are written into the query."""
_TOGETHER = 5_000
"""So many rows travel at once: DuckDB takes a text apart in many times its memory."""


def rows_as_query(
    run: Callable[[str, list[Any]], object],
    name: str,
    columns: tuple[Column, ...],
    rows: tuple[tuple[Any, ...], ...],
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return a query over the rows and its columns; many rows go into a temporary table first."""
    found = tuple(OutColumn(c.name, c.type, c.nullable) for c in columns)
    if len(rows) * len(columns) <= _FEW and _is_plain(columns):
        return _written(columns, rows), found
    query = exp.select(*(_read(i, column) for i, column in enumerate(columns)))
    return query.from_(_stored(run, name, rows, len(columns)), copy=False), found


def _is_plain(columns: tuple[Column, ...]) -> bool:
    """Tell whether the names can be those of a table's columns, which DuckDB compares in any case.

    A result may show one name twice.
    """
    return len({c.name.lower() for c in columns}) == len(columns)


def _stored(
    run: Callable[[str, list[Any]], object],
    name: str,
    rows: tuple[tuple[Any, ...], ...],
    width: int,
) -> exp.Table:
    shape = json.dumps({f"c{i}": ["VARCHAR"] for i in range(width)})
    listed = ", ".join(f"unnest(held.c{i}) AS c{i}" for i in range(width))
    read = f"SELECT {listed} FROM (SELECT from_json(?, '{shape}') AS held)"
    into = f'CREATE OR REPLACE TEMP TABLE "{name}" AS'
    for first in range(0, len(rows), _TOGETHER):
        columns = zip(*rows[first : first + _TOGETHER], strict=True)
        packed = {f"c{i}": list(map(_text, column)) for i, column in enumerate(columns)}
        run(f"{into} {read}", [json.dumps(packed, ensure_ascii=False)])
        into = f'INSERT INTO temp.main."{name}"'
    place = exp.Table(
        this=names.quoted(name), db=names.quoted("main"), catalog=names.quoted("temp")
    )
    return names.own(place)


def _written(columns: tuple[Column, ...], rows: tuple[tuple[Any, ...], ...]) -> exp.Select:
    """Return the rows as VALUES; one node holds their text, for nobody looks into it."""
    casts = [_cast(column) for column in columns]
    listed = [_line(casts, row) for row in rows or [(None,) * len(columns)]]
    alias = exp.TableAlias(
        this=names.quoted("rows"), columns=[names.quoted(c.name) for c in columns]
    )
    values = exp.Values(expressions=[exp.Var(this=", ".join(listed))], alias=alias)
    query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=values))
    return query if rows else query.where(exp.false(), copy=False)


def _line(casts: list[tuple[str, str]], row: tuple[Any, ...]) -> str:
    return f"({', '.join(map(_constant, casts, row))})"


def _cast(column: Column) -> tuple[str, str]:
    """Return what stands before and behind a text that is to be of the column's type."""
    if column.type.kind == "BINARY":
        return "unhex(", ")"
    if column.type.kind in SEMI_STRUCTURED:
        return "", "::JSON"
    if column.type.kind == "TIMESTAMP_TZ":
        return f"{CALL}('moment', ", f"{_IN_ZONE})::{column.type.physical}"
    return "", f"::{column.type.physical}"


def _constant(cast: tuple[str, str], value: Any) -> str:
    text = _text(value)
    inner = "NULL" if text is None else "'" + text.replace("'", "''") + "'"
    return inner.join(cast)


def _read(index: int, column: Column) -> exp.Expr:
    stored = exp.column(f"c{index}", quoted=True)
    value: exp.Expr
    if column.type.kind == "BINARY":
        value = exp.Anonymous(this="unhex", expressions=[stored])
    elif column.type.kind == "TEXT":
        value = stored
    elif column.type.kind in SEMI_STRUCTURED:
        value = duck.cast(stored, "JSON")
    elif column.type.kind == "TIMESTAMP_TZ":
        value = zoned.read(stored)
        value.this.set(names.GOVERNED, True)
    else:
        value = duck.cast(stored, column.type.physical)
    return exp.alias_(value, column.name, quoted=True)


def _text(value: Any) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case bytes():
            return value.hex()
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal() | int() | float() | str():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)
