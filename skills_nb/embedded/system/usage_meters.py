"""What was used: credits, bytes, logins, and which object needs which.

Room: embedded. Credits come from the times of statements; bytes are estimated from rows.

See https://docs.snowflake.com/en/sql-reference/account-usage
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import metering, names, refusals
from skills_nb.embedded.asked import Arguments, Asked
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.dependencies import used_by
from skills_nb.embedded.looking.relations import row_counts
from skills_nb.embedded.system import histories
from skills_nb.embedded.system.information_schema import table_row
from skills_nb.embedded.system_rows import Row, Rows, Table, laid_out, made, yes

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_SERVICE = "WAREHOUSE_METERING"
_BYTES = 8
"""Place of BYTES in the row of INFORMATION_SCHEMA.TABLES."""


def metering_history(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/metering_history."""
    _, hours = metering.metering_history(session)
    spec = (
        "SERVICE_TYPE START_TIME:t END_TIME:t ENTITY_ID:n ENTITY_TYPE NAME DATABASE_ID:n "
        "DATABASE_NAME SCHEMA_ID:n SCHEMA_NAME CREDITS_USED_COMPUTE:r "
        "CREDITS_USED_CLOUD_SERVICES:r CREDITS_USED:r BYTES:n ROWS:n FILES:n"
    )
    nowhere = (None,) * 4
    return spec, [
        (
            *(_SERVICE, start, end, number, "WAREHOUSE", name),
            *(*nowhere, compute, cloud, used, None, None, None),
        )
        for start, end, number, name, used, compute, cloud, _ in hours
    ]


def metering_daily(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/metering_daily_history."""
    _, hours = metering.metering_history(session)
    days: dict[Any, float] = defaultdict(float)
    for row in hours:
        days[row[0].date()] += row[4]
    spec = (
        "SERVICE_TYPE USAGE_DATE:d CREDITS_USED_COMPUTE:r CREDITS_USED_CLOUD_SERVICES:r "
        "CREDITS_USED:r CREDITS_ADJUSTMENT_CLOUD_SERVICES:r CREDITS_BILLED:r"
    )
    return spec, [(_SERVICE, day, used, 0.0, used, 0.0, used) for day, used in sorted(days.items())]


def query_attribution(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/query_attribution_history."""
    rows: list[Row] = []
    for found in histories.stored(session, "warehouse_name IS NOT NULL"):
        warehouse = session.account.catalog.find(Kind.WAREHOUSE, (found["warehouse_name"],))
        if warehouse is None:
            continue
        seconds = (found["end_time"] - found["start_time"]).total_seconds()
        rows.append(
            (
                found["query_id"],
                None,
                found["query_id"],
                warehouse.id,
                warehouse.name,
                *histories.hashes(found["query_text"]),
                found["query_tag"],
                found["user_name"],
                found["start_time"],
                found["end_time"],
                seconds / 3600 * metering.credits_per_hour(warehouse),
                None,
            )
        )
    spec = (
        "QUERY_ID PARENT_QUERY_ID ROOT_QUERY_ID WAREHOUSE_ID:n WAREHOUSE_NAME QUERY_HASH "
        "QUERY_PARAMETERIZED_HASH QUERY_TAG USER_NAME START_TIME:t END_TIME:t "
        "CREDITS_ATTRIBUTED_COMPUTE:r CREDITS_USED_QUERY_ACCELERATION:r"
    )
    return spec, rows


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table and the bytes that it takes."""

    entity: Entity
    active: int
    kept: int
    """For time travel."""


def stored_tables(session: Lookups) -> list[StoredTable]:
    """Return every table, dropped ones too; where rows are hidden nothing is told of them."""
    catalog = session.account.catalog
    tables = [e for e in catalog.all(Entity) if isinstance(e.detail, TableDetail)]
    counts = row_counts(session, tables)
    found = []
    for e in tables:
        size = table_row(e, counts[e.id])[_BYTES] or 0
        gone = e.dropped_on is not None
        found.append(StoredTable(e, 0 if gone else size, size if gone else 0))
    return found


_STORAGE: dict[str, Callable[[StoredTable], Any]] = {
    "TABLE_CATALOG": lambda t: t.entity.path[0],
    "TABLE_SCHEMA": lambda t: t.entity.path[1],
    "TABLE_NAME": lambda t: t.entity.name,
    "ID:n": lambda t: t.entity.id,
    "CLONE_GROUP_ID:n": lambda t: t.entity.id,
    "IS_TRANSIENT": lambda t: yes(
        isinstance(t.entity.detail, TableDetail) and t.entity.detail.transient
    ),
    "ACTIVE_BYTES:n": lambda t: t.active,
    "TIME_TRAVEL_BYTES:n": lambda t: t.kept,
    "FAILSAFE_BYTES:n": lambda _: 0,
    "RETAINED_FOR_CLONE_BYTES:n": lambda _: 0,
    "TABLE_CREATED:t": lambda t: t.entity.created_on,
    "TABLE_DROPPED:t": lambda t: t.entity.dropped_on,
    "TABLE_ENTERED_FAILSAFE:t": lambda _: None,
    "COMMENT": lambda t: t.entity.comment or None,
}


def table_storage(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/table_storage_metrics."""
    deleted: dict[str, Callable[[StoredTable], Any]] = {
        "DELETED:b": lambda t: t.entity.dropped_on is not None
    }
    return laid_out({**_STORAGE, **deleted}, stored_tables(session))


def table_storage_seen(session: Lookups, roles: frozenset[str], database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/table_storage_metrics."""
    rights = session.account.rights
    found = (
        t
        for t in stored_tables(session)
        if t.entity.path[0] == database
        and session.sees(t.entity)
        and rights.visible(roles, t.entity)
    )
    return laid_out(_STORAGE, found)


def staged_bytes(session: Lookups) -> int:
    """Return the size of all files in stages."""
    files = session.account.files.root().rglob("*")
    return sum(f.stat().st_size for f in files if f.is_file())


def storage(session: Lookups) -> Rows:
    """Tell of today alone what is kept; of the days before nothing is remembered.

    See https://docs.snowflake.com/en/sql-reference/account-usage/storage_usage
    """
    kept = sum(t.active + t.kept for t in stored_tables(session))
    spec = "USAGE_DATE:d STORAGE_BYTES:n STAGE_BYTES:n FAILSAFE_BYTES:n"
    return spec, [(session.account.clock().date(), kept, staged_bytes(session), 0)]


# ---- which object needs which


def dependencies(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/object_dependencies."""
    rows: list[Row] = []
    for view in session.account.catalog.within(Kind.TABLE):
        for used in used_by(session, view):
            rows.append((*_about(used), *_about(view), "BY_NAME"))
    spec = " ".join(
        f"{word}_DATABASE {word}_SCHEMA {word}_OBJECT_NAME {word}_OBJECT_ID:n {word}_OBJECT_DOMAIN"
        for word in ("REFERENCED", "REFERENCING")
    )
    return f"{spec} DEPENDENCY_TYPE", rows


_REFERENCES = (
    "DATABASE_NAME SCHEMA_NAME VIEW_NAME REFERENCED_DATABASE_NAME REFERENCED_SCHEMA_NAME "
    "REFERENCED_OBJECT_NAME REFERENCED_OBJECT_TYPE"
)


def object_references(session: Any, arguments: Arguments) -> Table:
    """Tell what a view names.

    See https://docs.snowflake.com/en/sql-reference/functions/get_object_references
    """
    asked = Asked(arguments, ("DATABASE_NAME", "SCHEMA_NAME", "OBJECT_NAME"))
    given = [asked.text(name) for name in ("DATABASE_NAME", "SCHEMA_NAME", "OBJECT_NAME")]
    if None in given:
        raise refusals.not_enough_arguments("GET_OBJECT_REFERENCES")
    path = tuple(names.typed_path(str(one))[-1] for one in given)
    view: Entity = session.readable(path, session.env())
    used = used_by(session, view)
    rows = [(*view.path, *found.path, found.kind.value) for found in used]
    return made(_REFERENCES, rows)


def _about(e: Entity) -> Row:
    return e.path[0], e.path[1], e.name, e.id, e.kind.value
