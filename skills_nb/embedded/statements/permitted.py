"""Permitted: what a statement may attach to a table or view, and take off it.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    PolicyDetail,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.statements import access

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def column_of(entity: Entity, name: str) -> ColumnDef:
    """Return the column, or say that there is none."""
    if isinstance(entity.detail, (TableDetail, ViewDetail)):
        for column in entity.detail.columns:
            if column.name == name:
                return column
    raise refusals.no_column(name)


def policy_for(
    session: AccountSession, kind: Kind, name: tuple[str, ...], target: Entity
) -> tuple[Entity, PolicyDetail]:
    """Return a policy that the session may attach to the target.

    See https://docs.snowflake.com/en/user-guide/security-column-ddm-use (privileges)
    """
    policy = access.existing(session, kind, name)
    assert isinstance(policy.detail, PolicyDetail)
    rights, roles = session.account.rights, session.active_roles()
    if rights.has_global(roles, f"APPLY {kind.value}"):
        return policy, policy.detail
    if rights.owns(roles, target) and rights.has(roles, "APPLY", policy):
        return policy, policy.detail
    raise access.denied(policy)


def may_detach(session: AccountSession, kind: Kind, policy: Entity, target: Entity) -> None:
    """Refuse who may not take a policy off."""
    rights, roles = session.account.rights, session.active_roles()
    if rights.has_global(roles, f"APPLY {kind.value}"):
        return
    if rights.owns(roles, target) and rights.has(roles, "APPLY", policy):
        return
    raise access.denied(target)
