"""The connector's exceptions as `SqlError`: Snowflake's number, state and words, nothing around.

Room: work (runtime, snowpark). The connector writes number, state and sometimes the query id in
front of the words, depending on its log level; they are fields here and not repeated in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from skills_nb.errors import SqlError

_PREFIX = re.compile(
    r"^\s*(?:\([^)]*\):\s*)?(?:\d{6,}|-\d{5})(?:\s\([0-9A-Z]{5}\))?:\s*(?:[0-9a-f-]{36}:\s*|\d+:\s*)?"
)

_RAISED = range(-20_999, -19_999)
"""Numbers of the exceptions that a procedure declares and raises.

Source: the manual's Snowflake Scripting, Handling exceptions.
"""


@contextmanager
def explain_errors() -> Iterator[None]:
    """Turn what the connector or Snowpark raises inside into a `SqlError`.

    Raises:
        SqlError: the account, or the way to it, refused something.
    """
    from snowflake.connector.errors import Error
    from snowflake.snowpark.exceptions import SnowparkClientException

    try:
        yield
    except Error as problem:
        raise _sql_error(
            problem.raw_msg or problem.msg, problem.errno, problem.sqlstate, problem.sfqid
        ) from problem
    except SnowparkClientException as problem:
        inner = getattr(problem, "conn_error", None)
        raise _sql_error(
            getattr(problem, "raw_message", None) or problem.message,
            getattr(problem, "sql_error_code", None),
            getattr(inner, "sqlstate", None),
            getattr(problem, "sfqid", None),
        ) from problem


def words_of(message: str) -> str:
    """Return a message without the connector's prefixes, however many there are."""
    shorter = _PREFIX.sub("", message, count=1)
    return shorter.strip() if shorter == message else words_of(shorter)


def number_of(told: object) -> int | None:
    """Return an error's number; other numbers below zero than a procedure's own mean none."""
    text = str(told)
    if not text.isascii() or not text.removeprefix("-").isdecimal():
        return None
    number = int(text)
    return number if number >= 0 or number in _RAISED else None


def _sql_error(message: Any, errno: Any, sqlstate: Any, query_id: Any) -> SqlError:
    return SqlError(
        words_of(str(message or "the account gave no reason")),
        errno=number_of(errno),
        sqlstate=sqlstate if sqlstate and sqlstate != "n/a" else None,
        query_id=query_id or None,
    )
