"""Entries: kinds that the account only keeps, with their properties and rights.

Room: embedded. Nothing connects, nobody logs in with a password: what is kept is what SHOW and
DESCRIBE tell. A property that no table here knows is refused; a secret's value is not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.names import typed_path
from skills_nb.embedded.objects import entry_actions
from skills_nb.embedded.objects.checks import (
    EntryKind,
    between,
    flag,
    listed,
    one_of,
    plain,
    properties_of,
)
from skills_nb.embedded.objects.deployed import DEPLOYED
from skills_nb.embedded.statements import access, objects
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

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
            "TYPE": one_of(*_RULE_TYPES),
            "VALUE_LIST": listed,
            "MODE": one_of("INGRESS", "INTERNAL_STAGE", "EGRESS", "POSTGRES_INGRESS"),
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
            listed,
        ),
        references=dict.fromkeys(
            ("ALLOWED_NETWORK_RULE_LIST", "BLOCKED_NETWORK_RULE_LIST"), Kind.NETWORK_RULE
        ),
    ),
    Kind.SECRET: EntryKind(
        {
            "TYPE": one_of(*_SECRET_TYPES),
            "SECRET_STRING": plain,
            "USERNAME": plain,
            "PASSWORD": plain,
            "OAUTH_SCOPES": plain,
            "OAUTH_REFRESH_TOKEN": plain,
            "OAUTH_REFRESH_TOKEN_EXPIRY_TIME": plain,
            "API_AUTHENTICATION": plain,
            "ALGORITHM": plain,
            "ENABLED": flag,
        },
        ("TYPE",),
        "TYPE",
        frozenset({"SECRET_STRING", "PASSWORD", "OAUTH_REFRESH_TOKEN"}),
    ),
    Kind.PASSWORD_POLICY: EntryKind(
        {key: between(low, high) for key, (low, high, _) in _PASSWORD.items()},
        defaults={key: default for key, (_, _, default) in _PASSWORD.items()},
    ),
    Kind.SESSION_POLICY: EntryKind(
        {
            "SESSION_IDLE_TIMEOUT_MINS": between(5, 240),
            "SESSION_UI_IDLE_TIMEOUT_MINS": between(5, 1080),
            "ALLOWED_SECONDARY_ROLES": listed,
            "BLOCKED_SECONDARY_ROLES": listed,
        },
        defaults={"SESSION_IDLE_TIMEOUT_MINS": 240, "SESSION_UI_IDLE_TIMEOUT_MINS": 1080},
    ),
    Kind.AUTHENTICATION_POLICY: EntryKind(
        {
            "AUTHENTICATION_METHODS": listed,
            "MFA_AUTHENTICATION_METHODS": listed,
            "MFA_ENROLLMENT": one_of("REQUIRED", "OPTIONAL", "REQUIRED_PASSWORD_ONLY"),
            "CLIENT_TYPES": listed,
            "SECURITY_INTEGRATIONS": listed,
            "MFA_POLICY": plain,
            "PAT_POLICY": plain,
            "WORKLOAD_IDENTITY_POLICY": plain,
        },
        defaults={"AUTHENTICATION_METHODS": ["ALL"], "CLIENT_TYPES": ["ALL"]},
    ),
    **DEPLOYED,
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
        kept = {k: plain(k, v) for k, v in given.items() if not _HIDDEN.fullmatch(k)}
        return EntryDetail(statement.integration, json.dumps(kept))
    known = ENTRIES[kind]
    for key in known.required:
        if key not in given:
            raise refusals.invalid_property(f"Missing option(s): [{key}]")
    if known.one_of and sum(key in given for key in known.one_of) != 1:
        raise refusals.invalid_property(
            f"Exactly one of [{', '.join(known.one_of)}] must be given."
        )
    kept = {**(known.defaults or {}), **known.born, **_checked(session, kind, given)}
    entry_actions.check_new(session, kind, kept)
    return EntryDetail(str(kept.get(known.subtype, "")), json.dumps(kept))


def _refuse_integration(category: str, given: Mapping[str, Any]) -> None:
    for key in given:
        if not re.fullmatch(_INTEGRATIONS[category], key):
            raise refusals.invalid_property(f"invalid property '{key}'")
    if "ENABLED" not in given:
        raise refusals.invalid_property("Missing option(s): [ENABLED]")
    flag("ENABLED", given["ENABLED"])


def _checked(session: AccountSession, kind: Kind, given: Mapping[str, Any]) -> dict[str, Any]:
    known = ENTRIES[kind]
    out: dict[str, Any] = {}
    for key, value in given.items():
        check = known.properties.get(key)
        if check is None:
            raise refusals.invalid_property(f"invalid property '{key}'")
        made = check(key, value)
        if key in known.references:
            _require(session, known.references[key], value)
        if key not in known.secret:
            out[key] = made
    return out


def _require(session: AccountSession, kind: Kind, value: Any) -> None:
    """Refuse a name of what is not there."""
    for name in value if isinstance(value, tuple) else (value,):
        path = name.parts if isinstance(name, ast.Ref) else typed_path(str(name))
        access.existing(session, kind, path)


def alter(session: AccountSession, entity: Entity, action: ast.Action) -> None:
    """Carry out SET, UNSET and what the kind alone knows."""
    entry_actions.require(session, entity, action)
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
            held = entry_actions.act(session, entity, action, held)
    assert isinstance(entity.detail, EntryDetail)
    made = replace(entity.detail, properties=json.dumps(held))
    session.account.catalog.change(entity, detail=made, altered_on=session.account.clock())


def _set(session: AccountSession, entity: Entity, given: Mapping[str, Any]) -> dict[str, Any]:
    if entity.kind is not Kind.INTEGRATION:
        for key in ("TYPE", *ENTRIES[entity.kind].fixed):
            if key in given:
                raise refusals.invalid_property(f"invalid property '{key}'")
        return _checked(session, entity.kind, given)
    assert isinstance(entity.detail, EntryDetail)
    _refuse_integration(entity.detail.subtype, {"ENABLED": True, **given})
    return {k: plain(k, v) for k, v in given.items() if not _HIDDEN.fullmatch(k)}


def _unset(entity: Entity, held: dict[str, Any], name: str) -> None:
    known = ENTRIES.get(entity.kind)
    if known is not None and (name not in known.properties or name in known.required):
        raise refusals.invalid_property(f"invalid property '{name}'")
    held.pop(name, None)
    if known is not None and name in (known.defaults or {}):
        held[name] = (known.defaults or {})[name]
