"""SNOWFLAKE.ACCOUNT_USAGE: the whole account, for roles with IMPORTED PRIVILEGES.

Room: embedded. Without the latency of the real one.

See https://docs.snowflake.com/en/sql-reference/account-usage
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from skills_nb.embedded import grantees
from skills_nb.embedded.catalog.entities import (
    Entity,
    Grant,
    Kind,
    PolicyDetail,
    RoleGrant,
    TagDetail,
    UserDetail,
    ViewDetail,
)
from skills_nb.embedded.catalog.object_details import ShareDetail
from skills_nb.embedded.looking.relations import columns_shown, row_counts
from skills_nb.embedded.objects import metering
from skills_nb.embedded.pipelines import functions as moving
from skills_nb.embedded.rights import ACCOUNT_ID, OWNERSHIP
from skills_nb.embedded.stages import histories as loaded
from skills_nb.embedded.statements import shares
from skills_nb.embedded.system import histories, references
from skills_nb.embedded.system import information_schema as schema
from skills_nb.embedded.system import usage_meters as meters
from skills_nb.embedded.system import usage_objects as objects
from skills_nb.embedded.system_rows import Row, Rows

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_DELETED = " DELETED:t"


def _databases(session: Lookups) -> Rows:
    found = session.account.catalog.within(Kind.DATABASE)
    return schema.DATABASES + _DELETED, [(*schema.database_row(e), None) for e in found]


def _schemata(session: Lookups) -> Rows:
    found = session.account.catalog.within(Kind.SCHEMA)
    return schema.SCHEMATA + _DELETED, [(*schema.schema_row(e), None) for e in found]


def _tables(session: Lookups) -> Rows:
    """Return tables and views, dropped ones with the time of their end."""
    found = [e for e in session.account.catalog.all(Entity) if e.kind in (Kind.TABLE, Kind.VIEW)]
    counts = row_counts(session, found)
    return f"TABLE_ID:n {schema.TABLES}{_DELETED}", [
        (e.id, *schema.table_row(e, counts[e.id]), e.dropped_on) for e in found
    ]


def _columns(session: Lookups) -> Rows:
    rows: list[Row] = [
        (e.id, *schema.column_row(e, position, c), e.dropped_on)
        for e in session.account.catalog.all(Entity)
        for position, c in enumerate(columns_shown(e.detail), start=1)
    ]
    return f"TABLE_ID:n {schema.COLUMNS}{_DELETED}", rows


def _views(session: Lookups) -> Rows:
    roles = session.active_roles()
    found = [
        e for e in session.account.catalog.within(Kind.TABLE) if isinstance(e.detail, ViewDetail)
    ]
    return schema.VIEWS_COLUMNS + _DELETED, [
        (*schema.view_row(session, roles, e), None) for e in found
    ]


def _policy_references(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/policy_references."""
    rows: list[Row] = []
    for target in session.account.catalog.within(Kind.TABLE):
        rows.extend(references.policy_rows(session, target))
    return references.POLICY_COLUMNS, rows


def _tag_references(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/tag_references."""
    rows: list[Row] = []
    for target in session.account.catalog.all(Entity):
        if target.dropped_on is None:
            rows.extend((*row, None) for row in references.direct_tag_rows(session, target))
    return f"{references.TAG_COLUMNS} OBJECT_DELETED:t", rows


def _grants_to_roles(session: Lookups) -> Rows:
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


def _grants_to_users(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/grants_to_users."""
    return "CREATED_ON:t DELETED_ON:t ROLE GRANTED_TO GRANTEE_NAME GRANTED_BY", [
        (
            g.created_on,
            None,
            grantees.full_name_of(session.account.catalog, g.role),
            "USER",
            g.grantee,
            g.granted_by,
        )
        for g in session.account.catalog.all(RoleGrant)
        if g.grantee_kind == "USER"
    ]


def _roles(session: Lookups) -> Rows:
    return "ROLE_ID:n CREATED_ON:t DELETED_ON:t NAME COMMENT OWNER ROLE_TYPE", [
        (e.id, e.created_on, None, e.name, e.comment, e.owner, kind.value.replace(" ", "_"))
        for kind in (Kind.ROLE, Kind.DATABASE_ROLE)
        for e in session.account.catalog.within(kind)
    ]


def _users(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/users."""
    last = meters.last_logins(session)
    rows: list[Row] = []
    for e in session.account.catalog.children(Kind.USER):
        d = e.detail
        assert isinstance(d, UserDetail)
        rows.append(
            (
                e.id,
                e.name,
                e.created_on,
                None,
                d.login_name,
                d.display_name,
                d.first_name,
                d.last_name,
                d.email,
                d.disabled,
                d.default_warehouse,
                d.default_namespace,
                d.default_role,
                e.owner,
                d.has_password,
                d.type or None,
                bool(d.rsa_key_fp or d.rsa_key_2_fp),
                False,  # nobody can enrol here
                last.get(e.name),
                e.comment,
            )
        )
    spec = (
        "USER_ID:n NAME CREATED_ON:t DELETED_ON:t LOGIN_NAME DISPLAY_NAME FIRST_NAME LAST_NAME "
        "EMAIL DISABLED:b DEFAULT_WAREHOUSE DEFAULT_NAMESPACE DEFAULT_ROLE OWNER "
        "HAS_PASSWORD:b TYPE HAS_RSA_PUBLIC_KEY:b HAS_MFA:b "
        "LAST_SUCCESS_LOGIN:t COMMENT"
    )
    return spec, rows


def _policies(kind: Kind) -> Callable[[Lookups], Rows]:
    def read(session: Lookups) -> Rows:
        from skills_nb.embedded.show.describe import signature

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


def _tags(session: Lookups) -> Rows:
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


def _shares(session: Lookups) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/shares."""
    rows: list[Row] = []
    for e in session.account.catalog.children(Kind.SHARE):
        d = e.detail
        assert isinstance(d, ShareDetail)
        lent = ", ".join(d.accounts)
        lender = shares.database_of(session, e)
        database = lender.name if lender is not None else ""
        head = (e.created_on, e.altered_on or e.created_on, None, e.name, e.owner, e.comment)
        rows.append((*head, database, d.secure_objects_only, lent, None))
    spec = (
        "CREATED_ON:t MODIFIED_ON:t DELETED_ON:t NAME OWNER COMMENT DATABASE_NAME "
        "SECURE_OBJECTS_ONLY:b TARGET_ACCOUNTS LISTING_GLOBAL_NAME"
    )
    return spec, rows


VIEWS: dict[str, Callable[[Lookups], Rows]] = {
    "QUERY_HISTORY": histories.all_queries,
    "ACCESS_HISTORY": histories.all_accesses,
    "POLICY_REFERENCES": _policy_references,
    "TAG_REFERENCES": _tag_references,
    "GRANTS_TO_ROLES": _grants_to_roles,
    "GRANTS_TO_USERS": _grants_to_users,
    "DATABASES": _databases,
    "SCHEMATA": _schemata,
    "TABLES": _tables,
    "COLUMNS": _columns,
    "VIEWS": _views,
    "ROLES": _roles,
    "USERS": _users,
    "MASKING_POLICIES": _policies(Kind.MASKING_POLICY),
    "ROW_ACCESS_POLICIES": _policies(Kind.ROW_ACCESS_POLICY),
    "PROJECTION_POLICIES": _policies(Kind.PROJECTION_POLICY),
    "AGGREGATION_POLICIES": _policies(Kind.AGGREGATION_POLICY),
    "SHARES": _shares,
    "TAGS": _tags,
    "WAREHOUSE_METERING_HISTORY": metering.metering_history,
    "METERING_HISTORY": meters.metering_history,
    "METERING_DAILY_HISTORY": meters.metering_daily,
    "QUERY_ATTRIBUTION_HISTORY": meters.query_attribution,
    "STORAGE_USAGE": meters.storage,
    "TABLE_STORAGE_METRICS": meters.table_storage,
    "OBJECT_DEPENDENCIES": meters.dependencies,
    "LOGIN_HISTORY": meters.logins,
    "SESSIONS": meters.sessions,
    "FUNCTIONS": objects.used(Kind.FUNCTION),
    "PROCEDURES": objects.used(Kind.PROCEDURE),
    "SEQUENCES": objects.used(Kind.SEQUENCE),
    "STAGES": objects.used(Kind.STAGE),
    "PIPES": objects.used(Kind.PIPE),
    "FILE_FORMATS": objects.used(Kind.FILE_FORMAT),
    "COPY_HISTORY": loaded.all_copies,
    "LOAD_HISTORY": loaded.all_loads,
    **moving.USAGE_VIEWS,
}
