"""Permitted: what a statement may attach to a table or view, and take off it.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    PolicyDetail,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.session.context import Context


def column_of(entity: Entity, name: str) -> ColumnDef:
    """Return the column, or say that there is none.

    Raises:
        SqlError: there is none (904).
    """
    if isinstance(entity.detail, (TableDetail, ViewDetail)):
        for column in entity.detail.columns:
            if column.name == name:
                return column
    raise errors.no_column(name)


def policy_for(
    session: Context, kind: Kind, name: tuple[str, ...], target: Entity
) -> tuple[Entity, PolicyDetail]:
    """Return a policy that the session may attach to the target.

    Raises:
        SqlError: the policy is not there or is hidden (2003), or the session may not apply it
            (3001).

    See https://docs.snowflake.com/en/user-guide/security-column-ddm-use (privileges)
    """
    policy = access.existing(session, kind, name)
    assert isinstance(policy.detail, PolicyDetail)
    if not access.may_apply(session, policy, target):
        raise access.refused(session, policy)
    return policy, policy.detail


def may_detach(session: Context, policy: Entity, target: Entity) -> None:
    """Refuse who may not take a policy off.

    Raises:
        SqlError: the target is hidden (2003), or the session may not apply the policy (3001).
    """
    if not access.may_apply(session, policy, target):
        raise access.refused(session, target)


def may_unprotect(session: Context, kind: Kind, target: Entity) -> None:
    """Refuse who may take no policy of a kind off, before it is told whether one is on.

    Raises:
        SqlError: the target is hidden (2003), or the session neither owns it nor may apply all
            policies of the kind (3001).
    """
    if not (access.owns(session, target) or access.may_globally(session, f"APPLY {kind.value}")):
        raise access.refused(session, target)
