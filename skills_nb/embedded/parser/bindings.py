"""Bindings: values that come beside the text.

Room: embedded. `?` counts from 1, `:2` names its number. Arrays bind a whole batch of rows: the
statement must then be an INSERT … VALUES with one row of placeholders.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.session.bound_values import Bindings, Bound, read
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.scope import HeldRows
from skills_nb.embedded.types.values import Column


def bind(
    session: Context, tree: exp.Expr, bindings: Bindings, *, describe_only: bool = False
) -> exp.Expr:
    """Put the bound values into the tree; a statement that is only described needs none.

    Raises:
        SqlError: a placeholder has no value (2049).
    """
    places = _placeholders(tree)
    if not places and not bindings:
        return tree
    missing = [number for _, number in places if number not in bindings]
    if missing and not describe_only:
        raise errors.unbound(missing[0])
    if describe_only:
        state = session.statement
        session.statement = replace(state, takes_batches=_row_of(tree) is not None and bool(places))
    if missing:
        bindings = {**bindings, **dict.fromkeys(missing, Bound("TEXT", None))}
    if any(isinstance(b.value, list) for b in bindings.values()):
        return _bind_rows(session, tree, places, bindings)
    for place, number in places:
        place.replace(constant(bindings[number].kind, bindings[number].value))
    return tree


def _placeholders(tree: exp.Expr) -> list[tuple[exp.Placeholder, str]]:
    found = [n for n in tree.dfs() if isinstance(n, exp.Placeholder)]
    out: list[tuple[exp.Placeholder, str]] = []
    unnamed = 0
    for node in found:
        if node.this is None:
            unnamed += 1
            out.append((node, str(unnamed)))
        else:
            out.append((node, str(node.name or node.this)))
    return out


def _bind_rows(
    session: Context,
    tree: exp.Expr,
    places: list[tuple[exp.Placeholder, str]],
    bindings: Bindings,
) -> exp.Expr:
    """Turn `INSERT INTO t VALUES (?, ?)` into an insert from the bound rows."""
    row = _row_of(tree)
    if row is None or not places:
        raise errors.unsupported("array binding outside INSERT … VALUES")
    given = [bindings[number] for _, number in places]
    listed = [_batch(number, bindings) for _, number in places]
    kinds = [_type_of_all(one.kind, values) for one, values in zip(given, listed, strict=True)]
    columns = tuple(Column(f"B{i}", kind) for i, kind in enumerate(kinds))
    if len({len(values) for values in listed}) > 1:
        raise errors.bad_binding("the lists of the bindings", "as long as each other")
    rows = tuple(zip(*listed, strict=True))
    query, found = session.as_query(columns, rows)
    for i, (place, _) in enumerate(places):
        place.replace(exp.Parameter(this=exp.Literal.number(i + 1)))
    alias = exp.TableAlias(this=exp.to_identifier("B", quoted=True))
    made = exp.select(*row.expressions)
    made.set("from_", exp.From(this=HeldRows(this=query, alias=alias, found=found)))
    tree.set("expression", made)
    return tree


def _row_of(tree: exp.Expr) -> exp.Expr | None:
    """Return the one row that an INSERT … VALUES has; None for anything else."""
    values = tree.expression if isinstance(tree, exp.Insert) else None
    rows = values.expressions if isinstance(values, exp.Values) else []
    return rows[0] if len(rows) == 1 else None


def _batch(number: str, bindings: Bindings) -> list[Any]:
    """Read a column of a batch."""
    bound = bindings[number]
    if not isinstance(bound.value, list):
        raise errors.bad_binding(f"the value of binding {number}", "a list, as others are")
    return [read(bound.kind, value) for value in bound.value]


def _type_of_all(kind: str, values: list[Any]) -> data_types.SfType:
    """Return the type of a batch's column: numbers keep the digits behind their points."""
    numbers = [value for value in values if isinstance(value, Decimal)]
    scale = max((_digits_behind(number) for number in numbers), default=0)
    before = max((number.adjusted() + 1 for number in numbers), default=0)
    if not scale:
        return _type_of(kind)
    return data_types.fixed(data_types.MOST_DIGITS, min(scale, data_types.MOST_DIGITS - before))


def _digits_behind(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def _type_of(kind: str) -> data_types.SfType:
    return (
        data_types.parse_type({"FIXED": "NUMBER", "TEXT": "VARCHAR"}.get(kind, kind))
        or data_types.TEXT
    )


def constant(kind: str, value: Any) -> exp.Expr:
    """Return the typed constant for one bound value.

    Raises:
        SqlError: the value is not of its type.
    """
    match read(kind, value):
        case None:
            return exp.null()
        case bool() as truth:
            return exp.true() if truth else exp.false()
        case Decimal() as number:
            digits = exp.Literal.number(format(number.copy_abs(), "f"))
            return exp.Neg(this=digits) if number < 0 else digits
        case float() as number:
            return exp.cast(exp.Literal.string(repr(number)), "double")
        case bytes() as data:
            return exp.HexString(this=data.hex().upper())
        case str() as text if kind == "TEXT":
            return exp.Literal.string(text)
        case str() as document:
            return exp.ParseJSON(this=exp.Literal.string(document))
        case moment:
            return _moment(kind, moment)


def _moment(kind: str, moment: datetime | date | time) -> exp.Expr:
    shown = moment.isoformat(" ") if isinstance(moment, datetime) else moment.isoformat()
    made = exp.DataType.build(_type_of(kind).sql, dialect="snowflake")
    return exp.Cast(this=exp.Literal.string(shown), to=made)
