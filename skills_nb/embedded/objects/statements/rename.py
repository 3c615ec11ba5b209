"""ALTER … RENAME TO.

Room: embedded. Grants, policies, tags and rows hang on numbers and places, so that a
rename is a new path and nothing else.
"""

from __future__ import annotations

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
)
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.session.context import Context


def rename(session: Context, entity: Entity, name: tuple[str, ...]) -> None:
    """Give an object another name, and with it what it contains.

    Raises:
        SqlError: the name is taken (2002), its container is not there (2003), or the role may not
            create it there (3001).
    """
    path = session.qualify_as(entity.kind, name)
    if path == entity.path:
        return
    if path[:-1] != entity.path[:-1]:
        access.require_create(session, entity.kind, path)
    access.require_free(session, entity.kind, path)
    follow = object_kind.of(entity.kind).rename
    if follow is not None:
        follow(session, entity, path)
    _move(session, entity, path)


def _move(session: Context, entity: Entity, path: tuple[str, ...]) -> None:
    catalog = session.account.catalog
    inside = [e for e in catalog.all(Entity) if e.id != entity.id and _contains(entity, e)]
    catalog.change(entity, path=path, altered_on=session.account.clock())
    for child in inside:
        catalog.change(child, path=(*path, *child.path[len(path) :]))


def _contains(entity: Entity, other: Entity) -> bool:
    if entity.kind not in (Kind.DATABASE, Kind.SCHEMA) or other.kind.depth <= entity.kind.depth:
        return False
    return other.path[: len(entity.path)] == entity.path
