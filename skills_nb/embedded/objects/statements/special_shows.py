"""SHOW of what is no object: parameters, variables, transactions, regions.

Room: embedded. What nothing here can ever hold (locks, external tables) is shown as it is: empty,
below the columns that Snowflake gives.
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.objects.object_kind import Answer, Row, Show
from skills_nb.embedded.objects.show_filters import matches
from skills_nb.embedded.objects.shown_parts import nothing
from skills_nb.embedded.objects.statements import show_parameters
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.variable_values import kind_of, text_of
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.sql.governance import ast


def _regions(session: Context, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-regions."""
    region = session.account.info.region
    row = (region, "embedded", region.lower(), "This process")
    rows: list[Row] = [row] if matches(statement, region) else []
    return "snowflake_region cloud region display_name", rows


def _accounts(session: Context, statement: ast.Show) -> Answer:
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


def _transactions(session: Context, statement: ast.Show) -> Answer:
    """Show the session's own open transaction, the only one that can be running now.

    See https://docs.snowflake.com/en/sql-reference/sql/show-transactions
    """
    columns = "id:n user session:n name started_on:t state scope:n"
    if not session.in_transaction:
        return columns, []
    started = instant_of(session.transaction_moment)
    number, name = int(session.transaction_id or 0), session.transaction_name
    row = (number, session.user, session.id, name, started, "running", 0)
    return columns, [row]


def _variables(session: Context, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-variables."""
    now = session.account.clock()
    rows: list[Row] = [
        (session.id, now, now, name, text_of(value), kind_of(value), "")
        for name, value in sorted(session.frame.variables.items())
        if matches(statement, name)
    ]
    return "session_id:n created_on:t updated_on:t name value type comment", rows


_NAMED = "created_on:t name database_name schema_name "
SPECIAL: Mapping[str, Show] = {
    "PARAMETERS": show_parameters.answer,
    "VARIABLES": _variables,
    "REGIONS": _regions,
    "ACCOUNTS": _accounts,
    "ORGANIZATION ACCOUNTS": _accounts,
    "TRANSACTIONS": _transactions,
    "LOCKS": nothing(
        "resource type transaction:n transaction_started_on:t status acquired_on:t query_id session"
    ),
    "EXTERNAL TABLES": nothing(
        f"{_NAMED}invalid invalid_reason owner comment stage location file_format_name "
        "file_format_type cloud region notification_channel last_refreshed_on:t table_format "
        "last_refresh_details owner_role_type"
    ),
    "ICEBERG TABLES": nothing(
        f"{_NAMED}owner external_volume_name catalog_name iceberg_table_type "
        "catalog_table_name catalog_namespace base_location can_write_metadata comment "
        "owner_role_type"
    ),
    "EVENT TABLES": nothing(f"{_NAMED}owner comment owner_role_type change_tracking"),
    "HYBRID TABLES": nothing(f"{_NAMED}owner rows:n bytes:n comment owner_role_type"),
    "CONNECTIONS": nothing(
        "snowflake_region created_on:t account_name name comment is_primary primary "
        "failover_allowed_to_accounts connection_url organization_name account_locator"
    ),
}
"""By the words after SHOW; what kinds show of their parts, they have registered."""
