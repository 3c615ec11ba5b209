"""A class of Snowflake's as a kind of object: its instances are shown and exported alike.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/classes/budget/commands/show-budget
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.instances.instance_methods import InstanceClass
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    register,
)
from skills_nb.embedded.session.context import Context

_CLASSES: dict[Kind, InstanceClass] = {}
CLASSES: Mapping[Kind, InstanceClass] = MappingProxyType(_CLASSES)
"""All classes; complete once `skills_nb.embedded.objects.kinds` is imported."""


def register_class(kind: Kind, made: InstanceClass) -> None:
    """Enter a class into the list, and its instances as a kind of object."""
    _CLASSES[kind] = made
    register(
        ObjectKind(
            kind=kind,
            plurals=(kind.value,),
            listing=Listing(
                "created_on:t name database_name schema_name current_version comment owner", _row
            ),
            export=Exporting(Phase.OWN),
        )
    )


def _row(session: Context, e: Entity) -> Row:
    return (e.created_on, e.name, *e.path[:2], "1.0", e.comment, e.owner)
