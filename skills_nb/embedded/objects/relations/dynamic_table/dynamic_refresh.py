"""Refreshes of dynamic tables: the query again, and what of its rows is new or gone.

Room: embedded. The query runs as the owner's role, whose masks and row filters therefore decide
what gets into the table.

See https://docs.snowflake.com/en/user-guide/dynamic-tables-refresh
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import duckdb
from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects.relations.dynamic_table import dynamic_schedule
from skills_nb.embedded.objects.routines.data_metric_function import measuring
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage.time_travel import images, writes
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.translator.storing import stored_value
from skills_nb.embedded.translator.translate import translated
from skills_nb.embedded.types import names
from skills_nb.embedded.types.task_run import Run
from skills_nb.errors import SqlError


def part_of(entity: Entity) -> tuple[TableDetail, DynamicPart]:
    """Return the details of a dynamic table."""
    assert isinstance(entity.detail, TableDetail)
    assert entity.detail.dynamic is not None
    return entity.detail, entity.detail.dynamic


def refresh(session: Context, entity: Entity, trigger: str) -> str:
    """Compute the query again after those of the dynamic tables that it reads; say what was done.

    Raises:
        SqlError: the query cannot run; the table keeps what it had.
    """
    _, part = part_of(entity)
    started = session.account.clock()
    moment = session.moment
    try:
        action, counts = _fill(session, entity, trigger)
    except (SqlError, duckdb.Error) as error:
        refusal = translated(error, hide_values=session.statement.governed)
        _note(session, entity, trigger, started, moment, error=refusal)
        raise
    latest = session.account.catalog.by_id(entity.id) or entity
    detail, part = part_of(latest)
    session.account.catalog.change(
        latest, detail=replace(detail, dynamic=replace(part, data_moment=moment))
    )
    _note(session, entity, trigger, started, moment, action=action, counts=counts)
    if action != "NO_DATA":
        measuring.after_refresh(session, latest)
    return action


def _fill(session: Context, entity: Entity, trigger: str) -> tuple[str, tuple[int, int]]:
    detail, part = part_of(entity)
    with borrowed(session, entity.owner, entity.path[:2], part.warehouse):
        for source in _refreshed_along(session, part):
            refresh(session, source, trigger)
        tree = parsing.parse_query(part.query)
        query, found = queries.governed(session, tree, purpose=Purpose.REFRESH)
        if len(found) != len(detail.columns):
            raise errors.view_changed(entity.path, len(detail.columns), len(found))
        buffer = duck_sql.temporary(f"__refresh_{session.temporary}")
        session.temporary += 1
        session.run(
            duck_sql.of(
                "CREATE TEMP TABLE {buffer} AS SELECT * FROM ({query}) AS q({listed})",
                buffer=buffer,
                query=query,
                listed=duck_sql.names(f"v{i}" for i in range(len(found))),
            )
        )
    counts = _replace_rows(session, detail, buffer)
    session.run(duck_sql.of("DROP TABLE {buffer}", buffer=buffer))
    action = "NO_DATA" if counts == (0, 0) else "FULL"
    return action, counts


_GONE, _COME = duck_sql.temporary("__gone"), duck_sql.temporary("__come")


def _replace_rows(session: Context, detail: TableDetail, buffer: DuckSql) -> tuple[int, int]:
    """Put the rows that are new and take out those that are gone; the rest keep their numbers."""
    target = duck_sql.place(detail.place)
    listed = duck_sql.names(c.name for c in detail.columns)
    _compare(session, detail, _fresh(session, detail, buffer), listed)
    come, gone = _count(session, _COME), _count(session, _GONE)
    writes.note(session, detail.place)
    if gone:
        condition = duck_sql.of("rowid IN (SELECT rid FROM {gone})", gone=_GONE)
        images.keep(session, detail.place, condition)
        session.run(duck_sql.of("DELETE FROM {t} WHERE {c}", t=target, c=condition))
    session.run(
        duck_sql.of("INSERT INTO {t} ({c}) SELECT {c} FROM {come}", t=target, c=listed, come=_COME)
    )
    return come, gone


def _fresh(session: Context, detail: TableDetail, buffer: DuckSql) -> DuckSql:
    """Write the query for the new rows as they will be stored."""
    values = [
        stored_value(names.column(f"v{i}"), c, session.customs)
        for i, c in enumerate(detail.columns)
    ]
    return duck_sql.of(
        "SELECT {values} FROM {buffer}", values=duck_sql.listed(values), buffer=buffer
    )


def _compare(session: Context, detail: TableDetail, fresh: DuckSql, listed: DuckSql) -> None:
    """Put aside which rows are gone and which have come; equal rows are told apart by a count."""
    numbered = duck_sql.of("row_number() OVER (PARTITION BY {c}) AS copy", c=listed)
    new = duck_sql.of(
        "SELECT *, {numbered} FROM ({fresh}) AS f({c})", numbered=numbered, fresh=fresh, c=listed
    )
    standing = duck_sql.of(
        "SELECT rowid AS rid, {c}, {numbered} FROM {t}",
        c=listed,
        numbered=numbered,
        t=duck_sql.place(detail.place),
    )
    same = duck_sql.joined(
        " AND ",
        [
            duck_sql.of("s.{c} IS NOT DISTINCT FROM n.{c}", c=duck_sql.name(name))
            for name in (*(c.name for c in detail.columns), "copy")
        ],
    )
    session.run(
        duck_sql.of(
            "CREATE OR REPLACE TEMP TABLE {gone} AS "
            "SELECT s.rid FROM ({standing}) AS s ANTI JOIN ({new}) AS n ON {same}",
            gone=_GONE,
            standing=standing,
            new=new,
            same=same,
        )
    )
    session.run(
        duck_sql.of(
            "CREATE OR REPLACE TEMP TABLE {come} AS SELECT {c} FROM "
            "(SELECT n.* FROM ({new}) AS n ANTI JOIN ({standing}) AS s ON {same})",
            come=_COME,
            c=listed,
            standing=standing,
            new=new,
            same=same,
        )
    )


def _count(session: Context, buffer: DuckSql) -> int:
    row = session.cursor.execute(duck_sql.of("SELECT count(*) FROM {b}", b=buffer)).fetchone()
    return int(row[0]) if row else 0


def _refreshed_along(session: Context, part: DynamicPart) -> list[Entity]:
    """List what is refreshed before a table: nothing that is refreshed on demand, nor for it."""
    if part.scheduler == dynamic_schedule.DISABLED:
        return []
    return [
        source
        for source in _upstream(session, part.query)
        if part_of(source)[1].scheduler != dynamic_schedule.DISABLED
    ]


def _upstream(session: Context, query: str) -> list[Entity]:
    """List the dynamic tables that a query names."""
    found: dict[int, Entity] = {}
    for table in parsing.parse_query(query).find_all(exp.Table):
        if isinstance(table.this, exp.Identifier):
            path = session.qualify(names.table_path(table))
            entity = session.account.catalog.find(Kind.TABLE, path)
            if entity is not None and entity.kind is Kind.DYNAMIC_TABLE:
                found[entity.id] = entity
    return list(found.values())


def _note(
    session: Context,
    entity: Entity,
    trigger: str,
    started: datetime,
    moment: int,
    *,
    action: str = "",
    counts: tuple[int, int] = (0, 0),
    error: SqlError | None = None,
) -> None:
    body = {"trigger": trigger, "action": action, "inserted": counts[0], "deleted": counts[1]}
    run = Run(
        runs.REFRESH,
        entity.id,
        instant_of(moment),
        started,
        session.account.clock(),
        "FAILED" if error else "SUCCEEDED",
        session.statement.query_id,
        f"{error.errno:06d}" if error and error.errno else None,
        error.message if error else None,
        body,
    )
    if error is not None:
        session.failed_runs.append(run)
    else:
        runs.keep(session, run)
