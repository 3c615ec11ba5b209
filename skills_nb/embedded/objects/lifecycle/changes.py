"""Changes: what ALTER … SET and UNSET do to an object of any kind.

Room: embedded. The comment and the parameters are the same for all; the rest the kind reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import parameters
from skills_nb.embedded.catalog.entities import Detail, Entity
from skills_nb.embedded.objects import object_kind, properties
from skills_nb.embedded.session.context import Context


def put(session: Context, entity: Entity, detail: Detail) -> Entity:
    """Give an object another detail, and note when that was."""
    now = session.account.clock()
    return session.account.catalog.change(entity, detail=detail, altered_on=now)


def set_properties(session: Context, entity: Entity, given: Mapping[str, Any]) -> None:
    """Set the comment, parameters and what the kind has of its own.

    Raises:
        SqlError: the kind has no such property (1420), or not with this value (1008).
    """
    kind = object_kind.of(entity.kind)
    own = kind.properties
    left = {
        key: value
        for key, value in given.items()
        if key in kind.parameters or not parameters.set_on(session, entity, key, value)
    }
    if "COMMENT" in left:
        entity = session.account.catalog.change(entity, comment=str(left.pop("COMMENT") or ""))
    if own is not None and left:
        own.set(session, entity, left)
    else:
        properties.none(left)


def unset_properties(session: Context, entity: Entity, names: Iterable[str]) -> None:
    """Put properties back to what they are where nobody says anything.

    Raises:
        SqlError: the kind has no such property (1420).
    """
    kind = object_kind.of(entity.kind)
    own = kind.properties
    for name in names:
        if name not in kind.parameters and parameters.unset_on(session, entity, name):
            continue
        if name == "COMMENT":
            session.account.catalog.change(entity, comment="")
        elif own is not None:
            own.unset(session, entity, name)
        else:
            raise errors.invalid_property(f"invalid property '{name}'")
        entity = session.account.catalog.by_id(entity.id) or entity
