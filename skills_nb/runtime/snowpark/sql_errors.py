"""The connector's exceptions as `SqlError`: Snowflake's number, state and words, nothing around.

Room: work (runtime, snowpark). What the connector writes in front of the words is a field here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from skills_nb.errors import SkillsError, SqlError
from skills_nb.runtime.refusal_texts import number_of, words_of


@contextmanager
def explain_errors() -> Iterator[None]:
    """Turn what the connector or Snowpark raises inside into a `SqlError`.

    Raises:
        SqlError: the account, or the way to it, refused something.
    """
    try:
        yield
    except SkillsError:
        raise
    except Exception as problem:
        explained = _explained(problem)
        if explained is None:
            raise
        raise explained from problem


def _explained(problem: Exception) -> SqlError | None:
    """Return what an exception of the connector or of Snowpark says; None for any other."""
    # Whoever raised one of theirs has loaded them; to ask costs nothing before that.
    from snowflake.connector.errors import Error
    from snowflake.snowpark.exceptions import SnowparkClientException

    if isinstance(problem, Error):
        return _sql_error(
            problem.raw_msg or problem.msg, problem.errno, problem.sqlstate, problem.sfqid
        )
    if isinstance(problem, SnowparkClientException):
        return _sql_error(
            getattr(problem, "raw_message", None) or problem.message,
            getattr(problem, "sql_error_code", None),
            getattr(getattr(problem, "conn_error", None), "sqlstate", None),
            getattr(problem, "sfqid", None),
        )
    return None


def _sql_error(message: Any, errno: Any, sqlstate: Any, query_id: Any) -> SqlError:
    return SqlError(
        words_of(str(message or "the account gave no reason")),
        errno=number_of(errno),
        sqlstate=sqlstate if sqlstate and sqlstate != "n/a" else None,
        query_id=query_id or None,
    )
