"""Removal: taking an object out of the account, whatever its kind.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import (
    Entity,
)
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.session.context import Context


def remove(session: Context, entity: Entity) -> None:
    """Take an object and what it contains out of the catalog."""
    drop_own = object_kind.of(entity.kind).drop
    if drop_own is not None:
        drop_own(session, entity)
    else:
        session.account.catalog.forget(entity)
