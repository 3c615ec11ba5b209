"""Compute pools.

Room: embedded. No node is ever started.

See https://docs.snowflake.com/en/sql-reference/sql/create-compute-pool
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, suspended
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of, state_of
from skills_nb.embedded.objects.entries.property_checks import between, flag, one_of
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.names import typed_path
from skills_nb.sql.governance import ast

_FAMILIES = (
    *(f"CPU_X64_{size}" for size in ("XS", "S", "M", "SL", "L")),
    *(f"HIGHMEM_X64_{size}" for size in ("S", "M", "L", "SL")),
    *(f"GPU_NV_{size}" for size in ("XS", "S", "SM", "2M", "3M", "SL", "M", "L")),
    *(f"GPU_GCP_NV_{size}" for size in ("L4_1_24G", "L4_4_24G", "A100_8_40G")),
)
_MOST_NODES = 10_000


def _complete(session: Context, held: Held) -> None:
    if held["MIN_NODES"] > held["MAX_NODES"]:
        raise errors.invalid_property("MAX_NODES must not be less than MIN_NODES.")
    if held.get("INITIALLY_SUSPENDED"):
        held["_STATE"] = "SUSPENDED"


def _stop_all(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    """Drop the services of a compute pool, as Snowflake does.

    See https://docs.snowflake.com/en/sql-reference/sql/alter-compute-pool
    """
    for service in _services(session, entity):
        session.account.catalog.forget(service)
    return held


def _services(session: Context, pool: Entity) -> list[Entity]:
    return [
        service
        for service in session.account.catalog.within(Kind.SERVICE)
        if typed_path(properties_of(service)["IN COMPUTE POOL"]) == pool.path
    ]


def _cells(session: Context, e: Entity, held: Held) -> Held:
    counts = dict.fromkeys(("num_jobs", "active_nodes", "idle_nodes", "target_nodes"), 0)
    services = len(_services(session, e))
    return {
        **counts,
        "state": held["_STATE"],
        "num_services": services,
        "is_exclusive": "false",
    }


def _changes(held: Held) -> list[str]:
    """Suspend, or resume what CREATE suspends."""
    if not held.get("INITIALLY_SUSPENDED"):
        return suspended(held)
    return [] if suspended(held) else ["resume"]


_RULES = EntryRules(
    properties={
        "MIN_NODES": between(1, _MOST_NODES),
        "MAX_NODES": between(1, _MOST_NODES),
        "INSTANCE_FAMILY": one_of(*_FAMILIES),
        "AUTO_RESUME": flag,
        "INITIALLY_SUSPENDED": flag,
        "AUTO_SUSPEND_SECS": between(0, 604_800),
    },
    required=("MIN_NODES", "MAX_NODES", "INSTANCE_FAMILY"),
    defaults={"AUTO_RESUME": True, "AUTO_SUSPEND_SECS": 3600},
    fixed=frozenset({"INSTANCE_FAMILY", "INITIALLY_SUSPENDED"}),
    born={"_STATE": "IDLE"},
    complete=_complete,
    verbs={"STOP ALL": _stop_all},
    power=state_of("IDLE"),
)
_COLUMNS = (
    "name state min_nodes:n max_nodes:n instance_family num_services:n num_jobs:n "
    "auto_suspend_secs:n auto_resume active_nodes:n idle_nodes:n target_nodes:n created_on:t "
    "resumed_on:t updated_on:t owner comment is_exclusive application budget"
)
register(
    entry_kind(
        Kind.COMPUTE_POOL,
        ast.CreateComputePool,
        _RULES,
        Shown(
            plural="COMPUTE POOLS",
            columns=_COLUMNS,
            described=f"{_COLUMNS} error_code status_message",
            cells=_cells,
        ),
        written=Written(or_replace=False, changes=_changes),
        privileges=("APPLYBUDGET", "MODIFY", "MONITOR", "OPERATE", "USAGE"),
    )
)
