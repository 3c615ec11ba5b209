"""All views of INFORMATION_SCHEMA, by name.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.system import information_schema
from skills_nb.embedded.system.information_schema import Roles
from skills_nb.embedded.system.usage_objects import shown
from skills_nb.embedded.system_rows import Rows

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

VIEWS: dict[str, Callable[[Lookups, Roles, str], Rows]] = {
    **information_schema.VIEWS,
    "FUNCTIONS": shown(Kind.FUNCTION),
    "PROCEDURES": shown(Kind.PROCEDURE),
    "SEQUENCES": shown(Kind.SEQUENCE),
    "STAGES": shown(Kind.STAGE),
    "PIPES": shown(Kind.PIPE),
    "FILE_FORMATS": shown(Kind.FILE_FORMAT),
}
