"""Semantic views in FROM: built, then governed with their owner's rights as a view's text is.

Room: embedded. Who reads needs SELECT on the semantic view and nothing on its tables; policies on
the tables see the reader.

See https://docs.snowflake.com/en/user-guide/views-semantic/querying
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names, refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.rewrite.protect import view_env
from skills_nb.embedded.scope import Env, OutColumn
from skills_nb.embedded.semantic.building import Builder, request_of
from skills_nb.embedded.semantic.graph import Graph

if TYPE_CHECKING:
    from skills_nb.embedded.rewrite.query import QueryRewriter


def semantic_query(
    rewriter: QueryRewriter, asked: exp.SemanticView, env: Env
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return the query that `SEMANTIC_VIEW(…)` stands for, and its columns."""
    entity = _readable(rewriter, names.table_path(asked.this), env)
    assert isinstance(entity.detail, SemanticDetail)
    graph = Graph(entity.detail)
    parse = rewriter.session.parse_expression
    query = Builder(graph, parse, request_of(asked, graph)).build()
    rewriter.reads.setdefault(entity.id, set())
    return query, rewriter.govern(query, view_env(rewriter, entity, env))


def _readable(rewriter: QueryRewriter, path: tuple[str, ...], env: Env) -> Entity:
    session = rewriter.session
    full = session.qualify(path, env)
    entity = session.account.catalog.find(Kind.SEMANTIC_VIEW, full)
    rights = session.account.rights
    if entity is None or not rights.reachable(env.roles, entity):
        raise session.missing_relation(full, env)
    if rights.has(env.roles, "SELECT", entity):
        return entity
    if rights.has_any(env.roles, entity):
        raise refusals.insufficient_privileges(entity.kind.value, entity.name)
    raise refusals.not_found("Object", full)
