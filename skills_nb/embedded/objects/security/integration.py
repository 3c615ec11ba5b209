"""Integrations of all categories; nothing connects.

Room: embedded. A category knows its properties by the beginnings of their names. What looks like a
secret is not kept.

See https://docs.snowflake.com/en/sql-reference/sql/create-integration
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.objects.entries import entry_changes
from skills_nb.embedded.objects.entries.entry_ddl import Written
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, property_text, type_of
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.entries.property_checks import flag, plain
from skills_nb.embedded.objects.object_kind import Answer, Row, register
from skills_nb.embedded.objects.show_filters import limited, matches
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

_PROPERTIES = {
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
CATEGORIES = tuple(sorted(_PROPERTIES))
"""The words before INTEGRATION."""
_HIDDEN = re.compile(r".*(SECRET|API_KEY|REST_AUTHENTICATION|_TOKEN|PRIVATE_KEY)$")


def category_of(integration: Entity) -> str:
    """Return the words before INTEGRATION."""
    assert isinstance(integration.detail, EntryDetail)
    return integration.detail.subtype


def _create(session: Context, statement: ast.CreateIntegration) -> Outcome:
    held = _read(statement.integration, statement.properties)
    if "ENABLED" not in held:
        raise errors.invalid_property("Missing option(s): [ENABLED]")
    return entry_changes.enter(
        session, statement, EntryDetail(statement.integration, json.dumps(held))
    )


def _read(category: str, given: Mapping[str, Any]) -> Held:
    for key in given:
        if not re.fullmatch(_PROPERTIES[category], key):
            raise errors.invalid_property(f"invalid property '{key}'")
    if "ENABLED" in given:
        flag("ENABLED", given["ENABLED"])
    return {key: plain(key, value) for key, value in given.items() if not _HIDDEN.fullmatch(key)}


_RULES = EntryRules(properties={})


def _alter(session: Context, entity: Entity, action: ast.Action) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-integration."""
    if isinstance(action, ast.RenameTo):
        return False
    held = properties_of(entity)
    match action:
        case ast.SetProperties(properties=given):
            rest = {key: value for key, value in given.items() if key != "COMMENT"}
            held |= _read(category_of(entity), rest)
        case ast.UnsetProperties(names=names):
            held = {key: value for key, value in held.items() if key not in names}
        case _:
            held = entry_changes.act(session, entity, action, _RULES)
    entry_changes.keep(session, entity, held, entry_changes.comment_after(entity, action))
    return True


def _cells(session: Context, e: Entity, held: Held) -> Held:
    category = category_of(e).replace(" ", "_")
    return {
        "type": str(held.get("TYPE") or held.get("API_PROVIDER") or category).upper(),
        "category": category,
        "enabled": str(held.get("ENABLED", False)).lower(),
    }


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-integration."""
    return "property property_type property_value property_default", [
        (key, type_of(value), property_text(value), "") for key, value in properties_of(e).items()
    ]


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    written = Written(words=f"{category_of(entity).lower()} integration")
    return written.ddl(session, entity, qualified)


_SHOWN = Shown(
    plural="INTEGRATIONS",
    columns="name type category enabled comment created_on:t",
    cells=_cells,
)


def _show(session: Context, statement: ast.Show, category: str) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-integrations."""
    found = [
        e
        for e in session.account.catalog.children(Kind.INTEGRATION)
        if category_of(e) == category and matches(statement, e.name) and access.sees(session, e)
    ]
    return _SHOWN.columns, [_SHOWN.row(session, e) for e in limited(statement, found)]


register(
    replace(
        entry_kind(
            Kind.INTEGRATION,
            ast.CreateIntegration,
            _RULES,
            _SHOWN,
            privileges=("USAGE", "USE_ANY_ROLE"),
            made_after=(Kind.NETWORK_RULE, Kind.SECRET),
        ),
        create={ast.CreateIntegration: _create},
        alter=_alter,
        describe=_describe,
        ddl=_ddl,
        ddl_words=("STORAGE INTEGRATION",),
        has_get_ddl=True,
        shows={f"{name} INTEGRATIONS": partial(_show, category=name) for name in CATEGORIES},
    )
)
