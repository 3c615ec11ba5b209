"""Password, session and authentication policies of the account and its users.

Room: embedded. A policy of a user goes before the account's. Nobody logs in with a password here,
and no session grows idle, so that a policy is kept, shown and told by POLICY_REFERENCES.

See https://docs.snowflake.com/en/sql-reference/sql/alter-user
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import LOGIN_POLICY_KINDS, Entity, Kind, PolicyRef
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.embedded.statements import access
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_KINDS = {kind.value: kind for kind in LOGIN_POLICY_KINDS}


def set_on(
    session: AccountSession, user: Entity | None, slot: str, value: Any, *, force: bool
) -> bool:
    """Give a user, or the account (None), a policy; False where the slot is none of these.

    Raises:
        SqlError: there is no such policy (2003), it may not be applied (3001), or another one is
            there and FORCE was not written (3552).
    """
    kind = _KINDS.get(slot)
    if kind is None:
        return False
    assert isinstance(value, ast.Ref)
    policy = access.existing(session, kind, value.parts)
    _may_apply(session, kind, policy)
    if _held(session, user, kind) is not None and not force:
        raise refusals.already_held(_title(session, user), kind.value.replace(" ", "_"))
    session.account.catalog.put(PolicyRef(policy.id, kind, _id_of(user), "", ()))
    return True


def unset(session: AccountSession, user: Entity | None, slot: str) -> bool:
    """Take a policy off a user or the account (None); False where the slot is none of these."""
    kind = _KINDS.get(slot)
    if kind is None:
        return False
    ref = _held(session, user, kind)
    if ref is None:
        held = "account" if user is None else "user"
        raise refusals.none_attached(kind.value.replace(" ", "_"), held, _title(session, user))
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    _may_apply(session, kind, policy)
    session.account.catalog.remove(ref)
    return True


def _held(session: AccountSession, user: Entity | None, kind: Kind) -> PolicyRef | None:
    refs = session.account.catalog.policies_on(_id_of(user))
    return next((ref for ref in refs if ref.policy_kind is kind), None)


def _may_apply(session: AccountSession, kind: Kind, policy: Entity) -> None:
    rights, roles = session.account.rights, session.active_roles()
    if not (rights.has_global(roles, f"APPLY {kind.value}") or rights.owns(roles, policy)):
        raise access.denied(policy)


def _id_of(user: Entity | None) -> int:
    return user.id if user is not None else ACCOUNT_ID


def _title(session: AccountSession, user: Entity | None) -> str:
    return user.name if user is not None else session.account.info.name
