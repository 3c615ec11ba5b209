"""The same session on the embedded account: a real Snowpark on the real connector, and a login on
the wire without either."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from snowflake.connector.constants import QueryStatus
from snowflake.connector.cursor import SnowflakeCursor
from snowflake.connector.errors import ProgrammingError

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire, InsideWire
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.handler_sessions import HandlerSessions
from skills_nb.runtime.snowpark import SnowparkSession
from skills_nb.runtime.snowpark.submitted_statements import await_end
from skills_nb.runtime.wire_session import WireCursor, WireSession


def _through_snowpark(account):
    connection = mounted_connection.connect(
        EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN"
    )
    return mounted_connection.session(connection)


def _on_the_wire(account):
    return WireSession(
        EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
    )


WAYS = [_through_snowpark, _on_the_wire]


@pytest.fixture(scope="module", params=WAYS)
def way(request):
    return request.param


@pytest.fixture(scope="module")
def account(way):
    with closing(Account.open()) as opened:
        yield opened


@pytest.fixture(scope="module")
def session(account, way):
    made = way(account)
    opened = SnowparkSession(made)
    opened.execute("CREATE DATABASE d", role=None, tag="setup")
    opened.execute("CREATE TABLE d.public.t (a INT, b NUMBER(10,2))", role=None, tag="setup")
    yield opened
    made.connection.close()


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
        columns=("A", "B"),
        rows=((1, "2.50"), (2, None)),
        row_count=2,
        query_id=found.query_id,
        types=("FIXED", "FIXED"),
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


def test_a_session_of_its_own_can_be_closed(account, way):
    made = way(account)
    with closing(SnowparkSession(made)) as opened:
        assert opened.query("SELECT 1").rows == ((1,),)
    with pytest.raises(SqlError):
        opened.query("SELECT 1")


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


def test_a_statement_of_another_session_is_found(account, session, way):
    made = way(account)
    other = SnowparkSession(made)
    sent = other.execute("CREATE OR REPLACE TABLE d.public.w (a INT)", role=None, tag="thr_9:3")
    made.connection.close()
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


# --- statements that run others


@pytest.fixture(scope="module")
def callables(session, account):
    account.python_session = HandlerSessions(InsideWire)
    run = "BEGIN INSERT INTO d.public.t VALUES (9, 9); {} RETURN 1; END"
    bodies = {
        "refused": "INSERT INTO d.public.nope VALUES (1);",
        "raising": "RAISE e;",
        "outer": "CALL d.public.refused();",
    }
    for name, body in bodies.items():
        declared = "DECLARE e EXCEPTION (-20002, 'operation timed out, try again'); "
        begin = declared if name == "raising" else ""
        for rights in ("OWNER", "CALLER"):
            session.execute(
                f"CREATE PROCEDURE d.public.{name}{'_as_caller' if rights == 'CALLER' else ''}() "
                f"RETURNS INT LANGUAGE SQL EXECUTE AS {rights} AS "
                f"$$ {begin}{run.format(body)} $$",
                role=None,
                tag="setup",
            )
    caught = "INSERT INTO d.public.nope VALUES (1); EXCEPTION WHEN OTHER THEN RETURN 0"
    session.execute(
        "CREATE PROCEDURE d.public.catching() RETURNS INT LANGUAGE SQL AS "
        f"$$ BEGIN INSERT INTO d.public.t VALUES (9, 9); {caught}; END $$",
        role=None,
        tag="setup",
    )
    session.execute(
        "CREATE PROCEDURE d.public.handled() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
        "PACKAGES = ('snowflake-snowpark-python') HANDLER = 'main' EXECUTE AS CALLER AS $$\n"
        "def main(session):\n"
        "    session.sql('INSERT INTO d.public.t VALUES (9, 9)').collect()\n"
        "    raise ValueError('operation timed out')\n$$",
        role=None,
        tag="setup",
    )


FAILING = [
    ("CALL d.public.refused()", 2003),
    ("call d.public.refused_as_caller();", 2003),
    ("CALL d.public.raising()", -20002),
    ("CALL d.public.raising_as_caller()", -20002),
    ("CALL d.public.outer()", 2003),
    ("CALL d.public.handled()", 100357),
    ("BEGIN INSERT INTO d.public.t VALUES (9, 9); CALL d.public.refused(); END", 2003),
    ("DECLARE x INT; BEGIN CALL d.public.refused(); END", 2003),
    ("EXECUTE IMMEDIATE 'BEGIN CALL d.public.raising(); END'", -20002),
    ("EXECUTE IMMEDIATE $$CALL d.public.refused()$$", 2003),
    (
        "WITH p AS PROCEDURE () RETURNS INT LANGUAGE SQL AS 'BEGIN CALL d.public.refused(); "
        "RETURN 1; END' CALL p()",
        2003,
    ),
]


@pytest.mark.parametrize(("number", "sql", "errno"), [(n, *each) for n, each in enumerate(FAILING)])
@pytest.mark.parametrize("is_submitted", [True, False])
def test_what_fails_after_something_inside_succeeded_has_failed(
    session, callables, table, number, sql, errno, is_submitted
):
    if "handled" in sql and os.name != "posix":
        pytest.skip("needs POSIX: processes of their own for handlers")
    mark = f"thr_7:{number}:{is_submitted}"
    query_id = session.submit(sql, role=None, tag=mark) if is_submitted else None
    with pytest.raises(SqlError) as said:
        session.outcome(query_id) if query_id else session.execute(sql, role=None, tag=mark)
    assert said.value.errno == errno
    told = _history(session, mark)
    assert ("INSERT", "SUCCESS") in [row[:2] for row in told]
    assert told[0][1:] == ("FAILED_WITH_ERROR", sql, said.value.query_id)
    for found in (
        session.fate(mark, query_id=query_id, sql=sql),
        session.fate(mark, sql=sql),
        session.fate(mark),
    ):
        assert (found.status, found.query_id) == ("failed", said.value.query_id)
        assert found.errno == errno


def _history(session, mark):
    """Return type, status, text and id of what has a tag, in the order in which it began."""
    return session.query(
        "SELECT query_type, execution_status, query_text, query_id "
        "FROM TABLE(d.information_schema.query_history(RESULT_LIMIT => 1000)) "
        f"WHERE query_tag = '{mark}' ORDER BY start_time"
    ).rows


def test_what_a_procedure_catches_does_not_fail_it(session, callables, table):
    query_id = session.submit("CALL d.public.catching()", role=None, tag="thr_6:1")
    assert session.outcome(query_id).query_id == query_id
    assert [row[1] for row in _history(session, "thr_6:1")] == [
        "SUCCESS",
        "SUCCESS",
        "FAILED_WITH_ERROR",
    ]
    assert session.fate("thr_6:1", sql="CALL d.public.catching()").query_id == query_id
    assert session.fate("thr_6:1", query_id=query_id).status == "succeeded"


def test_a_failed_call_is_a_call_in_the_history(session, callables, table):
    with pytest.raises(SqlError):
        session.execute("CALL d.public.outer()", role=None, tag="thr_6:2")
    kinds = [row[0] for row in _history(session, "thr_6:2")]
    assert kinds == ["CALL", "INSERT", "CALL", "INSERT", "UNKNOWN"]


# --- waiting for what was submitted


class Answering:
    """A connection whose account answers questions about a statement one after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def get_query_status_throw_if_error(self, query_id):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def _refusal(errno, message="no"):
    return ProgrammingError(msg=message, errno=errno, send_telemetry=False)


def test_only_success_ends_the_waiting():
    known = (QueryStatus.NO_DATA, QueryStatus.RUNNING, QueryStatus.RESTARTED, QueryStatus.BLOCKED)
    connection = Answering(*known, QueryStatus.SUCCESS)
    await_end(connection, "q")
    assert connection.answers == [QueryStatus.SUCCESS]


@pytest.mark.parametrize("errno", [2003, -20002, 604])
def test_a_number_of_its_own_is_the_statement_s_end(errno):
    with pytest.raises(SqlError) as said:
        await_end(Answering(QueryStatus.RUNNING, _refusal(errno)), "q")
    assert said.value.errno == errno


@pytest.mark.parametrize("answer", [_refusal(-1, "Session no longer exists."), TypeError("None")])
def test_a_question_that_is_refused_is_no_failure_of_the_statement(answer):
    with pytest.raises(SqlError) as said:
        await_end(Answering(answer), "q")
    assert (said.value.errno, said.value.sqlstate, said.value.query_id) == (None, "08006", "q")


def test_a_statement_that_the_account_forgot_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr("skills_nb.runtime.snowpark.submitted_statements._UNHEARD_OF_S", 0.0)
    with pytest.raises(SqlError, match="knows nothing of the statement"):
        await_end(Answering(QueryStatus.NO_DATA), "q")


def test_a_success_stays_one_where_its_report_is_no_longer_kept(session, table, monkeypatch):
    def lost(cursor, query_id):
        problem = _refusal(709, f"Statement {query_id} not found")
        raise problem if isinstance(cursor, SnowflakeCursor) else SqlError("not found", errno=709)

    query_id = session.submit(f"INSERT INTO {table} VALUES (3, 1)", role=None, tag="thr_5:1")
    monkeypatch.setattr("snowflake.connector.cursor.SnowflakeCursor.query_result", lost)
    monkeypatch.setattr(WireCursor, "query_result", lost)
    outcome = session.outcome(query_id)
    assert (outcome.query_id, outcome.row_count) == (query_id, None)


def test_threads_that_share_a_session_get_their_own_rows(account):
    connection = mounted_connection.connect(
        EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN"
    )
    shared = mounted_connection.session(connection)
    with closing(connection), ThreadPoolExecutor(16) as pool:
        asked = [pool.submit(shared.sql(f"select {i} as n").collect) for i in range(64)]
        assert [[tuple(row) for row in one.result()] for one in asked] == [
            [(i,)] for i in range(64)
        ]
