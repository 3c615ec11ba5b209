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
    """What logins say, in any case; the name of the user where LOGIN_NAME was not given."""
    display_name: str = ""
    """As written; empty where not given."""
    first_name: str = ""
    """As written; empty where not given."""
    last_name: str = ""
    """As written; empty where not given."""
    email: str = ""
    """As written, unchecked; empty where not given."""
    disabled: bool = False
    """Whether logins are refused."""
    default_role: str = ""
    """Stored name; empty for PUBLIC. It need not be granted, which only a login notices."""
    default_warehouse: str = ""
    """Stored name; empty for none. It need not be there."""
    default_namespace: str = ""
    """`DATABASE` or `DATABASE.SCHEMA`; empty for none."""
    default_secondary_roles: bool = True
    """True for ('ALL'), Snowflake's default since 2024."""
    type: str = ""
    """`PERSON`, `SERVICE`, …; empty where not given."""
    must_change_password: bool = False
    """Shown only: there is no password to change."""
    has_password: bool = False
    """Whether PASSWORD was given; no login here asks for one."""
    middle_name: str = ""
    """As written; empty where not given."""
    rsa_key_fp: str = ""
    """Fingerprint of the public key, `SHA256:…`."""
    rsa_key_2_fp: str = ""
    """Fingerprint of the second public key, which stands in while the first is exchanged."""
    rsa_key: str = ""
    """The public key, Base64 of DER; logs in as long as the fingerprint is its own."""
    rsa_key_2: str = ""
    """The second public key, Base64 of DER."""
    days_to_expiry: int | None = None
    """Days after which the user cannot log in, from when it was said."""
    expires_at: datetime | None = None
    """The instant that these days lead to."""
    mins_to_unlock: int | None = None
    """As set; shown only, since nothing locks a user here."""
    mins_to_bypass_mfa: int | None = None
    """As set; shown only, since nothing here asks for a second factor."""


@dataclass(frozen=True, slots=True)
class WarehouseDetail:
    """A warehouse: an entry only, queries run in this process."""

    size: str = "X-Small"
    """As SHOW WAREHOUSES spells it: `X-Small`, `2X-Large`."""
    type: str = "STANDARD"
    """`STANDARD` or `SNOWPARK-OPTIMIZED`."""
    auto_suspend: int | None = 600
    """Seconds without a query; None or 0 for never."""
    auto_resume: bool = True
    """Whether a query wakes it."""
    suspended: bool = False
    """Whether queries have to wake it first."""
    min_cluster_count: int = 1
    """Shown only: queries never queue here."""
    max_cluster_count: int = 1
    """Shown only: queries never queue here."""
    scaling_policy: str = "STANDARD"
    """`STANDARD` or `ECONOMY`; shown only."""
    resource_monitor: str = ""
    """Stored name of its own monitor; empty for none."""
    statement_timeout_s: int = 172800
    """STATEMENT_TIMEOUT_IN_SECONDS; 0 for the longest that there is."""
    queued_timeout_s: int = 0
    """STATEMENT_QUEUED_TIMEOUT_IN_SECONDS; shown only."""
    max_concurrency_level: int = 8
    """MAX_CONCURRENCY_LEVEL; shown only, since statements never queue here."""
    acceleration: bool = False
    """Whether queries may be accelerated; none needs to be here."""
    acceleration_scale: int = 8
    """QUERY_ACCELERATION_MAX_SCALE_FACTOR; shown only."""
    resource_constraint: str = ""
    """RESOURCE_CONSTRAINT, such as `MEMORY_16X`; empty where not given."""
    generation: str = ""
    """`1` or `2`; empty where not given."""
