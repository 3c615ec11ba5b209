"""Password, session and authentication policies.

Room: embedded. Nobody logs in with a password, and no session ends by itself: a policy is what the
account or a user names.

See https://docs.snowflake.com/en/sql-reference/sql/create-password-policy,
https://docs.snowflake.com/en/sql-reference/sql/create-session-policy and
https://docs.snowflake.com/en/sql-reference/sql/create-authentication-policy
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.attachments import policy_uses
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, property_text
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.entries.entry_usage import TIMES, policy, said
from skills_nb.embedded.objects.entries.property_checks import between, listed, one_of, plain
from skills_nb.embedded.objects.object_kind import Cloning, Columns, Row, register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

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
_SESSION = {"SESSION_IDLE_TIMEOUT_MINS": 240, "SESSION_UI_IDLE_TIMEOUT_MINS": 1080}
_RULES = {
    Kind.PASSWORD_POLICY: EntryRules(
        properties={key: between(low, high) for key, (low, high, _) in _PASSWORD.items()},
        defaults={key: default for key, (_, _, default) in _PASSWORD.items()},
    ),
    Kind.SESSION_POLICY: EntryRules(
        properties={
            "SESSION_IDLE_TIMEOUT_MINS": between(5, 240),
            "SESSION_UI_IDLE_TIMEOUT_MINS": between(5, 1080),
            "ALLOWED_SECONDARY_ROLES": listed,
            "BLOCKED_SECONDARY_ROLES": listed,
        },
        defaults=_SESSION,
    ),
    Kind.AUTHENTICATION_POLICY: EntryRules(
        properties={
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
}
_COLUMNS = "created_on:t name database_name schema_name kind owner comment owner_role_type options"


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {"kind": e.kind.value.replace(" ", "_"), "options": ""}


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-password-policy."""
    usual = _RULES[e.kind].defaults
    rows: list[Row] = [
        ("NAME", e.name, "null", "Name of the policy."),
        ("OWNER", e.owner, "null", "Owner of the policy."),
        ("COMMENT", e.comment or "null", "null", "Comment on the policy."),
    ]
    rows += [
        (key, property_text(value), property_text(usual.get(key)), "")
        for key, value in properties_of(e).items()
    ]
    return "property value default description", rows


def _password_usage(session: Context) -> Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/password_policies."""
    rules = {f"{key}:n": said(key, usual) for key, (_, _, usual) in _PASSWORD.items()}
    return {**policy(session), **rules, **TIMES}


def _session_usage(session: Context) -> Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/session_policies."""
    return {
        **policy(session),
        **{f"{key}:n": said(key, usual) for key, usual in _SESSION.items()},
        "ALLOWED_SECONDARY_ROLES": said("ALLOWED_SECONDARY_ROLES"),
        "BLOCKED_SECONDARY_ROLES": said("BLOCKED_SECONDARY_ROLES"),
        **TIMES,
    }


_KINDS: dict[Kind, tuple[type[ast.Create], Callable[[Context], Columns] | None]] = {
    Kind.PASSWORD_POLICY: (ast.CreatePasswordPolicy, _password_usage),
    Kind.SESSION_POLICY: (ast.CreateSessionPolicy, _session_usage),
    Kind.AUTHENTICATION_POLICY: (ast.CreateAuthenticationPolicy, None),
}
for _kind, (_create, _usage) in _KINDS.items():
    _plural = f"{_kind.value.removesuffix('POLICY')}POLICIES"
    register(
        replace(
            entry_kind(
                _kind,
                _create,
                _RULES[_kind],
                Shown(plural=_plural, columns=_COLUMNS, cells=_cells),
                privileges=("APPLY",),
                made_after=(Kind.INTEGRATION,),
            ),
            describe=_describe,
            refuse_drop=policy_uses.refuse_used_policy,
            ddl_words=("POLICY",),
            has_get_ddl=True,
            clone=Cloning(),
            usage=_usage,
        )
    )
