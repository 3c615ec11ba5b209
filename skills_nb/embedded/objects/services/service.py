"""Services in containers; none is ever running.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-service
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.ddl_words import value
from skills_nb.embedded.objects.entries.entry_ddl import Written, bare, spoken, suspended
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, bracketed, stored
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, state_of
from skills_nb.embedded.objects.entries.property_checks import (
    between,
    flag,
    listed,
    plain,
    text,
    upper,
)
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.objects.services.code_places import CODE_FROM, RUN_WITH
from skills_nb.embedded.objects.shown_parts import nothing
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_MOST = 10_000
_SPECIFICATIONS = (
    "FROM SPECIFICATION",
    "FROM SPECIFICATION_TEMPLATE",
    "FROM",
    "SPECIFICATION_FILE",
    "SPECIFICATION_TEMPLATE_FILE",
    "USING",
)


def _complete(session: Context, held: Held) -> None:
    held["MAX_INSTANCES"] = max(held["MIN_INSTANCES"], held["MAX_INSTANCES"])


def _specification(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    without = {k: v for k, v in held.items() if k not in _SPECIFICATIONS}
    return {**without, **{k: getattr(v, "text", v) for k, v in given.items()}}


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {
        "status": held["_STATE"],
        "compute_pool": stored(held["IN COMPUTE POOL"]),
        "dns_name": ".".join(part.lower().replace("_", "-") for part in reversed(e.path)),
        "current_instances": 0,
        "target_instances": 0 if held["_STATE"] == "SUSPENDED" else held["MIN_INSTANCES"],
        "min_ready_instances": held.get("MIN_READY_INSTANCES", held["MIN_INSTANCES"]),
        "external_access_integrations": bracketed(held.get("EXTERNAL_ACCESS_INTEGRATIONS")),
        "auto_suspend_secs": held.get("AUTO_SUSPEND_SECS", 0),
        "spec": held.get("FROM SPECIFICATION") or held.get("FROM SPECIFICATION_TEMPLATE"),
        "is_job": "false",
        "is_async_job": "false",
        "is_upgrading": "false",
    }


_RULES = EntryRules(
    properties={
        "MIN_INSTANCES": between(1, _MOST),
        "MAX_INSTANCES": between(1, _MOST),
        "MIN_READY_INSTANCES": between(0, _MOST),
        "AUTO_SUSPEND_SECS": between(0, 604_800),
        "AUTO_RESUME": flag,
        "LOG_LEVEL": upper,
        "QUERY_WAREHOUSE": plain,
        "EXTERNAL_ACCESS_INTEGRATIONS": listed,
        "IN COMPUTE POOL": plain,
        **dict.fromkeys(_SPECIFICATIONS, text),
        "USING": plain,
    },
    required=("IN COMPUTE POOL",),
    defaults={"MIN_INSTANCES": 1, "MAX_INSTANCES": 1, "AUTO_RESUME": True},
    references={**RUN_WITH, "IN COMPUTE POOL": Kind.COMPUTE_POOL},
    one_of=(
        "FROM SPECIFICATION",
        "FROM SPECIFICATION_TEMPLATE",
        "SPECIFICATION_FILE",
        "SPECIFICATION_TEMPLATE_FILE",
    ),
    fixed=frozenset({"IN COMPUTE POOL"}),
    born={"_STATE": "PENDING"},
    complete=_complete,
    verbs={"SPECIFICATION": _specification},
    power=state_of("PENDING"),
)
_HEAD = "name status database_name schema_name owner compute_pool "
_TAIL = (
    "dns_name current_instances:n target_instances:n min_ready_instances:n min_instances:n "
    "max_instances:n auto_resume external_access_integrations created_on:t updated_on:t "
    "resumed_on:t suspended_on:t auto_suspend_secs:n comment owner_role_type query_warehouse "
    "is_job is_async_job spec_digest is_upgrading managing_object_domain managing_object_name"
)
register(
    replace(
        entry_kind(
            Kind.SERVICE,
            ast.CreateService,
            _RULES,
            Shown(
                plural="SERVICES",
                columns=_HEAD + _TAIL,
                described=f"{_HEAD}spec {_TAIL}",
                cells=_cells,
            ),
            written=Written(
                or_replace=False,
                clauses={
                    "IN COMPUTE POOL": bare,
                    "FROM SPECIFICATION": spoken,
                    "FROM SPECIFICATION_TEMPLATE": spoken,
                    "FROM": spoken,
                    "USING": lambda _, given: f"using {value(given)}",
                },
                changes=suspended,
            ),
            privileges=("MONITOR", "OPERATE", "USAGE"),
            made_after=(Kind.COMPUTE_POOL, Kind.IMAGE_REPOSITORY, *CODE_FROM),
        ),
        shows={
            "SERVICE CONTAINERS": nothing(
                "database_name schema_name service_name instance_id:n container_name status "
                "message image_name image_digest restart_count:n start_time:t",
                Kind.SERVICE,
            ),
            "SERVICE INSTANCES": nothing(
                "database_name schema_name service_name instance_id:n status spec_digest "
                "creation_time:t start_time:t",
                Kind.SERVICE,
            ),
            "ENDPOINTS": nothing(
                "name port:n port_range protocol is_public ingress_url privatelink_ingress_url",
                Kind.SERVICE,
            ),
        },
    )
)
