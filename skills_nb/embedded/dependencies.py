"""Dependencies: which objects the query of another one names.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.parsing import parse_query

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups


def used_by(session: Lookups, entity: Entity) -> Iterator[Entity]:
    """Find what the query of a view or dynamic table names, each object once."""
    query = query_of(entity)
    if query is None:
        return
    tree = parse_query(query)
    own = {cte.alias.upper() for cte in tree.find_all(exp.CTE)}
    met: set[int] = set()
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            continue
        path = names.table_path(table)
        if len(path) == 1 and path[0] in own:
            continue
        full = (*entity.path[: 3 - len(path)], *path)
        found = session.account.catalog.find(Kind.TABLE, full)
        if found is not None and found.id not in met:
            met.add(found.id)
            yield found


def query_of(entity: Entity) -> str | None:
    """Return the query of a view or dynamic table."""
    detail = entity.detail
    if isinstance(detail, ViewDetail):
        return detail.query
    if isinstance(detail, TableDetail) and detail.dynamic is not None:
        return detail.dynamic.query
    return None
