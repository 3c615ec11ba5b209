"""Secrets, without their values, which are not kept.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-secret
"""

from __future__ import annotations

import json
from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.entry_usage import OWNED, TIMES, place, said
from skills_nb.embedded.objects.entries.property_checks import flag, one_of, plain
from skills_nb.embedded.objects.object_kind import Cloning, Columns, register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_TYPES = ("GENERIC_STRING", "PASSWORD", "OAUTH2", "CLOUD_PROVIDER_TOKEN", "SYMMETRIC_KEY")


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {
        "secret_type": held["TYPE"],
        "oauth_scopes": json.dumps(held["OAUTH_SCOPES"]) if "OAUTH_SCOPES" in held else None,
        "integration_name": held.get("API_AUTHENTICATION"),
        "oauth_refresh_token_expiry_time": held.get("OAUTH_REFRESH_TOKEN_EXPIRY_TIME"),
    }


def _usage(session: Context) -> Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/secrets."""
    return {
        "ID:n": lambda e: e.id,
        "NAME": lambda e: e.name,
        **place(session, "SCHEMA", "DATABASE"),
        **OWNED,
        "SECRET_TYPE": said("TYPE"),
        "OAUTH_ACCESS_TOKEN_EXPIRY_TIMESTAMP:t": lambda _: None,
        "OAUTH_REFRESH_TOKEN_EXPIRY_TIMESTAMP": said("OAUTH_REFRESH_TOKEN_EXPIRY_TIME"),
        "OAUTH_SCOPES": said("OAUTH_SCOPES"),
        "API_AUTHENTICATION_INTEGRATION_NAME": said("API_AUTHENTICATION"),
        "COMMENT": TIMES["COMMENT"],
        "CREATED_ON:t": TIMES["CREATED:t"],
        "LAST_ALTERED_ON:t": TIMES["LAST_ALTERED:t"],
        "DELETED_ON:t": TIMES["DELETED:t"],
        "ALGORITHM": said("ALGORITHM"),
    }


_RULES = EntryRules(
    properties={
        "TYPE": one_of(*_TYPES),
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
    required=("TYPE",),
    subtype="TYPE",
    secret=frozenset({"SECRET_STRING", "PASSWORD", "OAUTH_REFRESH_TOKEN"}),
)
register(
    replace(
        entry_kind(
            Kind.SECRET,
            ast.CreateSecret,
            _RULES,
            Shown(
                plural="SECRETS",
                columns="created_on:t name schema_name database_name owner comment secret_type "
                "oauth_scopes owner_role_type",
                described="created_on:t name schema_name database_name owner comment secret_type "
                "username oauth_access_token_expiry_time oauth_refresh_token_expiry_time "
                "oauth_scopes integration_name",
                cells=_cells,
            ),
            privileges=("READ", "USAGE"),
        ),
        clone=Cloning(),
        usage=_usage,
    )
)
