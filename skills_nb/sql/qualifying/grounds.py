"""What a statement rests on that stands already: what it reads, and what it changes.

Room: sql. What a statement does to rights is left out: others may grant and revoke beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import Name, ObjectRef
from skills_nb.sql.objects.probes import like_pattern, probe_for
from skills_nb.sql.objects.touched_objects import touches_of
from skills_nb.sql.objects.tracked_sources import tracked_by
from skills_nb.sql.qualifying.source_tables import relations_read
from skills_nb.sql.tokens import literal

RELATION = "table"
"""The type of whatever has columns: a text that reads it does not tell a table from a view."""
_RELATIONS = frozenset({"table", "view", "dynamic_table", "materialized_view", "external_table"})
_FULL = 3
_RIGHTS = frozenset({"grants", "privileges", "holders", "all grants", "future grants"})


@lru_cache(maxsize=4096)
def grounds_of(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return what a text reads or changes, each once; names that are not in full are left out."""
    read = relations_read(sql, database, schema)
    found = dict.fromkeys(ObjectRef(RELATION, name) for name in read)
    for source in tracked_by(sql, database, schema):
        found.setdefault(ObjectRef(RELATION, source.name))
    for touch in touches_of(sql, database, schema):
        found.update(dict.fromkeys(_stands(touch.ref)))
    return tuple(found)


def looks_at(ref: ObjectRef) -> tuple[str, ...]:
    """Return the queries that answer the same as long as nobody touches it, its being there first.

    Of what has columns they are its columns and its policies, too.
    """
    if ref.type != RELATION:
        main = probe_for(ref)
        return () if main is None else (main,)
    *place, last = ref.name
    name = render_name(ref.name)
    policies = render_name((ref.name[0], "INFORMATION_SCHEMA", "POLICY_REFERENCES"))
    return (
        f"SHOW OBJECTS LIKE {like_pattern(last)} IN SCHEMA {render_name(place)}",
        f"DESCRIBE TABLE {name}",
        f"SELECT * FROM TABLE({policies}(REF_ENTITY_NAME => {literal(name)}, "
        "REF_ENTITY_DOMAIN => 'TABLE'))",
    )


def is_about_rights(ref: ObjectRef) -> bool:
    """Return whether a statement that touches this changes nothing but who may do what."""
    return ref.facet in _RIGHTS


def _stands(ref: ObjectRef) -> Iterator[ObjectRef]:
    name = _relation(ref)
    if name is not None:
        if len(name) == _FULL:
            yield ObjectRef(RELATION, name)
    elif not is_about_rights(ref):
        yield replace(ref, facet="")


def _relation(ref: ObjectRef) -> Name | None:
    """Return the name of what has columns, where it is that or a column of it."""
    if ref.type == "column":
        return ref.name[:-1]
    return ref.name if ref.type in _RELATIONS else None
