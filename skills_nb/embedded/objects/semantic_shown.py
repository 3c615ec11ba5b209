"""Semantic views shown: SHOW, DESCRIBE, and the DDL that makes one again.

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
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
COLUMNS = "created_on:t name database_name schema_name comment owner owner_role_type extension"
MEMBERS = "database_name schema_name semantic_view_name table_name name data_type synonyms comment"
_CLAUSES = (("FACT", "FACTS"), ("DIMENSION", "DIMENSIONS"), ("METRIC", "METRICS"))


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


# ---- DDL


def ddl(entity: Entity, name: str) -> str:
    """Return the statement that makes a semantic view again."""
    detail = detail_of(entity)
    parts = [f"create or replace semantic view {name}", _block("tables", _tables(detail))]
    if detail.relationships:
        parts.append(_block("relationships", [_step(s) for s in detail.relationships]))
    for kind, clause in _CLAUSES:
        listed = [_member(m) for m in detail.members if m.kind == kind]
        if listed:
            parts.append(_block(clause.lower(), listed))
    if entity.comment:
        parts.append(f"\tcomment={literal(entity.comment)}")
    for key, text in json.loads(detail.instructions).items():
        parts.append(f"\t{key.lower()} {literal(text)}")
    return "\n".join(parts) + ";"


def _block(word: str, items: list[str]) -> str:
    return f"\t{word} (\n\t\t" + ",\n\t\t".join(items) + "\n\t)"


def _tables(detail: SemanticDetail) -> list[str]:
    made = []
    for table in detail.tables:
        words = [f"{quote(table.alias)} as {render_name(table.name)}"]
        if table.primary_key:
            words.append(f"primary key ({_names(table.primary_key)})")
        words += [f"unique ({_names(key)})" for key in table.unique]
        made.append(" ".join([*words, *_clauses(table.synonyms, table.comment)]))
    return made


def _step(step: ast.SemanticRelationship) -> str:
    return (
        f"{quote(step.name)} as {quote(step.table)}({_names(step.columns)}) references "
        f"{quote(step.referenced)}({_names(step.referenced_columns)})"
    )


def _member(member: ast.SemanticMember) -> str:
    private = "private " if member.private else ""
    name = render_name((member.table, member.name) if member.table else (member.name,))
    said = " ".join(_clauses(member.synonyms, member.comment))
    return f"{private}{name} as {member.expression}" + (f" {said}" if said else "")


def _clauses(synonyms: tuple[str, ...], comment: str) -> list[str]:
    found = [f"with synonyms=({', '.join(literal(s) for s in synonyms)})"] if synonyms else []
    return [*found, f"comment={literal(comment)}"] if comment else found


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(quote(name) for name in names)
