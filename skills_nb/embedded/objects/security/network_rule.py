"""Network rules.

Room: embedded. Nothing asks them.

See https://docs.snowflake.com/en/sql-reference/sql/create-network-rule
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.entry_usage import OWNED, TIMES, place, said
from skills_nb.embedded.objects.entries.property_checks import listed, one_of
from skills_nb.embedded.objects.object_kind import Cloning, Columns, register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_TYPES = ("IPV4", "AWSVPCEID", "AZURELINKID", "GCPPSCID", "HOST_PORT", "PRIVATE_HOST_PORT")
_MODES = ("INGRESS", "INTERNAL_STAGE", "EGRESS", "POSTGRES_INGRESS")


def _cells(session: Context, e: Entity, held: Held) -> Held:
    values = held["VALUE_LIST"]
    return {"entries_in_valuelist": len(values), "value_list": ",".join(values)}


def _usage(session: Context) -> Columns:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/network_rules."""
    return {
        "ID:n": lambda e: e.id,
        "NAME": lambda e: e.name,
        **place(session, "SCHEMA_NAME", "DATABASE_NAME"),
        **OWNED,
        **TIMES,
        "MODE": said("MODE"),
        "TYPE": said("TYPE"),
        "VALUE_LIST": said("VALUE_LIST"),
    }


register(
    replace(
        entry_kind(
            Kind.NETWORK_RULE,
            ast.CreateNetworkRule,
            EntryRules(
                properties={"TYPE": one_of(*_TYPES), "VALUE_LIST": listed, "MODE": one_of(*_MODES)},
                required=("TYPE", "VALUE_LIST"),
                subtype="TYPE",
                defaults={"MODE": "INGRESS"},
            ),
            Shown(
                plural="NETWORK RULES",
                columns="created_on:t name database_name schema_name owner comment type mode "
                "entries_in_valuelist:n owner_role_type",
                described="created_on:t name database_name schema_name owner comment type mode "
                "value_list",
                cells=_cells,
            ),
            privileges=("USAGE",),
        ),
        clone=Cloning(),
        usage=_usage,
    )
)
