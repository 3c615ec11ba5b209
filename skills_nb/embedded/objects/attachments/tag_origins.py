"""Origins: which columns of which objects a query's columns are computed from.

Room: embedded. Pure: sqlglot traces the query against the catalog's columns. A view is an origin
itself; what it reads is its own matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import Node, to_node
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope
from sqlglot.schema import MappingSchema

from skills_nb.embedded.binder.dependencies import tables_in
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, TableDetail, ViewDetail
from skills_nb.embedded.types import names

Column = tuple[int, str]
"""An object's number and a column's stored name."""


@dataclass(frozen=True, slots=True)
class Origins:
    """Where a query's columns come from."""

    objects: frozenset[int]
    """Tables and views that the query names."""
    columns: tuple[frozenset[Column], ...]
    """By the place of the query's column."""


def origins(query: exp.Query, catalog: Catalog, schema: tuple[str, ...]) -> Origins:
    """Trace a query.

    Args:
        query: as it was written; it stays as it is.
        catalog: what is there.
        schema: database and schema in which short names are looked up.
    """
    tree = query.copy()
    named = {}
    for table, entity in tables_in(tree, catalog, schema):
        named[entity.path] = entity
        for part, name in zip(("catalog", "db", "this"), entity.path, strict=True):
            table.set(part, names.quoted(name))
    objects = frozenset(entity.id for entity in named.values())
    try:
        return Origins(objects, tuple(_traced(tree, named)))
    except SqlglotError:
        # What cannot be traced comes, to be safe, from every column that the query could read.
        width = len(tree.named_selects)
        read = frozenset((e.id, c) for e in named.values() for c in _columns(e))
        return Origins(objects, (read,) * width)


def _columns(entity: Entity) -> dict[str, str]:
    """Return an object's columns with their types."""
    if isinstance(entity.detail, (TableDetail, ViewDetail)):
        return {column.name: column.type.sql for column in entity.detail.columns}
    return {}


def _traced(tree: exp.Query, named: dict[tuple[str, ...], Entity]) -> Iterator[frozenset[Column]]:
    known: dict[str, Any] = {}
    for (database, schema, name), entity in named.items():
        known.setdefault(database, {}).setdefault(schema, {})[name] = _columns(entity)
    mapped = MappingSchema(known, dialect="snowflake", normalize=False)
    qualified = qualify(
        tree, schema=mapped, dialect="snowflake", validate_qualify_columns=False, identify=False
    )
    scope = build_scope(qualified)
    if scope is None or not isinstance(qualified, exp.Query):
        raise SqlglotError("no query")
    for place in range(len(qualified.selects)):
        root = to_node(place, scope, "snowflake", schema=mapped, trim_selects=False)
        yield frozenset(_leaves(root, named))


def _leaves(root: Node, named: dict[tuple[str, ...], Entity]) -> Iterator[Column]:
    for node in root.walk():
        if node.downstream or not isinstance(node.source, exp.Table):
            continue
        entity = named.get(names.table_path(node.source))
        if entity is not None:
            yield entity.id, names.stored(exp.to_column(node.name, dialect="snowflake").this)
