"""Image repositories; no image can be in one.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-image-repository
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import plain
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.objects.shown_parts import nothing
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _cells(session: Context, e: Entity, held: Held) -> Held:
    host = f"{session.account.info.locator}.registry.localhost".lower()
    place = "/".join(part.lower() for part in e.path)
    encryption = held.get("ENCRYPTION", {"TYPE": "SNOWFLAKE_SSE"})
    return {"repository_url": f"{host}/{place}", "encryption": encryption["TYPE"]}


register(
    replace(
        entry_kind(
            Kind.IMAGE_REPOSITORY,
            ast.CreateImageRepository,
            EntryRules(properties={"ENCRYPTION": plain}, fixed=frozenset({"ENCRYPTION"})),
            Shown(
                plural="IMAGE REPOSITORIES",
                columns="created_on:t name database_name schema_name repository_url owner "
                "owner_role_type comment encryption",
                cells=_cells,
            ),
            privileges=("READ", "SERVICE READ", "WRITE"),
        ),
        shows={
            "IMAGES": nothing(
                "created_on:t image_name tags digest image_path", Kind.IMAGE_REPOSITORY
            ),
        },
    )
)
