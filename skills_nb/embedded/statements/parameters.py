"""Parameters of the session and the account.

Room: embedded. Known parameters and their defaults are one table; another name is refused.

See https://docs.snowflake.com/en/sql-reference/parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Kind, Parameter, WarehouseDetail
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

KNOWN: dict[str, tuple[Any, str]] = {
    "ABORT_DETACHED_QUERY": (False, "abort when the client goes"),
    "AUTOCOMMIT": (True, "each statement is a transaction of its own"),
    "BINARY_INPUT_FORMAT": ("HEX", "input format for binary"),
    "BINARY_OUTPUT_FORMAT": ("HEX", "display format for binary"),
    "CLIENT_METADATA_REQUEST_USE_CONNECTION_CTX": (False, "metadata of the current schema only"),
    "CLIENT_PREFETCH_THREADS": (4, "prefetch threads of clients"),
    "CLIENT_RESULT_COLUMN_CASE_INSENSITIVE": (False, "case of column names in clients"),
    "CLIENT_SESSION_KEEP_ALIVE": (False, "keep the session alive"),
    "CLIENT_SESSION_KEEP_ALIVE_HEARTBEAT_FREQUENCY": (3600, "seconds between heartbeats"),
    "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD": (0, "rows from which bindings go through a stage"),
    "CLIENT_TELEMETRY_ENABLED": (False, "telemetry of clients"),
    "CLIENT_TIMESTAMP_TYPE_MAPPING": ("TIMESTAMP_LTZ", "type of bound timestamps"),
    "DATA_RETENTION_TIME_IN_DAYS": (1, "days of Time Travel"),
    "DATE_INPUT_FORMAT": ("AUTO", "input format for date"),
    "DATE_OUTPUT_FORMAT": ("YYYY-MM-DD", "display format for date"),
    "ERROR_ON_NONDETERMINISTIC_MERGE": (True, "raise an error when one row meets many in MERGE"),
    "ERROR_ON_NONDETERMINISTIC_UPDATE": (False, "raise an error when one row meets many"),
    "JSON_INDENT": (2, "spaces by which JSON is indented"),
    "LOCK_TIMEOUT": (43200, "seconds to wait for a lock"),
    "LOG_LEVEL": ("OFF", "what is kept of the log of handlers"),
    "MULTI_STATEMENT_COUNT": (1, "number of statements in one request; 0 for any"),
    "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT": ("JSON", "form of results for the connector"),
    "PYTHON_SNOWPARK_USE_SCOPED_TEMP_OBJECTS": (False, "scoped temporary objects"),
    "QUERY_TAG": ("", "String (up to 2000 characters) used to tag statements"),
    "QUOTED_IDENTIFIERS_IGNORE_CASE": (False, "case of quoted identifiers"),
    "ROWS_PER_RESULTSET": (0, "maximum rows of a result; 0 for all"),
    "SEARCH_PATH": ("$current, $public", "where unqualified names are looked for"),
    "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": (0, "seconds a statement may wait; 0 for any"),
    "STATEMENT_TIMEOUT_IN_SECONDS": (172800, "timeout in seconds for statements"),
    "STRICT_JSON_OUTPUT": (False, "JSON output"),
    "TIMESTAMP_DAY_IS_ALWAYS_24H": (False, "whether a day always has 24 hours"),
    "TIMESTAMP_INPUT_FORMAT": ("AUTO", "input format for timestamp"),
    "TIMESTAMP_LTZ_OUTPUT_FORMAT": ("", "display format for timestamp_ltz"),
    "TIMESTAMP_NTZ_OUTPUT_FORMAT": ("YYYY-MM-DD HH24:MI:SS.FF3", "format for timestamp_ntz"),
    "TIMESTAMP_OUTPUT_FORMAT": ("YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM", "display format for timestamp"),
    "TIMESTAMP_TYPE_MAPPING": ("TIMESTAMP_NTZ", "what TIMESTAMP means"),
    "TIMESTAMP_TZ_OUTPUT_FORMAT": ("", "display format for timestamp_tz"),
    "TIMEZONE": ("UTC", "time zone"),
    "TIME_INPUT_FORMAT": ("AUTO", "input format for time"),
    "TIME_OUTPUT_FORMAT": ("HH24:MI:SS", "display format for time"),
    "TRACE_LEVEL": ("OFF", "what is kept of the trace of handlers"),
    "TRANSACTION_ABORT_ON_ERROR": (False, "abort the transaction on an error"),
    "TRANSACTION_DEFAULT_ISOLATION_LEVEL": ("READ COMMITTED", "isolation level"),
    "TWO_DIGIT_CENTURY_START": (1970, "first year of two digits"),
    "UNSUPPORTED_DDL_ACTION": ("IGNORE", "what a constraint does that is not enforced"),
    "USE_CACHED_RESULT": (True, "reuse results"),
    "WEEK_OF_YEAR_POLICY": (0, "which week is the first of the year"),
    "WEEK_START": (0, "first day of the week"),
}
_SETTABLE = frozenset(
    {
        "ABORT_DETACHED_QUERY",
        "AUTOCOMMIT",
        "CLIENT_METADATA_REQUEST_USE_CONNECTION_CTX",
        "CLIENT_PREFETCH_THREADS",
        "CLIENT_RESULT_COLUMN_CASE_INSENSITIVE",
        "CLIENT_SESSION_KEEP_ALIVE",
        "CLIENT_SESSION_KEEP_ALIVE_HEARTBEAT_FREQUENCY",
        "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD",
        "CLIENT_TELEMETRY_ENABLED",
        "DATA_RETENTION_TIME_IN_DAYS",
        "ERROR_ON_NONDETERMINISTIC_MERGE",
        "LOCK_TIMEOUT",
        "MULTI_STATEMENT_COUNT",
        "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT",
        "PYTHON_SNOWPARK_USE_SCOPED_TEMP_OBJECTS",
        "QUERY_TAG",
        "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS",
        "STATEMENT_TIMEOUT_IN_SECONDS",
        "USE_CACHED_RESULT",
    }
)
"""What can have another value than its default: this account acts on it, or a client does.

No statement waits for a lock or a queue here, and no result is reused; the parameters about these
hold trivially, whatever their value.
"""
_FOREVER_S = 172800
"""The longest time a statement may take; nothing runs that long."""
_MAX_TAG = 2000


def checked(name: str, value: Any) -> Any:
    """Return a parameter's value; one that this account could not act on is refused."""
    if name not in KNOWN:
        raise refusals.invalid_property(f"invalid property '{name}'")
    shown = ast.text_of(value)
    default = KNOWN[name][0]
    if name not in _SETTABLE and shown.upper() != str(default).upper():
        raise refusals.unsupported(f"{name} = {shown}")
    if name == "QUERY_TAG" and len(shown) > _MAX_TAG:
        raise refusals.invalid_value(f"{shown[:20]}…", name)
    if isinstance(default, bool):
        return shown.upper() == "TRUE"
    if isinstance(default, int):
        return _number(name, shown)
    return shown


def _number(name: str, shown: str) -> int:
    if not shown.isdigit():
        raise refusals.invalid_value(shown, name)
    return int(shown)


def alter(session: AccountSession, statement: ast.Alter) -> None:
    """Carry out ALTER SESSION and ALTER ACCOUNT."""
    for action in statement.actions:
        if not isinstance(action, (ast.SetProperties, ast.UnsetProperties)):
            raise refusals.unsupported(f"ALTER {statement.kind} … {type(action).__name__}")
        if statement.kind == "SESSION":
            _session(session, action)
        else:
            _account(session, action)


def _session(session: AccountSession, action: ast.SetProperties | ast.UnsetProperties) -> None:
    if isinstance(action, ast.UnsetProperties):
        for name in action.names:
            checked(name, KNOWN.get(name, ("",))[0])
            session.parameters.pop(name, None)
        return
    made = {name: checked(name, value) for name, value in action.properties.items()}
    if made.get("AUTOCOMMIT", effective(session, "AUTOCOMMIT")) != effective(session, "AUTOCOMMIT"):
        if session.borrowed:
            raise refusals.unsupported("AUTOCOMMIT inside a stored procedure")
        session.close_transaction(commit=True)
    session.parameters.update(made)


def _account(session: AccountSession, action: ast.SetProperties | ast.UnsetProperties) -> None:
    if "ACCOUNTADMIN" not in session.active_roles():
        raise refusals.insufficient_privileges("account", session.account.info.locator)
    catalog = session.account.catalog
    if isinstance(action, ast.UnsetProperties):
        for name in action.names:
            held = catalog.get(Parameter, (ACCOUNT_ID, name))
            if held is not None:
                catalog.remove(held)
        return
    for name, value in action.properties.items():
        catalog.put(Parameter(ACCOUNT_ID, name, str(checked(name, value))))


def effective(session: AccountSession, name: str) -> Any:
    """Return a parameter's value: the session's, else the account's, else the default."""
    if name in session.parameters:
        return session.parameters[name]
    held = session.account.catalog.get(Parameter, (ACCOUNT_ID, name))
    return checked(name, held.value) if held is not None else KNOWN[name][0]


def timeout(session: AccountSession) -> float | None:
    """Return how many seconds a statement may take: the lowest of session, warehouse and task.

    See https://docs.snowflake.com/en/sql-reference/parameters#statement-timeout-in-seconds
    """
    limits = [effective(session, "STATEMENT_TIMEOUT_IN_SECONDS"), _warehouse_timeout(session)]
    if session.task is not None:
        limits.append(session.task.limit_s)
    found = [limit for limit in limits if 0 < limit < _FOREVER_S]
    return min(found, default=None)


def _warehouse_timeout(session: AccountSession) -> int:
    """Return the limit of the session's warehouse; 0 where there is none."""
    name = session.warehouse
    warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
    detail = warehouse.detail if warehouse is not None else None
    return detail.statement_timeout_s if isinstance(detail, WarehouseDetail) else 0
