"""Logins and sessions.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/account-usage/login_history
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.storage.store import LOGIN_COLUMNS
from skills_nb.embedded.system_views.statement_history import refuse_routines
from skills_nb.embedded.types.system_rows import Rows, yes

_RANGE = ("TIME_RANGE_START", "TIME_RANGE_END")
_MOMENT, _WHO = 1, 3
"""Places of EVENT_TIMESTAMP and USER_NAME in a row of the view."""


def last_logins(session: Context) -> dict[str, datetime]:
    """Return when each user last came in, by name."""
    last: dict[str, datetime] = {}
    for _, entry in _logins(session):
        name, moment = str(entry["user_name"]), entry["moment"]
        if entry["error_code"] is None and isinstance(moment, datetime):
            last[name] = max(moment, last.get(name, moment))
    return last


def logins(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/login_history."""
    spec = (
        "EVENT_ID:n EVENT_TIMESTAMP:t EVENT_TYPE USER_NAME CLIENT_IP REPORTED_CLIENT_TYPE "
        "REPORTED_CLIENT_VERSION FIRST_AUTHENTICATION_FACTOR SECOND_AUTHENTICATION_FACTOR "
        "IS_SUCCESS ERROR_CODE:n ERROR_MESSAGE RELATED_EVENT_ID:n CONNECTION"
    )
    return spec, [
        (
            number,
            found["moment"],
            "LOGIN",
            found["user_name"],
            "0.0.0.0",  # noqa: S104 - what the manual shows where an address is not known
            found["client"],
            found["version"],
            "PASSWORD",
            None,
            yes(found["error_code"] is None),
            found["error_code"],
            found["error_message"],
            0,
            None,
        )
        for number, found in _logins(session)
    ]


def sessions(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/sessions."""
    spec = (
        "SESSION_ID:n CREATED_ON:t USER_NAME AUTHENTICATION_METHOD LOGIN_EVENT_ID:n "
        "CLIENT_APPLICATION_VERSION CLIENT_APPLICATION_ID CLIENT_ENVIRONMENT CLIENT_BUILD_ID "
        "CLIENT_VERSION CLOSED_REASON"
    )
    return spec, [
        (
            found["session_id"],
            found["moment"],
            found["user_name"],
            "Password",
            number,
            found["version"],
            f"{found['client']} {found['version']}",
            "{}",
            None,
            found["version"],
            None,
        )
        for number, found in _logins(session)
        if found["error_code"] is None
    ]


def _logins(session: Context) -> list[tuple[int, dict[str, datetime | str | int | None]]]:
    rows = session.account.store.logins()
    listed = list(LOGIN_COLUMNS)
    return [(n, dict(zip(listed, row, strict=True))) for n, row in enumerate(rows, start=1)]


def function(by: str | None) -> Callable[[Any, frozenset[str], str, Arguments], Rows]:
    """Return the reader of LOGIN_HISTORY, or with an argument's name of LOGIN_HISTORY_BY_USER.

    See https://docs.snowflake.com/en/sql-reference/functions/login_history
    """

    def read(session: Context, roles: frozenset[str], database: str, arguments: Arguments) -> Rows:
        if by is not None:
            refuse_routines(session, "LOGIN_HISTORY_BY_USER")
        known = (*((by,) if by is not None else ()), *_RANGE, "RESULT_LIMIT")
        asked = Asked(arguments, known)
        named = asked.text(by) if by is not None else None
        user = session.user if by is not None and named is None else named
        everybody = access.may_globally(session, "MONITOR EXECUTION", roles)
        start, end = (asked.instant(session, one) for one in _RANGE)
        spec, rows = logins(session)
        found = [
            row
            for row in reversed(rows)
            if (everybody or (row[_WHO] == session.user and not session.frame.borrowed))
            and (user is None or row[_WHO] == user.upper())
            and (start is None or row[_MOMENT] >= start)
            and (end is None or row[_MOMENT] <= end)
        ]
        return spec, found[: asked.limit()]

    return read
