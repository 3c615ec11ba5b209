"""Waiting for a statement that was submitted: it ends as the account says, or nobody can tell.

Room: work (runtime, snowpark). The connector tells a question that was refused like a statement
that failed; only an answer with the statement's own number is taken as its end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skills_nb.errors import SqlError
from skills_nb.runtime.refusal_texts import words_of
from skills_nb.runtime.snowpark.sql_errors import explain_errors

if TYPE_CHECKING:
    from enum import Enum

    from snowflake.connector import SnowflakeConnection

    from skills_nb.runtime.wire_session import WireSession

_UNHEARD_OF_S = 60.0
"""How long an account may know nothing of a statement that it has taken."""
_CONNECTION_LOST = "08006"


def await_end(connection: SnowflakeConnection | WireSession, query_id: str) -> None:
    """Wait until a statement has succeeded.

    Raises:
        SqlError: it failed, or nobody can tell how it is doing.
    """
    deadline = time.monotonic() + _UNHEARD_OF_S
    for pause_s in _pauses():
        status = _status(connection, query_id)
        if status.name == "SUCCESS":
            return
        if status.name != "NO_DATA":
            deadline = time.monotonic() + _UNHEARD_OF_S
        elif time.monotonic() > deadline:
            raise _untold("the account knows nothing of the statement", query_id)
        time.sleep(pause_s)


def _status(connection: SnowflakeConnection | WireSession, query_id: str) -> Enum:
    try:
        with explain_errors():
            return connection.get_query_status_throw_if_error(query_id)
    except SqlError as problem:
        if problem.errno is not None:
            raise
        raise _untold(problem.message, query_id) from problem
    except (KeyError, TypeError, ValueError) as problem:
        # The connector stumbles over an answer that lacks what it expects.
        raise _untold("the account's answer cannot be read", query_id) from problem


def _untold(why: str, query_id: str) -> SqlError:
    return SqlError(
        words_of(why) or "the account gave no reason", sqlstate=_CONNECTION_LOST, query_id=query_id
    )


def _pauses() -> Iterator[float]:
    """Yield how long to wait between looks at a running statement: ever longer, to a second."""
    pause_s = 0.01
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, 1.0)
