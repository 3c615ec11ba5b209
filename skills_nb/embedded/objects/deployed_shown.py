"""Deployed things shown: SHOW and DESCRIBE of the entries that Snowflake would run or host.

Room: embedded. A column is read from what every object has, from the property of its name, or from
the kind's own function; a column that only a running thing could fill is NULL.

See https://docs.snowflake.com/en/sql-reference/sql/show-compute-pools and the pages beside it
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.checks import properties_of
from skills_nb.embedded.objects.entry_actions import services_of
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
Cells = dict[str, Any]
_Fill = Callable[["AccountSession", Entity, dict[str, Any]], Cells]


@dataclass(frozen=True, slots=True)
class Shape:
    """How one kind is shown."""

    plural: str
    show: str
    describe: str
    """Empty where DESCRIBE answers as SHOW does."""
    fill: _Fill


def _usual(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    """Return what every object has."""
    path = (*e.path[:-1], None, None)[:2] if e.kind.depth > 1 else (None, None)
    return {
        "created_on": e.created_on,
        "updated_on": e.altered_on or e.created_on,
        "name": e.name,
        "database_name": path[0],
        "schema_name": path[1],
        "owner": e.owner,
        "owner_role_type": "ROLE",
        "comment": e.comment,
        **{key.lower(): _spelled(value) for key, value in held.items()},
    }


def _spelled(value: Any) -> Any:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(str(item) for item in value)
        case dict():
            return json.dumps(value)
        case _:
            return value


def _bracketed(values: list[str] | None) -> str | None:
    return None if values is None else "[" + ", ".join(f'"{v}"' for v in values) + "]"


def _url_id(e: Entity) -> str:
    return f"{e.id:020d}"


def _pool(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    services = len(services_of(session, e))
    counts = dict.fromkeys(("num_jobs", "active_nodes", "idle_nodes", "target_nodes"), 0)
    return {
        **counts,
        "state": held["_STATE"],
        "num_services": services,
        "resumed_on": None,
        "is_exclusive": "false",
        "application": held.get("FOR APPLICATION"),
    }


def _repository(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    host = f"{session.account.info.locator}.registry.localhost".lower()
    place = "/".join(part.lower() for part in e.path)
    encryption = held.get("ENCRYPTION", {"TYPE": "SNOWFLAKE_SSE"})
    return {"repository_url": f"{host}/{place}", "encryption": encryption["TYPE"]}


def _service(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {
        "status": held["_STATE"],
        "compute_pool": held["IN COMPUTE POOL"],
        "dns_name": ".".join(part.lower().replace("_", "-") for part in reversed(e.path)),
        "current_instances": 0,
        "target_instances": 0 if held["_STATE"] == "SUSPENDED" else held["MIN_INSTANCES"],
        "min_ready_instances": held.get("MIN_READY_INSTANCES", held["MIN_INSTANCES"]),
        "external_access_integrations": _bracketed(held.get("EXTERNAL_ACCESS_INTEGRATIONS")),
        "auto_suspend_secs": held.get("AUTO_SUSPEND_SECS", 0),
        "spec": held.get("FROM SPECIFICATION") or held.get("FROM SPECIFICATION_TEMPLATE"),
        "is_job": "false",
        "is_async_job": "false",
        "is_upgrading": "false",
    }


def _streamlit(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    root = held.get("ROOT_LOCATION") or held.get("FROM")
    return {
        "url_id": _url_id(e),
        "root_location": root,
        "import_urls": _bracketed(held.get("IMPORTS", [])),
        "external_access_integrations": _bracketed(held.get("EXTERNAL_ACCESS_INTEGRATIONS", [])),
        "live_version_location_uri": _live_uri("streamlit", e, held),
    }


def _live_uri(word: str, e: Entity, held: dict[str, Any]) -> str | None:
    return f"snow://{word}/{render_name(e.path)}/versions/live/" if held.get("_LIVE") else None


def _notebook(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {
        "url_id": _url_id(e),
        "code_warehouse": held.get("WAREHOUSE"),
        "default_packages": None,
        "default_version": "LAST",
        "default_version_name": "VERSION$1",
        "default_version_source_location_uri": held.get("FROM"),
        "live_version_location_uri": _live_uri("notebook", e, held),
    }


def _model(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    versions = held["_VERSIONS"]
    aliases = {v["ALIAS"]: v["NAME"] for v in versions if v["ALIAS"]}
    aliases |= {
        "DEFAULT": held["DEFAULT_VERSION"],
        "FIRST": versions[0]["NAME"],
        "LAST": versions[-1]["NAME"],
    }
    return {
        "model_type": "USER_MODEL",
        "default_version_name": held["DEFAULT_VERSION"],
        "versions": json.dumps([v["NAME"] for v in versions]),
        "aliases": json.dumps(aliases),
    }


def _project(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    last = f"VERSION${held['_VERSIONS']}"
    chosen = {"LAST": last, "FIRST": "VERSION$1"}.get(held["DEFAULT_VERSION"])
    return {
        "source_location": held.get("FROM"),
        "default_version_name": chosen or held["DEFAULT_VERSION"],
        "default_version_source_location_uri": held.get("FROM"),
    }


def _agent(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {"agent_spec": held.get("FROM SPECIFICATION")}


def _search(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    attributes = held.get("ATTRIBUTES", [])
    return {
        "search_column": held["ON"],
        "attribute_columns": ",".join(attributes),
        "columns": ",".join([held["ON"], *attributes]),
        "definition": held["AS"],
        "indexing_state": held["_INDEXING"],
        "serving_state": held["_SERVING"],
    }


def _git(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {"last_fetched_at": None}


def _listing(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    manifest = held.get("AS") or ""
    titles = [line for line in manifest.splitlines() if line.startswith("title:")]
    title = titles[0].partition(":")[2].strip().strip("\"'") if titles else None
    return {
        "global_name": f"GZ{e.id:08d}",
        "title": title,
        "state": held["_STATE"],
        "review_state": "UNSENT",
        "is_share": str("SHARE" in held).lower(),
        "is_application": str("APPLICATION PACKAGE" in held).lower(),
        "manifest_yaml": held.get("AS"),
        "published_on": None,
    }


def _package(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {
        "is_default": "N",
        "is_current": "N",
        "retention_time": str(held["DATA_RETENTION_TIME_IN_DAYS"]),
        "options": "",
        "dropped_on": None,
    }


def _group(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    info = session.account.info
    return {
        "snowflake_region": info.region,
        "account_name": info.name,
        "type": e.kind.value.removesuffix(" GROUP"),
        "is_primary": "true",
        "primary": f"{info.organization}.{info.name}.{e.name}",
        "organization_name": info.organization,
        "account_locator": info.locator,
        "secondary_state": None,
        "next_scheduled_refresh": None,
    }


def _volume(session: AccountSession, e: Entity, held: dict[str, Any]) -> Cells:
    return {"allow_writes": str(held["ALLOW_WRITES"]).lower()}


_NAMED = "created_on:t name database_name schema_name "
_GROUP_COLUMNS = (
    "snowflake_region created_on:t account_name name type comment is_primary primary object_types "
    "allowed_integration_types allowed_accounts organization_name account_locator "
    "replication_schedule secondary_state next_scheduled_refresh owner"
)
_POOL_COLUMNS = (
    "name state min_nodes:n max_nodes:n instance_family num_services:n num_jobs:n "
    "auto_suspend_secs:n auto_resume active_nodes:n idle_nodes:n target_nodes:n created_on:t "
    "resumed_on:t updated_on:t owner comment is_exclusive application budget"
)
_SERVICE_TAIL = (
    "dns_name current_instances:n target_instances:n min_ready_instances:n min_instances:n "
    "max_instances:n auto_resume external_access_integrations created_on:t updated_on:t "
    "resumed_on:t suspended_on:t auto_suspend_secs:n comment owner_role_type query_warehouse "
    "is_job is_async_job spec_digest is_upgrading managing_object_domain managing_object_name"
)
_SERVICE_HEAD = "name status database_name schema_name owner compute_pool "
SHAPES: dict[Kind, Shape] = {
    Kind.COMPUTE_POOL: Shape(
        "COMPUTE POOLS", _POOL_COLUMNS, _POOL_COLUMNS + " error_code status_message", _pool
    ),
    Kind.IMAGE_REPOSITORY: Shape(
        "IMAGE REPOSITORIES",
        _NAMED + "repository_url owner owner_role_type comment encryption",
        "",
        _repository,
    ),
    Kind.SERVICE: Shape(
        "SERVICES",
        _SERVICE_HEAD + _SERVICE_TAIL,
        _SERVICE_HEAD + "spec " + _SERVICE_TAIL,
        _service,
    ),
    Kind.STREAMLIT: Shape(
        "STREAMLITS",
        _NAMED + "title owner comment query_warehouse url_id owner_role_type",
        "name title root_location main_file query_warehouse url_id user_packages import_urls "
        "external_access_integrations external_access_secrets comment live_version_location_uri",
        _streamlit,
    ),
    Kind.NOTEBOOK: Shape(
        "NOTEBOOKS",
        _NAMED + "comment owner query_warehouse url_id owner_role_type code_warehouse",
        "title main_file query_warehouse url_id default_packages user_packages runtime_name "
        "compute_pool owner import_urls external_access_integrations external_access_secrets "
        "code_warehouse idle_auto_shutdown_time_seconds:n name comment default_version "
        "default_version_name default_version_alias default_version_location_uri "
        "default_version_source_location_uri default_version_git_commit_hash last_version_name "
        "live_version_location_uri",
        _notebook,
    ),
    Kind.MODEL: Shape(
        "MODELS",
        "created_on:t name model_type database_name schema_name comment owner "
        "default_version_name versions aliases",
        "",
        _model,
    ),
    Kind.DBT_PROJECT: Shape(
        "DBT PROJECTS",
        _NAMED + "source_location owner owner_role_type comment default_target "
        "external_access_integrations default_version dbt_version",
        "name owner comment default_target external_access_integrations default_args "
        "default_version default_version_name default_version_source_location_uri dbt_version",
        _project,
    ),
    Kind.AGENT: Shape(
        "AGENTS",
        _NAMED + "owner comment profile",
        "name database_name schema_name owner comment profile agent_spec created_on:t",
        _agent,
    ),
    Kind.CORTEX_SEARCH_SERVICE: Shape(
        "CORTEX SEARCH SERVICES",
        _NAMED + "target_lag warehouse search_column attribute_columns columns definition comment "
        "service_query_url data_timestamp:t source_data_num_rows:n indexing_state indexing_error "
        "serving_state embedding_model",
        "",
        _search,
    ),
    Kind.GIT_REPOSITORY: Shape(
        "GIT REPOSITORIES",
        _NAMED + "origin api_integration git_credentials owner owner_role_type comment "
        "last_fetched_at:t",
        "",
        _git,
    ),
    Kind.LISTING: Shape(
        "LISTINGS",
        "global_name name title subtitle profile created_on:t updated_on:t published_on:t state "
        "review_state comment owner owner_role_type regions target_accounts is_monetized "
        "is_application is_share",
        "global_name name owner owner_role_type created_on:t updated_on:t published_on:t title "
        "subtitle state review_state comment manifest_yaml is_application is_share",
        _listing,
    ),
    Kind.APPLICATION_PACKAGE: Shape(
        "APPLICATION PACKAGES",
        "created_on:t name is_default is_current distribution owner comment retention_time "
        "options dropped_on:t application_class",
        "",
        _package,
    ),
    Kind.REPLICATION_GROUP: Shape("REPLICATION GROUPS", _GROUP_COLUMNS, "", _group),
    Kind.FAILOVER_GROUP: Shape("FAILOVER GROUPS", _GROUP_COLUMNS, "", _group),
    Kind.EXTERNAL_VOLUME: Shape(
        "EXTERNAL VOLUMES", "name allow_writes comment created_on:t owner", "", _volume
    ),
}


def row(session: AccountSession, e: Entity, columns: str) -> Row:
    """Return a kind's row in these columns; what nothing here fills is NULL."""
    held = properties_of(e)
    cells = _usual(session, e, held) | SHAPES[e.kind].fill(session, e, held)
    return tuple(cells.get(word.partition(":")[0]) for word in columns.split())


def shower(kind: Kind) -> Callable[[AccountSession, Entity], Row]:
    """Return what reads a row of SHOW from an object of the kind."""
    return lambda session, e: row(session, e, SHAPES[kind].show)


def describe(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """Describe an entry in one row."""
    columns = SHAPES[e.kind].describe or SHAPES[e.kind].show
    return columns, [row(session, e, columns)]


def describe_volume(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-external-volume."""
    held = properties_of(e)
    places = [
        ("STORAGE_LOCATIONS", f"STORAGE_LOCATION_{i}", "String", json.dumps(place), "")
        for i, place in enumerate(held["STORAGE_LOCATIONS"], 1)
    ]
    writes = ("", "ALLOW_WRITES", "Boolean", str(held["ALLOW_WRITES"]).lower(), "true")
    columns = "parent_property property property_type property_value property_default"
    return columns, [writes, *places]


# ---- what belongs to an entry


def versions(session: AccountSession, model: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-versions-in-model."""
    held = properties_of(model)
    columns = (
        "created_on:t name aliases comment database_name schema_name model_name "
        "is_default_version functions metadata user_data"
    )
    rows: list[Row] = []
    for place, v in enumerate(held["_VERSIONS"]):
        is_default = v["NAME"] == held["DEFAULT_VERSION"]
        marks = [
            *(["DEFAULT"] if is_default else []),
            *(["FIRST"] if place == 0 else []),
            *(["LAST"] if place == len(held["_VERSIONS"]) - 1 else []),
            *([v["ALIAS"]] if v["ALIAS"] else []),
        ]
        row = (model.created_on, v["NAME"], json.dumps(marks), v["COMMENT"], *model.path)
        rows.append((*row, str(is_default).lower(), None, None, None))
    return columns, rows
