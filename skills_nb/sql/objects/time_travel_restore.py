"""Rows as they were before a statement, by time travel.

Room: sql. `BEFORE (STATEMENT => …)` is the moment just before the statement took effect, so what
others had done until then stays.
Source: Snowflake manual, "AT | BEFORE", "INSERT", "HASH_AGG".
"""

from __future__ import annotations

from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.objects.probes import like_pattern
from skills_nb.sql.tokens import literal

HIDING = frozenset(
    {"MASKING_POLICY", "ROW_ACCESS_POLICY", "PROJECTION_POLICY", "AGGREGATION_POLICY"}
)
"""Policies through which reading a table may give other values than it holds."""


def restoration(ref: ObjectRef, query_id: str) -> str:
    """Return the statement that puts back the rows that a table had before a statement."""
    name = render_name(ref.name)
    before = f"{name} BEFORE(STATEMENT => {literal(query_id)})"
    return f"INSERT OVERWRITE INTO {name} SELECT * FROM {before}"


def comparison(ref: ObjectRef, query_id: str) -> str:
    """Return the query that compares a table's rows now with those that a statement left.

    It has two rows: MOMENT (`now`, `then`), ROW_COUNT and HASH.
    """
    name = render_name(ref.name)
    told = "COUNT(*) AS ROW_COUNT, HASH_AGG(*) AS HASH"
    then = f"{name} AT(STATEMENT => {literal(query_id)})"
    return (
        f"SELECT 'now' AS MOMENT, {told} FROM {name} "
        f"UNION ALL SELECT 'then' AS MOMENT, {told} FROM {then}"
    )


def policies(ref: ObjectRef) -> str:
    """Return the query for the kinds of the policies on a table and its columns."""
    schema = render_name((*ref.name[:-2], "INFORMATION_SCHEMA", "POLICY_REFERENCES"))
    return (
        f"SELECT POLICY_KIND FROM TABLE({schema}(REF_ENTITY_NAME => "
        f"{literal(render_name(ref.name))}, REF_ENTITY_DOMAIN => 'TABLE'))"
    )


def dropped_versions(ref: ObjectRef) -> str | None:
    """Return the query for the dropped tables of a name; None for what keeps no history."""
    if ref.type != "table" or len(ref.name) != 3:
        return None
    where = render_name(ref.name[:2])
    return f"SHOW TABLES HISTORY LIKE {like_pattern(ref.name[-1])} IN SCHEMA {where}"
