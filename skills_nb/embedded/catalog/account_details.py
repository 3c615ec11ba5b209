"""Details of what an account holds beside its databases: users and warehouses.

Room: embedded. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class UserDetail:
    """A user. Passwords are not kept: this account has no door that asks for one."""

    login_name: str
    display_name: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    disabled: bool = False
    default_role: str = ""
    default_warehouse: str = ""
    default_namespace: str = ""
    default_secondary_roles: bool = True
    """True for ('ALL'), Snowflake's default since 2024."""
    type: str = ""
    must_change_password: bool = False
    has_password: bool = False
    middle_name: str = ""
    rsa_key_fp: str = ""
    """Fingerprint of the public key, `SHA256:…`."""
    rsa_key_2_fp: str = ""
    rsa_key: str = ""
    """The public key, Base64 of DER; logs in as long as the fingerprint is its own."""
    rsa_key_2: str = ""
    days_to_expiry: int | None = None
    """Days after which the user cannot log in, from when it was said."""
    expires_at: datetime | None = None
    """The instant that these days lead to."""
    mins_to_unlock: int | None = None
    mins_to_bypass_mfa: int | None = None


@dataclass(frozen=True, slots=True)
class WarehouseDetail:
    """A warehouse: an entry only, queries run in this process."""

    size: str = "X-Small"
    type: str = "STANDARD"
    auto_suspend: int | None = 600
    auto_resume: bool = True
    suspended: bool = False
    min_cluster_count: int = 1
    max_cluster_count: int = 1
    scaling_policy: str = "STANDARD"
    resource_monitor: str = ""
    statement_timeout_s: int = 172800
    queued_timeout_s: int = 0
    max_concurrency_level: int = 8
    acceleration: bool = False
    """Whether queries may be accelerated; none needs to be here."""
    acceleration_scale: int = 8
    resource_constraint: str = ""
    generation: str = ""
