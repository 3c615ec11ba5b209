"""Replication groups and failover groups; nothing is replicated.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-replication-group and
https://docs.snowflake.com/en/sql-reference/sql/create-failover-group
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, suspended
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, state_of
from skills_nb.embedded.objects.entries.property_checks import Check, flag, listed, plain, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_TYPES = (
    "ACCOUNT PARAMETERS",
    "DATABASES",
    "EXTERNAL VOLUMES",
    "INTEGRATIONS",
    "NETWORK POLICIES",
    "RESOURCE MONITORS",
    "ROLES",
    "SHARES",
    "USERS",
    "WAREHOUSES",
)


def _types(key: str, value: Any) -> list[str]:
    found = [word.upper() for word in listed(key, value)]
    for word in found:
        if word not in _TYPES:
            raise errors.invalid_value(word, key)
    return found


def _names(key: str, value: Any) -> list[str]:
    return [word if '"' in word else word.upper() for word in listed(key, value)]


_LISTS: dict[str, Check] = {
    "OBJECT_TYPES": _types,
    "ALLOWED_DATABASES": _names,
    "ALLOWED_SHARES": _names,
    "ALLOWED_EXTERNAL_VOLUMES": _names,
    "ALLOWED_INTEGRATION_TYPES": _names,
    "ALLOWED_ACCOUNTS": _names,
}


def _add(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    for key, items in given.items():
        _check_list(key)
        there = held.get(key, [])
        held = {**held, key: [*there, *(i.upper() for i in items if i.upper() not in there)]}
    return held


def _remove(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    for key, items in given.items():
        _check_list(key)
        gone = {item.upper() for item in items}
        held = {**held, key: [item for item in held.get(key, []) if item not in gone]}
    return held


def _check_list(key: str) -> None:
    if not key.startswith("ALLOWED_"):
        raise errors.invalid_property(f"invalid property '{key}'")


def _cells(session: Context, e: Entity, held: Held) -> Held:
    info = session.account.info
    return {
        "snowflake_region": info.region,
        "account_name": info.name,
        "type": e.kind.value.removesuffix(" GROUP"),
        "is_primary": "true",
        "primary": f"{info.organization}.{info.name}.{e.name}",
        "organization_name": info.organization,
        "account_locator": info.locator,
    }


def _members(key: str, given: Any) -> str:
    return f"{key.lower()} = {', '.join(given)}"


_RULES = EntryRules(
    properties={
        **_LISTS,
        "IGNORE EDITION CHECK": flag,
        "REPLICATION_SCHEDULE": text,
        "ERROR_INTEGRATION": plain,
    },
    required=("OBJECT_TYPES", "ALLOWED_ACCOUNTS"),
    references={
        "ALLOWED_DATABASES": Kind.DATABASE,
        "ALLOWED_SHARES": Kind.SHARE,
        "ALLOWED_EXTERNAL_VOLUMES": Kind.EXTERNAL_VOLUME,
    },
    fixed=frozenset({"IGNORE EDITION CHECK"}),
    born={"_STATE": "STARTED"},
    verbs={"ADD": _add, "REMOVE": _remove},
    power=state_of("STARTED"),
)
_COLUMNS = (
    "snowflake_region created_on:t account_name name type comment is_primary primary object_types "
    "allowed_integration_types allowed_accounts organization_name account_locator "
    "replication_schedule secondary_state next_scheduled_refresh owner"
)
_WRITTEN = Written(
    or_replace=False,
    clauses={
        **dict.fromkeys(_LISTS, _members),
        "IGNORE EDITION CHECK": lambda key, _: key.lower(),
    },
    changes=suspended,
)
_GROUPS: tuple[tuple[Kind, type[ast.Create], tuple[str, ...]], ...] = (
    (Kind.REPLICATION_GROUP, ast.CreateReplicationGroup, ()),
    (Kind.FAILOVER_GROUP, ast.CreateFailoverGroup, ("FAILOVER",)),
)
for _kind, _create, _more in _GROUPS:
    _group = entry_kind(
        _kind,
        _create,
        _RULES,
        Shown(plural=f"{_kind.value}S", columns=_COLUMNS, cells=_cells),
        written=_WRITTEN,
        privileges=(*_more, "MODIFY", "MONITOR", "REPLICATE"),
        made_after=(Kind.EXTERNAL_VOLUME, Kind.INTEGRATION),
    )
    register(replace(_group, has_get_ddl=True))
