"""Functions about streams.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/system_stream_has_data
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import streams, travel
from skills_nb.embedded.types import names


def _seen(session: Context, name: str) -> Entity:
    return access.existing(session, Kind.STREAM, names.typed_path(name))


def _has_data(session: Context, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_stream_has_data."""
    return str(streams.has_data(session, _seen(session, name))).lower()


def _stream_instant(session: Context, name: str) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_stream_get_table_timestamp.

    The instant is told in nanoseconds.
    """
    stream = _seen(session, name)
    return str((travel.offset_of(session, stream) or travel.micros(stream.created_on)) * 1000)


SCALARS: dict[str, Callable[..., str | None]] = {
    "SYSTEM$STREAM_HAS_DATA": _has_data,
    "SYSTEM$STREAM_GET_TABLE_TIMESTAMP": _stream_instant,
}
