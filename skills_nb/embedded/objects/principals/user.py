"""Users.

Room: embedded. Every user may change itself. Parameters and policies of a user stand beside its own
properties, in the same statements.

See https://docs.snowflake.com/en/sql-reference/sql/create-user
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import login_policies, parameters
from skills_nb.embedded.catalog.entities import Entity, Kind, UserDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.lifecycle import changes, creation
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Properties,
    Row,
    register,
)
from skills_nb.embedded.objects.principals.public_keys import fingerprint, in_one_line
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateUser) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-user."""
    given = dict(statement.properties)
    told = {key: given.pop(key) for key in list(given) if key in parameters.OF_USERS}
    made = with_properties(statement.name[-1], given, now=session.account.clock())

    def tell(entity: Entity) -> None:
        for key, value in told.items():
            parameters.set_on(session, entity, key, value)

    return creation.create(session, statement, Kind.USER, lambda: made, tell)


def _secondary(key: str, value: Any) -> bool:
    listed = (
        [properties.as_text(key, v).upper() for v in value] if isinstance(value, tuple) else None
    )
    if listed is None or listed not in ([], ["ALL"]):
        raise errors.invalid_value(str(value), key)
    return listed == ["ALL"]


def _fingerprint(key: str, value: Any) -> str:
    return "" if value is None else fingerprint(properties.as_text(key, value))


_KEYS = {"RSA_PUBLIC_KEY": "rsa_key", "RSA_PUBLIC_KEY_2": "rsa_key_2"}


TYPES = ("PERSON", "SERVICE", "SERVICE_AGENT", "LEGACY_SERVICE")
"""See https://docs.snowflake.com/en/sql-reference/sql/create-user (TYPE)."""

READERS: properties.Readers = {
    "LOGIN_NAME": ("login_name", properties.as_name),
    "DISPLAY_NAME": ("display_name", properties.as_text),
    "FIRST_NAME": ("first_name", properties.as_text),
    "LAST_NAME": ("last_name", properties.as_text),
    "EMAIL": ("email", properties.as_text),
    "DISABLED": ("disabled", properties.as_flag),
    "DEFAULT_ROLE": ("default_role", properties.as_name),
    "DEFAULT_WAREHOUSE": ("default_warehouse", properties.as_name),
    "DEFAULT_NAMESPACE": ("default_namespace", properties.as_name),
    "DEFAULT_SECONDARY_ROLES": ("default_secondary_roles", _secondary),
    "TYPE": ("type", properties.one_of(*TYPES)),
    "MUST_CHANGE_PASSWORD": ("must_change_password", properties.as_flag),
    "PASSWORD": ("has_password", lambda key, value: value is not None),
    "MIDDLE_NAME": ("middle_name", properties.as_text),
    "RSA_PUBLIC_KEY": ("rsa_key_fp", _fingerprint),
    "RSA_PUBLIC_KEY_2": ("rsa_key_2_fp", _fingerprint),
    "DAYS_TO_EXPIRY": ("days_to_expiry", properties.within(0, 36_500)),
    "MINS_TO_UNLOCK": ("mins_to_unlock", properties.within(0, 1_000_000)),
    "MINS_TO_BYPASS_MFA": ("mins_to_bypass_mfa", properties.within(0, 1_000_000)),
}


def with_properties(
    name: str,
    given: Mapping[str, Any],
    before: UserDetail | None = None,
    *,
    now: datetime | None = None,
) -> UserDetail:
    """Read a user's properties, over what was there before; days to expiry count from `now`."""
    detail = before or UserDetail(login_name=name, display_name=name)
    keys: dict[str, Any] = {
        field: in_one_line(str(given[key] or "")) for key, field in _KEYS.items() if key in given
    }
    made = replace(detail, **properties.read(READERS, given), **keys)
    if now is None or "DAYS_TO_EXPIRY" not in given:
        return made
    days = made.days_to_expiry
    return replace(made, expires_at=now + timedelta(days=days) if days is not None else None)


def drop(session: Context, entity: Entity) -> None:
    """Drop a user with the roles that were granted to it."""
    catalog = session.account.catalog
    for held in catalog.roles_granted_to("USER", entity.name):
        catalog.remove(held)
    catalog.forget(entity)


def _row(session: Context, e: Entity) -> Row:
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


def _days_left(session: Context, detail: UserDetail) -> str:
    """Say how many days a user may still log in; empty for ever."""
    if detail.expires_at is None:
        return ""
    return str(max(0.0, (detail.expires_at - session.account.clock()) / timedelta(days=1)))


def _describe(session: Context, entity: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-user."""
    d = entity.detail
    assert isinstance(d, UserDetail)
    secondary = '["ALL"]' if d.default_secondary_roles else "[]"
    listed = (
        ("NAME", entity.name, "Name"),
        ("COMMENT", entity.comment, "user comment"),
        ("DISPLAY_NAME", d.display_name, "Display name of the associated object"),
        ("LOGIN_NAME", d.login_name, "Login name of the user"),
        ("FIRST_NAME", d.first_name, "First name of the user"),
        ("MIDDLE_NAME", d.middle_name or "null", "Middle name of the user"),
        ("LAST_NAME", d.last_name, "Last name of the user"),
        ("EMAIL", d.email, "Email address of the user"),
        ("PASSWORD", "********" if d.has_password else "null", "Password of the user"),
        ("MUST_CHANGE_PASSWORD", str(d.must_change_password).lower(), "User must change it"),
        ("DISABLED", str(d.disabled).lower(), "Whether the user is disabled"),
        ("DEFAULT_WAREHOUSE", d.default_warehouse or "null", "Default warehouse for this user"),
        ("DEFAULT_NAMESPACE", d.default_namespace or "null", "Default database and schema"),
        ("DEFAULT_ROLE", d.default_role or "null", "Primary principal of a session"),
        ("DEFAULT_SECONDARY_ROLES", secondary, "Secondary roles set on login"),
        ("DAYS_TO_EXPIRY", _or_null(d.days_to_expiry), "Days after which the user cannot log in"),
        ("MINS_TO_UNLOCK", _or_null(d.mins_to_unlock), "Minutes until a lock is cleared"),
        ("MINS_TO_BYPASS_MFA", _or_null(d.mins_to_bypass_mfa), "Minutes without a second factor"),
        ("RSA_PUBLIC_KEY_FP", d.rsa_key_fp or "null", "Fingerprint of the user's public key"),
        ("RSA_PUBLIC_KEY_2_FP", d.rsa_key_2_fp or "null", "Fingerprint of the second public key"),
        ("TYPE", d.type or "null", "User type"),
    )
    return "property value default description", [(n, v, "null", w) for n, v, w in listed]


def _or_null(value: object) -> str:
    return "null" if value is None else str(value)


def _rename(session: Context, entity: Entity, path: tuple[str, ...]) -> None:
    """Let the roles of a user follow to its new name."""
    catalog = session.account.catalog
    for held in catalog.roles_granted_to("USER", entity.name):
        catalog.remove(held)
        catalog.put(replace(held, grantee=path[0]))


# ---- ALTER


def _alter(session: Context, user: Entity, action: Any) -> bool:
    """Set and unset policies, which hang on the user, before everything else."""
    match action:
        case ast.SetProperties():
            left = {
                key: value
                for key, value in action.properties.items()
                if not login_policies.set_on(session, user, key, value, force=action.force)
            }
            changes.set_properties(session, user, left)
        case ast.UnsetProperties():
            names = [n for n in action.names if not login_policies.unset(session, user, n)]
            changes.unset_properties(session, user, names)
        case _:
            return False
    return True


def _set(session: Context, user: Entity, given: dict[str, Any]) -> None:
    assert isinstance(user.detail, UserDetail)
    now = session.account.clock()
    changes.put(session, user, with_properties(user.name, given, user.detail, now=now))


def _unset(session: Context, user: Entity, name: str) -> None:
    assert isinstance(user.detail, UserDetail)
    fields = properties.default_of(READERS, name, UserDetail(""))
    if "days_to_expiry" in fields:
        fields["expires_at"] = None
    if name in _KEYS:
        fields[_KEYS[name]] = ""
    changes.put(session, user, replace(user.detail, **fields))


register(
    ObjectKind(
        kind=Kind.USER,
        plurals=("USERS",),
        create={ast.CreateUser: create},
        alter=_alter,
        properties=Properties(_set, _unset),
        rename=_rename,
        drop=drop,
        listing=Listing(
            "name created_on:t login_name display_name first_name last_name email mins_to_unlock "
            "days_to_expiry comment disabled must_change_password snowflake_lock default_warehouse "
            "default_namespace default_role default_secondary_roles ext_authn_duo ext_authn_uid "
            "mins_to_bypass_mfa owner last_success_login:t expires_at_time:t locked_until_time:t "
            "has_password has_rsa_public_key type has_mfa",
            _row,
        ),
        describe=_describe,
        privileges=("MONITOR",),
        export=Exporting(Phase.OWN),
    )
)
