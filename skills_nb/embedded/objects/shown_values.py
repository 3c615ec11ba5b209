"""Values that SHOW spells the same for many kinds of objects.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity


def y_or_n(value: object) -> str:
    """Spell a flag."""
    return "Y" if value else "N"


def owner_kind(entity: Entity) -> str:
    """Say what kind of role owns an object; nothing of Snowflake's own."""
    return "ROLE" if entity.owner else ""
