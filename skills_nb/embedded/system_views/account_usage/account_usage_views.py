"""SNOWFLAKE.ACCOUNT_USAGE: the whole account, for roles with IMPORTED PRIVILEGES.

Room: embedded. Without the latency of the real one.

See https://docs.snowflake.com/en/sql-reference/account-usage
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded.authorizer import references
from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    OWNERSHIP,
    RELATIONS,
    Entity,
    Grant,
    Kind,
    PolicyDetail,
    RoleGrant,
    TagDetail,
    ViewDetail,
)
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.objects.governance.data_policies import signature
from skills_nb.embedded.objects.pipelines import alert
from skills_nb.embedded.objects.pipelines.task import task_functions
from skills_nb.embedded.objects.relations.dynamic_table import refresh_history
from skills_nb.embedded.objects.relations.table.row_counts import row_counts
from skills_nb.embedded.session import metering
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views import always_empty
from skills_nb.embedded.system_views.account_usage import access_history as accesses
from skills_nb.embedded.system_views.account_usage import governance_usage as governance
from skills_nb.embedded.system_views.account_usage import login_history as logins
from skills_nb.embedded.system_views.account_usage import metering_history as meters
from skills_nb.embedded.system_views.account_usage import (
    network_rule_references,
    object_dependencies,
)
from skills_nb.embedded.system_views.account_usage import query_history as queries
from skills_nb.embedded.system_views.account_usage import storage_usage as stored
from skills_nb.embedded.system_views.account_usage import task_history as tasks
from skills_nb.embedded.system_views.account_usage import users_and_roles as people
from skills_nb.embedded.system_views.account_usage import warehouse_history as warehouses
from skills_nb.embedded.system_views.information_schema import constraints_and_privileges as keys
from skills_nb.embedded.system_views.information_schema import databases_and_tables as schema
from skills_nb.embedded.system_views.information_schema import listed_shares, table_storage
from skills_nb.embedded.system_views.information_schema import load_history as loaded
from skills_nb.embedded.system_views.information_schema import schema_objects as objects
from skills_nb.embedded.system_views.information_schema import semantic_views as semantic
from skills_nb.embedded.types.system_rows import Row, Rows

_DELETED = " DELETED:t"


def _ever(session: Context, *kinds: Kind) -> list[Entity]:
    """List objects of some kinds, dropped ones too."""
    return [e for e in session.account.catalog.all(Entity) if e.kind in kinds]


def _databases(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/databases."""
    found = _ever(session, Kind.DATABASE)
    return f"DATABASE_ID:n {schema.DATABASES}{_DELETED} OWNER_ROLE_TYPE", [
        (e.id, *schema.database_row(e), e.dropped_on, "ROLE") for e in found
    ]


def _schemata(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/schemata."""
    catalog = session.account.catalog
    return f"SCHEMA_ID:n CATALOG_ID:n {schema.SCHEMATA}{_DELETED} OWNER_ROLE_TYPE", [
        (e.id, catalog.id_of_place(e.path[:1]), *schema.schema_row(e), e.dropped_on, "ROLE")
        for e in _ever(session, Kind.SCHEMA)
    ]


def _places(session: Context, e: Entity) -> Row:
    """Return the numbers of a relation, its schema and its database."""
    catalog = session.account.catalog
    ids = (catalog.id_of_place(e.path[:depth]) for depth in (2, 1))
    return (e.id, *ids)


_PLACES = "TABLE_ID:n TABLE_SCHEMA_ID:n TABLE_CATALOG_ID:n"


def _tables(session: Context) -> Rows:
    """Return tables and views, dropped ones with the time of their end."""
    found = _ever(session, *RELATIONS)
    counts, written = row_counts(session, found), schema.written_on(session, found)
    return f"{_PLACES} {schema.TABLES}{_DELETED} OWNER_ROLE_TYPE", [
        (*_places(session, e), *schema.table_row(e, counts[e.id], written.get(e.id)), *_ended(e))
        for e in found
    ]


def _ended(e: Entity) -> Row:
    return e.dropped_on, "ROLE"


def _columns(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/columns."""
    rows: list[Row] = [
        (
            references.number_of_column(e, position),
            *_places(session, e),
            *schema.column_row(e, position, c),
            e.dropped_on,
        )
        for e in session.account.catalog.all(Entity)
        for position, c in enumerate(columns_shown(e.detail), start=1)
    ]
    return f"COLUMN_ID:n {_PLACES} {schema.COLUMNS}{_DELETED}", rows


def _views(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/views."""
    roles = session.active_roles()
    return f"{_PLACES} {schema.VIEWS_COLUMNS}{_DELETED}", [
        (*_places(session, e), *schema.view_row(session, roles, e), e.dropped_on)
        for e in _ever(session, Kind.VIEW)
        if isinstance(e.detail, ViewDetail)
    ]


def _policy_references(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/policy_references."""
    rows: list[Row] = []
    for target in session.account.catalog.within(Kind.TABLE):
        rows.extend(references.policy_rows(session, target))
    return references.POLICY_COLUMNS, rows


def _tag_references(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/tag_references."""
    rows: list[Row] = []
    for target in session.account.catalog.all(Entity):
        if target.dropped_on is None:
            for ref in session.account.catalog.tags_on(target.id):
                listed = [c.name for c in columns_shown(target.detail)]
                place = listed.index(ref.column) + 1 if ref.column in listed else 0
                column = references.number_of_column(target, place) if place else None
                row = references.tag_row(session, ref, target)
                rows.append((*row, None, ref.tag_id, target.id, column))
    return f"{references.TAG_COLUMNS} OBJECT_DELETED:t TAG_ID:n OBJECT_ID:n COLUMN_ID:n", rows


def _grants_to_roles(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/grants_to_roles."""
    catalog = session.account.catalog
    rows: list[Row] = []
    for entity in catalog.all(Entity):
        if entity.owner and entity.dropped_on is None:
            rows.append(
                _grant_row(entity, OWNERSHIP, entity.owner, True, entity.owner, entity.created_on)
            )
    for grant in catalog.all(Grant):
        on = catalog.by_id(grant.object_id)
        if grant.grantee_kind in grantees.ROLES and (
            on is not None or grant.object_id == ACCOUNT_ID
        ):
            rows.append(
                _grant_row(
                    on,
                    grant.privilege,
                    grantees.name_of(catalog, grant.grantee),
                    grant.grant_option,
                    grant.granted_by,
                    grant.created_on,
                    grant.grantee_kind,
                )
            )
    for held in catalog.all(RoleGrant):
        role = grantees.entity_of(catalog, held.role)
        if held.grantee_kind in grantees.ROLES and role is not None:
            holder = grantees.name_of(catalog, held.grantee)
            about = (holder, False, held.granted_by, held.created_on, held.grantee_kind)
            rows.append(_grant_row(role, "USAGE", *about))
    spec = (
        "CREATED_ON:t MODIFIED_ON:t PRIVILEGE GRANTED_ON NAME TABLE_CATALOG TABLE_SCHEMA "
        "GRANTED_TO GRANTEE_NAME GRANT_OPTION:b GRANTED_BY DELETED_ON:t"
    )
    return spec, rows


def _grant_row(
    on: Entity | None,
    privilege: str,
    grantee: str,
    option: bool,
    by: str,
    created: object,
    grantee_kind: str = "ROLE",
) -> Row:
    kind = on.kind.value if on else "ACCOUNT"
    path = on.path if on else ("",)
    catalog = path[0] if on and on.kind.depth > 1 else None
    within = path[1] if on and on.kind.depth > 2 else None
    return (
        created,
        created,
        privilege,
        kind,
        path[-1],
        catalog,
        within,
        grantee_kind,
        grantee,
        option,
        by,
        None,
    )


def _policies(kind: Kind) -> Callable[[Context], Rows]:
    def read(session: Context) -> Rows:
        rows: list[Row] = []
        for e in session.account.catalog.within(kind):
            d = e.detail
            assert isinstance(d, PolicyDetail)
            rows.append(
                (
                    e.name,
                    e.id,
                    e.path[1],
                    e.path[0],
                    e.owner,
                    signature(d),
                    d.returns.sql,
                    e.created_on,
                    e.altered_on or e.created_on,
                    e.comment or None,
                    d.body,
                    None,
                )
            )
        spec = (
            "POLICY_NAME POLICY_ID:n POLICY_SCHEMA POLICY_CATALOG POLICY_OWNER "
            "POLICY_SIGNATURE POLICY_RETURN_TYPE CREATED:t LAST_ALTERED:t POLICY_COMMENT "
            "POLICY_BODY DELETED:t"
        )
        return spec, rows

    return read


def _tags(session: Context) -> Rows:
    rows: list[Row] = []
    for e in session.account.catalog.within(Kind.TAG):
        d = e.detail
        assert isinstance(d, TagDetail)
        rows.append(
            (
                e.id,
                e.name,
                e.path[1],
                e.path[0],
                e.owner,
                e.comment or None,
                e.created_on,
                None,
                list(d.allowed_values) or None,
            )
        )
    spec = (
        "TAG_ID:n TAG_NAME TAG_SCHEMA TAG_DATABASE TAG_OWNER TAG_COMMENT CREATED:t DELETED:t "
        "ALLOWED_VALUES:a"
    )
    return spec, rows


def _empty(columns: str) -> Callable[[Context], Rows]:
    """Return the reader of a view about what never happens here."""
    return lambda session: (columns, [])


VIEWS: dict[str, Callable[[Context], Rows]] = {
    "QUERY_HISTORY": queries.all_queries,
    "ACCESS_HISTORY": accesses.all_accesses,
    "POLICY_REFERENCES": _policy_references,
    "TAG_REFERENCES": _tag_references,
    "GRANTS_TO_ROLES": _grants_to_roles,
    "GRANTS_TO_USERS": people.grants,
    "DATABASES": _databases,
    "SCHEMATA": _schemata,
    "TABLES": _tables,
    "COLUMNS": _columns,
    "VIEWS": _views,
    "ROLES": people.roles,
    "USERS": people.users,
    "MASKING_POLICIES": _policies(Kind.MASKING_POLICY),
    "ROW_ACCESS_POLICIES": _policies(Kind.ROW_ACCESS_POLICY),
    "PROJECTION_POLICIES": _policies(Kind.PROJECTION_POLICY),
    "AGGREGATION_POLICIES": _policies(Kind.AGGREGATION_POLICY),
    "SHARES": listed_shares.all_shares,
    "TAGS": _tags,
    "WAREHOUSE_METERING_HISTORY": metering.metering_history,
    "METERING_HISTORY": meters.metering_history,
    "METERING_DAILY_HISTORY": meters.metering_daily,
    "QUERY_ATTRIBUTION_HISTORY": meters.query_attribution,
    "STORAGE_USAGE": meters.storage,
    "TABLE_STORAGE_METRICS": table_storage.table_storage,
    "OBJECT_DEPENDENCIES": object_dependencies.dependencies,
    "LOGIN_HISTORY": logins.logins,
    "SESSIONS": logins.sessions,
    "FUNCTIONS": objects.used(Kind.FUNCTION),
    "PROCEDURES": objects.used(Kind.PROCEDURE),
    "SEQUENCES": objects.used(Kind.SEQUENCE),
    "STAGES": objects.used(Kind.STAGE),
    "PIPES": objects.used(Kind.PIPE),
    "FILE_FORMATS": objects.used(Kind.FILE_FORMAT),
    "COPY_HISTORY": loaded.all_copies,
    "LOAD_HISTORY": loaded.all_loads,
    **alert.USAGE_VIEWS,
    **refresh_history.USAGE_VIEWS,
    **task_functions.USAGE_VIEWS,
    "WAREHOUSE_LOAD_HISTORY": warehouses.load_history,
    "WAREHOUSE_EVENTS_HISTORY": warehouses.events,
    "DATABASE_STORAGE_USAGE_HISTORY": stored.databases,
    "STAGE_STORAGE_USAGE_HISTORY": stored.stages,
    "PIPE_USAGE_HISTORY": loaded.pipe_usage,
    "TABLE_CONSTRAINTS": keys.all_table_constraints,
    "REFERENTIAL_CONSTRAINTS": keys.all_referential,
    **tasks.VIEWS,
    **governance.VIEWS,
    "NETWORK_POLICIES": objects.used(Kind.NETWORK_POLICY),
    "NETWORK_RULES": objects.used(Kind.NETWORK_RULE),
    "NETWORK_RULE_REFERENCES": network_rule_references.network_rule_references,
    "PASSWORD_POLICIES": objects.used(Kind.PASSWORD_POLICY),
    "SECRETS": objects.used(Kind.SECRET),
    "SESSION_POLICIES": objects.used(Kind.SESSION_POLICY),
    "TASK_VERSIONS": objects.used(Kind.TASK),
    **{name: semantic.used(name) for name in semantic.NAMES},
    **{name: _empty(columns) for name, columns in always_empty.ACCOUNT_USAGE.items()},
}
