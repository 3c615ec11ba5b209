"""ALTER: what is particular to objects that move data, and who may.

Room: embedded. What all objects have in common (RENAME, comments, tags) is left to `statements`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.code import routines
from skills_nb.embedded.pipelines import alerts, definitions, dynamic, tasks
from skills_nb.embedded.statements import access
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_ACTS: dict[Kind, Callable[[AccountSession, Entity, Any], bool]] = {
    Kind.SEQUENCE: definitions.alter_sequence,
    Kind.STREAM: definitions.alter_stream,
    Kind.DYNAMIC_TABLE: dynamic.alter,
    Kind.TASK: tasks.alter,
    Kind.ALERT: alerts.alter,
    Kind.FUNCTION: routines.alter,
    Kind.PROCEDURE: routines.alter,
}
_OPERATED = (ast.Suspend, ast.Resume, ast.Refresh)


def act(session: AccountSession, entity: Entity, action: Any) -> bool:
    """Carry out an action that is particular to the kind; False for any other."""
    do = _ACTS.get(entity.kind)
    if do is None:
        return False
    rights, roles = session.account.rights, session.active_roles()
    operates = isinstance(action, _OPERATED) and rights.has(roles, "OPERATE", entity)
    if not (rights.owns(roles, entity) or operates):
        raise access.denied(entity)
    return do(session, entity, action)
