"""A process that dies inside a call: `python -m tests.runtime.dying_call HOME ACCOUNT`.

The process of the embedded account dies when the procedure sends its second statement.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire, InsideWire
from skills_nb.engine.respond import Answer
from skills_nb.ports import Ports
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.conductor import Conductor
from skills_nb.runtime.handler_sessions import HandlerSessions
from skills_nb.runtime.snowpark import SnowparkSession
from skills_nb.runtime.snowpark.reopening_session import ReopeningSession
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from skills_nb.runtime.system_ports import NoHuman, RandomIds, SystemClock
from tests.builders import checkpoint, library, playbook, step

THREAD = "calls"
SETUP = (
    "CREATE DATABASE D",
    "CREATE TABLE D.PUBLIC.T (A INT)",
    "CREATE PROCEDURE D.PUBLIC.DIES() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "PACKAGES = ('snowflake-snowpark-python') HANDLER = 'main' EXECUTE AS CALLER AS $$\n"
    "def main(session):\n"
    "    session.sql('INSERT INTO D.PUBLIC.T VALUES (1)').collect()\n"
    "    session.sql('SELECT 9').collect()\n$$",
    "CREATE PROCEDURE D.PUBLIC.RAISES() RETURNS INT LANGUAGE SQL AS $$ "
    "DECLARE E EXCEPTION (-20002, 'operation timed out, try again'); "
    "BEGIN INSERT INTO D.PUBLIC.T VALUES (1); RAISE E; END $$",
    "CREATE PROCEDURE D.PUBLIC.FAILS() RETURNS INT LANGUAGE SQL AS $$ BEGIN "
    "INSERT INTO D.PUBLIC.T VALUES (1); INSERT INTO D.PUBLIC.NOPE VALUES (1); RETURN 1; END $$",
)


class Dying(InsideWire):
    """Kills the process that answers the statement `SELECT 9`."""

    def handle(self, method, url, headers, body):
        if body.get("sqlText") == "SELECT 9":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().handle(method, url, headers, body)


def book(sql, **fields):
    """Return a playbook of one statement that looks first and asks before it is done."""
    return playbook(
        step("1", "SELECT COUNT(*) FROM D.PUBLIC.T", checkpoint=checkpoint("critical")),
        step("2", sql, checkpoint=checkpoint(), **fields),
    )


def opened(account, wire_class=EmbeddedWire):
    """Return a wire to an account and a session on it that comes back."""
    account.python_session = HandlerSessions(Dying)
    wire = wire_class(account)

    def opens(standing):
        options = {"role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH", **standing}
        return SnowparkSession(
            mounted_connection.session(mounted_connection.connect(wire, user="ADMIN", **options))
        )

    return wire, ReopeningSession(opens)


def conductor(home, session, sql, **fields):
    """Return what works on the thread in this process."""
    store = SqliteThreadStore(Path(home))
    ports = Ports(session, store, SystemClock(), RandomIds(), NoHuman(), None)
    return Conductor(library(book(sql, **fields)), ports), store


def go(works):
    """Work until the thread ends or waits for more than an approval; return its state."""
    state = works.advance(THREAD)
    for _ in range(10):
        pause = works.pause(state)
        if pause is None or not any(option.id == "approve" for option in pause.options):
            return state
        state = works.answer(THREAD, Answer("approve", phrase=pause.phrase))
        state = works.advance(THREAD)
    return state


if __name__ == "__main__":
    home, folder = sys.argv[1:]
    call = "CALL D.PUBLIC.DIES()"
    with Account.open(Path(folder)) as account:
        _, session = opened(account)
        for statement in SETUP:
            session.execute(statement, role=None, tag="setup")
        works, _ = conductor(home, session, call)
        works.start(book(call).ref, {}, thread_id=THREAD)
        print(go(works).status)
