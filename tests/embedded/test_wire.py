"""The real connector and Snowpark over the wire, in this process."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from skills_nb.embedded.engine import cancellation
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection

Connect = Callable[..., Any]


@pytest.fixture
def connect(account: Account, admin: AccountSession) -> Iterator[Connect]:
    wire = EmbeddedWire(account)
    opened: list[Any] = []

    def make(**options: Any) -> Any:
        given = {"user": "ADMIN", "role": "ANALYST", "database": "SHOP", "schema": "SALES"}
        opened.append(mounted_connection.connect(wire, **{**given, **options}))
        return opened[-1]

    yield make
    for connection in opened:
        connection.close()


def test_a_cursor_reads_types_and_masked_values(connect: Connect) -> None:
    cursor = connect().cursor()
    cursor.execute(
        "select id, ssn, '2024-01-31'::date d, 1.50 n, true b, null x, "
        "'2024-01-31 10:11:12.5'::timestamp t from people order by id limit 1"
    )
    assert [str(value) for value in cursor.fetchone()] == [
        "1",
        "***",
        "2024-01-31",
        "1.50",
        "True",
        "None",
        "2024-01-31 10:11:12.500000",
    ]
    assert [c.name for c in cursor.description] == ["ID", "SSN", "D", "N", "B", "X", "T"]


@pytest.mark.parametrize("options", [{"user": "NOBODY"}, {"role": "SYSADMINX"}, {"role": "NOPE"}])
def test_strangers_and_foreign_roles_are_refused(connect: Connect, options: dict[str, str]) -> None:
    from snowflake.connector.errors import DatabaseError

    with pytest.raises(DatabaseError) as refused:
        connect(**options)
    assert refused.value.errno in (390100, 390189, 250001)


def test_an_error_carries_number_state_and_query_id(connect: Connect) -> None:
    from snowflake.connector.errors import ProgrammingError

    cursor = connect().cursor()
    with pytest.raises(ProgrammingError) as refused:
        cursor.execute("select * from nowhere")
    assert (refused.value.errno, refused.value.sqlstate) == (2003, "42S02")
    assert refused.value.sfqid
    assert "does not exist or not authorized" in str(refused.value)


def test_the_connection_follows_use(connect: Connect) -> None:
    connection = connect(role="ACCOUNTADMIN")
    connection.cursor().execute("create schema shop.other")
    connection.cursor().execute("use role analyst")
    assert (connection.role, connection.database, connection.schema) == ("ANALYST", "SHOP", "OTHER")


def test_bindings_single_and_many(connect: Connect) -> None:
    connection = connect(role="ACCOUNTADMIN", paramstyle="qmark")
    cursor = connection.cursor()
    cursor.execute("create table bound (a int, b string, d date, f float)")
    import datetime

    day = datetime.date(2024, 2, 29)
    cursor.execute("insert into bound values (?, ?, ?, ?)", (1, "it's", day, 0.5))
    cursor.executemany(
        "insert into bound values (?, ?, ?, ?)", [(2, None, day, 1.5), (3, "c", day, None)]
    )
    cursor.execute("select * from bound where a >= ? order by a", (1,))
    assert cursor.fetchall() == [(1, "it's", day, 0.5), (2, None, day, 1.5), (3, "c", day, None)]


def test_several_statements_in_one_request(connect: Connect) -> None:
    cursor = connect().cursor()
    cursor.execute("select 1; select 2", num_statements=2)
    found = [cursor.fetchall()]
    while cursor.nextset():
        found.append(cursor.fetchall())
    assert found == [[(1,)], [(2,)]]


def test_an_asynchronous_query_is_fetched_later(connect: Connect) -> None:
    connection = connect()
    cursor = connection.cursor()
    cursor.execute_async("select count(*) from people")
    query_id = cursor.sfqid
    other = connection.cursor()
    other.get_results_from_sfqid(query_id)
    assert other.fetchall() == [(3,)]
    assert not connection.is_still_running(connection.get_query_status(query_id))


SLOW = "select count(*) from numbers a, numbers b where a.n + b.n > 7"
"""Takes minutes: ten billion pairs."""


@pytest.fixture
def slow(connect: Connect) -> Any:
    connection = connect(role="ACCOUNTADMIN")
    connection.cursor().execute(
        "create table numbers as select seq4() as n from table(generator(rowcount => 100000))"
    )
    return connection


def test_an_asynchronous_query_runs_beside_its_client_until_it_is_cancelled(
    connect: Connect, slow: Any
) -> None:
    cursor, other = slow.cursor(), connect().cursor()
    cursor.execute_async(SLOW)
    running = slow.get_query_status(cursor.sfqid)
    said = other.execute(f"select system$cancel_query('{cursor.sfqid}')").fetchone()
    while slow.is_still_running(slow.get_query_status(cursor.sfqid)):
        time.sleep(0.05)
    ended = slow.get_query_status(cursor.sfqid)
    assert (running.name, ended.name) == ("RUNNING", "FAILED_WITH_ERROR")
    assert said == (f"query [{cursor.sfqid}] terminated.",)
    assert slow.cursor().execute("select 1").fetchone() == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "select 'system$cancel_query(''{0}'')' as a",
        "select 1 as a -- system$cancel_query('{0}')",
        "explain select system$cancel_query('{0}')",
    ],
)
def test_who_only_speaks_of_cancelling_cancels_nothing(
    account: Account, admin: AccountSession, said: str
) -> None:
    other = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    with cancellation.Watch(other, "running", None) as watch:
        admin.execute(said.format("running"))
        assert watch.reason is None
        admin.execute("select system$cancel_query('running')", describe_only=True)
        assert watch.reason is None


@pytest.mark.parametrize(
    "said",
    [
        "select system$cancel_query('{0}')",
        "select system$cancel_query('{0}') as a, 1 as b",
        "call system$cancel_query('{0}')",
        "execute immediate 'select system$cancel_query(\\'{0}\\')'",
        "show roles ->> select system$cancel_query('{0}')",
        "begin select system$cancel_query('{0}'); end",
    ],
)
def test_whoever_calls_it_cancels(account: Account, admin: AccountSession, said: str) -> None:
    other = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    with cancellation.Watch(other, "running", None) as watch:
        admin.execute(said.format("running"))
        assert watch.reason is not None


def test_several_statements_that_are_only_described_change_nothing(
    connect: Connect, admin: AccountSession
) -> None:
    from snowflake.connector.errors import ProgrammingError

    cursor = connect(role="ACCOUNTADMIN").cursor()
    with pytest.raises(ProgrammingError, match="not found"):  # what did not run left no result
        cursor.describe("delete from people; drop table people", num_statements=2)
    assert admin.execute("select count(*) from people").rows == ((3,),)


def test_what_runs_no_more_is_not_cancelled(connect: Connect) -> None:
    cursor = connect().cursor()
    cursor.execute("select 1")
    said = cursor.execute(f"select system$cancel_query('{cursor.sfqid}')").fetchone()
    assert said == ("Identified SQL statement is not currently executing.",)


def test_snowpark_collects_beside_its_client(connect: Connect) -> None:
    session = mounted_connection.session(connect())
    job = session.table("people").select("name").sort("name").collect_nowait()
    assert [row[0] for row in job.result()] == ["Ann", "Bob", "Cy"]
    assert job.is_done()


@pytest.mark.slow
def test_a_client_that_waits_no_longer_ends_its_statement(slow: Any) -> None:
    from snowflake.connector.errors import ProgrammingError

    with pytest.raises(ProgrammingError) as refused:
        slow.cursor().execute(SLOW, timeout=1)
    assert refused.value.errno in (604, 630)
    assert slow.cursor().execute("select 1").fetchone() == (1,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit",
    [
        "alter session set statement_timeout_in_seconds = 1",
        "alter warehouse compute_wh set statement_timeout_in_seconds = 1",
        "alter account set statement_timeout_in_seconds = 1",
    ],
)
def test_a_statement_ends_when_its_time_is_over(slow: Any, limit: str) -> None:
    from snowflake.connector.errors import ProgrammingError

    cursor = slow.cursor()
    cursor.execute("use warehouse compute_wh")
    cursor.execute(limit)
    with pytest.raises(ProgrammingError, match=r"timeout of 1 second\(s\)") as refused:
        cursor.execute(SLOW)
    assert (refused.value.errno, refused.value.sqlstate) == (630, "57014")


def test_trouble_of_our_own_is_an_error_with_a_number_and_the_session_goes_on(
    connect: Connect, account: Account, caplog: pytest.LogCaptureFixture
) -> None:
    from snowflake.connector.errors import ProgrammingError

    connection = connect(role="ACCOUNTADMIN")
    account.catalog.put = None  # type: ignore[method-assign,assignment] # breaks the account
    with (
        caplog.at_level(logging.ERROR, "skills_nb.embedded"),
        pytest.raises(ProgrammingError, match="incident") as refused,
    ):
        connection.cursor().execute("alter table people add column extra int")
    del account.catalog.put
    assert (refused.value.errno, refused.value.sqlstate) == (603, "XX000")
    assert "incident" in caplog.text
    found = connection.cursor().execute(
        "select execution_status from table(shop.information_schema.query_history()) "
        "where query_text like 'alter table people add%'"
    )
    assert found.fetchall() == [("FAILED_WITH_INCIDENT",)]


def test_a_request_that_makes_no_sense_is_answered(account: Account) -> None:
    answer = EmbeddedWire(account).handle(
        "POST", "http://x/session/v1/login-request", {}, {"data": 7}
    )
    assert (answer["success"], answer["code"]) == (False, "000603")


def test_without_autocommit_changes_wait_for_the_commit(connect: Connect) -> None:
    one = connect(role="ACCOUNTADMIN", autocommit=False)
    other = connect(role="ACCOUNTADMIN")
    count = "select count(*) from people"
    one.cursor().execute("insert into people values (4, 'Di', '444', 'EU')")
    before = other.cursor().execute(count).fetchone()
    one.rollback()
    undone = one.cursor().execute(count).fetchone()
    one.cursor().execute("delete from people")
    one.commit()
    assert (before, undone, other.cursor().execute(count).fetchone()) == ((3,), (3,), (0,))


def test_turning_autocommit_on_commits(connect: Connect) -> None:
    connection = connect(role="ACCOUNTADMIN", autocommit=False)
    connection.cursor().execute("delete from people")
    connection.autocommit(True)
    connection.rollback()
    assert connection.cursor().execute("select count(*) from people").fetchone() == (0,)


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("NONSENSE", 1, 1420),
        ("WEEK_START", 8, 1008),
        ("TIMEZONE", "Mars/Olympus", 1008),
        ("UNSUPPORTED_DDL_ACTION", "FAIL", 2),
    ],
)
def test_a_login_with_a_parameter_that_cannot_be_followed_is_refused(
    connect: Connect, name: str, value: object, number: int
) -> None:
    from snowflake.connector.errors import DatabaseError

    with pytest.raises(DatabaseError) as refused:
        connect(session_parameters={name: value})
    assert f"{number:06d}" in str(refused.value) or refused.value.errno == number


def test_a_client_gets_moments_in_the_zone_of_its_session(connect: Connect) -> None:
    cursor = connect(session_parameters={"TIMEZONE": "Europe/Berlin"}).cursor()
    cursor.execute("select '2024-07-01 12:00:00'::timestamp_ltz")
    ((summer,),) = cursor.fetchall()
    cursor.execute("alter session set timezone = 'Asia/Tokyo'")
    cursor.execute("select '2024-07-01 12:00:00'::timestamp_ltz")
    ((moved,),) = cursor.fetchall()
    assert [summer.isoformat(), moved.isoformat()] == [
        "2024-07-01T12:00:00+02:00",
        "2024-07-01T12:00:00+09:00",
    ]


def test_what_a_client_says_for_itself_at_a_login_asks_nothing_of_the_account(
    connect: Connect,
) -> None:
    cursor = connect(session_parameters={"DISABLE_OCSP_CHECKS": True}).cursor()
    assert cursor.execute("show parameters like 'disable_ocsp%'").fetchall() == []


def test_a_statement_is_described_before_its_values_are_bound(
    account: Account, admin: AccountSession
) -> None:
    wire = EmbeddedWire(account)
    data = {"LOGIN_NAME": "ADMIN", "CLIENT_APP_ID": "PythonConnector"}
    login = wire.handle("POST", "/session/v1/login-request", {}, {"data": data})
    headers = {"Authorization": f'Snowflake Token="{login["data"]["token"]}"'}

    def described(sql: str, *, describe_only: bool = True) -> Any:
        body = {"sqlText": sql, "describeOnly": describe_only}
        return wire.handle("POST", "/queries/v1/query-request", headers, body)

    into = "insert into shop.sales.people "
    assert described(into + "values (?, ?, ?)")["data"]["arrayBindSupported"] is True
    assert described(into + "select ?, ?, ?")["data"]["arrayBindSupported"] is False
    assert described("select ? as a")["data"]["rowtype"][0]["name"] == "A"
    assert described("select ?", describe_only=False)["code"] == "002049"


def test_describe_runs_nothing(connect: Connect, admin: AccountSession) -> None:
    cursor = connect(role="ACCOUNTADMIN").cursor()
    described = cursor.describe("delete from people")
    assert [c.name for c in described] == ["number of rows deleted"]
    assert cursor.execute("select count(*) from people").fetchone() == (3,)


def test_a_statement_is_tagged_by_session_and_by_request(connect: Connect) -> None:
    connection = connect(role="ACCOUNTADMIN", session_parameters={"QUERY_TAG": "whole"})
    cursor = connection.cursor()
    cursor.execute("select 'first'")
    cursor.execute("select 'second'", _statement_params={"QUERY_TAG": "one"})
    cursor.execute("alter session set query_tag = 'later'")
    cursor.execute("select 'third'")
    cursor.execute(
        "select query_text, query_tag, execution_status from table(shop.information_schema."
        "query_history_by_session()) where query_text like 'select ''%' order by start_time"
    )
    assert cursor.fetchall() == [
        ("select 'first'", "whole", "SUCCESS"),
        ("select 'second'", "one", "SUCCESS"),
        ("select 'third'", "later", "SUCCESS"),
    ]


def test_snowpark_frames_work_and_stay_masked(connect: Connect) -> None:
    session = mounted_connection.session(connect())
    frame = session.table("people").select("name", "ssn").filter("id < 3").sort("name")
    assert [tuple(row) for row in frame.collect()] == [("Ann", "***"), ("Bob", "***")]
    made = session.create_dataframe([(1, "a"), (2, None)], schema=["x", "y"])
    assert [tuple(row) for row in made.filter("x > 1").collect()] == [(2, None)]
    joined = session.table("people").join(session.table("people"), "id")
    assert "111-11" not in str(joined.collect())
    assert session.table("people").filter("ssn = '111-11'").count() == 0


def test_snowpark_writes_tables(connect: Connect) -> None:
    session = mounted_connection.session(connect(role="ACCOUNTADMIN"))
    rows = [(i, f"v{i}") for i in range(700)]
    session.create_dataframe(rows, schema=["a", "b"]).write.save_as_table("many")
    assert session.table("many").count() == 700
    session.table("many").update({"b": "x"}, session.table("many")["a"] < 10)
    assert session.table("many").filter("b = 'x'").count() == 10
    assert session.table("many").delete(session.table("many")["a"] >= 10).rows_deleted == 690


def test_pandas_reads_what_the_role_may_see(connect: Connect) -> None:
    pytest.importorskip("pandas")
    frame = mounted_connection.session(connect()).table("people").to_pandas()
    assert frame["SSN"].tolist() == ["***"] * 3


def test_two_connections_share_the_account(connect: Connect) -> None:
    one, two = connect(role="ACCOUNTADMIN"), connect(role="ACCOUNTADMIN")
    one.cursor().execute("create table shared as select 7 as n")
    assert two.cursor().execute("select n from shared").fetchone() == (7,)


def test_a_closed_session_is_gone(account: Account, connect: Connect) -> None:
    wire = EmbeddedWire(account)
    answer = wire.handle("POST", "http://x/queries/v1/query-request", {}, {"sqlText": "select 1"})
    assert (answer["success"], answer["code"]) == (False, "390111")


def test_an_unknown_address_is_refused(account: Account) -> None:
    answer = EmbeddedWire(account).handle("GET", "http://x/nowhere", {}, {})
    assert (answer["success"], answer["code"]) == (False, "000002")
