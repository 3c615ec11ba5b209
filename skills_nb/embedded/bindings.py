"""Bindings: values that come beside the text.

Room: embedded. `?` counts from 1, `:2` names its number. Arrays bind a whole batch of rows: the
statement must then be an INSERT … VALUES with one row of placeholders.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import refusals, types
from skills_nb.embedded.scope import HeldRows
from skills_nb.embedded.values import Column

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UTC_OFFSET = 1440
"""Minutes east of UTC are sent as minutes + 1440."""


def bind(session: AccountSession, tree: exp.Expr, bindings: Mapping[str, Any]) -> exp.Expr:
    """Put the bound values into the tree."""
    places = _placeholders(tree)
    if not places and not bindings:
        return tree
    missing = [number for _, number in places if number not in bindings]
    if missing:
        raise refusals.unbound(missing[0])
    if any(isinstance(b.get("value"), list) for b in bindings.values()):
        return _bind_rows(session, tree, places, bindings)
    for place, number in places:
        place.replace(constant(bindings[number].get("type", "TEXT"), bindings[number]["value"]))
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
    session: AccountSession,
    tree: exp.Expr,
    places: list[tuple[exp.Placeholder, str]],
    bindings: Mapping[str, Any],
) -> exp.Expr:
    """Turn `INSERT INTO t VALUES (?, ?)` into an insert from the bound rows."""
    values = tree.expression if isinstance(tree, exp.Insert) else None
    if not isinstance(values, exp.Values) or len(values.expressions) != 1:
        raise refusals.unsupported("array binding outside INSERT … VALUES")
    numbers = [number for _, number in places]
    kinds = [bindings[n].get("type", "TEXT") for n in numbers]
    columns = tuple(Column(f"B{i}", _type_of(k)) for i, k in enumerate(kinds))
    listed = [bindings[n]["value"] for n in numbers]
    rows = tuple(
        tuple(decoded(kind, value) for kind, value in zip(kinds, row, strict=True))
        for row in zip(*listed, strict=True)
    )
    query, found = session.as_query(columns, rows)
    for i, (place, _) in enumerate(places):
        place.replace(exp.Parameter(this=exp.Literal.number(i + 1)))
    row = values.expressions[0]
    alias = exp.TableAlias(this=exp.to_identifier("B", quoted=True))
    made = exp.select(*row.expressions)
    made.set("from_", exp.From(this=HeldRows(this=query, alias=alias, found=found)))
    tree.set("expression", made)
    return tree


def _type_of(kind: str) -> types.SfType:
    return types.parse_type({"FIXED": "NUMBER", "TEXT": "VARCHAR"}.get(kind, kind)) or types.TEXT


def constant(kind: str, value: Any) -> exp.Expr:
    """Return the typed constant for one bound value."""
    read = decoded(kind, value)
    if read is None:
        return exp.null()
    match kind:
        case "FIXED":
            return (
                exp.Literal.number(str(read))
                if not str(read).startswith("-")
                else exp.Neg(this=exp.Literal.number(str(read)[1:]))
            )
        case "REAL":
            return exp.cast(exp.Literal.string(str(read)), "double")
        case "BOOLEAN":
            return exp.true() if read else exp.false()
        case "TEXT":
            return exp.Literal.string(str(read))
        case "BINARY":
            return exp.HexString(this=str(value))
        case _:
            shown = read.isoformat(" ") if isinstance(read, datetime) else read.isoformat()
            made = exp.DataType.build(_type_of(kind).sql, dialect="snowflake")
            return exp.Cast(this=exp.Literal.string(shown), to=made)


def decoded(kind: str, value: Any) -> Any:
    """Read one value from the form in which the connector binds it."""
    if value is None:
        return None
    match kind:
        case "FIXED" | "REAL" | "TEXT" | "BINARY" | "VARIANT" | "OBJECT" | "ARRAY":
            return value
        case "BOOLEAN":
            return str(value).lower() in ("true", "1")
        case "DATE":
            return (_EPOCH + timedelta(milliseconds=int(value))).date()
        case "TIME":
            return (_EPOCH + timedelta(microseconds=int(value) // 1000)).time()
        case "TIMESTAMP_NTZ" | "TIMESTAMP_LTZ" | "TIMESTAMP_TZ":
            return _instant(kind, str(value))
        case _:
            raise refusals.unsupported(f"binding of type {kind}")


def _instant(kind: str, value: str) -> datetime | date | time:
    nanos, _, east = value.partition(" ")
    if not nanos.lstrip("-").isdigit():
        return datetime.fromisoformat(value)
    made = _EPOCH + timedelta(microseconds=int(nanos) // 1000)
    if kind == "TIMESTAMP_TZ" and east:
        return made.astimezone(timezone(timedelta(minutes=int(east) - _UTC_OFFSET)))
    return made.replace(tzinfo=None) if kind == "TIMESTAMP_NTZ" else made
