"""Entries shown: SHOW and DESCRIBE of what the account only keeps.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-network-rules and its siblings.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.objects.checks import properties_of
from skills_nb.embedded.objects.entries import ENTRIES

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
RULE_COLUMNS = (
    "created_on:t name database_name schema_name owner comment type mode entries_in_valuelist:n "
    "owner_role_type"
)
NETWORK_COLUMNS = (
    "created_on:t name comment entries_in_allowed_ip_list:n entries_in_blocked_ip_list:n "
    "entries_in_allowed_network_rules:n entries_in_blocked_network_rules:n"
)
SECRETS_SHOWN = (
    "created_on:t name schema_name database_name owner comment secret_type oauth_scopes "
    "owner_role_type"
)
INTEGRATION_COLUMNS = "name type category enabled comment created_on:t"
POLICY_COLUMNS = (
    "created_on:t name database_name schema_name kind owner comment owner_role_type options"
)


def rule_row(session: AccountSession, e: Entity) -> Row:
    """Return a network rule's row."""
    held = properties_of(e)
    count = len(held["VALUE_LIST"])
    return (
        e.created_on,
        e.name,
        *e.path[:2],
        e.owner,
        e.comment,
        held["TYPE"],
        held["MODE"],
        count,
        "ROLE",
    )


def network_row(session: AccountSession, e: Entity) -> Row:
    """Return a network policy's row."""
    held = properties_of(e)
    keys = (
        "ALLOWED_IP_LIST",
        "BLOCKED_IP_LIST",
        "ALLOWED_NETWORK_RULE_LIST",
        "BLOCKED_NETWORK_RULE_LIST",
    )
    return (e.created_on, e.name, e.comment, *(len(held.get(key, ())) for key in keys))


def secret_row(session: AccountSession, e: Entity) -> Row:
    """Return a secret's row; it never holds the value."""
    held = properties_of(e)
    scopes = json.dumps(held["OAUTH_SCOPES"]) if "OAUTH_SCOPES" in held else None
    kind = held["TYPE"]
    return (e.created_on, e.name, e.path[1], e.path[0], e.owner, e.comment, kind, scopes, "ROLE")


def integration_row(session: AccountSession, e: Entity) -> Row:
    """Return an integration's row."""
    assert isinstance(e.detail, EntryDetail)
    held = properties_of(e)
    category = e.detail.subtype
    kind = str(held.get("TYPE") or held.get("API_PROVIDER") or category.replace(" ", "_")).upper()
    enabled = str(held.get("ENABLED", False)).lower()
    return (e.name, kind, category.replace(" ", "_"), enabled, e.comment, e.created_on)


def policy_row(session: AccountSession, e: Entity) -> Row:
    """Return the row of a password, session or authentication policy."""
    kind = e.kind.value.replace(" ", "_")
    return (e.created_on, e.name, *e.path[:2], kind, e.owner, e.comment, "ROLE", "")


def describe_rule(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-network-rule."""
    held = properties_of(e)
    columns = "created_on:t name database_name schema_name owner comment type mode value_list"
    listed = ",".join(held["VALUE_LIST"])
    row = (
        e.created_on,
        e.name,
        *e.path[:2],
        e.owner,
        e.comment,
        held["TYPE"],
        held["MODE"],
        listed,
    )
    return columns, [row]


def describe_secret(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-secret."""
    held = properties_of(e)
    columns = (
        "created_on:t name schema_name database_name owner comment secret_type username "
        "oauth_access_token_expiry_time oauth_refresh_token_expiry_time oauth_scopes "
        "integration_name"
    )
    scopes = json.dumps(held["OAUTH_SCOPES"]) if "OAUTH_SCOPES" in held else None
    row = (
        e.created_on,
        e.name,
        e.path[1],
        e.path[0],
        e.owner,
        e.comment,
        held["TYPE"],
        held.get("USERNAME"),
        None,
        held.get("OAUTH_REFRESH_TOKEN_EXPIRY_TIME"),
        scopes,
        held.get("API_AUTHENTICATION"),
    )
    return columns, [row]


def describe_properties(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """Describe an entry property by property."""
    held = properties_of(e)
    known = ENTRIES.get(e.kind)
    defaults = (known.defaults or {}) if known is not None else {}
    if e.kind is Kind.INTEGRATION:
        return "property property_type property_value property_default", [
            (key, _type(value), _spelled(value), "") for key, value in held.items()
        ]
    if e.kind is Kind.NETWORK_POLICY:
        return "name value", [(key, _spelled(value)) for key, value in held.items()]
    rows: list[Row] = [
        ("NAME", e.name, "null", "Name of the policy."),
        ("OWNER", e.owner, "null", "Owner of the policy."),
        ("COMMENT", e.comment or "null", "null", "Comment on the policy."),
    ]
    rows += [(key, _spelled(value), _spelled(defaults.get(key)), "") for key, value in held.items()]
    return "property value default description", rows


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "Boolean"
    return "List" if isinstance(value, list) else "String"


def _spelled(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case list():
            return ",".join(str(v) for v in value)
        case dict():
            return json.dumps(value)
        case _:
            return str(value)
