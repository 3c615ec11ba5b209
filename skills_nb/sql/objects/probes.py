"""Probes: read-only queries that tell what is there, and how it was made.

Room: sql. Each is one statement that `classify.kind_of` calls READ.
Source: Snowflake manual, "SHOW <objects>", "POLICY_REFERENCES", "SYSTEM$GET_TAG", "GET_DDL".
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.sql.governance.object_kinds import PLURALS
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.tokens import literal

_POLICY_FACETS = {
    "": "MASKING_POLICY",
    "projection policy": "PROJECTION_POLICY",
    "row access policy": "ROW_ACCESS_POLICY",
    "aggregation policy": "AGGREGATION_POLICY",
    "join policy": "JOIN_POLICY",
}
_SHOWN_AS = {
    "FUNCTION": "USER FUNCTIONS",
    "EXTERNAL FUNCTION": "EXTERNAL FUNCTIONS",
    "HYBRID TABLE": "HYBRID TABLES",
}
_DDL_TYPES = {
    "ALERT": "ALERT",
    "DATABASE": "DATABASE",
    "DYNAMIC TABLE": "DYNAMIC_TABLE",
    "EVENT TABLE": "EVENT_TABLE",
    "EXTERNAL TABLE": "TABLE",
    "FILE FORMAT": "FILE_FORMAT",
    "FUNCTION": "FUNCTION",
    "HYBRID TABLE": "TABLE",
    "ICEBERG TABLE": "ICEBERG_TABLE",
    "MATERIALIZED VIEW": "VIEW",
    "PIPE": "PIPE",
    "PROCEDURE": "PROCEDURE",
    "SCHEMA": "SCHEMA",
    "SEQUENCE": "SEQUENCE",
    "STREAM": "STREAM",
    "TABLE": "TABLE",
    "TAG": "TAG",
    "TASK": "TASK",
    "VIEW": "VIEW",
    "WAREHOUSE": "WAREHOUSE",
    "AGGREGATION POLICY": "POLICY",
    "AUTHENTICATION POLICY": "POLICY",
    "JOIN POLICY": "POLICY",
    "MASKING POLICY": "POLICY",
    "PASSWORD POLICY": "POLICY",
    "PRIVACY POLICY": "POLICY",
    "PROJECTION POLICY": "POLICY",
    "ROW ACCESS POLICY": "POLICY",
    "SESSION POLICY": "POLICY",
}


def probe_for(ref: ObjectRef) -> str | None:
    """Return a query that has rows where the object (or its facet) is there; None: none exists."""
    for applies, build in _PROBES:
        if applies(ref):
            return build(ref)
    return _show(ref)


def like_pattern(name: str) -> str:
    r"""Write a stored name as a pattern that matches nothing else: `_` and `%` are escaped."""
    for special in ("\\", "_", "%"):
        name = name.replace(special, "\\" + special)
    return literal(name)


def _show(ref: ObjectRef) -> str | None:
    plural = _SHOWN_AS.get(ref.kind) or PLURALS.get(ref.kind)
    if plural is None or ref.type == "account":
        return None
    *container, last = ref.name
    scope = {1: " IN DATABASE ", 2: " IN SCHEMA "}.get(len(container), "")
    where = scope + render_name(container) if scope else ""
    return f"SHOW {plural} LIKE {like_pattern(last)}{where}"


def _policies(ref: ObjectRef) -> str:
    """Ask which policies of the facet's kind are on a table, or on one of its columns."""
    is_column = ref.type == "column"
    table = ref.name[:-1] if is_column else ref.name
    view = ref.container == "VIEW" if is_column else ref.kind.endswith("VIEW")
    domain = "VIEW" if view else "TABLE"
    schema = (*table[:-2], "INFORMATION_SCHEMA", "POLICY_REFERENCES")
    where = f"POLICY_KIND = {literal(_POLICY_FACETS[ref.facet])}"
    if is_column:
        where += f" AND REF_COLUMN_NAME = {literal(ref.name[-1])}"
    return (
        f"SELECT * FROM TABLE({render_name(schema)}(REF_ENTITY_NAME => "
        f"{literal(render_name(table))}, REF_ENTITY_DOMAIN => '{domain}')) WHERE {where}"
    )


def _definition(ref: ObjectRef) -> str:
    """Ask for one column's definition."""
    table = ref.name[:-1]
    schema = f" AND TABLE_SCHEMA = {literal(table[-2])}" if len(table) > 1 else ""
    return (
        f"SELECT * FROM {render_name((*table[:-2], 'INFORMATION_SCHEMA', 'COLUMNS'))} "
        f"WHERE TABLE_NAME = {literal(table[-1])}{schema} AND COLUMN_NAME = {literal(ref.name[-1])}"
    )


def _tag(ref: ObjectRef) -> str:
    """Ask for one tag's value; NULL where it is not set."""
    tag = literal(ref.facet.removeprefix("tag "))
    name = literal(render_name(ref.name))
    domain = "TABLE" if ref.kind.endswith("VIEW") else ref.kind
    return f"SELECT SYSTEM$GET_TAG({tag}, {name}, {literal(domain)}) AS TAG_VALUE"


def _parameter(ref: ObjectRef) -> str:
    """Ask for one parameter: its value, and the level at which that was set."""
    where = "ACCOUNT" if ref.type == "account" else f"{ref.kind} {render_name(ref.name)}"
    return f"SHOW PARAMETERS LIKE {like_pattern(ref.facet.removeprefix('parameter '))} IN {where}"


def _grants(ref: ObjectRef) -> str:
    if ref.type == "account":
        return "SHOW GRANTS ON ACCOUNT"
    return f"SHOW GRANTS ON {ref.kind} {render_name(ref.name)}{ref.signature}"


_PROBES: tuple[tuple[Callable[[ObjectRef], bool], Callable[[ObjectRef], str | None]], ...] = (
    (lambda ref: ref.facet.startswith("tag "), _tag),
    (lambda ref: ref.facet.startswith("parameter "), _parameter),
    (lambda ref: ref.facet == "definition", _definition),
    (lambda ref: ref.facet == "grants", _grants),
    (
        lambda ref: ref.facet == "holders",
        lambda r: f"SHOW GRANTS OF {r.kind} {render_name(r.name)}",
    ),
    (
        lambda ref: ref.facet == "privileges",
        lambda r: f"SHOW GRANTS TO {r.kind} {render_name(r.name)}",
    ),
    (
        lambda ref: ref.facet == "future grants",
        lambda r: f"SHOW FUTURE GRANTS IN {r.kind} {render_name(r.name)}",
    ),
    (lambda ref: ref.type == "column" or ref.facet in (_POLICY_FACETS.keys() - {""}), _policies),
)
"""Which references ask for more than a SHOW, and how; the first that applies wins."""


def ddl_probe_for(ref: ObjectRef) -> str | None:
    """Return a query for the statement that would make the object anew; None: there is none."""
    kind = _DDL_TYPES.get(ref.kind)
    if kind is None or ref.facet:
        return None
    name = literal(render_name(ref.name) + ref.signature)
    qualified = "" if ref.kind in ("DATABASE", "WAREHOUSE") else ", TRUE"
    return f"SELECT GET_DDL({literal(kind)}, {name}{qualified}) AS DDL"
