"""Schemas and databases that are made as copies of others, with all that lies in those.

Room: sql.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql.governance import GovernanceStatement, ast, parse
from skills_nb.sql.objects.changes import created_ref
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.statements_in_blocks import statements_within


@lru_cache(maxsize=4096)
def clones_in(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return the schemas and databases that a text makes by CLONE."""
    place = Place(database, schema)
    made = (_read(text) for text in statements_within(sql))
    return tuple(
        created_ref(one, place)
        for one in made
        if isinstance(one, ast.CreateSchema | ast.CreateDatabase) and one.clone is not None
    )


def _read(text: str) -> GovernanceStatement | None:
    try:
        return parse(text)
    except SqlError:
        return None
