"""What others can hang on an object that a thread made, so that it would go when that is dropped.

Room: sql. One query for each way to hang something on an object; it answers the same as long as
nobody does so.
Source: Snowflake manual, "SHOW GRANTS", "GET_DDL", "TAG_REFERENCES", "POLICY_REFERENCES",
"SHOW PARAMETERS", "SYSTEM$PIPE_STATUS", "SYSTEM$LAST_CHANGE_COMMIT_TIME".
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects.object_refs import AttachmentQuery, ObjectRef
from skills_nb.sql.objects.probes import ddl_probe_for
from skills_nb.sql.tokens import literal

_ROLES = frozenset({"role", "database_role"})
_BODIES = frozenset({"function", "procedure"})
_HAVE_NO_GRANTS = frozenset({"account", "column", "application_role"})
_VIEWS = frozenset({"view", "materialized_view", "dynamic_table", "external_table"})
"""Kinds with columns whose definition does not tell the tags and policies that hang on them."""
_TAGGED = frozenset(
    {
        *("database", "schema", "warehouse", "role", "database_role", "user", "share"),
        *("integration", "stage", "stream", "task", "pipe", "alert"),
    }
)
"""Kinds that bear tags themselves, beside what has columns."""
_HAVE_POLICIES = {
    "view": "VIEW",
    "materialized_view": "VIEW",
    "dynamic_table": "TABLE",
    "external_table": "TABLE",
    "user": "USER",
    "tag": "TAG",
}
"""Kinds that bear policies, and what POLICY_REFERENCES calls them; of tables the DDL tells."""
_HAVE_PARAMETERS = frozenset({"user", "warehouse", "database", "schema", "task"})
_ELSEWHERE = "SNOWFLAKE"
"""The database whose functions tell of what lies in none."""


def hanging_on(ref: ObjectRef) -> Iterator[AttachmentQuery]:
    """Yield the queries for everything that others can hang on an object."""
    for query in (*grants_of(ref), *_future_grants(ref)):
        yield AttachmentQuery(query, "")
    token = token_of(ref)
    if token is not None:
        yield AttachmentQuery(token, "changed its rows")
    if ref.type == "stage":
        yield AttachmentQuery(
            f"LIST @{render_name(ref.name)}", "put files into it, or took some out"
        )
    definition = body_of(ref) or (ddl_probe_for(ref) if ref.type == "table" else None)
    if definition is not None:
        # Of a table also the columns, tags and policies that others hung on it.
        yield AttachmentQuery(definition, "changed its definition")
    yield from _attached(ref)
    if ref.type == "pipe":
        yield AttachmentQuery(_state_of_pipe(ref), "stopped or started it")
    if ref.type in _HAVE_PARAMETERS:
        yield AttachmentQuery(parameters_of(ref), "set parameters of it")


def hanging_on_column(ref: ObjectRef) -> Iterator[AttachmentQuery]:
    """Yield the queries for what others can put into a column or hang on it."""
    table, column = ref.name[:-1], ref.name[-1]
    name, place = literal(render_name(table)), render_name((table[0], "INFORMATION_SCHEMA"))
    where = f"COLUMN_NAME = {literal(column)}"
    if ref.container == "TABLE":
        filled = f"SELECT COUNT({quote(column)}) AS FILLED, HASH_AGG({quote(column)}) AS HASH"
        given = f"FROM {render_name(table)} WHERE {quote(column)} IS NOT NULL"
        yield AttachmentQuery(f"{filled} {given}", "put values into it, or changed some")
    tags = f"TABLE({place}.TAG_REFERENCES_ALL_COLUMNS({name}, 'TABLE'))"
    yield AttachmentQuery(
        f"SELECT * FROM {tags} WHERE {where} AND LEVEL = 'COLUMN'", "changed its tags"
    )
    entity = f"REF_ENTITY_NAME => {name}, REF_ENTITY_DOMAIN => {literal(ref.container)}"
    policies = f"TABLE({place}.POLICY_REFERENCES({entity}))"
    used = f"REF_{where} OR CONTAINS(REF_ARG_COLUMN_NAMES, {literal(column)})"
    yield AttachmentQuery(f"SELECT * FROM {policies} WHERE {used}", "changed the policies on it")


def parameters_of(ref: ObjectRef) -> str:
    """Return the query for what is set for an object, or was taken over from above it."""
    return f"SHOW PARAMETERS IN {ref.kind} {render_name(ref.name)}"


def token_of(ref: ObjectRef) -> str | None:
    """Return the query for a token that differs once rows of a table have changed."""
    if ref.type != "table" or ref.facet:
        return None
    return f"SELECT SYSTEM$LAST_CHANGE_COMMIT_TIME({literal(render_name(ref.name))}) AS LAST_CHANGE"


def body_of(ref: ObjectRef) -> str | None:
    """Return the query for what SHOW leaves out: what a policy or a routine does."""
    is_shown = ref.type not in _BODIES and not ref.type.endswith("policy")
    return None if is_shown or ref.facet else ddl_probe_for(ref)


def grants_of(ref: ObjectRef) -> tuple[str, ...]:
    """Return the queries for what an object gives to others and, of a role, what it may do."""
    name = render_name(ref.name)
    if ref.type in _ROLES:
        return (f"SHOW GRANTS OF {ref.kind} {name}", f"SHOW GRANTS TO {ref.kind} {name}")
    if ref.type == "user":
        return (f"SHOW GRANTS TO USER {name}",)
    if ref.type == "share":
        return (f"SHOW GRANTS TO SHARE {name}", f"SHOW GRANTS OF SHARE {name}")
    if ref.type in _HAVE_NO_GRANTS or ref.facet:
        return ()
    return (f"SHOW GRANTS ON {ref.kind} {name}{ref.signature}",)


def _future_grants(ref: ObjectRef) -> Iterator[str]:
    if ref.type in ("schema", "database"):
        yield f"SHOW FUTURE GRANTS IN {ref.kind} {render_name(ref.name)}"
    elif ref.type in _ROLES:
        yield f"SHOW FUTURE GRANTS TO {ref.kind} {render_name(ref.name)}"


def _attached(ref: ObjectRef) -> Iterator[AttachmentQuery]:
    """Yield the queries for tags and policies."""
    name = literal(render_name(ref.name))
    if ref.type in _VIEWS:
        call = _function(ref, f"TAG_REFERENCES_ALL_COLUMNS({name}, 'TABLE')")
        yield AttachmentQuery(f"SELECT * FROM {call}", "changed its tags")
    elif ref.type in _TAGGED:
        call = _function(ref, f"TAG_REFERENCES({name}, {literal(ref.kind)})")
        yield AttachmentQuery(f"SELECT * FROM {call}", "changed its tags")
    domain = _HAVE_POLICIES.get(ref.type)
    if domain is not None:
        entity = f"REF_ENTITY_NAME => {name}, REF_ENTITY_DOMAIN => {literal(domain)}"
        call = _function(ref, f"POLICY_REFERENCES({entity})")
        yield AttachmentQuery(f"SELECT * FROM {call}", "changed the policies on it")


def _function(ref: ObjectRef, call: str) -> str:
    """Write the call of a table function of the object's own database, if it has one."""
    place = ref.name[0] if len(ref.name) > 1 or ref.type == "database" else _ELSEWHERE
    return f"TABLE({render_name((place, 'INFORMATION_SCHEMA'))}.{call})"


def _state_of_pipe(ref: ObjectRef) -> str:
    """Ask whether it runs; how much it has to do changes by itself."""
    status = f"SYSTEM$PIPE_STATUS({literal(render_name(ref.name))})"
    return f"SELECT PARSE_JSON({status}):executionState::STRING AS STATE"
