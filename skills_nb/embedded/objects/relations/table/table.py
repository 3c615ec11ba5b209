"""Tables.

Room: embedded. CREATE TABLE comes as a tree, from `statements.create_relation`.

See https://docs.snowflake.com/en/sql-reference/sql/create-table
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import POLICY_KINDS, Entity, Kind, TableDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.lifecycle import changes
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Properties,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.objects.relations import described_columns
from skills_nb.embedded.objects.relations.table import (
    columns,
    listed_relations,
    search_optimization,
    shown_keys,
    table_clones,
    table_ddl,
    table_properties,
)
from skills_nb.embedded.objects.relations.table.row_counts import row_counts, size_of
from skills_nb.embedded.objects.routines.data_metric_function import metric_uses
from skills_nb.embedded.objects.show_filters import matches, scope_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import physical_tables
from skills_nb.sql.governance import ast


def detail_of(table: Entity) -> TableDetail:
    """Return a table's detail."""
    assert isinstance(table.detail, TableDetail)
    return table.detail


def _row(e: Entity, rows: int | None) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-tables."""
    d = detail_of(e)
    kind = "TEMPORARY" if d.temporary else "TRANSIENT" if d.transient else "TABLE"
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        kind,
        e.comment,
        d.cluster_by,
        rows,
        size_of(rows),
        e.owner,
        str(d.retention_days),
        "ON" if d.cluster_by else "OFF",
        "ON" if d.change_tracking else "OFF",
        "ON" if d.search else "OFF",
        100 if d.search else None,
        0 if d.search else None,
        "N",
        "N",
        "ROLE",
        "N",
        None,
        "N",
        "N",
        "Y" if e.kind is Kind.DYNAMIC_TABLE else "N",
        "N",
    )


def _rows(session: Context, tables: list[Entity]) -> list[Row]:
    """Return the rows of SHOW TABLES; all are counted in one query."""
    counts = row_counts(session, tables)
    return [_row(e, counts[e.id]) for e in tables]


def _history(session: Context, statement: ast.Show) -> list[Entity]:
    """List the dropped tables that can still be brought back."""
    scope = scope_of(session, statement, Kind.TABLE)
    return [
        e
        for e in session.account.catalog.all(Entity)
        if e.dropped_on is not None
        and isinstance(e.detail, TableDetail)
        and e.path[: len(scope)] == scope
        and matches(statement, e.name)
        and access.sees(session, e)
    ]


# ---- ALTER


def _swap(session: Context, entity: Entity, action: ast.SwapWith) -> None:
    """Let two tables change their names, as owner of both."""
    other = access.owned(session, Kind.TABLE, action.name)
    if other.kind is not Kind.TABLE:
        raise errors.unsupported(f"SWAP WITH of a {other.kind.value}")
    if bool(detail_of(entity).temporary) is not bool(detail_of(other).temporary):
        raise errors.unsupported("SWAP WITH of a temporary table and another")
    catalog = session.account.catalog
    catalog.remove(entity)
    catalog.remove(other)
    catalog.put(replace(entity, path=other.path))
    catalog.put(replace(other, path=entity.path, altered_on=session.account.clock()))


def _set(session: Context, entity: Entity, given: dict[str, Any]) -> None:
    if metric_uses.SCHEDULE in given:
        metric_uses.set_schedule(session, entity, given.pop(metric_uses.SCHEDULE))
        entity = session.account.catalog.by_id(entity.id) or entity
    if not given:
        return
    detail = detail_of(entity)
    tracking = bool(given.pop("CHANGE_TRACKING", detail.change_tracking))
    days = properties.retention(given) if given else detail.retention_days
    made = replace(detail, change_tracking=tracking, retention_days=days)
    changes.put(session, entity, made)


register(
    ObjectKind(
        kind=Kind.TABLE,
        plurals=("TABLES",),
        alter=by_class(
            {
                **columns.ACTIONS,
                **search_optimization.ACTIONS,
                ast.ClusterBy: table_properties.cluster,
                ast.SwapWith: _swap,
                **dict.fromkeys(metric_uses.ACTIONS, metric_uses.act),
            }
        ),
        properties=Properties(_set, table_properties.unset),
        parameters=properties.HELD_RETENTION,
        drop=physical_tables.drop,
        undrop=physical_tables.restore,
        listing=Listing(
            "created_on:t name database_name schema_name kind comment cluster_by rows:n bytes:n "
            "owner retention_time automatic_clustering change_tracking search_optimization "
            "search_optimization_progress search_optimization_bytes is_external "
            "enable_schema_evolution owner_role_type is_event budget is_hybrid is_iceberg "
            "is_dynamic is_immutable",
            lambda session, entity: _rows(session, [entity])[0],
            rows=_rows,
            history=_history,
        ),
        shows={
            **listed_relations.SHOWS,
            "PRIMARY KEYS": partial(shown_keys.own, kind="PRIMARY KEY"),
            "UNIQUE KEYS": partial(shown_keys.own, kind="UNIQUE"),
            "IMPORTED KEYS": partial(shown_keys.between, imported=True),
            "EXPORTED KEYS": partial(shown_keys.between, imported=False),
        },
        describe=described_columns.describe,
        ddl=table_ddl.ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.FILE_FORMAT, Kind.FUNCTION, Kind.SEQUENCE, Kind.TAG, *POLICY_KINDS),
        in_order=lambda listed: sorted(listed, key=lambda e: e.kind is not Kind.TABLE),
        privileges=(
            "APPLYBUDGET",
            "DELETE",
            "EVOLVE SCHEMA",
            "INSERT",
            "REBUILD",
            "REFERENCES",
            "SELECT",
            "TRUNCATE",
            "UPDATE",
        ),
        clone=Cloning("SELECT", with_schema=False, statement=table_clones.create),
        export=Exporting(Phase.OWN),
    )
)
