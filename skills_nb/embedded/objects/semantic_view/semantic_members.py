"""Members of semantic views: SHOW SEMANTIC DIMENSIONS, FACTS and METRICS.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-semantic-dimensions
"""

from __future__ import annotations

import json
from functools import partial

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.objects.object_kind import Answer, Row, Show
from skills_nb.embedded.objects.show_filters import matches, scope_of
from skills_nb.embedded.rewriter.semantic.graph import Graph
from skills_nb.embedded.rewriter.semantic.semantic_expansion import Expander
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_COLUMNS = "database_name schema_name semantic_view_name table_name name data_type synonyms comment"


def detail_of(view: Entity) -> SemanticDetail:
    """Return a semantic view's detail."""
    assert isinstance(view.detail, SemanticDetail)
    return view.detail


def _member_rows(session: Context, e: Entity, kind: str, metric: str | None = None) -> list[Row]:
    graph = Graph(detail_of(e))
    reach = _reach(session, graph, metric) if metric is not None else None
    return [
        (*e.path, m.table or None, m.name, m.type, _listed(m.synonyms), m.comment or None)
        for m in graph.members
        if m.kind == kind and (reach is None or m.table in reach)
    ]


def _reach(session: Context, graph: Graph, metric: str) -> set[str]:
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


def _show(session: Context, statement: ast.Show, kind: str) -> Answer:
    rows = [
        row
        for e in _views(session, statement)
        for row in _member_rows(session, e, kind, _metric_of(statement))
        if matches(statement, str(row[4]))
    ]
    return _COLUMNS, rows[: statement.limit]


def _views(session: Context, statement: ast.Show) -> list[Entity]:
    """List the semantic view that IN names, by a bare name, or those of a database or schema."""
    scope, kind = statement.scope, Kind.SEMANTIC_VIEW
    if scope is not None and scope.name and scope.kind in (None, kind.value):
        view = access.find(session, kind, scope.name)
        if view is not None:
            return [view]
    within = session.account.catalog.within(kind, scope_of(session, statement, kind))
    return list(access.visible_ones(session, within))


def _metric_of(statement: ast.Show) -> str | None:
    """Return the metric of `FOR METRIC m`."""
    found = [o for o in statement.options if o.startswith("FOR METRIC ")]
    return found[0].removeprefix("FOR METRIC ") if found else None


SHOWS: dict[str, Show] = {
    f"SEMANTIC {kind}S": partial(_show, kind=kind) for kind in ("DIMENSION", "FACT", "METRIC")
}
