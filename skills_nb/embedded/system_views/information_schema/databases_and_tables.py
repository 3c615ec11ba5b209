"""INFORMATION_SCHEMA views of one database, as the role may see them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    DatabaseDetail,
    Entity,
    Kind,
    SchemaDetail,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.objects.relations.table.row_counts import row_counts
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel, writes
from skills_nb.embedded.system_views.information_schema.load_history import loads
from skills_nb.embedded.types.asked import ALL, Asked
from skills_nb.embedded.types.system_rows import Row, Rows, yes

Roles = frozenset[str]


def visible(session: Context, roles: Roles, kind: Kind, scope: tuple[str, ...]) -> Iterator[Entity]:
    """List objects of a kind that the roles may see."""
    for entity in session.account.catalog.within(kind, scope):
        if access.sees(session, entity, roles):
            yield entity


DATABASES = (
    "DATABASE_NAME DATABASE_OWNER IS_TRANSIENT COMMENT CREATED:t LAST_ALTERED:t "
    "RETENTION_TIME:n TYPE"
)


def databases(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/databases."""
    return DATABASES, [database_row(e) for e in visible(session, roles, Kind.DATABASE, ())]


def database_row(e: Entity) -> Row:
    """Return a database's row."""
    d = e.detail
    assert isinstance(d, DatabaseDetail)
    kind = "IMPORTED DATABASE" if d.origin else "STANDARD"
    return (
        e.name,
        e.owner,
        yes(d.transient),
        e.comment or None,
        e.created_on,
        e.altered_on or e.created_on,
        d.retention_days,
        kind,
    )


SCHEMATA = (
    "CATALOG_NAME SCHEMA_NAME SCHEMA_OWNER IS_TRANSIENT IS_MANAGED_ACCESS RETENTION_TIME:n "
    "CREATED:t LAST_ALTERED:t COMMENT"
)


def schemata(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/schemata."""
    found = [schema_row(e) for e in visible(session, roles, Kind.SCHEMA, (database,))]
    return SCHEMATA, [
        *found,
        (
            database,
            "INFORMATION_SCHEMA",
            None,
            "NO",
            "NO",
            1,
            None,
            None,
            "Views describing the contents of schemas in this database",
        ),
    ]


def schema_row(e: Entity) -> Row:
    """Return a schema's row."""
    d = e.detail
    assert isinstance(d, SchemaDetail)
    return (
        e.path[0],
        e.name,
        e.owner,
        yes(d.transient),
        yes(d.managed_access),
        d.retention_days,
        e.created_on,
        e.altered_on or e.created_on,
        e.comment or None,
    )


TABLES = (
    "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_OWNER TABLE_TYPE IS_TRANSIENT "
    "CLUSTERING_KEY ROW_COUNT:n BYTES:n RETENTION_TIME:n CREATED:t LAST_ALTERED:t LAST_DDL:t "
    "AUTO_CLUSTERING_ON COMMENT IS_TEMPORARY IS_DYNAMIC "
    "LAST_DDL_BY IS_ICEBERG IS_HYBRID"
)


def _relations(session: Context, roles: Roles, database: str, asked: Asked) -> Iterator[Entity]:
    """List tables and views that the roles may see and a query asks for."""
    for e in session.account.catalog.within(Kind.TABLE, (database,)):
        is_asked = asked.admits("TABLE_SCHEMA", e.path[1]) and asked.admits("TABLE_NAME", e.name)
        if is_asked and access.sees(session, e, roles):
            yield e


def tables(session: Context, roles: Roles, database: str, asked: Asked = ALL) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/tables."""
    found = list(_relations(session, roles, database, asked))
    counts = row_counts(session, found) if asked.reads("ROW_COUNT", "BYTES") else {}
    written = written_on(session, found) if asked.reads("LAST_ALTERED") else {}
    return TABLES, [table_row(e, counts.get(e.id), written.get(e.id)) for e in found]


def written_on(session: Context, entities: Iterable[Entity]) -> dict[int, datetime]:
    """Return when statements last wrote rows of tables, by number."""
    found = writes.last_writes(session)
    return {
        e.id: travel.instant_of(found[e.detail.place])
        for e in entities
        if isinstance(e.detail, TableDetail) and e.detail.place in found
    }


def table_row(e: Entity, count: int | None, written: datetime | None = None) -> Row:
    """Return the row of a table or view; LAST_ALTERED tells of rows, too, LAST_DDL does not."""
    d = e.detail
    table = d if isinstance(d, TableDetail) else None
    altered = e.altered_on or e.created_on
    return (
        e.path[0],
        e.path[1],
        e.name,
        e.owner,
        _table_type(e),
        yes(table and table.transient),
        table.cluster_by or None if table else None,
        count,
        None if count is None else count * 64,
        table.retention_days if table else None,
        e.created_on,
        max(altered, written or altered),
        altered,
        yes(table and table.cluster_by),
        e.comment or None,
        yes(table and table.temporary),
        yes(table and table.dynamic is not None),
        None,
        "NO",
        "NO",
    )


def _table_type(e: Entity) -> str:
    match e.detail:
        case TableDetail(temporary=0):
            return "BASE TABLE"
        case TableDetail():
            return "LOCAL TEMPORARY"
        case ViewDetail(materialized=True):
            return "MATERIALIZED VIEW"
        case _:
            return "VIEW"


COLUMNS = (
    "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION:n COLUMN_DEFAULT "
    "IS_NULLABLE DATA_TYPE CHARACTER_MAXIMUM_LENGTH:n CHARACTER_OCTET_LENGTH:n "
    "NUMERIC_PRECISION:n NUMERIC_PRECISION_RADIX:n NUMERIC_SCALE:n DATETIME_PRECISION:n "
    "INTERVAL_TYPE INTERVAL_PRECISION:n CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA "
    "CHARACTER_SET_NAME COLLATION_CATALOG COLLATION_SCHEMA COLLATION_NAME DOMAIN_CATALOG "
    "DOMAIN_SCHEMA DOMAIN_NAME UDT_CATALOG UDT_SCHEMA UDT_NAME SCOPE_CATALOG SCOPE_SCHEMA "
    "SCOPE_NAME MAXIMUM_CARDINALITY:n DTD_IDENTIFIER IS_SELF_REFERENCING IS_IDENTITY "
    "IDENTITY_GENERATION IDENTITY_START IDENTITY_INCREMENT IDENTITY_MAXIMUM IDENTITY_MINIMUM "
    "IDENTITY_CYCLE IDENTITY_ORDERED SCHEMA_EVOLUTION_RECORD COMMENT "
    "DATA_TYPE_ALIAS"
)
_FOREIGN = (None,) * 19
"""What the standard has columns for and Snowflake has not."""


def columns(session: Context, roles: Roles, database: str, asked: Asked = ALL) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/columns."""
    return COLUMNS, [
        column_row(e, position, column)
        for e in _relations(session, roles, database, asked)
        for position, column in enumerate(columns_shown(e.detail), start=1)
    ]


def column_row(e: Entity, position: int, c: ColumnDef) -> Row:
    """Return a column's row."""
    t = c.type
    octets = None if t.kind != "TEXT" or t.length is None else min(t.length * 4, 16_777_216)
    number = t.kind == "FIXED"
    moment = t.scale if t.kind.startswith("TIME") else None
    return (
        e.path[0],
        e.path[1],
        e.name,
        c.name,
        position,
        c.default,
        yes(c.nullable),
        t.data_type,
        t.length,
        octets,
        t.precision if number else None,
        10 if number else None,
        t.scale if number else None,
        moment,
        *_FOREIGN,
        "NO",
        yes(c.identity),
        *_identity(c),
        None,
        c.comment,
        # By which synonym a type was written is not kept, as of Snowflake's older tables.
        None,
    )


def _identity(c: ColumnDef) -> Row:
    """Tell how an AUTOINCREMENT column counts."""
    if c.identity is None:
        return (None,) * 7
    start, step = c.identity
    return (None, str(start), str(step), None, None, None, yes(c.ordered))


VIEWS_COLUMNS = (
    "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_OWNER VIEW_DEFINITION CHECK_OPTION "
    "IS_UPDATABLE INSERTABLE_INTO IS_SECURE CREATED:t LAST_ALTERED:t COMMENT"
)


def views(session: Context, roles: Roles, database: str, asked: Asked = ALL) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/views."""
    found = _relations(session, roles, database, asked)
    return VIEWS_COLUMNS, [
        view_row(session, roles, e) for e in found if isinstance(e.detail, ViewDetail)
    ]


def view_row(session: Context, roles: Roles, e: Entity) -> Row:
    """Return a view's row; only the owner reads a secure view's text."""
    d = e.detail
    assert isinstance(d, ViewDetail)
    shown = d.text if access.reads_text(session, e, roles) else None
    return (
        e.path[0],
        e.path[1],
        e.name,
        e.owner,
        shown,
        "NONE",
        "NO",
        "NO",
        yes(d.secure),
        e.created_on,
        e.altered_on or e.created_on,
        e.comment or None,
    )


def _enabled_roles(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/enabled_roles."""
    return "ROLE_NAME ROLE_OWNER", [
        (e.name, e.owner) for e in session.account.catalog.children(Kind.ROLE) if e.name in roles
    ]


def _applicable_roles(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/applicable_roles."""
    rows: list[Row] = []
    for role in sorted(session.available_roles()):
        rows.extend(
            (grantees.name_of(session.account.catalog, held.grantee), held.role, "NO")
            for held in session.account.catalog.role_granted(role)
        )
    return "GRANTEE ROLE_NAME IS_GRANTABLE", rows


PARTS: dict[str, Callable[[Context, Roles, str, Asked], Rows]] = {
    "TABLES": tables,
    "COLUMNS": columns,
    "VIEWS": views,
}
"""Views of which a part can be read."""
VIEWS: dict[str, Callable[[Context, Roles, str], Rows]] = {
    "DATABASES": databases,
    "SCHEMATA": schemata,
    "TABLES": tables,
    "COLUMNS": columns,
    "VIEWS": views,
    "ENABLED_ROLES": _enabled_roles,
    "APPLICABLE_ROLES": _applicable_roles,
    "LOAD_HISTORY": loads,
}
