"""Streamlit apps; none is ever running.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-streamlit
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, live, spoken
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown, bracketed, live_uri, url_id
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import listed, plain, text
from skills_nb.embedded.objects.lifecycle import shelf
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.objects.services.code_places import CODE_FROM, RUN_WITH, add_live_version
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _cells(session: Context, e: Entity, held: Held) -> Held:
    root = held.get("ROOT_LOCATION") or held.get("FROM")
    return {
        "url_id": url_id(e),
        "root_location": root,
        "import_urls": bracketed(held.get("IMPORTS", [])),
        "external_access_integrations": bracketed(held.get("EXTERNAL_ACCESS_INTEGRATIONS", [])),
        "live_version_location_uri": live_uri(e, held),
    }


_RULES = EntryRules(
    properties={
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
    references=RUN_WITH,
    fixed=frozenset({"FROM"}),
    verbs={"ADD LIVE VERSION": add_live_version},
)
register(
    replace(
        entry_kind(
            Kind.STREAMLIT,
            ast.CreateStreamlit,
            _RULES,
            Shown(
                plural="STREAMLITS",
                columns="created_on:t name database_name schema_name title owner comment "
                "query_warehouse url_id owner_role_type",
                described="name title root_location main_file query_warehouse url_id "
                "user_packages import_urls external_access_integrations external_access_secrets "
                "comment live_version_location_uri",
                cells=_cells,
            ),
            written=Written(clauses={"FROM": spoken}, changes=live),
            privileges=("USAGE",),
            made_after=(Kind.COMPUTE_POOL, *CODE_FROM),
        ),
        drop=shelf.shelve,
        undrop=shelf.restore,
    )
)
