"""Clones of objects that hold no rows: a copy of what the catalog says, for each kind in its way.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.embedded.catalog.entities import Entity, Grant, Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.lifecycle import create_steps, removal
from skills_nb.embedded.session.context import Context


def clone_into_schema(
    session: Context, source: Entity, made: Entity, copies: dict[int, int]
) -> list[tuple[Entity, Entity]]:
    """Clone what else is in a schema; `copies` tells the clone's number by the source's."""
    found: list[tuple[Entity, Entity]] = []
    for one in object_kind.in_order(_taken_along()):
        for entity in session.account.catalog.children(one.kind, source.path):
            if getattr(entity.detail, "temporary", 0):
                continue  # which belongs to its session
            made_one = copied(session, entity, (*made.path, entity.name), copies)
            copies[entity.id] = made_one.id
            found.append((entity, made_one))
    for _, made_one in found:
        link = _cloning(made_one.kind).link
        if link is not None:
            link(session, made_one, copies)
    return found


def _taken_along() -> list[Kind]:
    """List what a clone of a schema takes along besides tables and views."""
    return [
        kind
        for kind, one in object_kind.KINDS.items()
        if one.clone is not None and one.clone.with_schema
    ]


def _cloning(kind: Kind) -> object_kind.Cloning:
    cloning = object_kind.of(kind).clone
    assert cloning is not None, f"{kind.value} is not cloned"
    return cloning


def copied(
    session: Context,
    source: Entity,
    path: tuple[str, ...],
    copies: Mapping[int, int],
    kept: tuple[Grant, ...] | None = None,
    standing: Entity | None = None,
) -> Entity:
    """Make the copy of one object, with these grants, or with future ones.

    What it replaces may be the source itself, which is read before it goes.
    """
    cloning = _cloning(source.kind)
    detail = cloning.copy(session, source.detail, copies)
    if standing is not None:
        removal.remove(session, standing)
    entity = create_steps.finish_create(session, source.kind, path, detail, source.comment, kept)
    cloning.begin(session, entity)
    return entity
