"""SHOW of what is no object of its own: versions, keys, categories of integrations, regions.

Room: embedded. What nothing here can ever hold (containers, endpoints, images, locks) is shown as
it is: empty, below the columns that Snowflake gives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.looking import keys, materialized, relations
from skills_nb.embedded.looking.filters import limited, matches, scope_of
from skills_nb.embedded.objects import deployed_shown, entries_shown, semantic_shown
from skills_nb.embedded.refusals import syntax, unsupported
from skills_nb.embedded.show import holders
from skills_nb.embedded.statements import access
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
Answer = tuple[str, list[Row]]
_Show = Callable[["AccountSession", ast.Show], Answer]


def _integrations(session: AccountSession, statement: ast.Show, category: str = "") -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-integrations."""
    roles = session.active_roles()
    found = [
        e
        for e in session.account.catalog.children(Kind.INTEGRATION)
        if isinstance(e.detail, EntryDetail)
        and category in ("", e.detail.subtype)
        and matches(statement, e.name)
        and session.account.rights.visible(roles, e)
    ]
    rows = [entries_shown.integration_row(session, e) for e in limited(statement, found)]
    return entries_shown.INTEGRATION_COLUMNS, rows


def _scoped(session: AccountSession, statement: ast.Show, kind: Kind) -> Entity:
    """Return the object behind IN.

    Raises:
        SqlError: none is named (1003), or it is not there (2003).
    """
    scope = statement.scope
    if scope is None or scope.kind != kind.value or not scope.name:
        raise syntax("syntax error line 1 at position 0 unexpected '<EOF>'.")
    return access.existing(session, kind, scope.name)


def _versions(session: AccountSession, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-versions-in-model."""
    if statement.scope is not None and statement.scope.kind != Kind.MODEL.value:
        raise unsupported(f"SHOW VERSIONS IN {statement.scope.kind or 'TABLE'}")
    columns, rows = deployed_shown.versions(session, _scoped(session, statement, Kind.MODEL))
    return columns, [row for row in rows if matches(statement, row[1])][: statement.limit]


def _members(session: AccountSession, statement: ast.Show, kind: str) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-semantic-dimensions."""
    scope = statement.scope
    view = access.find(session, Kind.SEMANTIC_VIEW, scope.name) if _names_one(scope) else None
    if view is not None:
        views = [view]
    else:
        roles = session.active_roles()
        within = session.account.catalog.within(
            Kind.SEMANTIC_VIEW, scope_of(session, statement, Kind.SEMANTIC_VIEW)
        )
        views = [e for e in within if session.account.rights.visible(roles, e)]
    rows = [
        row
        for e in views
        for row in semantic_shown.member_rows(session, e, kind, metric_of(statement))
        if matches(statement, str(row[4]))
    ]
    return semantic_shown.MEMBERS, rows[: statement.limit]


def _names_one(scope: ast.Scope | None) -> TypeGuard[ast.Scope]:
    """Tell whether IN may name a semantic view: a bare name, which no schema has."""
    return scope is not None and bool(scope.name) and scope.kind in (None, "SEMANTIC VIEW")


def metric_of(statement: ast.Show) -> str | None:
    """Return the metric of `FOR METRIC m`."""
    found = [o for o in statement.options if o.startswith("FOR METRIC ")]
    return found[0].removeprefix("FOR METRIC ") if found else None


def _nothing(columns: str, kind: Kind | None = None) -> _Show:
    """Show what never runs or is held here: nothing, of an object that is there."""

    def show(session: AccountSession, statement: ast.Show) -> Answer:
        """Show the columns; nothing of this kind can be in this account."""
        if kind is not None:
            _scoped(session, statement, kind)
        return columns, []

    return show


def _regions(session: AccountSession, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-regions."""
    region = session.account.info.region
    row = (region, "embedded", region.lower(), "This process")
    rows: list[Row] = [row] if matches(statement, region) else []
    return "snowflake_region cloud region display_name", rows


def _accounts(session: AccountSession, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-accounts."""
    access.require_global(session, "MANAGE GRANTS")
    info = session.account.info
    columns = (
        "organization_name account_name snowflake_region edition account_url created_on:t comment "
        "account_locator is_org_admin"
    )
    row = (info.organization, info.name, info.region, info.edition, None, None, None)
    rows: list[Row] = [(*row, info.locator, "true")] if matches(statement, info.name) else []
    return columns, rows


def _transactions(session: AccountSession, statement: ast.Show) -> Answer:
    """Show the session's own open transaction, the only one that can be running now.

    See https://docs.snowflake.com/en/sql-reference/sql/show-transactions
    """
    from skills_nb.embedded.versions.travel import instant_of

    columns = "id:n user session:n name started_on:t state scope:n"
    if not session.in_transaction:
        return columns, []
    started = instant_of(session.transaction_moment)
    name = session.transaction_id
    row = (session.transaction_moment, session.user, session.id, name, started, "running", 0)
    return columns, [row]


_MEMBERS = ("DIMENSION", "FACT", "METRIC")
_NAMED = "created_on:t name database_name schema_name "
_CATEGORIES = ("API", "CATALOG", "EXTERNAL ACCESS", "NOTIFICATION", "SECURITY", "STORAGE")
SPECIAL: dict[str, _Show] = {
    **relations.SPECIAL,
    "SHARES": holders.show_shares,
    **{f"{name} INTEGRATIONS": partial(_integrations, category=name) for name in _CATEGORIES},
    "VERSIONS": _versions,
    "PRIMARY KEYS": partial(keys.own, kind="PRIMARY KEY"),
    "UNIQUE KEYS": partial(keys.own, kind="UNIQUE"),
    "IMPORTED KEYS": partial(keys.between, imported=True),
    "EXPORTED KEYS": partial(keys.between, imported=False),
    **{f"SEMANTIC {kind}S": partial(_members, kind=kind) for kind in _MEMBERS},
    "SERVICE CONTAINERS": _nothing(
        "database_name schema_name service_name instance_id:n container_name status message "
        "image_name image_digest restart_count:n start_time:t",
        Kind.SERVICE,
    ),
    "SERVICE INSTANCES": _nothing(
        "database_name schema_name service_name instance_id:n status spec_digest creation_time:t "
        "start_time:t",
        Kind.SERVICE,
    ),
    "ENDPOINTS": _nothing(
        "name port:n port_range protocol is_public ingress_url privatelink_ingress_url",
        Kind.SERVICE,
    ),
    "IMAGES": _nothing("created_on:t image_name tags digest image_path", Kind.IMAGE_REPOSITORY),
    "REGIONS": _regions,
    "ACCOUNTS": _accounts,
    "ORGANIZATION ACCOUNTS": _accounts,
    "TRANSACTIONS": _transactions,
    "LOCKS": _nothing(
        "resource type transaction:n transaction_started_on:t status acquired_on:t query_id session"
    ),
    "MATERIALIZED VIEWS": materialized.answer,
    "EXTERNAL TABLES": _nothing(
        f"{_NAMED}invalid invalid_reason owner comment stage location file_format_name "
        "file_format_type cloud region notification_channel last_refreshed_on:t table_format "
        "last_refresh_details owner_role_type"
    ),
    "ICEBERG TABLES": _nothing(
        f"{_NAMED}owner external_volume_name catalog_name iceberg_table_type "
        "catalog_table_name catalog_namespace base_location can_write_metadata comment "
        "owner_role_type"
    ),
    "EVENT TABLES": _nothing(f"{_NAMED}owner comment owner_role_type change_tracking"),
    "HYBRID TABLES": _nothing(f"{_NAMED}owner rows:n bytes:n comment owner_role_type"),
    "CONNECTIONS": _nothing(
        "snowflake_region created_on:t account_name name comment is_primary primary "
        "failover_allowed_to_accounts connection_url organization_name account_locator"
    ),
}
"""By the plural; a function that answers with its columns and rows."""
