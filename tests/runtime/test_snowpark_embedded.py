"""The same session on the embedded account, through the real connector and a real Snowpark."""

from __future__ import annotations

from contextlib import closing

import pytest

from skills_nb.embedded.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.runtime import mount
from skills_nb.runtime.snowpark import SnowparkSession


@pytest.fixture(scope="module")
def account():
    with closing(Account.open()) as opened:
        yield opened


@pytest.fixture(scope="module")
def session(account):
    connection = mount.connect(EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN")
    opened = SnowparkSession(mount.session(connection))
    opened.execute("CREATE DATABASE d", role=None, tag="setup")
    opened.execute("CREATE TABLE d.public.t (a INT, b NUMBER(10,2))", role=None, tag="setup")
    yield opened
    connection.close()


@pytest.fixture
def table(session):
    session.execute("TRUNCATE TABLE d.public.t", role=None, tag="setup")
    session.execute("INSERT INTO d.public.t VALUES (1, 2.5), (2, NULL)", role=None, tag="setup")
    return "d.public.t"


def test_the_context_is_told(session):
    context = session.context()
    assert (context.account_locator, context.current_role, context.current_user) == (
        "EMBEDDED",
        "ACCOUNTADMIN",
        "ADMIN",
    )
    assert {"ACCOUNTADMIN", "SECURITYADMIN", "SYSADMIN", "PUBLIC"} <= set(context.available_roles)
    assert list(context.available_roles) == sorted(context.available_roles)


def test_rows_come_with_integers_and_exact_decimals(session, table):
    found = session.query(f"SELECT a, b FROM {table} ORDER BY a")
    assert found == QueryRows(
        columns=("A", "B"), rows=((1, "2.50"), (2, None)), row_count=2, query_id=found.query_id
    )
    assert found.query_id


def test_a_limit_cuts_rows_and_not_their_count(session, table):
    found = session.query(f"SELECT a FROM {table} ORDER BY a", limit=1)
    assert (found.rows, found.row_count) == (((1,),), 2)


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("INSERT INTO d.public.t VALUES (3, 1), (4, 1), (5, 1)", 3),
        ("UPDATE d.public.t SET b = 0", 2),
        ("DELETE FROM d.public.t WHERE a = 2", 1),
        ("DELETE FROM d.public.t WHERE a = 99", 0),
        ("CREATE OR REPLACE TABLE d.public.u (a INT)", None),
        ("CREATE OR REPLACE TABLE d.public.u AS SELECT * FROM d.public.t", None),
    ],
)
def test_rows_are_counted_only_where_rows_changed(session, table, sql, count):
    outcome = session.execute(sql, role=None, tag="t")
    assert outcome.row_count == count
    assert outcome.query_id
    assert outcome.duration_s > 0


def test_a_refusal_has_snowflakes_number_state_and_bare_words(session):
    with pytest.raises(SqlError) as said:
        session.execute("DROP TABLE d.public.nope", role=None, tag="t")
    problem = said.value
    assert (problem.errno, problem.sqlstate) == (2003, "42S02")
    assert problem.message.startswith("SQL compilation error:")
    assert "002003" not in problem.message
    assert problem.query_id


def _role(session) -> str:
    return session.query("SELECT CURRENT_ROLE()").rows[0][0]


def test_a_role_is_borrowed_and_given_back(session):
    assert session.query("SELECT CURRENT_ROLE()", role="sysadmin").rows == (("SYSADMIN",),)
    assert _role(session) == "ACCOUNTADMIN"


def test_a_role_is_given_back_after_a_refusal(session):
    with pytest.raises(SqlError):
        session.execute("DROP TABLE d.public.t", role="SECURITYADMIN", tag="t")
    assert _role(session) == "ACCOUNTADMIN"


def test_a_role_that_does_not_exist_is_refused_and_nothing_is_sent(session, table):
    with pytest.raises(SqlError):
        session.execute("DROP TABLE d.public.t", role="NO_SUCH_ROLE", tag="t")
    assert session.query(f"SELECT COUNT(*) FROM {table}").rows == ((2,),)
    assert _role(session) == "ACCOUNTADMIN"


def test_a_statements_tag_does_not_become_the_sessions(session):
    session.execute("CREATE OR REPLACE TABLE d.public.u (a INT)", role=None, tag="thr_1:7")
    shown = session.query("SHOW PARAMETERS LIKE 'QUERY_TAG' IN SESSION")
    assert dict(zip(shown.columns, shown.rows[0], strict=True))["value"] == ""


def test_a_session_of_its_own_can_be_closed(account):
    connection = mount.connect(EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN")
    with closing(SnowparkSession(mount.session(connection))) as opened:
        assert opened.query("SELECT 1").rows == ((1,),)
    assert connection.is_closed()


# --- fate


def test_a_statement_that_ran_is_found_by_its_tag(session, table):
    sent = session.execute("UPDATE d.public.t SET b = 1", role=None, tag="thr_9:1")
    found = session.fate("thr_9:1")
    assert (found.status, found.query_id, found.row_count) == ("succeeded", sent.query_id, 2)


def test_a_statement_that_was_refused_is_found_with_its_error(session):
    with pytest.raises(SqlError) as said:
        session.execute("DROP TABLE d.public.nope", role=None, tag="thr_9:2")
    found = session.fate("thr_9:2")
    assert (found.status, found.query_id, found.errno) == ("failed", said.value.query_id, 2003)
    assert found.error == said.value.message


def test_a_statement_that_was_never_sent_is_absent(session):
    assert session.fate("thr_9:99").status == "absent"


def test_a_statement_of_another_session_is_found(account, session):
    connection = mount.connect(EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN")
    other = SnowparkSession(mount.session(connection))
    sent = other.execute("CREATE OR REPLACE TABLE d.public.w (a INT)", role=None, tag="thr_9:3")
    connection.close()
    assert session.fate("thr_9:3").query_id == sent.query_id


# --- submitted statements


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("INSERT INTO d.public.t VALUES (3, 1), (4, 1), (5, 1)", 3),
        ("UPDATE d.public.t SET b = 0", 2),
        ("CREATE OR REPLACE TABLE d.public.u AS SELECT * FROM d.public.t", None),
    ],
)
def test_a_submitted_statement_has_its_id_at_once_and_its_outcome_when_asked(
    session, table, sql, count
):
    query_id = session.submit(sql, role=None, tag="thr_8:1")
    outcome = session.outcome(query_id)
    assert (outcome.query_id, outcome.row_count) == (query_id, count)
    assert session.fate("nothing by this tag", query_id=query_id).status == "succeeded"


def test_a_submitted_statement_that_is_refused_says_so_with_its_number(session):
    query_id = session.submit("INSERT INTO d.public.nope VALUES (1)", role=None, tag="thr_8:2")
    with pytest.raises(SqlError) as said:
        session.outcome(query_id)
    assert (said.value.errno, said.value.query_id) == (2003, query_id)


def test_a_borrowed_role_stays_until_the_outcome_and_is_given_back(session, table):
    query_id = session.submit(f"INSERT INTO {table} VALUES (3, 1)", role="SECURITYADMIN", tag="t")
    with pytest.raises(SqlError):
        session.outcome(query_id)
    assert _role(session) == "ACCOUNTADMIN"
    assert session.query(f"SELECT COUNT(*) FROM {table}").rows == ((2,),)
