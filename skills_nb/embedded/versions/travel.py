"""Time travel: from `AT | BEFORE (…)` to an instant.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/constructs/at-before
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import names, parsing, refusals
from skills_nb.embedded.catalog.entities import DatabaseDetail, Entity, Kind, SchemaDetail

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.scope import Env
    from skills_nb.sql.governance import ast

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400_000_000


def micros(instant: datetime) -> int:
    """Return microseconds since 1970."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def instant_of(moment: int) -> datetime:
    """Return the instant of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=moment)


def of_tree(session: Lookups, node: exp.Expr, env: Env) -> int:
    """Read the clause of a table reference."""
    return _moment(session, str(node.this), str(node.args["kind"]), node.expression, env)


def span_of(session: Lookups, node: exp.Expr, env: Env) -> tuple[bool, int, int]:
    """Read `CHANGES (INFORMATION => …) AT … [END …]`.

    See https://docs.snowflake.com/en/sql-reference/constructs/changes
    """
    information = node.args["information"].name.upper()
    if information not in ("DEFAULT", "APPEND_ONLY"):
        raise refusals.invalid_argument(f"CHANGES does not know INFORMATION => {information}")
    start = node.args.get("at_before")
    if start is None:
        raise refusals.syntax("syntax error: CHANGES needs AT or BEFORE.")
    end = node.args.get("end")
    until = of_tree(session, end, env) if end is not None else session.moment
    return information == "APPEND_ONLY", of_tree(session, start, env), until


def of_clause(session: Lookups, clause: ast.TimeTravel) -> int:
    """Read the clause of CLONE and CREATE STREAM."""
    value = parsing.parse_expression(clause.value)
    return _moment(session, clause.mode, clause.by, value, session.env())


def _moment(session: Lookups, mode: str, by: str, value: exp.Expr, env: Env) -> int:
    found = _READERS[by.upper()](session, value, env)
    return found - 1 if mode.upper() == "BEFORE" else found


def _evaluated(session: Lookups, value: exp.Expr, env: Env, physical: str) -> Any:
    found = session.evaluated(value, physical, env)
    if found is None:
        raise refusals.invalid_argument("AT and BEFORE need a value that is not NULL")
    return found


def _timestamp(session: Lookups, value: exp.Expr, env: Env) -> int:
    found = micros(_evaluated(session, value, env, "TIMESTAMPTZ").astimezone(UTC))
    if found > session.moment:
        raise refusals.time_in_future()
    return found


def _offset(session: Lookups, value: exp.Expr, env: Env) -> int:
    seconds = float(_evaluated(session, value, env, "DOUBLE"))
    if seconds > 0:
        raise refusals.time_in_future()
    return session.moment + int(seconds * 1_000_000)


def _statement(session: Lookups, value: exp.Expr, env: Env) -> int:
    query_id = str(_evaluated(session, value, env, "VARCHAR"))
    rows = session.account.store.history(
        session.cursor, "start_time", "WHERE query_id = ?", [query_id]
    )
    if not rows:
        raise refusals.no_result(query_id)
    return micros(rows[0][0].astimezone(UTC))


def _stream(session: Lookups, value: exp.Expr, env: Env) -> int:
    path = session.qualify(names.typed_path(str(_evaluated(session, value, env, "VARCHAR"))), env)
    stream = session.account.catalog.find(Kind.STREAM, path)
    if stream is None or not session.account.rights.has(env.roles, "SELECT", stream):
        raise refusals.not_found("Stream", path)
    return offset_of(session, stream)


_READERS = {
    "TIMESTAMP": _timestamp,
    "OFFSET": _offset,
    "STATEMENT": _statement,
    "STREAM": _stream,
}


def offset_of(session: Lookups, stream: Entity) -> int:
    """Return the instant up to which a stream was consumed, the same all through a transaction."""
    if session.in_transaction and stream.id in session.offsets:
        return session.offsets[stream.id]
    row = session.cursor.execute(
        'SELECT moment FROM "_account".stream_offset WHERE stream = ?', [stream.id]
    ).fetchone()
    found = int(row[0]) if row else micros(stream.created_on)
    if session.in_transaction:
        session.offsets[stream.id] = found
    return found


def check_reach(session: Lookups, entity: Entity, moment: int) -> None:
    """Refuse an instant before the table was made, or further back than it is kept.

    See https://docs.snowflake.com/en/user-guide/data-time-travel
    """
    days = _retention(session, entity)
    oldest = max(micros(entity.created_on), session.moment - days * _DAY)
    if moment < oldest:
        raise refusals.no_time_travel(entity.path)


def _retention(session: Lookups, entity: Entity) -> int:
    found = getattr(entity.detail, "retention_days", None)
    if found is not None:
        return int(found)
    for kind, depth in ((Kind.SCHEMA, 2), (Kind.DATABASE, 1)):
        parent = session.account.catalog.find(kind, entity.path[:depth])
        if parent is not None and isinstance(parent.detail, (SchemaDetail, DatabaseDetail)):
            return parent.detail.retention_days
    return 1
