"""All views of INFORMATION_SCHEMA, by name.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views import always_empty
from skills_nb.embedded.system_views.information_schema import constraints_and_privileges as keys
from skills_nb.embedded.system_views.information_schema import (
    databases_and_tables,
    listed_shares,
    python_packages,
)
from skills_nb.embedded.system_views.information_schema import semantic_views as semantic
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles
from skills_nb.embedded.system_views.information_schema.schema_objects import shown
from skills_nb.embedded.system_views.information_schema.table_storage import table_storage_seen
from skills_nb.embedded.types.system_rows import Rows


def _empty(columns: str) -> Callable[[Context, Roles, str], Rows]:
    """Return the reader of a view about objects that cannot be made here."""
    return lambda session, roles, database: (columns, [])


PARTS = databases_and_tables.PARTS
VIEWS: dict[str, Callable[[Context, Roles, str], Rows]] = {
    **databases_and_tables.VIEWS,
    "FUNCTIONS": shown(Kind.FUNCTION),
    "PROCEDURES": shown(Kind.PROCEDURE),
    "SEQUENCES": shown(Kind.SEQUENCE),
    "STAGES": shown(Kind.STAGE),
    "PIPES": shown(Kind.PIPE),
    "FILE_FORMATS": shown(Kind.FILE_FORMAT),
    "INFORMATION_SCHEMA_CATALOG_NAME": lambda session, roles, database: (
        "CATALOG_NAME",
        [(database,)],
    ),
    "PACKAGES": python_packages.shown,
    "OBJECT_PRIVILEGES": keys.object_privileges,
    "REFERENTIAL_CONSTRAINTS": keys.referential,
    "SHARES": listed_shares.shares_shown,
    "TABLE_CONSTRAINTS": keys.table_constraints,
    "TABLE_PRIVILEGES": keys.table_privileges,
    "TABLE_STORAGE_METRICS": table_storage_seen,
    "USAGE_PRIVILEGES": keys.usage_privileges,
    **{name: semantic.shown(name) for name in semantic.NAMES},
    **{name: _empty(columns) for name, columns in always_empty.INFORMATION_SCHEMA.items()},
}
