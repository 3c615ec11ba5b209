"""When the rows of a table last changed: a token that differs once they have.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/system_last_change_commit_time
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder import dependencies
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, travel
from skills_nb.embedded.types import names


def commit_time(session: Context, name: str) -> str:
    """Return the instant of the last change, in nanoseconds since 1970, of a table or view.

    Raises:
        SqlError: there is no such object, or the role may not see it (2003).
    """
    entity = access.existing(session, Kind.TABLE, names.typed_path(name))
    moments = [_last_change(session, table) for table in _read_by(session, entity)]
    return str(max(moments, default=0) * 1000)


def _read_by(session: Context, entity: Entity) -> Iterator[Entity]:
    """Yield the object itself and what it reads, each once."""
    met: set[int] = set()
    waiting = [entity]
    while waiting:
        following = waiting.pop()
        if following.id not in met:
            met.add(following.id)
            yield following
            waiting += dependencies.used_by(session, following)


def _last_change(session: Context, entity: Entity) -> int:
    made = travel.micros(entity.created_on)
    if not isinstance(entity.detail, TableDetail) or entity.id in session.account.unmade:
        return made
    return max(made, images.last_change(session, entity.detail.place))
