"""Properties: `KEY = value` pairs of users and warehouses, read into typed details.

Room: embedded. Every key is in a table, with how to read it; another key is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import UserDetail, WarehouseDetail
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
    "TYPE": ("type", _name),
    "MUST_CHANGE_PASSWORD": ("must_change_password", _flag),
    "PASSWORD": ("has_password", lambda key, value: True),
}
_WAREHOUSE: dict[str, tuple[str, _Reader]] = {
    "WAREHOUSE_SIZE": ("size", _size),
    "WAREHOUSE_TYPE": ("type", _name),
    "AUTO_SUSPEND": ("auto_suspend", _seconds_or_never),
    "AUTO_RESUME": ("auto_resume", _flag),
    "INITIALLY_SUSPENDED": ("suspended", _flag),
    "MIN_CLUSTER_COUNT": ("min_cluster_count", _whole),
    "MAX_CLUSTER_COUNT": ("max_cluster_count", _whole),
    "SCALING_POLICY": ("scaling_policy", _name),
    "RESOURCE_MONITOR": ("resource_monitor", _name),
    "STATEMENT_TIMEOUT_IN_SECONDS": ("statement_timeout_s", _whole),
    "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": ("queued_timeout_s", _whole),
    "MAX_CONCURRENCY_LEVEL": ("max_concurrency_level", _whole),
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


def user(name: str, given: Mapping[str, Any], before: UserDetail | None = None) -> UserDetail:
    """Read a user's properties, over what was there before."""
    detail = before or UserDetail(login_name=name, display_name=name)
    return replace(detail, **_read(_USER, given))


def warehouse(given: Mapping[str, Any], before: WarehouseDetail | None = None) -> WarehouseDetail:
    """Read a warehouse's properties, over what was there before."""
    return replace(before or WarehouseDetail(), **_read(_WAREHOUSE, given))


def default_of(table: str, key: str) -> Any:
    """Return the value that UNSET goes back to."""
    fields, fresh = (_USER, UserDetail("")) if table == "USER" else (_WAREHOUSE, WarehouseDetail())
    if key not in fields:
        raise refusals.invalid_property(f"invalid property '{key}'")
    return fields[key][0], getattr(fresh, fields[key][0])
