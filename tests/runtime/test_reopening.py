"""A session that is lost: reads go on, statements are sent once, and it stands where it stood."""

from __future__ import annotations

import time

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.snowpark import SnowparkSession
from skills_nb.runtime.snowpark.reopening_session import GONE, ReopeningSession, is_gone


class Counting(EmbeddedWire):
    """Counts the statements that arrive, and can forget everybody who is logged in."""

    def __init__(self, account):
        super().__init__(account)
        self.arrived = []

    def handle(self, method, url, headers, body):
        if "query-request" in url:
            self.arrived.append(str(body.get("sqlText")))
        return super().handle(method, url, headers, body)

    def forget(self):
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()


@pytest.fixture
def wire():
    with Account.open() as account:
        yield Counting(account)


@pytest.fixture
def session(wire):
    def opens(standing):
        options = {"role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH", **standing}
        return SnowparkSession(
            mounted_connection.session(mounted_connection.connect(wire, user="ADMIN", **options))
        )

    opened = ReopeningSession(opens)
    yield opened
    opened.close()


def test_a_read_goes_on_where_the_lost_session_stood(session, wire):
    session.query("USE ROLE SYSADMIN")
    session.execute('CREATE DATABASE "d d"', role=None, tag="t:1")
    session.context()
    wire.forget()
    where = session.context()
    assert (where.current_role, where.current_database) == ("SYSADMIN", "d d")
    assert session.query("SELECT 1 AS N").rows == ((1,),)


def test_a_statement_is_not_sent_again_and_its_fate_is_told_by_the_history(session, wire):
    session.context()
    wire.forget()
    with pytest.raises(SqlError) as caught:
        session.execute("CREATE DATABASE D", role=None, tag="t:1")
    assert is_gone(caught.value)
    assert wire.arrived.count("CREATE DATABASE D") <= 1
    assert session.fate("t:1").status == "absent"
    session.execute("CREATE DATABASE D", role=None, tag="t:1")
    assert session.fate("t:1").status == "succeeded"


def test_an_account_that_refuses_is_not_asked_again(session, wire):
    with pytest.raises(SqlError, match="does not exist"):
        session.query("SELECT * FROM NOWHERE.X.Y")
    assert wire.arrived.count("SELECT * FROM NOWHERE.X.Y") == 1


def test_a_borrowed_role_is_given_back_also_after_a_loss(session, wire):
    session.query("SELECT 1", role="SYSADMIN")
    wire.forget()
    session.query("SELECT 1", role="SYSADMIN")
    assert session.context().current_role == "ACCOUNTADMIN"


@pytest.mark.parametrize("errno", [*sorted(GONE), 250001, 290503])
def test_these_numbers_say_that_the_session_is_gone(errno):
    assert is_gone(SqlError("…", errno=errno))


@pytest.mark.parametrize("errno", [None, 2003, 3001, 604])
def test_these_numbers_do_not(errno):
    assert not is_gone(SqlError("…", errno=errno))


def test_whoever_interrupts_a_long_statement_ends_it(session, wire, monkeypatch):
    session.execute("CREATE DATABASE D", role=None, tag="t:0")
    numbers = "CREATE TABLE NUMBERS AS SELECT SEQ4() AS N FROM TABLE(GENERATOR(ROWCOUNT => 100000))"
    session.execute(numbers, role=None, tag="t:1")
    # Takes minutes: ten billion pairs.
    slow = "SELECT COUNT(*) FROM NUMBERS A, NUMBERS B WHERE A.N + B.N > 7"
    query_id = session.submit(slow, role=None, tag="t:2")

    def interrupted(seconds):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("skills_nb.runtime.snowpark.submitted_statements.time.sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.outcome(query_id)
    began = time.monotonic()
    while session.fate("t:2", query_id=query_id).status == "running":
        assert time.monotonic() - began < 10, "it was not ended"
    assert session.fate("t:2", query_id=query_id).status == "failed"
