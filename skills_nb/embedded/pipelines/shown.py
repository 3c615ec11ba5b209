"""SHOW and DESCRIBE of sequences, streams, dynamic tables, tasks and alerts.

Room: embedded. The columns are Snowflake's.

See https://docs.snowflake.com/en/sql-reference/sql/show-streams and its neighbours
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import AlertDetail, SequenceDetail
from skills_nb.embedded.code import shown as routines
from skills_nb.embedded.pipelines import dynamic, tasks
from skills_nb.embedded.versions import streams
from skills_nb.embedded.versions.numbers import next_of
from skills_nb.embedded.versions.travel import instant_of
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
_BYTES_A_ROW = 64

SEQUENCES = (
    "name database_name schema_name next_value:n interval:n created_on:t owner comment "
    "owner_role_type ordered"
)


def _sequence(session: AccountSession, e: Entity) -> Row:
    d = e.detail
    assert isinstance(d, SequenceDetail)
    return (
        e.name,
        e.path[0],
        e.path[1],
        next_of(session, d),
        d.increment,
        e.created_on,
        e.owner,
        e.comment,
        "ROLE",
        "Y" if d.ordered else "N",
    )


STREAMS = (
    "created_on:t name database_name schema_name owner comment table_name source_type base_tables "
    "type stale mode stale_after:t invalid_reason owner_role_type"
)
_SOURCES = {Kind.VIEW: "View", Kind.TABLE: "Table", Kind.DYNAMIC_TABLE: "Dynamic Table"}


def _stream(session: AccountSession, e: Entity) -> Row:
    source = session.account.catalog.by_id(streams.detail_of(e).source_id)
    gone = source is None or source.dropped_on is not None
    shown = refined = None
    if source is not None and not gone:
        shown = render_name(source.path)
        refined = _SOURCES[source.kind]
    after = streams.stale_after(session, e)
    append = "APPEND_ONLY" if streams.detail_of(e).append_only else "DEFAULT"
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        shown,
        refined,
        shown if refined != "View" else None,
        "DELTA",
        str(gone or after < session.moment).lower(),
        append,
        instant_of(after),
        "Base table dropped" if gone else "N/A",
        "ROLE",
    )


DYNAMIC_TABLES = (
    "created_on:t name database_name schema_name cluster_by rows:n bytes:n owner target_lag "
    "refresh_mode refresh_mode_reason warehouse comment text automatic_clustering "
    "scheduling_state last_suspended_on:t is_clone is_replica data_timestamp:t owner_role_type"
)
_WHY_FULL = "This account computes the whole query at each refresh."


def _dynamic_table(session: AccountSession, e: Entity) -> Row:
    from skills_nb.embedded.looking.relations import row_counts

    detail, part = dynamic.part_of(e)
    count = row_counts(session, [e])[e.id]
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        detail.cluster_by,
        count,
        None if count is None else count * _BYTES_A_ROW,
        e.owner,
        part.target_lag,
        part.refresh_mode,
        None if part.asked_mode == "FULL" else _WHY_FULL,
        part.warehouse,
        e.comment,
        part.text if session.account.rights.owns(session.active_roles(), e) else "",
        "ON" if detail.cluster_by else "OFF",
        "SUSPENDED" if part.suspended else "ACTIVE",
        None,
        "false",
        "false",
        instant_of(part.data_moment) if part.data_moment else None,
        "ROLE",
    )


TASKS = (
    "created_on:t name id database_name schema_name owner comment warehouse schedule predecessors "
    "state definition condition allow_overlapping_execution error_integration "
    "last_committed_on:t last_suspended_on:t owner_role_type config budget task_relations "
    "last_suspended_reason success_integration scheduling_mode target_completion_interval "
    "execute_as_user"
)


def task_row(session: AccountSession, e: Entity) -> Row:
    """Return a task's row of SHOW TASKS and TASK_DEPENDENTS."""
    d = tasks.detail_of(e)
    names = _names(session, d.after)
    relations: dict[str, object] = {"Predecessors": names}
    if d.finalizes:
        relations["FinalizedRootTask"] = next(iter(_names(session, (d.finalizes,))), None)
    finalizer = tasks.finalizer_of(session, e)
    if finalizer is not None:
        relations["FinalizerTask"] = render_name(finalizer.path)
    return (
        e.created_on,
        e.name,
        str(e.id),
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        d.warehouse or None,
        d.schedule or None,
        json.dumps(names),
        "started" if d.started else "suspended",
        d.body,
        d.when or None,
        str(d.allow_overlap).lower(),
        "null",
        d.last_committed_on,
        d.last_suspended_on,
        "ROLE",
        d.config or None,
        None,
        json.dumps(relations),
        "USER_SUSPENDED" if d.last_suspended_on and not d.started else None,
        "null",
        None,
        None,
        None,
    )


def _names(session: AccountSession, numbers: tuple[int, ...]) -> list[str]:
    found = (session.account.catalog.by_id(number) for number in numbers)
    return [render_name(task.path) for task in found if task is not None]


ALERTS = (
    "created_on:t name database_name schema_name owner comment warehouse schedule state "
    "condition action owner_role_type"
)


def _alert(session: AccountSession, e: Entity) -> Row:
    d = e.detail
    assert isinstance(d, AlertDetail)
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        d.warehouse or None,
        d.schedule or None,
        "started" if d.started else "suspended",
        d.condition,
        d.action,
        "ROLE",
    )


_Shower = Callable[["AccountSession", Entity], Row]
LISTINGS: dict[str, tuple[Kind, str, _Shower]] = {
    "SEQUENCES": (Kind.SEQUENCE, SEQUENCES, _sequence),
    "STREAMS": (Kind.STREAM, STREAMS, _stream),
    "DYNAMIC TABLES": (Kind.DYNAMIC_TABLE, DYNAMIC_TABLES, _dynamic_table),
    "TASKS": (Kind.TASK, TASKS, task_row),
    "ALERTS": (Kind.ALERT, ALERTS, _alert),
    **routines.LISTINGS,
}


def _described(plural: str) -> Callable[[AccountSession, Entity], tuple[str, list[Row]]]:
    """DESCRIBE gives the row that SHOW has."""
    _, spec, row = LISTINGS[plural]

    def describe(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
        return spec, [row(session, entity)]

    return describe


DESCRIPTIONS = {
    Kind.SEQUENCE: _described("SEQUENCES"),
    Kind.STREAM: _described("STREAMS"),
    Kind.TASK: _described("TASKS"),
    Kind.ALERT: _described("ALERTS"),
    **routines.DESCRIPTIONS,
}
