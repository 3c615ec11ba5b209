"""Rows at hand as a query: catalog views, kept results and bound arrays in DuckDB.

Room: embedded. The rows travel as one JSON parameter, which is the fastest way in without Arrow.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import sqlglot
from sqlglot import exp

from skills_nb.embedded import names
from skills_nb.embedded.scope import OutColumn
from skills_nb.embedded.types import SEMI_STRUCTURED
from skills_nb.embedded.values import Column


def rows_as_query(
    run: Callable[[str, list[Any]], object],
    name: str,
    columns: tuple[Column, ...],
    rows: tuple[tuple[Any, ...], ...],
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Put rows into a temporary table; return a query over it and the columns."""
    if not rows:
        return _empty(columns), tuple(OutColumn(c.name, c.type, c.nullable) for c in columns)
    shape = json.dumps([{f"c{i}": "VARCHAR" for i in range(len(columns))}])
    packed = json.dumps(
        [{f"c{i}": _text(v) for i, v in enumerate(row)} for row in rows], ensure_ascii=False
    )
    run(
        f'CREATE OR REPLACE TEMP TABLE "{name}" AS '
        f"SELECT unnest(from_json(?, '{shape}'), recursive := true)",
        [packed],
    )
    query = exp.select(*(_read(i, column) for i, column in enumerate(columns))).from_(
        names.own(
            exp.Table(
                this=names.quoted(name), db=names.quoted("main"), catalog=names.quoted("temp")
            )
        )
    )
    return query, tuple(OutColumn(c.name, c.type, c.nullable) for c in columns)


def _empty(columns: tuple[Column, ...]) -> exp.Query:
    """Return a query without rows; nothing has to be put anywhere for it."""
    source = exp.select(
        *(
            exp.alias_(exp.cast(exp.null(), "text"), f"c{i}", quoted=True)
            for i in range(len(columns))
        )
    ).subquery("none")
    found = exp.select(*(_read(i, column) for i, column in enumerate(columns)))
    return found.from_(source).where(exp.false())


def _read(index: int, column: Column) -> exp.Expr:
    stored = exp.column(f"c{index}", quoted=True)
    value: exp.Expr
    if column.type.kind == "BINARY":
        value = exp.Anonymous(this="unhex", expressions=[stored])
    elif column.type.kind == "TEXT":
        value = stored
    elif column.type.kind in SEMI_STRUCTURED:
        value = exp.Cast(this=stored, to=exp.DataType.build("json", dialect="duckdb"))
    else:
        value = exp.Cast(this=stored, to=_physical(column.type.physical))
    return exp.alias_(value, column.name, quoted=True)


def _physical(name: str) -> exp.DataType:
    parsed = sqlglot.parse_one(f"CAST(x AS {name})", read="duckdb")
    assert isinstance(parsed, exp.Cast)
    return parsed.to


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
