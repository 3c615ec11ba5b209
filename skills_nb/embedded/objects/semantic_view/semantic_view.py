"""Semantic views: how they are shown and described.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/desc-semantic-view and
https://docs.snowflake.com/en/sql-reference/sql/show-semantic-views
"""

from __future__ import annotations

import json

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Row,
    register,
)
from skills_nb.embedded.objects.semantic_view import (
    semantic_ddl,
    semantic_definition,
    semantic_members,
)
from skills_nb.embedded.objects.semantic_view.semantic_members import detail_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast


def _row(session: Context, e: Entity) -> Row:
    """Return a semantic view's row of SHOW SEMANTIC VIEWS."""
    return (e.created_on, e.name, *e.path[:2], e.comment, e.owner, "ROLE", None)


def _describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """Describe the view property by property."""
    detail = detail_of(e)
    rows: list[Row] = [(None, None, None, "COMMENT", e.comment)] if e.comment else []
    for key, text in json.loads(detail.instructions).items():
        rows.append((None, None, None, key, text))
    for table in detail.tables:
        rows += [("TABLE", table.alias, None, *pair) for pair in _of_table(table)]
    for step in detail.relationships:
        rows += [("RELATIONSHIP", step.name, step.table, *pair) for pair in _of_step(step)]
    for member in detail.members:
        kind = member.kind if member.table else "DERIVED_METRIC"
        place = member.table or None
        rows += [(kind, member.name, place, *pair) for pair in _of_member(member)]
    for query in detail.verified:
        rows += [("AI_VERIFIED_QUERY", query.name, None, *pair) for pair in query.properties]
    return "object_kind object_name parent_entity property property_value", rows


def _of_table(table: ast.SemanticTable) -> list[tuple[str, str]]:
    found = [
        ("BASE_TABLE_DATABASE_NAME", table.name[0]),
        ("BASE_TABLE_SCHEMA_NAME", table.name[1]),
        ("BASE_TABLE_NAME", table.name[2]),
    ]
    if table.primary_key:
        found.append(("PRIMARY_KEY", _array(table.primary_key)))
    found += [("UNIQUE_KEY", _array(key)) for key in table.unique]
    return [*found, *_said(table.synonyms, table.comment)]


def _of_step(step: ast.SemanticRelationship) -> list[tuple[str, str]]:
    return [
        ("TABLE", step.table),
        ("REF_TABLE", step.referenced),
        ("FOREIGN_KEY", _array(step.columns)),
        ("REF_KEY", _array(step.referenced_columns)),
    ]


def _of_member(member: ast.SemanticMember) -> list[tuple[str, str]]:
    table = [("TABLE", member.table)] if member.table else []
    return [
        *table,
        ("EXPRESSION", member.expression),
        ("DATA_TYPE", member.type),
        ("ACCESS_MODIFIER", "PRIVATE" if member.private else "PUBLIC"),
        *_said(member.synonyms, member.comment),
    ]


def _said(synonyms: tuple[str, ...], comment: str) -> list[tuple[str, str]]:
    found = [("SYNONYMS", _array(synonyms))] if synonyms else []
    return [*found, ("COMMENT", comment)] if comment else found


def _array(values: tuple[str, ...]) -> str:
    return json.dumps(list(values), separators=(",", ":"))


register(
    ObjectKind(
        kind=Kind.SEMANTIC_VIEW,
        plurals=("SEMANTIC VIEWS",),
        create={ast.CreateSemanticView: semantic_definition.create},
        listing=Listing(
            "created_on:t name database_name schema_name comment owner owner_role_type extension",
            _row,
        ),
        shows=semantic_members.SHOWS,
        describe=_describe,
        ddl=semantic_ddl.ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.TABLE, Kind.DYNAMIC_TABLE),
        privileges=("MONITOR", "REFERENCES", "SELECT"),
        clone=Cloning(),
        export=Exporting(),
    )
)
