"""Streams: what they read, and when their offset moves.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/streams-intro
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.catalog.pipeline_details import StreamDetail
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, travel

if TYPE_CHECKING:
    from sqlglot import exp


Span = tuple[bool, int, int]
INITIAL = 0
"""The offset of a stream whose initial rows are not consumed yet."""
_DAY = 86_400_000_000
_LEAST_DAYS = 14


def detail_of(stream: Entity) -> StreamDetail:
    """Return a stream's detail."""
    assert isinstance(stream.detail, StreamDetail)
    return stream.detail


def source_of(session: Context, stream: Entity) -> Entity:
    """Return what a stream follows.

    Raises:
        SqlError: it was dropped (91901).
    """
    found = session.account.catalog.by_id(detail_of(stream).source_id)
    if found is None or found.dropped_on is not None:
        raise errors.source_gone(stream.name)
    return found


def span(session: Context, stream: Entity) -> Span:
    """Return what the stream shows: whether only additions, from its offset, up to now.

    With SHOW_INITIAL_ROWS it shows the rows that there were when it was created, and only them,
    until they are consumed.

    Raises:
        SqlError: the stream is stale (91902).
    """
    if stale_after(session, stream) < session.moment:
        raise errors.stream_stale(stream.name)
    since = travel.offset_of(session, stream)
    if since == INITIAL:
        return False, since, travel.micros(stream.created_on)
    until = session.transaction_moment if session.in_transaction else session.moment
    return detail_of(stream).append_only, since, until


def stale_after(session: Context, stream: Entity) -> int:
    """Return the instant after which the stream's changes are not kept."""
    source = session.account.catalog.by_id(detail_of(stream).source_id)
    days = getattr(source.detail, "retention_days", 1) if source is not None else 0
    offset = travel.offset_of(session, stream) or travel.micros(stream.created_on)
    return offset + max(days, _LEAST_DAYS) * _DAY


def of_table(
    session: Context, entity: Entity, detail: TableDetail, columns: tuple[str, ...], wanted: Span
) -> exp.Query:
    """Return a query over a table's changes."""
    additions_only, since, until = wanted
    read = images.additions if additions_only else images.changes
    return read(session, detail.place, columns, entity.id, since, until)


def move(session: Context, stream_id: int, moment: int) -> None:
    """Put a stream's offset."""
    forget_offset(session, stream_id)
    made = duck_sql.of('INSERT INTO "_account".stream_offset VALUES (?, ?)')
    session.run(made, [stream_id, moment])


def forget_offset(session: Context, stream_id: int) -> None:
    """Take a stream's offset away."""
    session.run(duck_sql.of('DELETE FROM "_account".stream_offset WHERE stream = ?'), [stream_id])


def consume(session: Context) -> None:
    """Move the offsets of the streams that a change has read."""
    for stream_id, until in session.statement.consumed.items():
        move(session, stream_id, until)


def has_data(session: Context, stream: Entity) -> bool:
    """Tell whether a stream shows anything, whoever asks.

    Raises:
        SqlError: it is a stream on a view (0A000).
    """
    additions_only, since, until = span(session, stream)
    source = source_of(session, stream)
    if not isinstance(source.detail, TableDetail):
        raise errors.unsupported("SYSTEM$STREAM_HAS_DATA of a stream on a view")
    columns = tuple(c.name for c in source.detail.columns)
    made = of_table(session, source, source.detail, columns, (additions_only, since, until))
    asked = duck_sql.of("SELECT count(*) FROM (SELECT 1 FROM ({made}) LIMIT 1)", made=made)
    row = session.cursor.execute(asked).fetchone()
    return bool(row and row[0])
