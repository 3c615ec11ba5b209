"""Semantic views in FROM: built, then governed with their owner's rights as a view's text is.

Room: embedded. Who reads needs SELECT on the semantic view and nothing on its tables; policies on
the tables see the reader.

See https://docs.snowflake.com/en/user-guide/views-semantic/querying
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.rewriter.protect import view_env
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.semantic.building import Builder, request_of
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import Env, OutColumn


def semantic_query(
    rewriter: Rewriter, asked: exp.SemanticView, env: Env
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return the query that `SEMANTIC_VIEW(…)` stands for, and its columns."""
    session = rewriter.session
    path = session.qualify(names.table_path(asked.this), env)
    entity = name_resolution.semantic_view(session, path, env.roles)
    assert isinstance(entity.detail, SemanticDetail)
    graph = Graph(entity.detail)
    parse = session.parse_expression
    query = Builder(graph, parse, request_of(asked, graph)).build()
    rewriter.reads.setdefault(entity.id, set())
    return query, rewriter.govern(query, view_env(rewriter, entity, env))
