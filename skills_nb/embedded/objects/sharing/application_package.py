"""Application packages; nothing can be put into one.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-application-package
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held
from skills_nb.embedded.objects.entries.property_checks import between, flag, one_of, plain, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {
        "is_default": "N",
        "is_current": "N",
        "retention_time": str(held["DATA_RETENTION_TIME_IN_DAYS"]),
        "options": "",
    }


_RULES = EntryRules(
    properties={
        "DATA_RETENTION_TIME_IN_DAYS": between(0, 90),
        "MAX_DATA_EXTENSION_TIME_IN_DAYS": between(0, 90),
        "DEFAULT_DDL_COLLATION": text,
        "DISTRIBUTION": one_of("INTERNAL", "EXTERNAL"),
        "LISTING_AUTO_REFRESH": plain,
        "MULTIPLE_INSTANCES": flag,
        "ENABLE_RELEASE_CHANNELS": flag,
    },
    defaults={"DISTRIBUTION": "INTERNAL", "DATA_RETENTION_TIME_IN_DAYS": 1},
)
register(
    entry_kind(
        Kind.APPLICATION_PACKAGE,
        ast.CreateApplicationPackage,
        _RULES,
        Shown(
            plural="APPLICATION PACKAGES",
            columns="created_on:t name is_default is_current distribution owner comment "
            "retention_time options dropped_on:t application_class",
            cells=_cells,
        ),
        written=Written(or_replace=False),
        privileges=("ATTACH LISTING", "DEVELOP", "INSTALL", "MANAGE VERSIONS"),
    )
)
