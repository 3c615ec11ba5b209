"""Dependencies: which objects the query of another one names.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names


def used_by(session: Context, entity: Entity) -> Iterator[Entity]:
    """Find what the query of a view or dynamic table names, each object once."""
    query = query_of(entity)
    if query is None:
        return
    met: set[int] = set()
    for _, found in tables_in(parse_query(query), session.account.catalog, entity.path[:2]):
        if found.id not in met:
            met.add(found.id)
            yield found


def all_used_by(session: Context, entity: Entity) -> Iterator[Entity]:
    """Find what a view or dynamic table rests on: what it names, and what that names."""
    met: set[int] = {entity.id}
    pending = [entity]
    while pending:
        for found in used_by(session, pending.pop()):
            if found.id not in met:
                met.add(found.id)
                pending.append(found)
                yield found


def tables_in(
    tree: exp.Query, catalog: Catalog, schema: tuple[str, ...]
) -> Iterator[tuple[exp.Table, Entity]]:
    """Yield the tables and views that a query names, each time; short names are in the schema."""
    for table, path in named_in(tree):
        found = catalog.find(Kind.TABLE, (*schema[: 3 - len(path)], *path))
        if found is not None:
            yield table, found


def named_in(tree: exp.Expr) -> Iterator[tuple[exp.Table, tuple[str, ...]]]:
    """Yield what a statement names as a table, each time, with its path as written.

    What a CTE of its own defines is none of it.
    """
    own = {cte.alias.upper() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            continue
        path = names.table_path(table)
        if not (len(path) == 1 and path[0] in own):
            yield table, path


def query_of(entity: Entity) -> str | None:
    """Return the query of a view or dynamic table; what a share lends has none to show."""
    detail = entity.detail
    if isinstance(detail, ViewDetail):
        return detail.query or None
    if isinstance(detail, TableDetail) and detail.dynamic is not None:
        return detail.dynamic.query
    return None
