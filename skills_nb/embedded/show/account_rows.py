"""Rows of SHOW USERS and SHOW WAREHOUSES.

Room: embedded.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import quotas
from skills_nb.embedded.catalog.entities import Entity, UserDetail, WarehouseDetail

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]


def user(session: AccountSession, e: Entity) -> Row:
    """Return a user's row of SHOW USERS."""
    d = e.detail
    assert isinstance(d, UserDetail)
    secondary = '["ALL"]' if d.default_secondary_roles else "[]"
    return (
        e.name,
        e.created_on,
        d.login_name,
        d.display_name,
        d.first_name,
        d.last_name,
        d.email,
        "" if d.mins_to_unlock is None else str(d.mins_to_unlock),
        _days_left(session, d),
        e.comment,
        str(d.disabled).lower(),
        str(d.must_change_password).lower(),
        "false",
        d.default_warehouse,
        d.default_namespace,
        d.default_role,
        secondary,
        "false",
        "",
        "" if d.mins_to_bypass_mfa is None else str(d.mins_to_bypass_mfa),
        e.owner,
        None,
        d.expires_at,
        None,
        str(d.has_password).lower(),
        str(bool(d.rsa_key_fp or d.rsa_key_2_fp)).lower(),
        d.type,
        "false",
    )


def _days_left(session: AccountSession, detail: UserDetail) -> str:
    """Say how many days a user may still log in; empty for ever."""
    if detail.expires_at is None:
        return ""
    return str(max(0.0, (detail.expires_at - session.account.clock()) / timedelta(days=1)))


def warehouse(session: AccountSession, e: Entity) -> Row:
    """Return a warehouse's row of SHOW WAREHOUSES."""
    d = e.detail
    assert isinstance(d, WarehouseDetail)
    rests = d.suspended or quotas.exhausted(session, e) is not None
    started = 0 if rests else 1
    default = session.user_detail().default_warehouse == e.name
    return (
        e.name,
        "SUSPENDED" if rests else "STARTED",
        d.type,
        d.size,
        d.min_cluster_count,
        d.max_cluster_count,
        started,
        0,
        0,
        "Y" if default else "N",
        "Y" if session.warehouse == e.name else "N",
        d.auto_suspend,
        str(d.auto_resume).lower(),
        "",
        "",
        "",
        "",
        e.created_on,
        e.created_on,
        e.altered_on or e.created_on,
        e.owner,
        e.comment,
        str(d.acceleration).lower(),
        d.acceleration_scale,
        d.resource_monitor or "null",
        0,
        0,
        0,
        0,
        str(e.id),
        d.scaling_policy,
        None,
        "ROLE",
        d.resource_constraint or None,
        d.generation or None,
    )
