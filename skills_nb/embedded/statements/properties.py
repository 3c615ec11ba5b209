"""Properties: `KEY = value` pairs of users and warehouses, read into typed details.

Room: embedded. Every key is in a table, with how to read it; another key is refused.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import TagDetail, UserDetail, WarehouseDetail
from skills_nb.sql.governance.ast import Ref, text_of

_SIZES = {
    "XSMALL": "X-Small",
    "X-SMALL": "X-Small",
    "SMALL": "Small",
    "MEDIUM": "Medium",
    "LARGE": "Large",
    "XLARGE": "X-Large",
    "X-LARGE": "X-Large",
    "XXLARGE": "2X-Large",
    "X2LARGE": "2X-Large",
    "2X-LARGE": "2X-Large",
    "XXXLARGE": "3X-Large",
    "X3LARGE": "3X-Large",
    "3X-LARGE": "3X-Large",
    "X4LARGE": "4X-Large",
    "4X-LARGE": "4X-Large",
    "X5LARGE": "5X-Large",
    "5X-LARGE": "5X-Large",
    "X6LARGE": "6X-Large",
    "6X-LARGE": "6X-Large",
}


def none(given: Mapping[str, Any]) -> None:
    """Refuse any property."""
    for key in given:
        raise refusals.invalid_property(f"invalid property '{key}'")


_WAYS = ("ON_DEPENDENCY", "ON_DATA_MOVEMENT", "ON_DEPENDENCY_AND_DATA_MOVEMENT")


def propagation(given: Mapping[str, Any], held: TagDetail) -> TagDetail:
    """Return a tag that goes on to other objects as its properties say.

    See https://docs.snowflake.com/en/user-guide/object-tagging/propagation
    """
    none({key: value for key, value in given.items() if key not in ("PROPAGATE", "ON_CONFLICT")})
    made = held
    if "PROPAGATE" in given:
        way = text_of(given["PROPAGATE"]).upper()
        if way not in (*_WAYS, "NONE"):
            raise refusals.invalid_value(way, "PROPAGATE")
        made = replace(made, propagate=None if way == "NONE" else way)
    if "ON_CONFLICT" in given:
        said = given["ON_CONFLICT"]
        by_sequence = isinstance(said, Ref) and said.parts == ("ALLOWED_VALUES_SEQUENCE",)
        if isinstance(said, Ref) and not by_sequence:
            raise refusals.invalid_value(".".join(said.parts), "ON_CONFLICT")
        text = None if by_sequence else text_of(said)
        made = replace(made, on_conflict=text, by_sequence=by_sequence)
    if made.propagate is None and (made.on_conflict or made.by_sequence):
        raise refusals.invalid_property("ON_CONFLICT goes with PROPAGATE.")
    return made


def retention(given: Mapping[str, Any]) -> int:
    """Read DATA_RETENTION_TIME_IN_DAYS, the only property of databases and schemas read here."""
    none({k: v for k, v in given.items() if k != "DATA_RETENTION_TIME_IN_DAYS"})
    days = given.get("DATA_RETENTION_TIME_IN_DAYS", 1)
    if not isinstance(days, int) or not 0 <= days <= 90:
        raise refusals.invalid_value(str(days), "DATA_RETENTION_TIME_IN_DAYS")
    return days


def _text(key: str, value: Any) -> str:
    return text_of(value) if value is not None else ""


def _name(key: str, value: Any) -> str:
    """Read a role, warehouse or namespace: bare words are stored, strings are upper-cased."""
    if isinstance(value, Ref):
        return ".".join(value.parts)
    return str(value or "").upper()


def _flag(key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise refusals.invalid_value(_text(key, value), key)


def _whole(key: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise refusals.invalid_value(_text(key, value), key)


def _seconds_or_never(key: str, value: Any) -> int | None:
    return None if value is None or value == 0 else _whole(key, value)


def _size(key: str, value: Any) -> str:
    shown = _text(key, value).upper()
    if shown not in _SIZES:
        raise refusals.invalid_value(shown, key)
    return _SIZES[shown]


def _secondary(key: str, value: Any) -> bool:
    listed = [_text(key, v).upper() for v in value] if isinstance(value, tuple) else None
    if listed is None or listed not in ([], ["ALL"]):
        raise refusals.invalid_value(str(value), key)
    return listed == ["ALL"]


def _fingerprint(key: str, value: Any) -> str:
    return "" if value is None else fingerprint(_text(key, value))


def fingerprint(key: str) -> str:
    """Return a public key's fingerprint, which is what is shown of it.

    One that is no key does no harm: nobody can log in with it.

    See https://docs.snowflake.com/en/user-guide/key-pair-auth
    """
    text = _bare(key)
    if text.startswith(_FINGERPRINT):
        return text
    try:
        body = base64.b64decode(text, validate=True)
    except binascii.Error:
        body = text.encode()
    return _FINGERPRINT + base64.b64encode(hashlib.sha256(body).digest()).decode()


def _bare(key: str) -> str:
    """Return a key in one line, without the lines around it in a file."""
    return "".join(line for line in key.split() if line.strip("-") not in _AROUND_A_KEY)


def _word(*allowed: str) -> Callable[[str, Any], str]:
    """Read one of some words, in upper case; NULL is none of them."""

    def read(key: str, value: Any) -> str:
        found = _text(key, value).upper()
        if found and found not in allowed:
            raise refusals.invalid_value(found, key)
        return found

    return read


def _within(low: int, high: int) -> Callable[[str, Any], int | None]:
    """Read a whole number within bounds, or NULL."""

    def read(key: str, value: Any) -> int | None:
        if value is None:
            return None
        if not low <= _whole(key, value) <= high:
            raise refusals.invalid_value(_text(key, value), key)
        return int(value)

    return read


_FINGERPRINT = "SHA256:"
_AROUND_A_KEY = ("BEGIN", "END", "PUBLIC", "KEY")
_KEYS = {"RSA_PUBLIC_KEY": "rsa_key", "RSA_PUBLIC_KEY_2": "rsa_key_2"}
_CONSTRAINTS = (
    "STANDARD_GEN_1",
    "STANDARD_GEN_2",
    *(f"MEMORY_{size}{machine}" for size in ("1X", "16X", "64X") for machine in ("", "_X86")),
)
_Reader = Callable[[str, Any], Any]
_USER: dict[str, tuple[str, _Reader]] = {
    "LOGIN_NAME": ("login_name", _name),
    "DISPLAY_NAME": ("display_name", _text),
    "FIRST_NAME": ("first_name", _text),
    "LAST_NAME": ("last_name", _text),
    "EMAIL": ("email", _text),
    "DISABLED": ("disabled", _flag),
    "DEFAULT_ROLE": ("default_role", _name),
    "DEFAULT_WAREHOUSE": ("default_warehouse", _name),
    "DEFAULT_NAMESPACE": ("default_namespace", _name),
    "DEFAULT_SECONDARY_ROLES": ("default_secondary_roles", _secondary),
    "TYPE": ("type", _word("PERSON", "SERVICE", "LEGACY_SERVICE")),
    "MUST_CHANGE_PASSWORD": ("must_change_password", _flag),
    "PASSWORD": ("has_password", lambda key, value: value is not None),
    "MIDDLE_NAME": ("middle_name", _text),
    "RSA_PUBLIC_KEY": ("rsa_key_fp", _fingerprint),
    "RSA_PUBLIC_KEY_2": ("rsa_key_2_fp", _fingerprint),
    "DAYS_TO_EXPIRY": ("days_to_expiry", _within(0, 36_500)),
    "MINS_TO_UNLOCK": ("mins_to_unlock", _within(0, 1_000_000)),
    "MINS_TO_BYPASS_MFA": ("mins_to_bypass_mfa", _within(0, 1_000_000)),
}
_WAREHOUSE: dict[str, tuple[str, _Reader]] = {
    "WAREHOUSE_SIZE": ("size", _size),
    "WAREHOUSE_TYPE": ("type", _word("STANDARD", "SNOWPARK-OPTIMIZED")),
    "AUTO_SUSPEND": ("auto_suspend", _seconds_or_never),
    "AUTO_RESUME": ("auto_resume", _flag),
    "INITIALLY_SUSPENDED": ("suspended", _flag),
    "MIN_CLUSTER_COUNT": ("min_cluster_count", _whole),
    "MAX_CLUSTER_COUNT": ("max_cluster_count", _whole),
    "SCALING_POLICY": ("scaling_policy", _word("STANDARD", "ECONOMY")),
    "RESOURCE_MONITOR": ("resource_monitor", _name),
    "STATEMENT_TIMEOUT_IN_SECONDS": ("statement_timeout_s", _whole),
    "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": ("queued_timeout_s", _whole),
    "MAX_CONCURRENCY_LEVEL": ("max_concurrency_level", _whole),
    "ENABLE_QUERY_ACCELERATION": ("acceleration", _flag),
    "QUERY_ACCELERATION_MAX_SCALE_FACTOR": ("acceleration_scale", _within(0, 100)),
    "RESOURCE_CONSTRAINT": ("resource_constraint", _word(*_CONSTRAINTS)),
    "GENERATION": ("generation", _word("1", "2")),
}


def _read(table: dict[str, tuple[str, _Reader]], given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key == "COMMENT":
            continue
        if key not in table:
            raise refusals.invalid_property(f"invalid property '{key}'")
        field, reader = table[key]
        out[field] = reader(key, value)
    return out


def user(
    name: str,
    given: Mapping[str, Any],
    before: UserDetail | None = None,
    *,
    now: datetime | None = None,
) -> UserDetail:
    """Read a user's properties, over what was there before; days to expiry count from `now`."""
    detail = before or UserDetail(login_name=name, display_name=name)
    keys: dict[str, Any] = {
        field: _bare(str(given[key] or "")) for key, field in _KEYS.items() if key in given
    }
    made = replace(detail, **_read(_USER, given), **keys)
    if now is None or "DAYS_TO_EXPIRY" not in given:
        return made
    days = made.days_to_expiry
    return replace(made, expires_at=now + timedelta(days=days) if days is not None else None)


def warehouse(given: Mapping[str, Any], before: WarehouseDetail | None = None) -> WarehouseDetail:
    """Read a warehouse's properties, over what was there before."""
    return replace(before or WarehouseDetail(), **_read(_WAREHOUSE, given))


def default_of(table: str, key: str) -> Any:
    """Return the value that UNSET goes back to."""
    fields, fresh = (_USER, UserDetail("")) if table == "USER" else (_WAREHOUSE, WarehouseDetail())
    if key not in fields:
        raise refusals.invalid_property(f"invalid property '{key}'")
    return fields[key][0], getattr(fresh, fields[key][0])
