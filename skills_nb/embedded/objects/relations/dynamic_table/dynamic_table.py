"""Dynamic tables: CREATE, REFRESH, SUSPEND and RESUME.

Room: embedded. The query runs as the owner's role, whose masks and row filters therefore decide
what gets into the table. Nothing refreshes on its own: the lag is kept and shown.

See https://docs.snowflake.com/en/sql-reference/sql/create-dynamic-table
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.attachments import tag_propagation
from skills_nb.embedded.objects.attachments.attach import apply_clauses, set_tags
from skills_nb.embedded.objects.ddl_words import comment, written_name
from skills_nb.embedded.objects.lifecycle import create_steps
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Properties,
    Row,
    register,
)
from skills_nb.embedded.objects.relations import clustering, described_columns
from skills_nb.embedded.objects.relations.attached_clauses import row_access_clause, tag_clause
from skills_nb.embedded.objects.relations.dynamic_table import (
    dynamic_columns,
    dynamic_schedule,
    refresh_modes,
)
from skills_nb.embedded.objects.relations.dynamic_table.dynamic_columns import Told
from skills_nb.embedded.objects.relations.dynamic_table.dynamic_refresh import part_of, refresh
from skills_nb.embedded.objects.relations.table import columns, table_properties
from skills_nb.embedded.objects.relations.table.column_definitions import refuse_doubles
from skills_nb.embedded.objects.relations.table.row_counts import row_counts, size_of
from skills_nb.embedded.objects.routines.data_metric_function import metric_uses
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage import physical_tables
from skills_nb.embedded.storage.time_travel.travel import instant_of, retention_around
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Column, Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import quote, render_name

_WHY_FULL = "This account computes the whole query at each refresh."


def create(session: Context, statement: ast.CreateDynamicTable) -> Outcome:
    """Make the table and, unless it is to wait for its schedule, fill it.

    Raises:
        SqlError: it says OR ALTER or another modifier than TRANSIENT (0A000), the name is taken
            (2002), or the role may not create it (3001).
    """
    if statement.or_alter:
        raise errors.unsupported("CREATE OR ALTER")
    if set(statement.modifiers) - {"TRANSIENT"}:
        raise errors.unsupported(f"{statement.modifiers[0]} DYNAMIC TABLE")
    path, standing, goes_on = create_steps.start_create(
        session,
        Kind.DYNAMIC_TABLE,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
    )
    word = "CREATE_DYNAMIC_TABLE"
    if not goes_on:
        return status(f"{path[-1]} already exists, statement succeeded.", word)
    columns = _columns(session, statement, path)
    key = clustering.shown(statement.cluster_by)
    clustering.check(columns, key)
    part, days, copies = _part(session, statement, path)
    kept = create_steps.grants_kept(session, path, standing) if copies else None
    if standing is not None:
        physical_tables.drop(session, standing)
    detail = TableDetail(
        columns,
        physical_tables.free_place(session, path),
        transient="TRANSIENT" in statement.modifiers,
        retention_days=days,
        cluster_by=key,
        change_tracking=True,
        dynamic=part,
    )
    physical_tables.make(session, detail)
    entity = create_steps.finish_create(
        session, Kind.DYNAMIC_TABLE, path, detail, statement.comment, kept
    )
    apply_clauses(session, entity, statement.clauses)
    set_tags(session, entity, "", statement.tags)
    tag_propagation.after_creation(session, entity)
    if part.initialize == "ON_CREATE":
        refresh(session, entity, "CREATION")
    return status(f"Dynamic table {path[-1]} successfully created.", word)


def _described(
    session: Context, query: str, role: str, schema: tuple[str, ...]
) -> tuple[Column, ...]:
    with borrowed(session, role, schema):
        return queries.described(session, parsing.parse_query(query), Purpose.DEFINE)


def _columns(
    session: Context, statement: ast.CreateDynamicTable, path: tuple[str, ...]
) -> tuple[ColumnDef, ...]:
    found = _described(session, statement.query, session.role or "PUBLIC", path[:2])
    given = dynamic_columns.told(statement.columns) or [Told(c.name) for c in found]
    if len(given) != len(found):
        raise errors.wrong_count(
            f"Invalid column definition list: expected {len(found)}, got {len(given)}"
        )
    made = tuple(
        ColumnDef(told.name, told.type or c.type, comment=told.comment)
        for told, c in zip(given, found, strict=True)
    )
    refuse_doubles(tuple(c.name for c in made))
    return made


def _part(
    session: Context, statement: ast.CreateDynamicTable, path: tuple[str, ...]
) -> tuple[DynamicPart, int, bool]:
    given = dict(statement.properties)
    if "LAG" in given and "TARGET_LAG" not in given:
        given["TARGET_LAG"] = given.pop("LAG")  # as Snowpark writes it
    lag, scheduler = dynamic_schedule.taken(given)
    if "WAREHOUSE" not in given:
        raise errors.invalid_property("Missing option(s): [WAREHOUSE]")
    mode = _word(given, "REFRESH_MODE", refresh_modes.MODES)
    refresh_modes.check(mode, statement.query)
    initialize = _word(given, "INITIALIZE", ("ON_CREATE", "ON_SCHEDULE"))
    copies = bool(given.pop("COPY_GRANTS", False))
    around = retention_around(session, path)
    days = given.pop("DATA_RETENTION_TIME_IN_DAYS", around)
    part = DynamicPart(
        session.statement.text.strip().rstrip(";"),
        statement.query,
        lag,
        _warehouse(session, given.pop("WAREHOUSE")),
        refresh_mode=refresh_modes.shown(mode),
        asked_mode=mode,
        initialize=initialize,
        scheduler=scheduler,
        has_types=any(one.type for one in dynamic_columns.told(statement.columns)),
    )
    for key in given:
        raise errors.unsupported(f"{key} of a DYNAMIC TABLE")
    if not isinstance(days, int) or not 0 <= days <= 90:
        raise errors.invalid_value(str(days), "DATA_RETENTION_TIME_IN_DAYS")
    return part, days, copies


def _word(given: dict[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    value = ast.text_of(given.pop(key, allowed[0])).upper()
    if value not in allowed:
        raise errors.invalid_value(value, key)
    return value


def _warehouse(session: Context, value: Any) -> str:
    name = value.parts[-1] if isinstance(value, ast.Ref) else str(value).upper()
    found = access.existing(session, Kind.WAREHOUSE, (name,))
    access.require(session, found, "USAGE")
    return found.name


# ---- ALTER


def _alter(session: Context, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-dynamic-table."""
    detail, part = part_of(entity)
    match action:
        case ast.Refresh():
            if action.options:
                raise errors.unsupported("REFRESH with options")
            refresh(session, entity, "MANUAL")
        case ast.Suspend() | ast.Resume():
            made = replace(part, suspended=isinstance(action, ast.Suspend))
            session.account.catalog.change(entity, detail=replace(detail, dynamic=made))
        case ast.SwapWith():
            raise errors.unsupported("SWAP WITH of a DYNAMIC TABLE")
        case _ if isinstance(action, (ast.AddColumns, ast.DropColumns, ast.RenameColumn)):
            raise errors.not_a_table(entity.path)
        case ast.AlterColumn():
            columns.change(session, entity, action)
        case ast.ClusterBy():
            table_properties.cluster(session, entity, action)
        case _ if isinstance(action, metric_uses.ACTIONS):
            metric_uses.act(session, entity, action)
        case _:
            return False
    return True


def _set(session: Context, entity: Entity, given: dict[str, Any]) -> None:
    detail, part = part_of(entity)
    if given.keys() & set(dynamic_schedule.PROPERTIES):
        lag, scheduler = dynamic_schedule.taken(given, part)
        part = replace(part, target_lag=lag, scheduler=scheduler)
    if "WAREHOUSE" in given:
        part = replace(part, warehouse=_warehouse(session, given.pop("WAREHOUSE")))
    days = given.pop("DATA_RETENTION_TIME_IN_DAYS", detail.retention_days)
    if metric_uses.SCHEDULE in given:
        detail = metric_uses.scheduled(detail, given.pop(metric_uses.SCHEDULE))
    for key in given:
        raise errors.unsupported(f"{key} of a DYNAMIC TABLE")
    made = replace(detail, dynamic=part, retention_days=days)
    session.account.catalog.change(entity, detail=made)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-dynamic-tables."""
    detail, part = part_of(e)
    count = row_counts(session, [e])[e.id]
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        detail.cluster_by,
        count,
        size_of(count),
        e.owner,
        part.target_lag or None,
        part.refresh_mode,
        None if part.asked_mode == "FULL" else _WHY_FULL,
        part.warehouse,
        e.comment,
        part.text if access.reads_text(session, e) else "",
        "ON" if detail.cluster_by else "OFF",
        "SUSPENDED" if part.suspended else "ACTIVE",
        None,
        "false",
        "false",
        instant_of(part.data_moment) if part.data_moment else None,
        "ROLE",
        "",
        part.scheduler,
    )


def _written(entity: Entity, detail: TableDetail, name: str, attached: str) -> str:
    """Write a dynamic table; `attached` is what hangs on it."""
    part = detail.dynamic
    assert part is not None
    columns = dynamic_columns.written(detail.columns, with_types=part.has_types)
    transient = "transient " if detail.transient else ""
    cluster = clustering.written(detail.cluster_by)
    return (
        f"create or replace {transient}dynamic table {name} ({columns})"
        f" {dynamic_schedule.written(part)}"
        f" refresh_mode = {part.asked_mode} initialize = {part.initialize}"
        f" warehouse = {quote(part.warehouse)}{cluster}{attached}{comment(entity)}"
        f" as\n{part.query}"
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a dynamic table with what hangs on it."""
    assert isinstance(entity.detail, TableDetail)
    attached = row_access_clause(session, entity) + tag_clause(session, entity, "")
    name = written_name(entity, qualified=qualified)
    return _written(entity, entity.detail, name, attached)


def _ddl_alone(session: Context, entity: Entity) -> str:
    """Write a dynamic table without what hangs on it, which comes later in a script."""
    detail, _ = part_of(entity)
    return _written(entity, detail, render_name(entity.path), "")


def _suspended(entity: Entity) -> list[str]:
    _, part = part_of(entity)
    return [f"ALTER DYNAMIC TABLE {render_name(entity.path)} SUSPEND"] if part.suspended else []


register(
    ObjectKind(
        kind=Kind.DYNAMIC_TABLE,
        plurals=("DYNAMIC TABLES",),
        create={ast.CreateDynamicTable: create},
        alter=_alter,
        properties=Properties(_set, table_properties.unset),
        parameters=properties.HELD_RETENTION,
        drop=physical_tables.drop,
        undrop=physical_tables.restore,
        listing=Listing(
            "created_on:t name database_name schema_name cluster_by rows:n bytes:n owner "
            "target_lag refresh_mode refresh_mode_reason warehouse comment text "
            "automatic_clustering scheduling_state last_suspended_on:t is_clone is_replica "
            "data_timestamp:t owner_role_type immutable_where scheduler",
            _row,
        ),
        describe=described_columns.describe,
        ddl=_ddl,
        ddl_words=("TABLE",),
        made_after=(Kind.PROCEDURE, Kind.STAGE),
        privileges=("MONITOR", "OPERATE", "SELECT"),
        export=Exporting(create=_ddl_alone, state=_suspended),
    )
)
