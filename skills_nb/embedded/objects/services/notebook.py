"""Notebooks that are objects of the account; none is ever running.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-notebook
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, live, spoken
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, live_uri, url_id
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import between, listed, plain, text
from skills_nb.embedded.objects.lifecycle import shelf
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.objects.services.code_places import CODE_FROM, RUN_WITH, add_live_version
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {
        "url_id": url_id(e),
        "code_warehouse": held.get("WAREHOUSE"),
        "default_version": "LAST",
        "default_version_name": "VERSION$1",
        "default_version_source_location_uri": held.get("FROM"),
        "live_version_location_uri": live_uri(e, held),
    }


_RULES = EntryRules(
    properties={
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
    references={**RUN_WITH, "WAREHOUSE": Kind.WAREHOUSE},
    fixed=frozenset({"FROM"}),
    verbs={"ADD LIVE VERSION": add_live_version},
)
register(
    replace(
        entry_kind(
            Kind.NOTEBOOK,
            ast.CreateNotebook,
            _RULES,
            Shown(
                plural="NOTEBOOKS",
                columns="created_on:t name database_name schema_name comment owner "
                "query_warehouse url_id owner_role_type code_warehouse",
                described="title main_file query_warehouse url_id default_packages user_packages "
                "runtime_name compute_pool owner import_urls external_access_integrations "
                "external_access_secrets code_warehouse idle_auto_shutdown_time_seconds:n name "
                "comment default_version default_version_name default_version_alias "
                "default_version_location_uri default_version_source_location_uri "
                "default_version_git_commit_hash last_version_name live_version_location_uri",
                cells=_cells,
            ),
            written=Written(clauses={"FROM": spoken}, changes=live),
            privileges=("USAGE",),
            made_after=(Kind.COMPUTE_POOL, *CODE_FROM),
        ),
        has_get_ddl=True,
        is_in_schema_ddl=True,
        drop=shelf.shelve,
        undrop=shelf.restore,
    )
)
