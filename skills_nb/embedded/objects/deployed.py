"""Deployed things: kinds that Snowflake would run, host or replicate, and that are entries here.

Room: embedded. Pure tables: what each kind may say. Nothing is started for any of them; whatever
would run one is refused.

See https://docs.snowflake.com/en/sql-reference/sql/create-compute-pool and the pages beside it
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.checks import (
    EntryKind,
    as_json,
    between,
    flag,
    listed,
    one_of,
    plain,
    text,
    upper,
)

_FAMILIES = (
    *(f"CPU_X64_{size}" for size in ("XS", "S", "M", "SL", "L")),
    *(f"HIGHMEM_X64_{size}" for size in ("S", "M", "L", "SL")),
    *(f"GPU_NV_{size}" for size in ("XS", "S", "SM", "2M", "3M", "SL", "M", "L")),
    *(f"GPU_GCP_NV_{size}" for size in ("L4_1_24G", "L4_4_24G", "A100_8_40G")),
)
_MOST_NODES = 10_000
_GROUP_TYPES = (
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


def _group_types(key: str, value: Any) -> list[str]:
    found = [word.upper() for word in listed(key, value)]
    for word in found:
        if word not in _GROUP_TYPES:
            raise refusals.invalid_value(word, key)
    return found


def _names(key: str, value: Any) -> list[str]:
    return [word if '"' in word else word.upper() for word in listed(key, value)]


_SERVICE = {
    "MIN_INSTANCES": between(1, _MOST_NODES),
    "MAX_INSTANCES": between(1, _MOST_NODES),
    "MIN_READY_INSTANCES": between(0, _MOST_NODES),
    "AUTO_SUSPEND_SECS": between(0, 604_800),
    "AUTO_RESUME": flag,
    "LOG_LEVEL": upper,
    "QUERY_WAREHOUSE": plain,
    "EXTERNAL_ACCESS_INTEGRATIONS": listed,
}
_GROUP = {
    "OBJECT_TYPES": _group_types,
    "ALLOWED_DATABASES": _names,
    "ALLOWED_SHARES": _names,
    "ALLOWED_EXTERNAL_VOLUMES": _names,
    "ALLOWED_INTEGRATION_TYPES": _names,
    "ALLOWED_ACCOUNTS": _names,
    "IGNORE EDITION CHECK": flag,
    "REPLICATION_SCHEDULE": text,
    "ERROR_INTEGRATION": plain,
}
_ACCESS = {
    "EXTERNAL_ACCESS_INTEGRATIONS": Kind.INTEGRATION,
    "QUERY_WAREHOUSE": Kind.WAREHOUSE,
    "COMPUTE_POOL": Kind.COMPUTE_POOL,
}
_GROUP_REFERENCES = {
    "ALLOWED_DATABASES": Kind.DATABASE,
    "ALLOWED_SHARES": Kind.SHARE,
    "ALLOWED_EXTERNAL_VOLUMES": Kind.EXTERNAL_VOLUME,
}
DEPLOYED: dict[Kind, EntryKind] = {
    Kind.COMPUTE_POOL: EntryKind(
        {
            "MIN_NODES": between(1, _MOST_NODES),
            "MAX_NODES": between(1, _MOST_NODES),
            "INSTANCE_FAMILY": one_of(*_FAMILIES),
            "AUTO_RESUME": flag,
            "INITIALLY_SUSPENDED": flag,
            "AUTO_SUSPEND_SECS": between(0, 604_800),
        },
        ("MIN_NODES", "MAX_NODES", "INSTANCE_FAMILY"),
        defaults={"AUTO_RESUME": True, "AUTO_SUSPEND_SECS": 3600},
        fixed=frozenset({"INSTANCE_FAMILY", "INITIALLY_SUSPENDED"}),
        born={"_STATE": "IDLE"},
    ),
    Kind.IMAGE_REPOSITORY: EntryKind({"ENCRYPTION": plain}, fixed=frozenset({"ENCRYPTION"})),
    Kind.SERVICE: EntryKind(
        {
            **_SERVICE,
            "IN COMPUTE POOL": plain,
            "FROM SPECIFICATION": text,
            "FROM SPECIFICATION_TEMPLATE": text,
            "FROM": text,
            "SPECIFICATION_FILE": text,
            "SPECIFICATION_TEMPLATE_FILE": text,
            "USING": plain,
        },
        ("IN COMPUTE POOL",),
        defaults={"MIN_INSTANCES": 1, "MAX_INSTANCES": 1, "AUTO_RESUME": True},
        references={**_ACCESS, "IN COMPUTE POOL": Kind.COMPUTE_POOL},
        one_of=(
            "FROM SPECIFICATION",
            "FROM SPECIFICATION_TEMPLATE",
            "SPECIFICATION_FILE",
            "SPECIFICATION_TEMPLATE_FILE",
        ),
        fixed=frozenset({"IN COMPUTE POOL"}),
        born={"_STATE": "PENDING"},
    ),
    Kind.STREAMLIT: EntryKind(
        {
            "FROM": text,
            "ROOT_LOCATION": text,
            "MAIN_FILE": text,
            "QUERY_WAREHOUSE": plain,
            "TITLE": text,
            "IMPORTS": listed,
            "EXTERNAL_ACCESS_INTEGRATIONS": listed,
            "RUNTIME_NAME": text,
            "COMPUTE_POOL": plain,
        },
        defaults={"MAIN_FILE": "streamlit_app.py"},
        references=_ACCESS,
        fixed=frozenset({"FROM"}),
    ),
    Kind.NOTEBOOK: EntryKind(
        {
            "FROM": text,
            "MAIN_FILE": text,
            "QUERY_WAREHOUSE": plain,
            "WAREHOUSE": plain,
            "IDLE_AUTO_SHUTDOWN_TIME_SECONDS": between(60, 259_200),
            "RUNTIME_NAME": text,
            "COMPUTE_POOL": plain,
            "EXTERNAL_ACCESS_INTEGRATIONS": listed,
        },
        defaults={"MAIN_FILE": "notebook_app.ipynb"},
        references={**_ACCESS, "WAREHOUSE": Kind.WAREHOUSE},
        fixed=frozenset({"FROM"}),
    ),
    Kind.MODEL: EntryKind(
        {"WITH VERSION": upper, "FROM": plain, "DEFAULT_VERSION": upper},
        ("FROM",),
        fixed=frozenset({"WITH VERSION", "FROM"}),
    ),
    Kind.DBT_PROJECT: EntryKind(
        {
            "FROM": text,
            "DEFAULT_TARGET": text,
            "DEFAULT_ARGS": text,
            "DEFAULT_VERSION": upper,
            "DBT_VERSION": text,
            "EXTERNAL_ACCESS_INTEGRATIONS": listed,
        },
        references=_ACCESS,
        defaults={"DEFAULT_VERSION": "LAST"},
        fixed=frozenset({"FROM"}),
        born={"_VERSIONS": 1},
    ),
    Kind.AGENT: EntryKind(
        {"PROFILE": as_json, "FROM SPECIFICATION": text},
        fixed=frozenset({"FROM SPECIFICATION"}),
    ),
    Kind.CORTEX_SEARCH_SERVICE: EntryKind(
        {
            "ON": plain,
            "PRIMARY KEY": listed,
            "ATTRIBUTES": listed,
            "WAREHOUSE": plain,
            "TARGET_LAG": text,
            "EMBEDDING_MODEL": text,
            "REFRESH_MODE": one_of("FULL", "INCREMENTAL"),
            "INITIALIZE": one_of("ON_CREATE", "ON_SCHEDULE"),
            "FULL_INDEX_BUILD_INTERVAL_DAYS": between(0, 3650),
            "AS": text,
        },
        ("ON", "WAREHOUSE", "TARGET_LAG", "AS"),
        defaults={"EMBEDDING_MODEL": "snowflake-arctic-embed-m-v1.5"},
        references={"WAREHOUSE": Kind.WAREHOUSE},
        fixed=frozenset({"ON", "AS", "EMBEDDING_MODEL"}),
        born={"_INDEXING": "ACTIVE", "_SERVING": "ACTIVE"},
    ),
    Kind.GIT_REPOSITORY: EntryKind(
        {"ORIGIN": text, "API_INTEGRATION": plain, "GIT_CREDENTIALS": plain},
        ("ORIGIN", "API_INTEGRATION"),
        references={"API_INTEGRATION": Kind.INTEGRATION, "GIT_CREDENTIALS": Kind.SECRET},
        fixed=frozenset({"ORIGIN"}),
    ),
    Kind.LISTING: EntryKind(
        {
            "SHARE": plain,
            "APPLICATION PACKAGE": plain,
            "AS": text,
            "FROM": text,
            "PUBLISH": flag,
            "REVIEW": flag,
        },
        one_of=("AS", "FROM"),
        references={"SHARE": Kind.SHARE, "APPLICATION PACKAGE": Kind.APPLICATION_PACKAGE},
        fixed=frozenset({"SHARE", "APPLICATION PACKAGE", "AS", "FROM", "PUBLISH", "REVIEW"}),
        defaults={"PUBLISH": True, "REVIEW": True},
    ),
    Kind.APPLICATION_PACKAGE: EntryKind(
        {
            "DATA_RETENTION_TIME_IN_DAYS": between(0, 90),
            "MAX_DATA_EXTENSION_TIME_IN_DAYS": between(0, 90),
            "DEFAULT_DDL_COLLATION": text,
            "DISTRIBUTION": one_of("INTERNAL", "EXTERNAL"),
            "LISTING_AUTO_REFRESH": plain,
            "MULTIPLE_INSTANCES": flag,
            "ENABLE_RELEASE_CHANNELS": flag,
        },
        defaults={"DISTRIBUTION": "INTERNAL", "DATA_RETENTION_TIME_IN_DAYS": 1},
    ),
    Kind.REPLICATION_GROUP: EntryKind(
        _GROUP,
        ("OBJECT_TYPES", "ALLOWED_ACCOUNTS"),
        references=_GROUP_REFERENCES,
        fixed=frozenset({"IGNORE EDITION CHECK"}),
        born={"_STATE": "STARTED"},
    ),
    Kind.FAILOVER_GROUP: EntryKind(
        _GROUP,
        ("OBJECT_TYPES", "ALLOWED_ACCOUNTS"),
        references=_GROUP_REFERENCES,
        fixed=frozenset({"IGNORE EDITION CHECK"}),
        born={"_STATE": "STARTED"},
    ),
    Kind.EXTERNAL_VOLUME: EntryKind(
        {"STORAGE_LOCATIONS": plain, "ALLOW_WRITES": flag},
        ("STORAGE_LOCATIONS",),
        defaults={"ALLOW_WRITES": True},
    ),
}
"""By kind: properties and clauses with their checks."""
