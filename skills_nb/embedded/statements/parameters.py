"""Parameters of the session and the account.

Room: embedded. Known parameters and their defaults are one table; another name is refused.

See https://docs.snowflake.com/en/sql-reference/parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Parameter
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

KNOWN: dict[str, tuple[Any, str]] = {
    "QUERY_TAG": ("", "String (up to 2000 characters) used to tag statements"),
    "TIMEZONE": ("UTC", "time zone"),
    "DATE_OUTPUT_FORMAT": ("YYYY-MM-DD", "display format for date"),
    "TIMESTAMP_OUTPUT_FORMAT": ("YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM", "display format for timestamp"),
    "TIMESTAMP_TYPE_MAPPING": ("TIMESTAMP_NTZ", "what TIMESTAMP means"),
    "AUTOCOMMIT": (True, "each statement is a transaction of its own"),
    "ABORT_DETACHED_QUERY": (False, "abort when the client goes"),
    "STATEMENT_TIMEOUT_IN_SECONDS": (172800, "timeout in seconds for statements"),
    "LOCK_TIMEOUT": (43200, "seconds to wait for a lock"),
    "MULTI_STATEMENT_COUNT": (1, "number of statements in one request; 0 for any"),
    "ERROR_ON_NONDETERMINISTIC_MERGE": (True, "raise an error when one row meets many in MERGE"),
    "ERROR_ON_NONDETERMINISTIC_UPDATE": (False, "raise an error when one row meets many"),
    "DATA_RETENTION_TIME_IN_DAYS": (1, "days of Time Travel"),
    "USE_CACHED_RESULT": (True, "reuse results"),
    "QUOTED_IDENTIFIERS_IGNORE_CASE": (False, "case of quoted identifiers"),
    "ROWS_PER_RESULTSET": (0, "maximum rows of a result; 0 for all"),
    "STRICT_JSON_OUTPUT": (False, "JSON output"),
    "WEEK_START": (0, "first day of the week"),
    "TRANSACTION_DEFAULT_ISOLATION_LEVEL": ("READ COMMITTED", "isolation level"),
    "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT": ("JSON", "form of results for the connector"),
    "PYTHON_SNOWPARK_USE_SCOPED_TEMP_OBJECTS": (False, "scoped temporary objects"),
    "CLIENT_TELEMETRY_ENABLED": (False, "telemetry of clients"),
    "CLIENT_SESSION_KEEP_ALIVE": (False, "keep the session alive"),
    "CLIENT_PREFETCH_THREADS": (4, "prefetch threads of clients"),
    "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD": (0, "rows from which bindings go through a stage"),
}
_SETTABLE = frozenset(
    {
        "QUERY_TAG",
        "STATEMENT_TIMEOUT_IN_SECONDS",
        "LOCK_TIMEOUT",
        "MULTI_STATEMENT_COUNT",
        "DATA_RETENTION_TIME_IN_DAYS",
        "USE_CACHED_RESULT",
        "ABORT_DETACHED_QUERY",
        "CLIENT_TELEMETRY_ENABLED",
        "CLIENT_SESSION_KEEP_ALIVE",
        "CLIENT_PREFETCH_THREADS",
        "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT",
        "ERROR_ON_NONDETERMINISTIC_MERGE",
        "PYTHON_SNOWPARK_USE_SCOPED_TEMP_OBJECTS",
        "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD",
    }
)
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
            session.parameters.pop(name, None)
        return
    made = {name: checked(name, value) for name, value in action.properties.items()}
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
    return held.value if held is not None else KNOWN[name][0]
