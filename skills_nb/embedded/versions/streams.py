"""Streams: what they read, and when their offset moves.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/streams-intro
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import StreamDetail
from skills_nb.embedded.versions import images, travel

if TYPE_CHECKING:
    from sqlglot import exp

    from skills_nb.embedded.lookups import Lookups

Span = tuple[bool, int, int]
_DAY = 86_400_000_000
_LEAST_DAYS = 14


def detail_of(stream: Entity) -> StreamDetail:
    """Return a stream's detail."""
    assert isinstance(stream.detail, StreamDetail)
    return stream.detail


def source_of(session: Lookups, stream: Entity) -> Entity:
    """Return what a stream follows.

    Raises:
        SqlError: it was dropped.
    """
    found = session.account.catalog.by_id(detail_of(stream).source_id)
    if found is None or found.dropped_on is not None:
        raise refusals.source_gone(stream.name)
    return found


def span(session: Lookups, stream: Entity) -> Span:
    """Return what the stream shows: whether only additions, from its offset, up to now.

    Raises:
        SqlError: the stream is stale.
    """
    if stale_after(session, stream) < session.moment:
        raise refusals.stream_stale(stream.name)
    until = session.transaction_moment if session.in_transaction else session.moment
    return detail_of(stream).append_only, travel.offset_of(session, stream), until


def stale_after(session: Lookups, stream: Entity) -> int:
    """Return the instant after which the stream's changes are not kept."""
    source = session.account.catalog.by_id(detail_of(stream).source_id)
    days = getattr(source.detail, "retention_days", 1) if source is not None else 0
    offset = travel.offset_of(session, stream) or travel.micros(stream.created_on)
    return offset + max(days, _LEAST_DAYS) * _DAY


def of_table(
    session: Lookups, entity: Entity, detail: TableDetail, columns: tuple[str, ...], wanted: Span
) -> exp.Query:
    """Return a query over a table's changes."""
    additions_only, since, until = wanted
    read = images.additions if additions_only else images.changes
    return read(session, detail.place, columns, entity.id, since, until)


def move(session: Lookups, stream_id: int, moment: int) -> None:
    """Put a stream's offset."""
    session.run('DELETE FROM "_account".stream_offset WHERE stream = ?', [stream_id])
    session.run('INSERT INTO "_account".stream_offset VALUES (?, ?)', [stream_id, moment])


def consume(session: Lookups) -> None:
    """Move the offsets of the streams that a change has read."""
    for stream_id, until in session.consumed.items():
        move(session, stream_id, until)


def has_data(session: Lookups, stream: Entity) -> bool:
    """Tell whether a stream shows anything, whoever asks."""
    additions_only, since, until = span(session, stream)
    source = source_of(session, stream)
    if not isinstance(source.detail, TableDetail):
        raise refusals.unsupported("SYSTEM$STREAM_HAS_DATA of a stream on a view")
    columns = tuple(c.name for c in source.detail.columns)
    made = of_table(session, source, source.detail, columns, (additions_only, since, until))
    row = session.cursor.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM ({made.sql('duckdb')}) LIMIT 1)"
    ).fetchone()
    return bool(row and row[0])


def of_source(session: Lookups, source: Entity) -> list[Entity]:
    """List the streams that follow an object."""
    found = session.account.catalog.all(Entity)
    return [e for e in found if e.kind is Kind.STREAM and detail_of(e).source_id == source.id]
