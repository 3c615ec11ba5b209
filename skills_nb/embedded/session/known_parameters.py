"""Known parameters: their defaults, what they mean, and which values this account acts on.

Room: embedded. Pure. Known parameters and their defaults are one table; another name is refused.

See https://docs.snowflake.com/en/sql-reference/parameters
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.errors.unsupported_names import PARAMETERS
from skills_nb.embedded.session import parameter_values
from skills_nb.sql.governance import ast

KNOWN: dict[str, tuple[Any, str]] = {
    "ABORT_DETACHED_QUERY": (False, "abort when the client goes"),
    "AUTOCOMMIT": (True, "each statement is a transaction of its own"),
    "BINARY_INPUT_FORMAT": ("HEX", "input format for binary"),
    "BINARY_OUTPUT_FORMAT": ("HEX", "display format for binary"),
    "CLIENT_MEMORY_LIMIT": (1536, "megabytes that a client may use for a result"),
    "CLIENT_METADATA_REQUEST_USE_CONNECTION_CTX": (False, "metadata of the current schema only"),
    "CLIENT_PREFETCH_THREADS": (4, "prefetch threads of clients"),
    "CLIENT_RESULT_COLUMN_CASE_INSENSITIVE": (False, "case of column names in clients"),
    "CLIENT_SESSION_KEEP_ALIVE": (False, "keep the session alive"),
    "CLIENT_SESSION_KEEP_ALIVE_HEARTBEAT_FREQUENCY": (3600, "seconds between heartbeats"),
    "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD": (0, "rows from which bindings go through a stage"),
    "CLIENT_TELEMETRY_ENABLED": (False, "telemetry of clients"),
    "CLIENT_TIMESTAMP_TYPE_MAPPING": ("TIMESTAMP_LTZ", "type of bound timestamps"),
    "DATA_RETENTION_TIME_IN_DAYS": (1, "days of Time Travel"),
    "DEFAULT_NULL_ORDERING": ("LAST", "where NULL stands in an order"),
    "DATE_INPUT_FORMAT": ("AUTO", "input format for date"),
    "DATE_OUTPUT_FORMAT": ("YYYY-MM-DD", "display format for date"),
    "ERROR_ON_NONDETERMINISTIC_MERGE": (True, "raise an error when one row meets many in MERGE"),
    "ERROR_ON_NONDETERMINISTIC_UPDATE": (False, "raise an error when one row meets many"),
    "GEOGRAPHY_OUTPUT_FORMAT": ("GeoJSON", "display format for geography"),
    "GEOMETRY_OUTPUT_FORMAT": ("GeoJSON", "display format for geometry"),
    "JDBC_TREAT_DECIMAL_AS_INT": (True, "whole numbers as integers in JDBC"),
    "JDBC_TREAT_TIMESTAMP_NTZ_AS_UTC": (False, "how JDBC reads timestamp_ntz"),
    "JS_TREAT_INTEGER_AS_BIGINT": (False, "whole numbers as BigInt in Node.js"),
    "JSON_INDENT": (2, "spaces by which JSON is indented"),
    "LOCK_TIMEOUT": (43200, "seconds to wait for a lock"),
    "LOG_LEVEL": ("OFF", "what is kept of the log of handlers"),
    "MULTI_STATEMENT_COUNT": (1, "number of statements in one request; 0 for any"),
    "NOORDER_SEQUENCE_AS_DEFAULT": (True, "whether new sequences are NOORDER"),
    "ODBC_TREAT_DECIMAL_AS_INT": (False, "whole numbers as integers in ODBC"),
    "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT": ("ARROW", "form of results for the connector"),
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
    "SIMULATED_DATA_SHARING_CONSUMER": ("", "account for which a shared view is tried"),
    "TWO_DIGIT_CENTURY_START": (1970, "first year of two digits"),
    "UNSUPPORTED_DDL_ACTION": ("IGNORE", "what a constraint does that is not enforced"),
    "USE_CACHED_RESULT": (True, "reuse results"),
    "WEEK_OF_YEAR_POLICY": (0, "which week is the first of the year"),
    "WEEK_START": (0, "first day of the week"),
}
_LEVELS = {
    "LOG_LEVEL": ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"),
    "TRACE_LEVEL": ("ALWAYS", "ON_EVENT", "PROPAGATE", "OFF"),
}
"""What handlers tell goes to an event table; here is none, so that nothing is kept at any level."""


def checked(name: str, value: Any) -> Any:
    """Return a parameter's value; one that this account could not act on is refused.

    Raises:
        SqlError: there is no such parameter (1420), it cannot have this value (1008), or the
            account cannot act on it (0A000).
    """
    if name in PARAMETERS:
        raise errors.unsupported(f"parameter {name}")
    if name not in KNOWN:
        raise errors.invalid_property(f"invalid property '{name}'")
    shown = ast.text_of(value)
    default = KNOWN[name][0]
    if name in _LEVELS:
        if shown.upper() not in _LEVELS[name]:
            raise errors.invalid_value(shown, name)
        return shown.upper()
    if not parameter_values.is_followed(name) and shown.upper() != str(default).upper():
        raise errors.unsupported(f"{name} = {shown}")
    return parameter_values.read(name, shown, default)


OF_USERS: dict[str, tuple[Any, str]] = {
    **KNOWN,
    "NETWORK_POLICY": ("", "network policy by which logins are let in"),
}
"""What a user's sessions begin with, and who may log in as one."""
_RETENTION = {
    "DATA_RETENTION_TIME_IN_DAYS": (1, "days of Time Travel"),
    "MAX_DATA_EXTENSION_TIME_IN_DAYS": (14, "days by which retention is extended for streams"),
}
_CONTAINER: dict[str, tuple[Any, str]] = {
    **_RETENTION,
    "DEFAULT_DDL_COLLATION": ("", "collation of new text columns"),
    "LOG_LEVEL": KNOWN["LOG_LEVEL"],
    "TRACE_LEVEL": KNOWN["TRACE_LEVEL"],
    "QUOTED_IDENTIFIERS_IGNORE_CASE": KNOWN["QUOTED_IDENTIFIERS_IGNORE_CASE"],
    "SUSPEND_TASK_AFTER_NUM_FAILURES": (10, "failures in a row that suspend a task"),
    "TASK_AUTO_RETRY_ATTEMPTS": (0, "times that a failed graph is run again"),
    "USER_TASK_TIMEOUT_MS": (3600000, "milliseconds that a task may take"),
}
_TASK = (
    "SUSPEND_TASK_AFTER_NUM_FAILURES",
    "TASK_AUTO_RETRY_ATTEMPTS",
    "USER_TASK_TIMEOUT_MS",
)
_WAREHOUSE = ("STATEMENT_QUEUED_TIMEOUT_IN_SECONDS", "STATEMENT_TIMEOUT_IN_SECONDS")
OF_OBJECTS: dict[Kind, dict[str, tuple[Any, str]]] = {
    Kind.WAREHOUSE: {
        "MAX_CONCURRENCY_LEVEL": (8, "statements that a cluster runs at once"),
        **{name: KNOWN[name] for name in _WAREHOUSE},
    },
    Kind.DATABASE: _CONTAINER,
    Kind.SCHEMA: _CONTAINER,
    Kind.TABLE: {**_RETENTION, "DEFAULT_DDL_COLLATION": _CONTAINER["DEFAULT_DDL_COLLATION"]},
    Kind.TASK: {name: _CONTAINER[name] for name in _TASK},
}
"""Parameters that an object of a kind has, with their defaults."""
_LONGEST_EXTENSION = 90


def of_object(kind: Kind, name: str, value: Any) -> str | None:
    """Return what an object keeps of a parameter; None for one that is none of the kind's.

    Streams here never go stale, so that any extension of the retention holds.

    Raises:
        SqlError: the value is not one of the parameter's (1008), or the account cannot act on it
            (0A000).
    """
    known = OF_OBJECTS.get(kind, {}).get(name)
    if known is None:
        return None
    shown = ast.text_of(value)
    if name == "MAX_DATA_EXTENSION_TIME_IN_DAYS":
        if not shown.isdigit() or int(shown) > _LONGEST_EXTENSION:
            raise errors.invalid_value(shown, name)
        return shown
    if name in _LEVELS:
        return str(checked(name, value))
    if shown.upper() != str(known[0]).upper():
        raise errors.unsupported(f"{name} = {shown} of a {kind.value}")
    return shown
