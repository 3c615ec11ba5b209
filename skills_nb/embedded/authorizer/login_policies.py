"""Password, session and authentication policies of the account and its users.

Room: embedded. A policy of a user goes before the account's. Nobody logs in with a password here,
and no session grows idle, so that a policy is kept, shown and told by POLICY_REFERENCES.

See https://docs.snowflake.com/en/sql-reference/sql/alter-user
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    LOGIN_POLICY_KINDS,
    Entity,
    Kind,
    PolicyRef,
)
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_KINDS = {kind.value: kind for kind in LOGIN_POLICY_KINDS}


def set_on(session: Context, user: Entity | None, slot: str, value: Any, *, force: bool) -> bool:
    """Give a user, or the account (None), a policy; False where the slot is none of these.

    Raises:
        SqlError: there is no such policy (2003), it may not be applied (3001), or another one is
            there and FORCE was not written (3549).
    """
    kind = _KINDS.get(slot)
    if kind is None:
        return False
    assert isinstance(value, ast.Ref)
    policy = access.existing(session, kind, value.parts)
    _may_apply(session, kind, policy)
    if _held(session, user, kind) is not None and not force:
        raise errors.already_held(_title(session, user), kind.value.replace(" ", "_"))
    session.account.catalog.put(PolicyRef(policy.id, kind, _id_of(user), "", ()))
    return True


def unset(session: Context, user: Entity | None, slot: str) -> bool:
    """Take a policy off a user or the account (None); False where the slot is none of these.

    Raises:
        SqlError: none is attached (3553), or the session may not apply it (3001).
    """
    kind = _KINDS.get(slot)
    if kind is None:
        return False
    ref = _held(session, user, kind)
    if ref is None:
        held = "account" if user is None else "user"
        raise errors.none_attached(kind.value.replace(" ", "_"), held, _title(session, user))
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    _may_apply(session, kind, policy)
    session.account.catalog.remove(ref)
    return True


def _held(session: Context, user: Entity | None, kind: Kind) -> PolicyRef | None:
    refs = session.account.catalog.policies_on(_id_of(user))
    return next((ref for ref in refs if ref.policy_kind is kind), None)


def _may_apply(session: Context, kind: Kind, policy: Entity) -> None:
    if not (access.may_globally(session, f"APPLY {kind.value}") or access.owns(session, policy)):
        raise access.refused(session, policy)


def _id_of(user: Entity | None) -> int:
    return user.id if user is not None else ACCOUNT_ID


def _title(session: Context, user: Entity | None) -> str:
    return user.name if user is not None else session.account.info.name
