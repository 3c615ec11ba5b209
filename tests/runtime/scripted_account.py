"""An account that answers as its script says, at the driver's own interface."""

from __future__ import annotations

import re
import threading
from collections import namedtuple

from skills_nb.runtime.snowpark import SnowparkSession

Column = namedtuple("Column", ("name", "type_code"), defaults=(2,))


class ScriptedAccount:
    """Answers by the first pattern that matches; its role follows USE ROLE."""

    def __init__(self, answers=(), role="ADMIN"):
        self.answers = [(r"^SELECT CURRENT_ROLE\(\)", self._role), (r"^USE ROLE", self._use_role)]
        self.answers = [*answers, *self.answers]
        self.role = role
        self.sent: list[tuple[str, str, str | None]] = []
        """Role, text and tag of each statement."""
        self.is_open = True
        self.end: Exception | None = None
        """What ending the session raises."""
        self.busy = threading.Semaphore(1)
        self.connection = ScriptedConnection(self)

    def close(self):
        if self.end is not None:
            raise self.end
        self.is_open = False

    def _role(self, _):
        return ["NAME"], [(self.role,)]

    def _use_role(self, sql):
        self.role = sql.removeprefix("USE ROLE ").strip('"').replace('""', '"')
        return ["status"], [("Statement executed successfully.",)]


class ScriptedConnection:
    def __init__(self, account):
        self.account, self.is_open = account, True

    def cursor(self):
        return ScriptedCursor(self.account)

    def close(self):
        self.is_open = False


class ScriptedCursor:
    def __init__(self, account):
        self.account, self.is_closed = account, False

    def execute(self, sql, params=None, *, _statement_params=None):
        assert self.account.busy.acquire(blocking=False), "two statements at a time"
        if not sql.strip():
            return None
        if params:
            sql = sql % tuple("'{}'".format(str(each).replace("'", "''")) for each in params)
        tag = (_statement_params or {}).get("QUERY_TAG")
        self.account.sent.append((self.account.role, sql, tag))
        self.sfqid = f"01b-{len(self.account.sent)}"
        fitting = [answer for pattern, answer in self.account.answers if re.search(pattern, sql)]
        answer = fitting[0] if fitting else (["status"], [("ok",)])
        if isinstance(answer, Exception):
            raise answer
        names, self.rows, *total = answer(sql) if callable(answer) else answer
        self.description = [Column(name) for name in names]
        self.rowcount = total[0] if total else len(self.rows)
        return self

    def fetchmany(self, size):
        return self.rows[:size]

    def fetchone(self):
        return self.rows[0] if self.rows else None

    def fetchall(self):
        return list(self.rows)

    def close(self):
        self.is_closed = True
        self.account.busy.release()


def opened(*answers, role="ADMIN") -> tuple[SnowparkSession, ScriptedAccount]:
    account = ScriptedAccount(answers, role)
    return SnowparkSession(account), account
