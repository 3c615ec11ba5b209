"""Rows at hand as a query: catalog views, kept results and bound arrays in DuckDB.

Room: embedded. A few rows stand in the query itself; more travel as JSON, column by column, which
is the fastest way in without Arrow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import BORROWED
from skills_nb.embedded.physical.duck_sql import DuckSql, Written
from skills_nb.embedded.translator.dialect import duck, zoned
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.scope import OutColumn
from skills_nb.embedded.types.values import Column

_IN_ZONE = duck_sql.of(", 'TIMESTAMP_TZ', NULL, FALSE, 'AUTO', 1970, current_setting('TimeZone')")
_NOTHING = duck_sql.of("")
Run = Callable[[DuckSql, list[Any]], object]
"""Runs a statement of DuckDB's with its values."""
_FEW = 2_000
"""So many cells are written into the query."""
_TOGETHER = 5_000
"""So many rows travel at once: DuckDB takes a text apart in many times its memory."""


def rows_as_query(
    run: Run,
    name: str,
    columns: tuple[Column, ...],
    rows: Sequence[tuple[Any, ...]],
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return a query over the rows and its columns; many rows go into a temporary table first."""
    found = out_columns(columns)
    written = written_out(columns, rows)
    return written if written is not None else stored(run, name, columns, rows), found


def out_columns(columns: tuple[Column, ...]) -> tuple[OutColumn, ...]:
    """Return columns as a query sees them."""
    return tuple(OutColumn(c.name, c.type, c.nullable) for c in columns)


def written_out(columns: tuple[Column, ...], rows: Sequence[tuple[Any, ...]]) -> exp.Select | None:
    """Return the query in which the rows themselves stand; None where they are too many."""
    if len(rows) * len(columns) <= _FEW and _is_plain(columns):
        return _written(columns, rows)
    return None


def stored(
    run: Run,
    name: str,
    columns: tuple[Column, ...],
    rows: Sequence[tuple[Any, ...]],
) -> exp.Select:
    """Put the rows into a temporary table, and return the query that reads it.

    What is one text in all rows, or NULL, stands in the query.
    """
    values = tuple(zip(*rows, strict=True)) if rows else ((),) * len(columns)
    sent = [i for i, column in enumerate(columns) if not (i and _is_one(column, values[i]))]
    held = {f"c{i}": values[i] for i in sent}
    listed = (
        _read(column, exp.column(c, quoted=True) if c in held else _constant(values[i][0]))
        for i, (c, column) in enumerate(_numbered(columns))
    )
    return exp.select(*listed).from_(_stored(run, name, held), copy=False)


def _numbered(columns: tuple[Column, ...]) -> Iterator[tuple[str, Column]]:
    return ((f"c{i}", column) for i, column in enumerate(columns))


def _is_one(column: Column, values: tuple[Any, ...]) -> bool:
    """Tell whether all rows have the same text, or nothing."""
    if column.type.kind == "TIMESTAMP_TZ" or not values:
        return False
    first = values[0]
    return (first is None or type(first) is str) and values.count(first) == len(values)


def _constant(value: str | None) -> exp.Expr:
    return exp.null() if value is None else exp.Literal.string(value)


def borrowed(columns: tuple[Column, ...]) -> exp.Select:
    """Return the query over rows that Arrow holds, as `Connection.borrowed` lets it read them."""
    place = exp.Table(
        this=names.quoted(BORROWED), db=names.quoted("main"), catalog=names.quoted("temp")
    )
    listed = (
        exp.alias_(
            duck.cast(exp.column(f"c{i}", quoted=True), c.type.physical), c.name, quoted=True
        )
        for i, c in enumerate(columns)
    )
    return exp.select(*listed).from_(names.own(place), copy=False)


def _is_plain(columns: tuple[Column, ...]) -> bool:
    """Tell whether the names can be those of a table's columns, which DuckDB compares in any case.

    A result may show one name twice.
    """
    return len({c.name.lower() for c in columns}) == len(columns)


def _stored(run: Run, name: str, values: dict[str, tuple[Any, ...]]) -> exp.Table:
    """Put columns of equal length into a temporary table."""
    read = duck_sql.of(
        "SELECT {listed} FROM (SELECT from_json(?, {shape}) AS held)",
        listed=duck_sql.listed(
            duck_sql.of("unnest(held.{c}) AS {c}", c=duck_sql.name(column)) for column in values
        ),
        shape=duck_sql.text(json.dumps({column: ["VARCHAR"] for column in values})),
    )
    table = duck_sql.temporary(name)
    into = duck_sql.of("CREATE OR REPLACE TEMP TABLE {t} AS {read}", t=table, read=read)
    for first in range(0, len(next(iter(values.values()))), _TOGETHER):
        packed = {c: _texts(column[first : first + _TOGETHER]) for c, column in values.items()}
        run(into, [json.dumps(packed, ensure_ascii=False)])
        into = duck_sql.of("INSERT INTO {t} {read}", t=table, read=read)
    place = exp.Table(
        this=names.quoted(name), db=names.quoted("main"), catalog=names.quoted("temp")
    )
    return names.own(place)


def _texts(values: tuple[Any, ...]) -> list[str | None]:
    # Nearly all are texts already.
    return [v if v is None or v.__class__ is str else _text(v) for v in values]


def _written(columns: tuple[Column, ...], rows: Sequence[tuple[Any, ...]]) -> exp.Select:
    """Return the rows as VALUES; one node holds their text, for nobody looks into it."""
    casts = [_cast(column) for column in columns]
    cells = ([*map(_text, row)] for row in rows or [(None,) * len(columns)])
    alias = exp.TableAlias(
        this=names.quoted("rows"), columns=[names.quoted(c.name) for c in columns]
    )
    values = exp.Values(expressions=[Written(this=duck_sql.rows(casts, cells))], alias=alias)
    query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=values))
    return query if rows else query.where(exp.false(), copy=False)


def _cast(column: Column) -> duck_sql.Casting:
    """Return what stands before and behind a text that is to be of the column's type."""
    if column.type.kind == "BINARY":
        return duck_sql.of("unhex("), duck_sql.of(")")
    if column.type.kind in SEMI_STRUCTURED:
        return _NOTHING, duck_sql.of("::JSON")
    kind = duck_sql.kind(column.type.physical)
    if column.type.kind == "TIMESTAMP_TZ":
        behind = duck_sql.of("{zone})::{kind}", zone=_IN_ZONE, kind=kind)
        return duck_sql.of("__native('moment', "), behind
    return _NOTHING, duck_sql.of("::{kind}", kind=kind)


def _read(column: Column, stored: exp.Expr) -> exp.Expr:
    """Make of a text what a column holds."""
    value: exp.Expr
    if column.type.kind == "BINARY":
        value = exp.Anonymous(this="unhex", expressions=[stored])
    elif column.type.kind == "TEXT":
        value = duck.cast(stored, "VARCHAR") if isinstance(stored, exp.Null) else stored
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
        case Decimal():
            return format(value, "f")  # DuckDB reads '1E-9' as no DECIMAL(9,9)
        case int() | float() | str():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)
