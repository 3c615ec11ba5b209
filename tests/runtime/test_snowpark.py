"""A Snowpark session behind the port: what it sends, what it makes of answers and refusals.

The account here is scripted at the driver's own interface, so that every answer that Snowflake may
give can be given; `test_snowpark_embedded.py` runs the same session on the embedded account.
"""

from __future__ import annotations

import re
import threading
import time
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal

import pytest
from snowflake.connector.errors import DatabaseError, OperationalError, ProgrammingError

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.ports import QueryRows
from skills_nb.runtime.refusal_texts import words_of
from skills_nb.sql.json_values import json_safe
from tests.runtime.scripted_account import opened

ABSENT_TABLE = ProgrammingError(
    msg="SQL compilation error:\nObject 'T' does not exist or not authorized.",
    errno=2003,
    sqlstate="42S02",
    sfqid="01b-9",
    send_telemetry=False,
)
LOST = OperationalError(
    msg="Connection is closed", errno=250002, sqlstate="08003", send_telemetry=False
)


# --- queries


def test_a_query_returns_columns_rows_and_how_many_there_were():
    session, account = opened((r"^SELECT", (["A", "b"], [(1, "x"), (2, None), (3, "z")])))
    assert session.query("SELECT a, b FROM t", limit=2) == QueryRows(
        columns=("A", "b"),
        rows=((1, "x"), (2, None)),
        row_count=3,
        query_id="01b-1",
        types=("TEXT", "TEXT"),
    )
    assert account.sent == [("ADMIN", "SELECT a, b FROM t", None)]


def test_a_limit_of_nothing_still_counts_the_rows():
    session, _ = opened((r"^SELECT", (["A"], [(1,), (2,)])))
    assert session.query("SELECT a FROM t", limit=0).rows == ()
    assert session.query("SELECT a FROM t", limit=0).row_count == 2


def test_an_account_that_does_not_count_is_counted_by_what_came():
    session, _ = opened((r"^SHOW", (["name"], [("a",), ("b",)], None)))
    assert session.query("SHOW TABLES").row_count == 2


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (2.5, 2.5),
        (float("nan"), "NaN"),
        (float("-inf"), "-inf"),
        (Decimal("12"), 12),
        (Decimal("1E+3"), 1000),
        (Decimal("12.50"), "12.50"),
        (Decimal("0E-9"), "0.000000000"),
        (Decimal("99999999999999999999999999999999999999"), 10**38 - 1),
        (Decimal("NaN"), "NaN"),
        (date(2026, 2, 3), "2026-02-03"),
        (clock_time(1, 2, 3, 4), "01:02:03.000004"),
        (datetime(2026, 2, 3, 4, 5, 6), "2026-02-03T04:05:06"),
        (datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC), "2026-02-03T04:05:06+00:00"),
        (timedelta(hours=1, microseconds=250_000), "3600.25"),
        (timedelta(seconds=-100), "-100"),
        (b"\x00\xff", "00FF"),
        (bytearray(b"a"), "61"),
        ([Decimal("1.5"), (b"a",)], ["1.5", ["61"]]),
        ({"a": date(2026, 1, 1), 2: 3}, {"a": "2026-01-01", "2": 3}),
        ('{"variant": 1}', '{"variant": 1}'),
        (complex(1, 2), "(1+2j)"),
    ],
)
def test_values_are_json_safe_and_exact(value, safe):
    assert json_safe(value) == safe
    assert type(json_safe(value)) is type(safe)


# --- statements


def test_a_statement_carries_its_tag_alone_and_the_sessions_tag_stays():
    session, account = opened()
    outcome = session.execute("CREATE TABLE t (a INT)", role=None, tag="thr_1:7")
    session.query("SELECT 1")
    assert account.sent == [
        ("ADMIN", "CREATE TABLE t (a INT)", "thr_1:7"),
        ("ADMIN", "SELECT 1", None),
    ]
    assert (outcome.query_id, outcome.row_count) == ("01b-1", None)


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ((["number of rows inserted"], [(5,)], 5), 5),
        ((["number of rows updated", "number of multi-joined rows updated"], [(2, 0)], 2), 2),
        ((["number of rows deleted"], [(0,)], 0), 0),
        (
            (
                ["file", "status", "rows_parsed", "rows_loaded"],
                [("a", "LOADED", 9, 8), ("b", "LOADED", 1, 1)],
            ),
            9,
        ),
        ((["status"], [("Table T successfully created.",)]), None),
        ((["A"], [(1,), (2,)]), None),
    ],
)
def test_rows_are_counted_only_where_rows_changed(answer, count):
    session, _ = opened((r"^DO", answer))
    assert session.execute("DO it", role=None, tag="t").row_count == count


def test_a_load_whose_report_is_lost_has_succeeded_all_the_same():
    class Lost(list):
        def __iter__(self):
            raise LOST

    session, _ = opened((r"^COPY", (["file", "rows_loaded"], Lost(), 1)))
    outcome = session.execute("COPY INTO t FROM @s", role=None, tag="t")
    assert (outcome.query_id, outcome.row_count) == ("01b-1", None)


def test_the_duration_is_that_of_the_statement_and_not_of_the_role_change():
    def taking(seconds):
        def answer(_):
            time.sleep(seconds)
            return ["status"], [("ok",)]

        return answer

    session, _ = opened((r"^CREATE", taking(0.05)), (r"^USE ROLE", taking(0.6)))
    outcome = session.execute("CREATE ROLE r", role="SECURITY", tag="t")
    assert 0.05 <= outcome.duration_s < 0.6


def test_an_empty_statement_is_refused_and_the_cursor_closed():
    session, account = opened()
    with pytest.raises(SqlError, match="the statement is empty"):
        session.execute("  ", role=None, tag="t")
    assert session.query("SELECT 1").row_count == 1
    assert [sql for _, sql, _ in account.sent] == ["SELECT 1"]


# --- roles


def test_a_role_is_borrowed_for_one_statement():
    session, account = opened()
    session.execute("CREATE ROLE r", role="securityadmin", tag="t")
    assert account.sent == [
        ("ADMIN", "SELECT CURRENT_ROLE() AS NAME", None),
        ("ADMIN", "USE ROLE SECURITYADMIN", None),
        ("SECURITYADMIN", "CREATE ROLE r", "t"),
        ("SECURITYADMIN", "USE ROLE ADMIN", None),
    ]


@pytest.mark.parametrize("role", ["ADMIN", "admin", '"ADMIN"'])
def test_the_current_role_is_not_taken_again(role):
    session, account = opened()
    session.query("SELECT 1", role=role)
    assert [sql for _, sql, _ in account.sent] == ["SELECT CURRENT_ROLE() AS NAME", "SELECT 1"]


@pytest.mark.parametrize("role", ['"my ""own"" role"', 'my "own" role'])
def test_odd_role_names_are_quoted_in_both_directions(role):
    session, account = opened(role="lower case")
    session.query("SELECT 1", role=role)
    assert [sql for _, sql, _ in account.sent if sql.startswith("USE")] == [
        'USE ROLE "my ""own"" role"',
        'USE ROLE "lower case"',
    ]
    assert account.role == "lower case"


def test_a_refused_statement_gives_the_role_back():
    session, account = opened((r"^DROP", ABSENT_TABLE))
    with pytest.raises(SqlError):
        session.execute("DROP TABLE t", role="SECURITYADMIN", tag="t")
    assert account.role == "ADMIN"


def test_a_role_that_is_refused_stops_the_statement():
    refused = ProgrammingError(
        msg="Requested role 'X' is not assigned to the executing user.",
        errno=2043,
        sqlstate="02000",
        send_telemetry=False,
    )
    session, account = opened((r"^USE ROLE X", refused))
    with pytest.raises(SqlError, match="Requested role 'X' is not assigned"):
        session.execute("CREATE TABLE t (a INT)", role="X", tag="t")
    assert "CREATE TABLE t (a INT)" not in [sql for _, sql, _ in account.sent]
    assert account.role == "ADMIN"


def test_a_statement_that_succeeded_is_reported_even_if_the_role_cannot_be_given_back():
    session, account = opened((r"^USE ROLE ADMIN", LOST))
    outcome = session.execute("CREATE TABLE t (a INT)", role="SYSADMIN", tag="t")
    assert outcome.query_id == "01b-3"
    # What is owed is settled before anything else is sent, or said.
    with pytest.raises(SqlError, match="Connection is closed"):
        session.execute("CREATE TABLE u (a INT)", role=None, tag="u")
    account.answers.pop(0)
    session.execute("CREATE TABLE u (a INT)", role=None, tag="u")
    assert account.sent[-2:] == [
        ("SYSADMIN", "USE ROLE ADMIN", None),
        ("ADMIN", "CREATE TABLE u (a INT)", "u"),
    ]


# --- refusals


def test_a_refusal_has_snowflakes_number_state_words_and_query_id():
    session, _ = opened((r"^SELECT", ABSENT_TABLE))
    with pytest.raises(SqlError) as said:
        session.query("SELECT * FROM t")
    problem = said.value
    assert (problem.message, problem.errno, problem.sqlstate, problem.query_id) == (
        "SQL compilation error:\nObject 'T' does not exist or not authorized.",
        2003,
        "42S02",
        "01b-9",
    )


def test_a_lost_connection_keeps_its_number():
    session, _ = opened((r"^CREATE", LOST))
    with pytest.raises(SqlError) as said:
        session.execute("CREATE TABLE t (a INT)", role=None, tag="t")
    assert (said.value.errno, said.value.sqlstate) == (250002, "08003")


def test_a_refusal_without_a_number_has_none():
    nameless = DatabaseError(msg="no reason", send_telemetry=False)
    session, _ = opened((r"^SELECT", nameless))
    with pytest.raises(SqlError) as said:
        session.query("SELECT 1")
    assert (said.value.message, said.value.errno, said.value.sqlstate) == ("no reason", None, None)


def test_snowparks_own_exceptions_are_refusals_too():
    from snowflake.snowpark.exceptions import SnowparkSQLException

    raised = SnowparkSQLException(
        "(1304): 01b: 002003 (42S02): 01b: SQL compilation error: x", conn_error=ABSENT_TABLE
    )
    session, _ = opened((r"^SELECT", raised))
    with pytest.raises(SqlError) as said:
        session.query("SELECT 1")
    assert (said.value.errno, said.value.sqlstate) == (2003, "42S02")


@pytest.mark.parametrize(
    "message",
    [
        "SQL compilation error: x",
        "002003 (42S02): SQL compilation error: x",
        "002003 (42S02): 01b2a3c4-0000-1111-2222-333344445555: SQL compilation error: x",
        "002003: 2003: SQL compilation error: x",
        "(1304): 002003 (42S02): 002003 (42S02): SQL compilation error: x",
    ],
)
def test_words_have_no_prefix(message):
    assert words_of(message) == "SQL compilation error: x"


def test_a_fault_of_ours_is_not_dressed_up_as_the_accounts():
    session, _ = opened((r"^SELECT", ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        session.query("SELECT 1")


# --- context

FUNCTIONS = {
    "CURRENT_ACCOUNT": "XY12345",
    "CURRENT_ORGANIZATION_NAME": "MYORG",
    "CURRENT_ACCOUNT_NAME": "PROD",
    "CURRENT_REGION": "AWS_US_WEST_2",
    "CURRENT_ROLE": "ADMIN",
    "CURRENT_WAREHOUSE": "WH",
    "CURRENT_DATABASE": None,
    "CURRENT_SCHEMA": None,
    "CURRENT_USER": "ME",
    "CURRENT_AVAILABLE_ROLES": '["PUBLIC", "ADMIN"]',
}
WHOLE = AccountContext(
    account_locator="XY12345",
    account_name="MYORG-PROD",
    region="AWS_US_WEST_2",
    current_role="ADMIN",
    current_warehouse="WH",
    current_user="ME",
    available_roles=("ADMIN", "PUBLIC"),
)


def _told(sql: str, missing=()):
    names = re.findall(r"AS (\w+)", sql)
    if set(names) & set(missing):
        raise ProgrammingError(msg="Unknown function", errno=2140, send_telemetry=False)
    return names, [tuple(FUNCTIONS[name] for name in names)]


def test_the_context_is_told_by_one_statement():
    session, account = opened((r"^SELECT CURRENT_", _told))
    assert session.context() == WHOLE
    assert len(account.sent) == 1


def test_an_account_without_a_function_tells_the_rest():
    missing = ("CURRENT_ORGANIZATION_NAME", "CURRENT_AVAILABLE_ROLES")
    session, _ = opened((r"^SELECT CURRENT_", lambda sql: _told(sql, missing)))
    assert session.context() == WHOLE.model_copy(
        update={"account_name": "PROD", "available_roles": ()}
    )


def test_an_account_that_cannot_be_reached_has_no_context():
    session, _ = opened((r"^SELECT CURRENT_", LOST))
    with pytest.raises(SqlError, match="Connection is closed"):
        session.context()


# --- one at a time


def test_statements_of_several_threads_go_one_after_another():
    def slow(_):
        time.sleep(0.02)
        return ["A"], [(1,)]

    session, account = opened((r"^SELECT 1", slow))
    failures = []

    def ask(role):
        try:
            session.query("SELECT 1", role=role)
        except AssertionError as problem:
            failures.append(problem)

    threads = [threading.Thread(target=ask, args=(role,)) for role in (None, "R1", "R2", "R1")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    roles = [role for role, sql, _ in account.sent if sql == "SELECT 1"]
    assert sorted(roles) == ["ADMIN", "R1", "R1", "R2"]
    assert account.role == "ADMIN"


def test_closing_ends_the_session():
    session, account = opened()
    session.close()
    assert not account.is_open
    assert not account.connection.is_open


def test_a_session_that_cannot_be_ended_still_gives_up_its_connection():
    session, account = opened()
    account.end = LOST
    with pytest.raises(SqlError, match="Connection is closed"):
        session.close()
    assert not account.connection.is_open
