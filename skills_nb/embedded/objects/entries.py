"""Entries: kinds that the account only keeps, with their properties and rights.

Room: embedded. Nothing connects, nobody logs in with a password: what is kept is what SHOW and
DESCRIBE tell. A property that no table here knows is refused; a secret's value is not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.statements import access, objects
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Check = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class EntryKind:
    """What may be said about one kind."""

    properties: Mapping[str, Check]
    required: tuple[str, ...] = ()
    subtype: str = ""
    """The property that says the subtype."""
    secret: frozenset[str] = frozenset()
    """Properties whose values are not kept."""
    defaults: Mapping[str, Any] | None = None


def _plain(key: str, value: Any) -> Any:
    match value:
        case ast.Ref():
            return ast.text_of(value)
        case tuple():
            return [_plain(key, item) for item in value]
        case Mapping():
            return {k: _plain(k, v) for k, v in value.items()}
        case bool() | int() | str() | None:
            return value
        case _:
            return str(value)


def _list(key: str, value: Any) -> list[str]:
    if not isinstance(value, tuple):
        raise refusals.invalid_value(str(value), key)
    return [ast.text_of(item) for item in value]


def _flag(key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise refusals.invalid_value(ast.text_of(value), key)


def _one_of(*allowed: str) -> Check:
    def check(key: str, value: Any) -> str:
        found = ast.text_of(value).upper()
        if found not in allowed:
            raise refusals.invalid_value(found, key)
        return found

    return check


def _between(low: int, high: int) -> Check:
    def check(key: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise refusals.invalid_value(ast.text_of(value), key)
        return value

    return check


_PASSWORD = {
    "PASSWORD_MIN_LENGTH": (8, 256, 14),
    "PASSWORD_MAX_LENGTH": (8, 256, 256),
    "PASSWORD_MIN_UPPER_CASE_CHARS": (0, 256, 1),
    "PASSWORD_MIN_LOWER_CASE_CHARS": (0, 256, 1),
    "PASSWORD_MIN_NUMERIC_CHARS": (0, 256, 1),
    "PASSWORD_MIN_SPECIAL_CHARS": (0, 256, 0),
    "PASSWORD_MIN_AGE_DAYS": (0, 999, 0),
    "PASSWORD_MAX_AGE_DAYS": (0, 999, 90),
    "PASSWORD_MAX_RETRIES": (1, 10, 5),
    "PASSWORD_LOCKOUT_TIME_MINS": (1, 999, 15),
    "PASSWORD_HISTORY": (0, 24, 5),
}
_RULE_TYPES = ("IPV4", "AWSVPCEID", "AZURELINKID", "GCPPSCID", "HOST_PORT", "PRIVATE_HOST_PORT")
_SECRET_TYPES = ("GENERIC_STRING", "PASSWORD", "OAUTH2", "CLOUD_PROVIDER_TOKEN", "SYMMETRIC_KEY")
ENTRIES: dict[Kind, EntryKind] = {
    Kind.NETWORK_RULE: EntryKind(
        {
            "TYPE": _one_of(*_RULE_TYPES),
            "VALUE_LIST": _list,
            "MODE": _one_of("INGRESS", "INTERNAL_STAGE", "EGRESS", "POSTGRES_INGRESS"),
        },
        ("TYPE", "VALUE_LIST"),
        "TYPE",
        defaults={"MODE": "INGRESS"},
    ),
    Kind.NETWORK_POLICY: EntryKind(
        dict.fromkeys(
            (
                "ALLOWED_NETWORK_RULE_LIST",
                "BLOCKED_NETWORK_RULE_LIST",
                "ALLOWED_IP_LIST",
                "BLOCKED_IP_LIST",
            ),
            _list,
        )
    ),
    Kind.SECRET: EntryKind(
        {
            "TYPE": _one_of(*_SECRET_TYPES),
            "SECRET_STRING": _plain,
            "USERNAME": _plain,
            "PASSWORD": _plain,
            "OAUTH_SCOPES": _plain,
            "OAUTH_REFRESH_TOKEN": _plain,
            "OAUTH_REFRESH_TOKEN_EXPIRY_TIME": _plain,
            "API_AUTHENTICATION": _plain,
            "ALGORITHM": _plain,
            "ENABLED": _flag,
        },
        ("TYPE",),
        "TYPE",
        frozenset({"SECRET_STRING", "PASSWORD", "OAUTH_REFRESH_TOKEN"}),
    ),
    Kind.PASSWORD_POLICY: EntryKind(
        {key: _between(low, high) for key, (low, high, _) in _PASSWORD.items()},
        defaults={key: default for key, (_, _, default) in _PASSWORD.items()},
    ),
    Kind.SESSION_POLICY: EntryKind(
        {
            "SESSION_IDLE_TIMEOUT_MINS": _between(5, 240),
            "SESSION_UI_IDLE_TIMEOUT_MINS": _between(5, 1080),
            "ALLOWED_SECONDARY_ROLES": _list,
            "BLOCKED_SECONDARY_ROLES": _list,
        },
        defaults={"SESSION_IDLE_TIMEOUT_MINS": 240, "SESSION_UI_IDLE_TIMEOUT_MINS": 1080},
    ),
    Kind.AUTHENTICATION_POLICY: EntryKind(
        {
            "AUTHENTICATION_METHODS": _list,
            "MFA_AUTHENTICATION_METHODS": _list,
            "MFA_ENROLLMENT": _one_of("REQUIRED", "OPTIONAL", "REQUIRED_PASSWORD_ONLY"),
            "CLIENT_TYPES": _list,
            "SECURITY_INTEGRATIONS": _list,
            "MFA_POLICY": _plain,
            "PAT_POLICY": _plain,
            "WORKLOAD_IDENTITY_POLICY": _plain,
        },
        defaults={"AUTHENTICATION_METHODS": ["ALL"], "CLIENT_TYPES": ["ALL"]},
    ),
}
_INTEGRATIONS = {
    "STORAGE": r"TYPE|ENABLED|STORAGE_\w+|AZURE_TENANT_ID|USE_PRIVATELINK_ENDPOINT",
    "API": r"ENABLED|API_\w+|AZURE_\w+|GOOGLE_AUDIENCE|ALLOWED_AUTHENTICATION_SECRETS",
    "NOTIFICATION": r"TYPE|ENABLED|DIRECTION|NOTIFICATION_PROVIDER|ALLOWED_RECIPIENTS|DEFAULT_\w+|"
    r"WEBHOOK_\w+|AWS_\w+|AZURE_\w+|GCP_\w+",
    "SECURITY": r"TYPE|ENABLED|OAUTH_\w+|EXTERNAL_OAUTH_\w+|SAML2_\w+|SCIM_CLIENT|RUN_AS_ROLE|"
    r"NETWORK_POLICY|SYNC_PASSWORD|AUTH_TYPE|ALLOWED_USER_DOMAINS|ALLOWED_EMAIL_PATTERNS",
    "EXTERNAL ACCESS": r"ENABLED|ALLOWED_NETWORK_RULES|ALLOWED_API_AUTHENTICATION_INTEGRATIONS|"
    r"ALLOWED_AUTHENTICATION_SECRETS",
    "CATALOG": r"ENABLED|CATALOG_\w+|TABLE_FORMAT|GLUE_\w+|REFRESH_INTERVAL_SECONDS|REST_\w+",
}
_HIDDEN = re.compile(r".*(SECRET|API_KEY|REST_AUTHENTICATION|_TOKEN|PRIVATE_KEY)$")


def create(session: AccountSession, statement: ast.Create) -> Outcome:
    """Create an entry.

    See https://docs.snowflake.com/en/sql-reference/sql/create
    """
    kind = Kind(statement.kind)
    if statement.modifiers:
        raise refusals.unsupported(f"CREATE {statement.modifiers[0]} {kind.value}")
    made = _detail(session, kind, statement)
    return objects.create(session, statement, kind, lambda: made)


def _detail(session: AccountSession, kind: Kind, statement: ast.Create) -> EntryDetail:
    given = statement.properties
    if isinstance(statement, ast.CreateIntegration):
        _refuse_integration(statement.integration, given)
        kept = {k: _plain(k, v) for k, v in given.items() if not _HIDDEN.fullmatch(k)}
        return EntryDetail(statement.integration, json.dumps(kept))
    known = ENTRIES[kind]
    for key in known.required:
        if key not in given:
            raise refusals.invalid_property(f"Missing option(s): [{key}]")
    kept = {**(known.defaults or {}), **_checked(session, kind, given)}
    return EntryDetail(str(kept.get(known.subtype, "")), json.dumps(kept))


def _refuse_integration(category: str, given: Mapping[str, Any]) -> None:
    for key in given:
        if not re.fullmatch(_INTEGRATIONS[category], key):
            raise refusals.invalid_property(f"invalid property '{key}'")
    if "ENABLED" not in given:
        raise refusals.invalid_property("Missing option(s): [ENABLED]")
    _flag("ENABLED", given["ENABLED"])


def _checked(session: AccountSession, kind: Kind, given: Mapping[str, Any]) -> dict[str, Any]:
    known = ENTRIES[kind]
    out: dict[str, Any] = {}
    for key, value in given.items():
        check = known.properties.get(key)
        if check is None:
            raise refusals.invalid_property(f"invalid property '{key}'")
        made = check(key, value)
        if key.endswith("NETWORK_RULE_LIST"):
            for name in value:
                path = name.parts if isinstance(name, ast.Ref) else _path(str(name))
                access.existing(session, Kind.NETWORK_RULE, path)
        if key not in known.secret:
            out[key] = made
    return out


def _path(text: str) -> tuple[str, ...]:
    from skills_nb.embedded.names import typed_path

    return typed_path(text)


def properties_of(entity: Entity) -> dict[str, Any]:
    """Return what an entry keeps."""
    assert isinstance(entity.detail, EntryDetail)
    found: dict[str, Any] = json.loads(entity.detail.properties)
    return found


def alter(session: AccountSession, entity: Entity, action: ast.Action) -> None:
    """Carry out SET and UNSET."""
    access.require_owner(session, entity)
    assert isinstance(entity.detail, EntryDetail)
    held = properties_of(entity)
    match action:
        case ast.SetProperties(properties=given):
            rest = {k: v for k, v in given.items() if k != "COMMENT"}
            if "COMMENT" in given:
                comment = ast.text_of(given["COMMENT"])
                entity = session.account.catalog.change(entity, comment=comment)
            held |= _set(session, entity, rest)
        case ast.UnsetProperties(names=names):
            for name in names:
                if name == "COMMENT":
                    entity = session.account.catalog.change(entity, comment="")
                    continue
                _unset(entity, held, name)
        case _:
            raise refusals.unsupported(f"ALTER {entity.kind.value} {type(action).__name__.upper()}")
    assert isinstance(entity.detail, EntryDetail)
    made = replace(entity.detail, properties=json.dumps(held))
    session.account.catalog.change(entity, detail=made, altered_on=session.account.clock())


def _set(session: AccountSession, entity: Entity, given: Mapping[str, Any]) -> dict[str, Any]:
    if entity.kind is not Kind.INTEGRATION:
        if "TYPE" in given:
            raise refusals.invalid_property("invalid property 'TYPE'")
        return _checked(session, entity.kind, given)
    assert isinstance(entity.detail, EntryDetail)
    _refuse_integration(entity.detail.subtype, {"ENABLED": True, **given})
    return {k: _plain(k, v) for k, v in given.items() if not _HIDDEN.fullmatch(k)}


def _unset(entity: Entity, held: dict[str, Any], name: str) -> None:
    known = ENTRIES.get(entity.kind)
    if known is not None and name not in known.properties:
        raise refusals.invalid_property(f"invalid property '{name}'")
    held.pop(name, None)
    if known is not None and name in (known.defaults or {}):
        held[name] = (known.defaults or {})[name]
