"""Time travel: from `AT | BEFORE (…)` to an instant.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/constructs/at-before
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, Kind, SchemaDetail
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env
    from skills_nb.sql.governance import ast

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400_000_000


def micros(instant: datetime) -> int:
    """Return microseconds since 1970."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def instant_of(moment: int) -> datetime:
    """Return the instant of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=moment)


def of_tree(session: Context, node: exp.Expr, env: Env) -> int:
    """Read the clause of a table reference."""
    return _moment(session, str(node.this), str(node.args["kind"]), node.expression, env)


def span_of(session: Context, node: exp.Expr, env: Env) -> tuple[bool, int, int]:
    """Read `CHANGES (INFORMATION => …) AT … [END …]`.

    Raises:
        SqlError: INFORMATION is another word (1014), or AT and BEFORE are both missing (1003).

    See https://docs.snowflake.com/en/sql-reference/constructs/changes
    """
    information = node.args["information"].name.upper()
    if information not in ("DEFAULT", "APPEND_ONLY"):
        raise errors.invalid_argument(f"CHANGES does not know INFORMATION => {information}")
    start = node.args.get("at_before")
    if start is None:
        raise errors.syntax("syntax error: CHANGES needs AT or BEFORE.")
    end = node.args.get("end")
    until = of_tree(session, end, env) if end is not None else session.moment
    return information == "APPEND_ONLY", of_tree(session, start, env), until


def of_clause(session: Context, clause: ast.TimeTravel) -> int:
    """Read the clause of CLONE and CREATE STREAM."""
    value = parsing.parse_expression(clause.value)
    return _moment(session, clause.mode, clause.by, value, session.env())


def _moment(session: Context, mode: str, by: str, value: exp.Expr, env: Env) -> int:
    reader = _READERS.get(by.upper())
    if reader is None:
        raise errors.syntax(f"syntax error: {mode.upper()} needs one of {', '.join(_READERS)}.")
    found = reader(session, value, env)
    return found - 1 if mode.upper() == "BEFORE" else found


def _evaluated(session: Context, value: exp.Expr, env: Env, physical: str) -> Any:
    found = session.evaluated(value, physical, env)
    if found is None:
        raise errors.invalid_argument("AT and BEFORE need a value that is not NULL")
    return found


def _timestamp(session: Context, value: exp.Expr, env: Env) -> int:
    found = micros(_evaluated(session, value, env, "TIMESTAMPTZ").astimezone(UTC))
    if found > session.moment:
        raise errors.time_in_future()
    return found


def _offset(session: Context, value: exp.Expr, env: Env) -> int:
    seconds = float(_evaluated(session, value, env, "DOUBLE"))
    if seconds > 0:
        raise errors.time_in_future()
    return session.moment + int(seconds * 1_000_000)


def _statement(session: Context, value: exp.Expr, env: Env) -> int:
    query_id = str(_evaluated(session, value, env, "VARCHAR"))
    rows = session.account.store.history(
        session.cursor, ("start_time",), duck_sql.of("WHERE query_id = ?"), [query_id]
    )
    lender = session.account.lender
    began = rows[0][0] if rows else lender.started(query_id) if lender is not None else None
    if began is None:
        raise errors.no_result(query_id)
    return micros(began.astimezone(UTC))


def _stream(session: Context, value: exp.Expr, env: Env) -> int:
    path = session.qualify(names.typed_path(str(_evaluated(session, value, env, "VARCHAR"))), env)
    stream = name_resolution.usable(session, Kind.STREAM, path, "SELECT", env.roles)
    return offset_of(session, stream)


_READERS = {
    "TIMESTAMP": _timestamp,
    "OFFSET": _offset,
    "STATEMENT": _statement,
    "STREAM": _stream,
}


def offset_of(session: Context, stream: Entity) -> int:
    """Return the instant up to which a stream was consumed, the same all through a transaction."""
    if session.in_transaction and stream.id in session.offsets:
        return session.offsets[stream.id]
    asked = duck_sql.of('SELECT moment FROM "_account".stream_offset WHERE stream = ?')
    row = session.cursor.execute(asked, [stream.id]).fetchone()
    return int(row[0]) if row else micros(stream.created_on)


def check_reach(session: Context, entity: Entity, moment: int) -> None:
    """Refuse an instant before the table was made, or further back than it is kept.

    Raises:
        SqlError: the rows of that instant are not kept (707).

    See https://docs.snowflake.com/en/user-guide/data-time-travel
    """
    days = _retention(session, entity)
    oldest = max(micros(entity.created_on), session.moment - days * _DAY)
    if moment < oldest:
        raise errors.no_time_travel(entity.path)


def _retention(session: Context, entity: Entity) -> int:
    found = getattr(entity.detail, "retention_days", None)
    if found is not None:
        return int(found)
    return retention_around(session, entity.path)


def retention_around(session: Context, path: tuple[str, ...]) -> int:
    """Return for how many days what holds an object keeps rows where the object says nothing.

    See https://docs.snowflake.com/en/sql-reference/parameters (DATA_RETENTION_TIME_IN_DAYS)
    """
    for kind, depth in ((Kind.SCHEMA, 2), (Kind.DATABASE, 1)):
        parent = session.account.catalog.find(kind, path[:depth]) if depth < len(path) else None
        if parent is not None and isinstance(parent.detail, (SchemaDetail, DatabaseDetail)):
            return parent.detail.retention_days
    return 1
