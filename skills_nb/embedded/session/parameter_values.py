"""Values of parameters: which ones there are of each, and which this account acts on.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/parameters
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

from skills_nb.embedded import errors

Read = Callable[[str, str], Any]
_MAX_TAG = 2000
_ELEMENT = re.compile(r"YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|MI|SS|FF", re.I)


def _words(*listed: str) -> Read:
    """Take one of some words, whatever its case."""
    known = {word.upper(): word for word in listed}

    def read(name: str, shown: str) -> str:
        if shown.upper() not in known:
            raise errors.invalid_value(shown, name)
        return known[shown.upper()]

    return read


def _between(least: int, most: int | None = None) -> Read:
    """Take a whole number in a range."""

    def read(name: str, shown: str) -> int:
        if not shown.isdigit() or int(shown) < least or (most is not None and int(shown) > most):
            raise errors.invalid_value(shown, name)
        return int(shown)

    return read


def _flag(name: str, shown: str) -> bool:
    return bool(_words("TRUE", "FALSE")(name, shown) == "TRUE")


def _zone(name: str, shown: str) -> str:
    if shown not in available_timezones():
        raise errors.invalid_value(shown, name)
    return shown


def _format(name: str, shown: str) -> str:
    """Take AUTO or a format with at least one element of a date or time."""
    if shown.upper() == "AUTO":
        return "AUTO"
    if not _ELEMENT.search(shown):
        raise errors.invalid_value(shown, name)
    return shown


def _format_or_none(name: str, shown: str) -> str:
    return _format(name, shown) if shown else ""


def _tag(name: str, shown: str) -> str:
    if len(shown) > _MAX_TAG:
        raise errors.invalid_value(f"{shown[:20]}…", name)
    return shown


_FOLLOWED: dict[str, Read] = {
    "ABORT_DETACHED_QUERY": _flag,
    "AUTOCOMMIT": _flag,
    "BINARY_INPUT_FORMAT": _words("HEX", "BASE64", "UTF8", "UTF-8"),
    "BINARY_OUTPUT_FORMAT": _words("HEX", "BASE64"),
    "CLIENT_MEMORY_LIMIT": _between(1),
    "CLIENT_METADATA_REQUEST_USE_CONNECTION_CTX": _flag,
    "CLIENT_PREFETCH_THREADS": _between(1, 10),
    "CLIENT_RESULT_COLUMN_CASE_INSENSITIVE": _flag,
    "CLIENT_SESSION_KEEP_ALIVE": _flag,
    "CLIENT_SESSION_KEEP_ALIVE_HEARTBEAT_FREQUENCY": _between(900, 3600),
    "CLIENT_STAGE_ARRAY_BINDING_THRESHOLD": _between(0),
    "CLIENT_TELEMETRY_ENABLED": _flag,
    "CLIENT_TIMESTAMP_TYPE_MAPPING": _words("TIMESTAMP_LTZ", "TIMESTAMP_NTZ"),
    "DATA_RETENTION_TIME_IN_DAYS": _between(0),
    "DATE_INPUT_FORMAT": _format,
    "DATE_OUTPUT_FORMAT": _format,
    "ERROR_ON_NONDETERMINISTIC_MERGE": _flag,
    "ERROR_ON_NONDETERMINISTIC_UPDATE": _flag,
    "JDBC_TREAT_DECIMAL_AS_INT": _flag,
    "JDBC_TREAT_TIMESTAMP_NTZ_AS_UTC": _flag,
    "JSON_INDENT": _between(0, 16),
    "JS_TREAT_INTEGER_AS_BIGINT": _flag,
    "LOCK_TIMEOUT": _between(0),
    "MULTI_STATEMENT_COUNT": _between(0),
    "NOORDER_SEQUENCE_AS_DEFAULT": _flag,
    "ODBC_TREAT_DECIMAL_AS_INT": _flag,
    "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT": _words("ARROW", "JSON"),
    "PYTHON_SNOWPARK_USE_SCOPED_TEMP_OBJECTS": _flag,
    "QUERY_TAG": _tag,
    "QUOTED_IDENTIFIERS_IGNORE_CASE": _flag,
    "ROWS_PER_RESULTSET": _between(0),
    "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": _between(0),
    "STATEMENT_TIMEOUT_IN_SECONDS": _between(0),
    "STRICT_JSON_OUTPUT": _flag,
    "TIMESTAMP_DAY_IS_ALWAYS_24H": _flag,
    "TIMESTAMP_INPUT_FORMAT": _format,
    "TIMESTAMP_LTZ_OUTPUT_FORMAT": _format_or_none,
    "TIMESTAMP_NTZ_OUTPUT_FORMAT": _format_or_none,
    "TIMESTAMP_OUTPUT_FORMAT": _format,
    "TIMESTAMP_TYPE_MAPPING": _words("TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TIMESTAMP_TZ"),
    "TIMESTAMP_TZ_OUTPUT_FORMAT": _format_or_none,
    "TIMEZONE": _zone,
    "TIME_INPUT_FORMAT": _format,
    "TIME_OUTPUT_FORMAT": _format,
    "TRANSACTION_ABORT_ON_ERROR": _flag,
    "TWO_DIGIT_CENTURY_START": _between(1900, 2100),
    "USE_CACHED_RESULT": _flag,
    "WEEK_OF_YEAR_POLICY": _between(0, 1),
    "WEEK_START": _between(0, 7),
}
"""How the value of each parameter is read that this account or a client acts on.

No statement waits for a lock or a queue here, and no result is reused; the parameters about these
hold trivially, whatever their value. What is printed of JSON is strict always.
"""


def is_followed(name: str) -> bool:
    """Tell whether a parameter may have another value than its default."""
    return name in _FOLLOWED


def read(name: str, shown: str, default: Any) -> Any:
    """Read a parameter's value as text; one that is not followed has its default.

    Raises:
        SqlError: it is none of the values that the parameter can have (1008).
    """
    return _FOLLOWED[name](name, shown) if name in _FOLLOWED else default
