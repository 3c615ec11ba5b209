"""Altering: ALTER of the kinds in this package and of stages.

Room: embedded. One table, kind to function; each function asks for its own privilege.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects import entries, monitors
from skills_nb.embedded.stages import creating, pipes
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_SHARED = (ast.RenameTo,)
"""Actions that every kind has, done elsewhere."""
_ALTERS: dict[Kind, Callable[[AccountSession, Entity, Any], object]] = {
    Kind.STAGE: creating.alter_stage,
    Kind.FILE_FORMAT: creating.alter_file_format,
    Kind.PIPE: pipes.alter_pipe,
    Kind.INTEGRATION: entries.alter,
    Kind.RESOURCE_MONITOR: monitors.alter,
    **dict.fromkeys(entries.ENTRIES, entries.alter),
}


def answers(entity: Entity, action: object) -> bool:
    """Tell whether this package carries the action out."""
    return entity.kind in _ALTERS and not isinstance(action, _SHARED)


def act(session: AccountSession, entity: Entity, action: Any) -> None:
    """Carry out one action."""
    _ALTERS[entity.kind](session, entity, action)
