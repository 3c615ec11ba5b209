"""dbt projects; none is ever executed.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-dbt-project
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, spoken
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import listed, text, upper
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.objects.services.code_places import CODE_FROM, RUN_WITH
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast
from skills_nb.sql.tokens import literal


def _add_version(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    return {**held, "FROM": str(given["FROM"]), "_VERSIONS": held["_VERSIONS"] + 1}


def _cells(session: Context, e: Entity, held: Held) -> Held:
    last = f"VERSION${held['_VERSIONS']}"
    chosen = {"LAST": last, "FIRST": "VERSION$1"}.get(held["DEFAULT_VERSION"])
    return {
        "source_location": held.get("FROM"),
        "default_version_name": chosen or held["DEFAULT_VERSION"],
        "default_version_source_location_uri": held.get("FROM"),
    }


def _changes(held: Held) -> list[str]:
    more = range(1, held["_VERSIONS"])
    return [f"add version from {literal(held['FROM'])}" for _ in more]


_RULES = EntryRules(
    properties={
        "FROM": text,
        "DEFAULT_TARGET": text,
        "DEFAULT_ARGS": text,
        "DEFAULT_VERSION": upper,
        "DBT_VERSION": text,
        "EXTERNAL_ACCESS_INTEGRATIONS": listed,
    },
    references=RUN_WITH,
    defaults={"DEFAULT_VERSION": "LAST"},
    fixed=frozenset({"FROM"}),
    born={"_VERSIONS": 1},
    verbs={"ADD VERSION": _add_version},
)
register(
    replace(
        entry_kind(
            Kind.DBT_PROJECT,
            ast.CreateDbtProject,
            _RULES,
            Shown(
                plural="DBT PROJECTS",
                columns="created_on:t name database_name schema_name source_location owner "
                "owner_role_type comment default_target external_access_integrations "
                "default_version dbt_version",
                described="name owner comment default_target external_access_integrations "
                "default_args default_version default_version_name "
                "default_version_source_location_uri dbt_version",
                cells=_cells,
            ),
            written=Written(clauses={"FROM": spoken}, changes=_changes),
            privileges=("MONITOR", "USAGE"),
            made_after=CODE_FROM,
        ),
        has_get_ddl=True,
        is_in_schema_ddl=True,
    )
)
