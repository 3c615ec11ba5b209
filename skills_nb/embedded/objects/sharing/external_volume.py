"""External volumes; nothing can be stored in one.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-external-volume
"""

from __future__ import annotations

import json
from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.entries.property_checks import flag, plain
from skills_nb.embedded.objects.lifecycle import shelf
from skills_nb.embedded.objects.object_kind import Row, register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {"allow_writes": str(held["ALLOW_WRITES"]).lower()}


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-external-volume."""
    held = properties_of(e)
    places = [
        ("STORAGE_LOCATIONS", f"STORAGE_LOCATION_{i}", "String", json.dumps(place), "")
        for i, place in enumerate(held["STORAGE_LOCATIONS"], 1)
    ]
    writes = ("", "ALLOW_WRITES", "Boolean", str(held["ALLOW_WRITES"]).lower(), "true")
    columns = "parent_property property property_type property_value property_default"
    return columns, [writes, *places]


register(
    replace(
        entry_kind(
            Kind.EXTERNAL_VOLUME,
            ast.CreateExternalVolume,
            EntryRules(
                properties={"STORAGE_LOCATIONS": plain, "ALLOW_WRITES": flag},
                required=("STORAGE_LOCATIONS",),
                defaults={"ALLOW_WRITES": True},
            ),
            Shown(
                plural="EXTERNAL VOLUMES",
                columns="name allow_writes comment created_on:t owner",
                cells=_cells,
            ),
            privileges=("USAGE",),
        ),
        describe=_describe,
        drop=shelf.shelve,
        undrop=shelf.restore,
    )
)
