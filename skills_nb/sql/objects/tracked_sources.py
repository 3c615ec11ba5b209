"""Whose changes a stream tells: making the first one turns on change tracking there.

Room: sql.

See https://docs.snowflake.com/en/sql-reference/sql/create-stream
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql.governance import GovernanceStatement, ast, parse
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.statements_in_blocks import statements_within

_KINDS = ("TABLE", "VIEW")
_FULL = 3
"""Parts of a name in full."""


@lru_cache(maxsize=4096)
def tracked_by(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return the tables and views whose changes the streams that a text makes will tell."""
    place = Place(database, schema)
    found = [
        place.ref(made.source_kind, made.source)
        for text in statements_within(sql)
        if isinstance(made := _read(text), ast.CreateStream) and made.source_kind in _KINDS
    ]
    return tuple(ref for ref in found if len(ref.name) == _FULL)


def _read(text: str) -> GovernanceStatement | None:
    try:
        return parse(text)
    except SqlError:
        return None
