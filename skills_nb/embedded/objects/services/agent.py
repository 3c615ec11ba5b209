"""Cortex agents; none is ever asked.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-agent
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, spoken
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import as_json, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _specification(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-agent."""
    if set(given) != {"SPECIFICATION"}:
        raise errors.invalid_property(f"invalid property '{next(iter(given), '')}'")
    return {**held, "FROM SPECIFICATION": str(given["SPECIFICATION"])}


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {"agent_spec": held.get("FROM SPECIFICATION")}


register(
    replace(
        entry_kind(
            Kind.AGENT,
            ast.CreateAgent,
            EntryRules(
                properties={"PROFILE": as_json, "FROM SPECIFICATION": text},
                fixed=frozenset({"FROM SPECIFICATION"}),
                verbs={"MODIFY LIVE VERSION": _specification},
            ),
            Shown(
                plural="AGENTS",
                columns="created_on:t name database_name schema_name owner comment profile",
                described="name database_name schema_name owner comment profile agent_spec "
                "created_on:t",
                cells=_cells,
            ),
            written=Written(clauses={"FROM SPECIFICATION": spoken}),
            privileges=("MODIFY", "MONITOR", "OPERATE", "USAGE"),
            made_after=(Kind.SEMANTIC_VIEW, Kind.PROCEDURE),
        ),
        ddl_words=("CORTEX AGENT",),
        has_get_ddl=True,
        is_in_schema_ddl=True,
    )
)
