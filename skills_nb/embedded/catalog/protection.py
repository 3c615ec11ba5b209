"""Protection of one table or view: which policy is on what.

Room: embedded. Pure over the catalog. A masking policy on the column wins over one that comes with
a tag.

See https://docs.snowflake.com/en/user-guide/tag-based-masking-policies
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
)
from skills_nb.embedded.catalog.table_details import columns_shown


@dataclass(frozen=True, slots=True)
class Protection:
    """What is attached to a table or view."""

    masks: Mapping[str, PolicyRef]
    """Masking policy by column."""
    rows: PolicyRef | None
    """The row access policy."""
    by_tag: Mapping[str, int]
    """Number of the tag through which the column's masking policy came."""
    projections: Mapping[str, PolicyRef]
    """Projection policy by column."""
    aggregations: tuple[PolicyRef, ...]
    """The aggregation policy, once for each of its entity keys."""

    @property
    def constrains(self) -> bool:
        """Tell whether a projection or aggregation policy is attached."""
        return bool(self.projections or self.aggregations)


def protection_of(catalog: Catalog, entity: Entity) -> Protection:
    """Collect what protects a table or view."""
    refs = catalog.policies_on(entity.id)
    masks = {r.column: r for r in refs if r.policy_kind is Kind.MASKING_POLICY}
    rows = next((r for r in refs if r.policy_kind is Kind.ROW_ACCESS_POLICY), None)
    by_tag: dict[str, int] = {}
    tags = _Tags(catalog, entity)
    for column in columns_shown(entity.detail) if tags else ():
        if column.name not in masks:
            for ref, tag_id in _through_tags(catalog, entity, column, tags):
                masks[column.name] = ref
                by_tag[column.name] = tag_id
                break
    projections = {r.column: r for r in refs if r.policy_kind is Kind.PROJECTION_POLICY}
    aggregations = tuple(r for r in refs if r.policy_kind is Kind.AGGREGATION_POLICY)
    return Protection(masks, rows, by_tag, projections, aggregations)


def _through_tags(
    catalog: Catalog, entity: Entity, column: ColumnDef, tags: _Tags
) -> Iterator[tuple[PolicyRef, int]]:
    for tag_id in sorted(tags.of(column.name)):
        for ref in catalog.policies_on(tag_id):
            policy = catalog.by_id(ref.policy_id)
            if policy is None or not isinstance(policy.detail, PolicyDetail):
                continue
            first = policy.detail.arguments[0].type
            if first.kind == column.type.kind and len(policy.detail.arguments) == 1:
                yield (
                    PolicyRef(policy.id, policy.kind, entity.id, column.name, (column.name,)),
                    tag_id,
                )


class _Tags:
    """Tags on a table's columns, and those that they inherit from table, schema and database."""

    def __init__(self, catalog: Catalog, entity: Entity) -> None:
        self._own = catalog.tags_on(entity.id)
        self._inherited = {
            ref.tag_id
            for kind, depth in ((Kind.SCHEMA, 2), (Kind.DATABASE, 1))
            if (parent := catalog.find(kind, entity.path[:depth])) is not None
            for ref in catalog.tags_on(parent.id)
        }

    def __bool__(self) -> bool:
        return bool(self._own or self._inherited)

    def of(self, column: str) -> set[int]:
        """Return the numbers of the tags in force on a column."""
        return self._inherited | {ref.tag_id for ref in self._own if ref.column in ("", column)}
