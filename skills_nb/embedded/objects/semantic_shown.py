"""Semantic views shown: SHOW and DESCRIBE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/desc-semantic-view and
https://docs.snowflake.com/en/sql-reference/sql/show-semantic-views
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.semantic.expanding import Expander
from skills_nb.embedded.semantic.graph import Graph
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
COLUMNS = "created_on:t name database_name schema_name comment owner owner_role_type extension"
MEMBERS = "database_name schema_name semantic_view_name table_name name data_type synonyms comment"


def detail_of(entity: Entity) -> SemanticDetail:
    """Return the definition."""
    assert isinstance(entity.detail, SemanticDetail)
    return entity.detail


def row(session: AccountSession, e: Entity) -> Row:
    """Return a semantic view's row of SHOW SEMANTIC VIEWS."""
    return (e.created_on, e.name, *e.path[:2], e.comment, e.owner, "ROLE", None)


def member_rows(
    session: AccountSession, e: Entity, kind: str, metric: str | None = None
) -> list[Row]:
    """Return the rows of SHOW SEMANTIC DIMENSIONS, FACTS or METRICS of one view."""
    graph = Graph(detail_of(e))
    reach = _reach(session, graph, metric) if metric is not None else None
    return [
        (*e.path, m.table or None, m.name, m.type, _listed(m.synonyms), m.comment or None)
        for m in graph.members
        if m.kind == kind and (reach is None or m.table in reach)
    ]


def _reach(session: AccountSession, graph: Graph, metric: str) -> set[str]:
    """Return the tables whose dimensions go with a metric."""
    table, _, name = metric.rpartition(".")
    member = graph.member(table, name) if table else graph.unique(name)
    if member is None:
        return set()
    expander = Expander(graph, session.parse_expression)
    expander.member(member)
    root = graph.finest(expander.tables)
    return {t for t in graph.tables if root is not None and graph.steps(root, t) is not None}


def _listed(values: tuple[str, ...]) -> str | None:
    return json.dumps(list(values)) if values else None


# ---- DESCRIBE


def describe(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
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
