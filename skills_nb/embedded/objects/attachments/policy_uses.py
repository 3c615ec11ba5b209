"""What policies are put on.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.session.context import Context


def refuse_used_policy(session: Context, entity: Entity) -> None:
    """Refuse to drop a policy in use.

    Raises:
        SqlError: it is attached to something (3531).
    """
    if session.account.catalog.uses_of_policy(entity.id):
        raise errors.policy_attached(entity.name)
