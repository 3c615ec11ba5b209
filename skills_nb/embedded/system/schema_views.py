"""All views of INFORMATION_SCHEMA, by name.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.system import account_usage, idle, information_schema, packages
from skills_nb.embedded.system import usage_keys as keys
from skills_nb.embedded.system import usage_semantic as semantic
from skills_nb.embedded.system.information_schema import Roles
from skills_nb.embedded.system.usage_meters import table_storage_seen
from skills_nb.embedded.system.usage_objects import shown
from skills_nb.embedded.system_rows import Rows

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups


def _empty(columns: str) -> Callable[[Lookups, Roles, str], Rows]:
    """Return the reader of a view about objects that cannot be made here."""
    return lambda session, roles, database: (columns, [])


VIEWS: dict[str, Callable[[Lookups, Roles, str], Rows]] = {
    **information_schema.VIEWS,
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
    "PACKAGES": packages.shown,
    "OBJECT_PRIVILEGES": keys.object_privileges,
    "REFERENTIAL_CONSTRAINTS": keys.referential,
    "SHARES": account_usage.shares_shown,
    "TABLE_CONSTRAINTS": keys.table_constraints,
    "TABLE_PRIVILEGES": keys.table_privileges,
    "TABLE_STORAGE_METRICS": table_storage_seen,
    "USAGE_PRIVILEGES": keys.usage_privileges,
    **{name: semantic.shown(name) for name in semantic.NAMES},
    **{name: _empty(columns) for name, columns in idle.INFORMATION_SCHEMA.items()},
}
