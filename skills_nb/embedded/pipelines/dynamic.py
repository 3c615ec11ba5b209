"""Dynamic tables: CREATE, REFRESH, SUSPEND and RESUME.

Room: embedded. The query runs as the owner's role, whose masks and row filters therefore decide
what gets into the table. Nothing refreshes on its own: the lag is kept and shown.

See https://docs.snowflake.com/en/sql-reference/sql/create-dynamic-table
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from skills_nb.embedded import dialect, names, parsing, queries, refusals
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.pipelines import runs
from skills_nb.embedded.statements import access, places
from skills_nb.embedded.statements.attach import apply_clauses, set_tags
from skills_nb.embedded.statements.definitions import refuse_doubles
from skills_nb.embedded.statements.storing import stored_value
from skills_nb.embedded.tagging import propagating
from skills_nb.embedded.translate import translated
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.versions import images
from skills_nb.embedded.versions.borrowing import borrowed
from skills_nb.embedded.versions.travel import instant_of
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_LAG = re.compile(r"\s*(\d+)\s*(second|minute|hour|day)s?\s*", re.I)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_LEAST_LAG_S = 60


def create(session: AccountSession, statement: ast.CreateDynamicTable) -> Outcome:
    """Make the table and, unless it is to wait for its schedule, fill it."""
    if statement.or_alter:
        raise refusals.unsupported("CREATE OR ALTER")
    if set(statement.modifiers) - {"TRANSIENT"}:
        raise refusals.unsupported(f"{statement.modifiers[0]} DYNAMIC TABLE")
    path, standing, goes_on = access.start_create(
        session,
        Kind.DYNAMIC_TABLE,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
    )
    word = "CREATE_DYNAMIC_TABLE"
    if not goes_on:
        return access.status(f"{path[-1]} already exists, statement succeeded.", word)
    columns = _columns(session, statement, path)
    part, days, copies = _part(session, statement)
    grants = access.grants_kept(session, standing) if copies else []
    if standing is not None:
        places.drop(session, standing)
    detail = TableDetail(
        columns,
        places.free_place(session, path),
        transient="TRANSIENT" in statement.modifiers,
        retention_days=days,
        cluster_by=statement.cluster_by or "",
        change_tracking=True,
        dynamic=part,
    )
    places.make(session, detail)
    entity = access.finish_create(session, Kind.DYNAMIC_TABLE, path, detail, statement.comment)
    access.give_back(session, entity, grants)
    apply_clauses(session, entity, statement.clauses)
    set_tags(session, entity, "", statement.tags)
    propagating.after_creation(session, entity)
    if part.initialize == "ON_CREATE":
        refresh(session, entity, "CREATION")
    return access.status(f"Dynamic table {path[-1]} successfully created.", word)


def _described(
    session: AccountSession, query: str, role: str, schema: tuple[str, ...]
) -> tuple[Column, ...]:
    with borrowed(session, role, schema):
        made, found = queries.governed(session, parsing.parse_query(query))
        described = session.cursor.execute(f"DESCRIBE {dialect.to_sql(made)}").fetchall()
    return queries.columns_of(found, [str(row[1]) for row in described])


def _columns(
    session: AccountSession, statement: ast.CreateDynamicTable, path: tuple[str, ...]
) -> tuple[ColumnDef, ...]:
    found = _described(session, statement.query, session.role or "PUBLIC", path[:2])
    given = _given(statement.columns)
    if given and len(given) != len(found):
        raise refusals.wrong_count(
            f"Invalid column definition list: expected {len(found)}, got {len(given)}"
        )
    made = tuple(
        ColumnDef(given[i][0] if given else c.name, c.type, comment=given[i][1] if given else None)
        for i, c in enumerate(found)
    )
    refuse_doubles(tuple(c.name for c in made))
    return made


def _given(text: str | None) -> list[tuple[str, str | None]]:
    """Read the column list: names, perhaps with comments; a type would need a cast."""
    if text is None:
        return []
    tree = parsing.parse_statement(f"CREATE VIEW x ({text}) AS SELECT 1")
    assert isinstance(tree.this, exp.Schema)
    listed: list[tuple[str, str | None]] = []
    for node in tree.this.expressions:
        if isinstance(node, exp.ColumnDef) and node.args.get("kind") is not None:
            raise refusals.unsupported("a type in the column list of a dynamic table")
        bare = node.this if isinstance(node, (exp.ColumnDef, exp.Column)) else node
        comment = node.find(exp.CommentColumnConstraint)
        listed.append((names.stored(bare), comment.this.name if comment else None))
    return listed


def _part(
    session: AccountSession, statement: ast.CreateDynamicTable
) -> tuple[DynamicPart, int, bool]:
    given = dict(statement.properties)
    if "LAG" in given and "TARGET_LAG" not in given:
        given["TARGET_LAG"] = given.pop("LAG")  # as Snowpark writes it
    if "TARGET_LAG" not in given or "WAREHOUSE" not in given:
        missing = "TARGET_LAG" if "TARGET_LAG" not in given else "WAREHOUSE"
        raise refusals.invalid_property(f"Missing option(s): [{missing}]")
    mode = _word(given, "REFRESH_MODE", ("AUTO", "FULL", "INCREMENTAL"))
    initialize = _word(given, "INITIALIZE", ("ON_CREATE", "ON_SCHEDULE"))
    copies = bool(given.pop("COPY_GRANTS", False))
    days = given.pop("DATA_RETENTION_TIME_IN_DAYS", 1)
    part = DynamicPart(
        session.statement_text.strip().rstrip(";"),
        statement.query,
        _lag(given.pop("TARGET_LAG")),
        _warehouse(session, given.pop("WAREHOUSE")),
        asked_mode=mode,
        initialize=initialize,
    )
    for key in given:
        raise refusals.unsupported(f"{key} of a DYNAMIC TABLE")
    if not isinstance(days, int) or not 0 <= days <= 90:
        raise refusals.invalid_value(str(days), "DATA_RETENTION_TIME_IN_DAYS")
    return part, days, copies


def _word(given: dict[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    value = ast.text_of(given.pop(key, allowed[0])).upper()
    if value not in allowed:
        raise refusals.invalid_value(value, key)
    return value


def _lag(value: Any) -> str:
    text = ast.text_of(value)
    if text.upper() == "DOWNSTREAM":
        return "DOWNSTREAM"
    found = _LAG.fullmatch(text)
    if not found or lag_s(text) < _LEAST_LAG_S:
        raise refusals.invalid_value(text, "TARGET_LAG")
    unit = found[2].lower()
    return f"{found[1]} {unit}" + ("" if found[1] == "1" else "s")


def lag_s(text: str) -> int:
    """Return a target lag in seconds; 0 for DOWNSTREAM."""
    found = _LAG.fullmatch(text)
    return int(found[1]) * _SECONDS[found[2].lower()] if found else 0


def _warehouse(session: AccountSession, value: Any) -> str:
    name = value.parts[-1] if isinstance(value, ast.Ref) else str(value).upper()
    found = access.existing(session, Kind.WAREHOUSE, (name,))
    access.require(session, found, "USAGE")
    return found.name


# ---- refresh


def part_of(entity: Entity) -> tuple[TableDetail, DynamicPart]:
    """Return the details of a dynamic table."""
    assert isinstance(entity.detail, TableDetail)
    assert entity.detail.dynamic is not None
    return entity.detail, entity.detail.dynamic


def refresh(session: AccountSession, entity: Entity, trigger: str) -> str:
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
        refusal = translated(error, hide_values=session.governed)
        _note(session, entity, trigger, started, moment, error=refusal)
        raise
    latest = session.account.catalog.by_id(entity.id) or entity
    detail, part = part_of(latest)
    session.account.catalog.change(
        latest, detail=replace(detail, dynamic=replace(part, data_moment=moment))
    )
    _note(session, entity, trigger, started, moment, action=action, counts=counts)
    return action


def _fill(session: AccountSession, entity: Entity, trigger: str) -> tuple[str, tuple[int, int]]:
    detail, part = part_of(entity)
    with borrowed(session, entity.owner, entity.path[:2], part.warehouse):
        for source in _upstream(session, part.query):
            refresh(session, source, trigger)
        query, found = queries.governed(session, parsing.parse_query(part.query))
        if len(found) != len(detail.columns):
            raise refusals.view_changed(entity.path, len(detail.columns), len(found))
        buffer = f"__refresh_{session.temporary}"
        session.temporary += 1
        listed = ", ".join(f'"v{i}"' for i in range(len(found)))
        session.run(
            f'CREATE TEMP TABLE "{buffer}" AS SELECT * FROM '
            f"({dialect.to_sql(query)}) AS q({listed})"
        )
    counts = _replace_rows(session, detail, buffer)
    session.run(f'DROP TABLE temp.main."{buffer}"')
    action = "NO_DATA" if counts == (0, 0) else "FULL"
    return action, counts


def _replace_rows(session: AccountSession, detail: TableDetail, buffer: str) -> tuple[int, int]:
    """Put the rows that are new and take out those that are gone; the rest keep their numbers."""
    target = images.sql_of(detail.place)
    listed = ", ".join(names.quoted(c.name).sql("duckdb") for c in detail.columns)
    values = ", ".join(
        stored_value(names.column(f"v{i}"), c, session.customs).sql("duckdb")
        for i, c in enumerate(detail.columns)
    )
    counted = f"row_number() OVER (PARTITION BY {listed}) AS copy"
    fresh = f'SELECT {values} FROM temp.main."{buffer}"'
    numbered = f"SELECT *, {counted} FROM ({fresh}) AS f({listed})"
    standing = f"SELECT rowid AS rid, {listed}, {counted} FROM {target}"
    same = " AND ".join(
        f"s.{one} IS NOT DISTINCT FROM n.{one}" for one in [*listed.split(", "), "copy"]
    )
    session.run(
        'CREATE OR REPLACE TEMP TABLE "__gone" AS '
        f"SELECT s.rid FROM ({standing}) AS s ANTI JOIN ({numbered}) AS n ON {same}"
    )
    session.run(
        'CREATE OR REPLACE TEMP TABLE "__come" AS '
        f"SELECT {listed} FROM (SELECT n.* FROM ({numbered}) AS n "
        f"ANTI JOIN ({standing}) AS s ON {same})"
    )
    condition = 'rowid IN (SELECT rid FROM temp.main."__gone")'
    counts = tuple(
        session.cursor.execute(f'SELECT count(*) FROM temp.main."{name}"').fetchall()[0][0]
        for name in ("__come", "__gone")
    )
    if counts[1]:
        images.keep(session, detail.place, condition)
        session.run(f"DELETE FROM {target} WHERE {condition}")
    session.run(f'INSERT INTO {target} ({listed}) SELECT {listed} FROM temp.main."__come"')
    return counts[0], counts[1]


def _upstream(session: AccountSession, query: str) -> list[Entity]:
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
    session: AccountSession,
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
    run = runs.Run(
        runs.REFRESH,
        entity.id,
        instant_of(moment),
        started,
        session.account.clock(),
        "FAILED" if error else "SUCCEEDED",
        session.query_id,
        f"{error.errno:06d}" if error and error.errno else None,
        str(error) if error else None,
        body,
    )
    if error is not None:
        session.failed_runs.append(run)
    else:
        runs.keep(session, run)


# ---- ALTER


def alter(session: AccountSession, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-dynamic-table."""
    detail, part = part_of(entity)
    match action:
        case ast.Refresh():
            if action.options:
                raise refusals.unsupported("REFRESH with options")
            refresh(session, entity, "MANUAL")
        case ast.Suspend() | ast.Resume():
            made = replace(part, suspended=isinstance(action, ast.Suspend))
            session.account.catalog.change(entity, detail=replace(detail, dynamic=made))
        case ast.SetProperties():
            _set(session, entity, detail, part, dict(action.properties))
        case ast.SwapWith():
            raise refusals.unsupported("SWAP WITH of a DYNAMIC TABLE")
        case _ if isinstance(action, (ast.AddColumns, ast.DropColumns, ast.RenameColumn)):
            raise refusals.not_a_table(entity.path)
        case _:
            return False
    return True


def _set(
    session: AccountSession,
    entity: Entity,
    detail: TableDetail,
    part: DynamicPart,
    given: dict[str, Any],
) -> None:
    comment = str(given.pop("COMMENT", entity.comment) or "")
    if "TARGET_LAG" in given:
        part = replace(part, target_lag=_lag(given.pop("TARGET_LAG")))
    if "WAREHOUSE" in given:
        part = replace(part, warehouse=_warehouse(session, given.pop("WAREHOUSE")))
    days = given.pop("DATA_RETENTION_TIME_IN_DAYS", detail.retention_days)
    for key in given:
        raise refusals.unsupported(f"{key} of a DYNAMIC TABLE")
    made = replace(detail, dynamic=part, retention_days=days)
    session.account.catalog.change(entity, detail=made, comment=comment)
