"""Application roles: only Snowflake's own, which are there from the beginning.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/snowflake-db-roles
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.object_kind import ObjectKind, register

register(ObjectKind(kind=Kind.APPLICATION_ROLE))
