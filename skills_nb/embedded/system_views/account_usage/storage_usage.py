"""What is stored, by database and by stage.

Room: embedded. Only today is known: of the days before nothing is remembered.

See https://docs.snowflake.com/en/sql-reference/account-usage/database_storage_usage_history and
https://docs.snowflake.com/en/sql-reference/account-usage/stage_storage_usage_history
"""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, time

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.system_views.account_usage import metering_history as meters
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles, visible
from skills_nb.embedded.system_views.information_schema.table_storage import stored_tables
from skills_nb.embedded.types.system_rows import Row, Rows

_USED = "AVERAGE_DATABASE_BYTES:r AVERAGE_FAILSAFE_BYTES:r AVERAGE_HYBRID_TABLE_STORAGE_BYTES:r"
_STAGED = "USAGE_DATE:d AVERAGE_STAGE_BYTES:r"


def _by_database(session: Context) -> dict[str, int]:
    """Return active and time travel bytes by database."""
    found: dict[str, int] = defaultdict(int)
    for held in stored_tables(session):
        found[held.entity.path[0]] += held.active + held.kept
    return found


def databases(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/database_storage_usage_history."""
    used, today = _by_database(session), session.account.clock().date()
    rows: list[Row] = [
        (today, e.id, e.name, None, float(used[e.name]), 0.0, 0.0)
        for e in session.account.catalog.within(Kind.DATABASE)
    ]
    return f"USAGE_DATE:d DATABASE_ID:n DATABASE_NAME DELETED:t {_USED}", rows


def stages(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/stage_storage_usage_history."""
    return _STAGED, [(session.account.clock().date(), float(meters.staged_bytes(session)))]


def databases_function(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/database_storage_usage_history."""
    asked = Asked(arguments, ("DATE_RANGE_START", "DATE_RANGE_END", "DATABASE_NAME"))
    wanted = asked.text("DATABASE_NAME")
    used, today = _by_database(session), session.account.clock().date()
    rows: list[Row] = [
        (today, e.name, float(used[e.name]), 0.0, 0.0)
        for e in visible(session, roles, Kind.DATABASE, ())
        if _asked_today(session, asked) and (wanted is None or e.name == wanted.upper())
    ]
    return f"USAGE_DATE:d DATABASE_NAME {_USED}", rows


def stages_function(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/stage_storage_usage_history."""
    asked = Asked(arguments, ("DATE_RANGE_START", "DATE_RANGE_END"))
    spec, rows = stages(session)
    return spec, rows if _asked_today(session, asked) else []


def _asked_today(session: Context, asked: Asked) -> bool:
    """Tell whether today is in the range; without a range only today is asked for."""
    start = asked.instant(session, "DATE_RANGE_START")
    end = asked.instant(session, "DATE_RANGE_END")
    midnight = datetime.combine(session.account.clock().date(), time(), tzinfo=UTC)
    return (end is None or end >= midnight) and (start is None or start <= session.account.clock())
