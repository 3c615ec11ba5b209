"""CREATE SEMANTIC VIEW, with the rules that a definition must keep.

Room: embedded. Every expression is compiled when the view is made, with its maker's rights, so that
a wrong one is refused at once and its type is known.

See https://docs.snowflake.com/en/sql-reference/sql/create-semantic-view and
https://docs.snowflake.com/en/user-guide/views-semantic/validation-rules
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.errors import invalid_identifier, unsupported
from skills_nb.embedded.errors.semantic import invalid_view
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.rewriter.semantic.building import Builder, Item, Request
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.CreateSemanticView) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-semantic-view."""
    made = _checked(session, statement)
    return creation.create(
        session,
        statement,
        Kind.SEMANTIC_VIEW,
        lambda: made,
        copy_grants=statement.copy_grants,
    )


def _checked(session: Context, statement: ast.CreateSemanticView) -> SemanticDetail:
    if not any(m.kind != "FACT" for m in statement.members):
        raise invalid_view("A semantic view must have a dimension or a metric.")
    tables = tuple(_table(session, table) for table in statement.tables)
    _refuse_doubles([table.alias for table in tables], "logical table")
    by_alias = {table.alias: table for table in tables}
    relationships = tuple(_relationship(session, r, by_alias) for r in statement.relationships)
    _refuse_doubles([r.name for r in relationships], "relationship")
    _refuse_doubles([f"{m.table}.{m.name}".lstrip(".") for m in statement.members], "expression")
    for member in statement.members:
        if member.table and member.table not in by_alias:
            raise invalid_identifier(f"{member.table}.{member.name}")
    instructions = json.dumps({k: ast.text_of(v) for k, v in statement.properties.items()})
    _refuse_doubles([query.name for query in statement.verified], "verified query")
    detail = SemanticDetail(
        tables, relationships, statement.members, instructions, statement.verified
    )
    if Graph(detail).is_cyclic():
        raise invalid_view("Relationships must not lead back to the table that they start from.")
    return _typed(session, detail)


def _refuse_doubles(listed: list[str], what: str) -> None:
    for name, count in Counter(listed).items():
        if count > 1:
            raise invalid_view(f"Duplicate {what} '{name}'.")


def _table(session: Context, table: ast.SemanticTable) -> ast.SemanticTable:
    """Find the table, which the maker must be able to read, and its key columns."""
    entity = name_resolution.readable_here(session, table.name)
    known = {column.name for column in columns_shown(entity.detail)}
    for column in (*table.primary_key, *(c for key in table.unique for c in key)):
        if column not in known:
            raise invalid_identifier(column)
    return replace(table, name=entity.path)


def _relationship(
    session: Context,
    relationship: ast.SemanticRelationship,
    tables: dict[str, ast.SemanticTable],
) -> ast.SemanticRelationship:
    for alias in (relationship.table, relationship.referenced):
        if alias not in tables:
            raise invalid_view(f"Table '{alias}' of relationship '{relationship.name}' is unknown.")
    referenced = tables[relationship.referenced]
    keys = [referenced.primary_key, *referenced.unique]
    columns = relationship.referenced_columns or referenced.primary_key
    if not columns or sorted(columns) not in [sorted(key) for key in keys]:
        raise invalid_view(
            f"The referenced key in the relationship '{relationship.name}' must be the primary "
            f"key or a unique key of '{referenced.alias}'."
        )
    _refuse_unknown(session, relationship.columns, tables[relationship.table])
    if len(columns) != len(relationship.columns):
        raise invalid_view(f"Relationship '{relationship.name}' has keys of different lengths.")
    return replace(relationship, referenced_columns=columns)


def _refuse_unknown(session: Context, columns: tuple[str, ...], table: ast.SemanticTable) -> None:
    entity = name_resolution.readable(session, table.name, session.env())
    known = {column.name for column in columns_shown(entity.detail)}
    for column in columns:
        if column not in known:
            raise invalid_identifier(column)


# ---- types


def _typed(session: Context, detail: SemanticDetail) -> SemanticDetail:
    """Compile every expression and note its type."""
    shown = replace(detail, members=tuple(replace(m, private=False) for m in detail.members))
    graph = Graph(shown)
    for member in shown.members:
        if session.parse_expression(member.expression).find(exp.Window) is not None:
            raise unsupported("window function metrics")
    types = [_type_of(session, graph, member) for member in shown.members]
    members = tuple(replace(m, type=t) for m, t in zip(detail.members, types, strict=True))
    return replace(detail, members=members)


def _type_of(session: Context, graph: Graph, member: ast.SemanticMember) -> str:
    clause = f"{member.kind.lower()}s"
    item = Item(member.name, names.column(member.name, member.table or None))
    query = Builder(graph, session.parse_expression, Request({clause: (item,)})).build()
    return queries.described(session, query, Purpose.DEFINE)[0].type.sql
