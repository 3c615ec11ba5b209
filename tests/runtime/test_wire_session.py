"""A login on the wire reads and says what the connector does, and costs none of its imports."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.snowpark import SnowparkSession
from skills_nb.runtime.wire_session import WireSession

ZONES = ["America/Los_Angeles", "UTC", "Asia/Kolkata", "Australia/Lord_Howe"]
VALUES = [
    "1",
    "-170141183460469231731687303715884105727",
    "12.50",
    "-0.01",
    "0::NUMBER(38, 37)",
    "1.5e300::FLOAT",
    "'NaN'::FLOAT",
    "'-inf'::FLOAT",
    "''",
    "'a''b\u00e9\u2028'",
    "NULL",
    "TRUE",
    "FALSE",
    "'1969-12-31'::DATE",
    "'0001-01-01'::DATE",
    "'9999-12-31'::DATE",
    "'23:59:59.999999000'::TIME",
    "'00:00:00'::TIME",
    "'2024-02-29 12:30:45.123456'::TIMESTAMP_NTZ",
    "'1969-12-31 23:59:59.5'::TIMESTAMP_NTZ",
    "'0001-01-01 00:00:00'::TIMESTAMP_NTZ",
    "'2024-07-01 12:00:00.000001'::TIMESTAMP_LTZ",
    "'1950-01-01 00:00:00'::TIMESTAMP_LTZ",
    "'2024-01-31 12:00:00 +05:45'::TIMESTAMP_TZ",
    "'1960-01-31 12:00:00.25 -11:30'::TIMESTAMP_TZ",
    "TO_BINARY('00FFAB', 'HEX')",
    "TO_BINARY('', 'HEX')",
    'PARSE_JSON(\'{"a": [1, null, "x"]}\')',
    "ARRAY_CONSTRUCT(1, NULL, 'x')",
    "OBJECT_CONSTRUCT('a', 1.5)",
    'TO_GEOGRAPHY(\'{"type": "Point", "coordinates": [1, 2]}\')',
]


@pytest.fixture(scope="module")
def account():
    with closing(Account.open()) as opened:
        yield opened


@pytest.fixture(scope="module")
def both(account):
    connection = mounted_connection.connect(
        EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
    )
    yield _login(account), connection
    connection.close()


def _login(account, user="ADMIN", role="ACCOUNTADMIN"):
    return WireSession(EmbeddedWire(account), user=user, role=role, warehouse="COMPUTE_WH")


def _told(connection, sql):
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        rows = cursor.fetchall()
        return [column.name for column in cursor.description], rows, cursor.rowcount


@pytest.mark.parametrize("zone", ZONES)
def test_every_value_is_read_as_the_connector_reads_it(both, zone):
    sql = "SELECT " + ", ".join(f"{value} AS C{at}" for at, value in enumerate(VALUES))
    read = []
    for connection in both:
        connection.cursor().execute(f"ALTER SESSION SET TIMEZONE = '{zone}'")
        read.append(_told(connection, sql))
    (ours, theirs) = read
    assert ours[0] == theirs[0]
    for value, here, there in zip(VALUES, ours[1][0], theirs[1][0], strict=True):
        alike = repr(here) == repr(there) if value.startswith("'NaN'") else here == there
        # The connector makes a bytearray of the bytes that come as Arrow.
        kind = bytes if isinstance(there, bytearray) else type(there)
        assert (value, alike, type(here)) == (value, True, kind)
        if hasattr(here, "isoformat"):
            assert here.isoformat() == there.isoformat(), value


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW ROLES",
        "SELECT 1 WHERE FALSE",
        "CREATE OR REPLACE TABLE COUNTED.PUBLIC.T AS SELECT 1 AS A",
        "INSERT INTO COUNTED.PUBLIC.T VALUES (2), (3)",
        "UPDATE COUNTED.PUBLIC.T SET A = A",
        "DELETE FROM COUNTED.PUBLIC.T WHERE A = 99",
    ],
)
def test_answers_have_the_connector_s_columns_and_counts(both, sql):
    told = []
    for connection in both:
        connection.cursor().execute("CREATE OR REPLACE DATABASE COUNTED")
        connection.cursor().execute("CREATE TABLE T AS SELECT 1 AS A")
        told.append(_told(connection, sql))
    ours, theirs = told
    assert (ours[0], ours[2]) == (theirs[0], theirs[2])


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT * FROM NO.SUCH.TABLE_HERE", "SELECT 1/0"])
def test_a_refusal_has_the_connector_s_number_and_words(both, sql):
    said = []
    for session in (both[0], mounted_connection.session(both[1])):
        with pytest.raises(SqlError) as refused:
            SnowparkSession(session, is_ours=False).query(sql)
        problem = refused.value
        said.append((problem.message, problem.errno, problem.sqlstate, bool(problem.query_id)))
    assert said[0] == said[1]


def test_a_login_is_refused_in_words(account):
    with pytest.raises(SqlError, match="ncorrect username"):
        _login(account, user="NOBODY")
    with pytest.raises(SqlError, match="NO_SUCH_ROLE"):
        _login(account, role="NO_SUCH_ROLE")


def test_parameters_are_bound_and_never_part_of_the_text(both):
    odd = "'; DROP TABLE X; -- %s"
    cursor = both[0].cursor().execute("SELECT %s, '100%%' , %s", (odd, "b"))
    assert cursor.fetchall() == [(odd, "100%", "b")]


def test_files_move_through_the_connector_on_the_same_session(account, tmp_path):
    (tmp_path / "a.csv").write_text("1\n2\n")
    login = _login(account)
    session = SnowparkSession(login)
    for sql in (
        "CREATE OR REPLACE DATABASE FILES",
        "CREATE TEMPORARY STAGE MINE",
        f"PUT 'file://{tmp_path}/a.csv' @MINE AUTO_COMPRESS = FALSE",
    ):
        session.execute(sql, role=None, tag="t")
    assert [row[0] for row in session.query("LIST @MINE").rows] == ["mine/a.csv"]
    moving = login.moving_files()
    session.close()
    assert moving.is_closed()


def test_snowpark_joins_the_very_session(account):
    login = _login(account)
    joined = mounted_connection.session(
        mounted_connection.join(login._wire, login.tokens, user=login.user)
    )
    login.cursor().execute("SET MINE = 'here'")
    assert joined.sql("SELECT $MINE").collect()[0][0] == "here"
    joined.sql("USE ROLE SYSADMIN").collect()
    assert SnowparkSession(login).context().current_role == "SYSADMIN"
    joined.connection.close()
    assert SnowparkSession(login).query("SELECT 1").rows == ((1,),)
    login.close()


def test_a_login_costs_none_of_snowflake_s_packages():
    code = (
        "import sys\n"
        "from skills_nb.embedded.engine.account import Account\n"
        "from skills_nb.embedded.wire import EmbeddedWire\n"
        "from skills_nb.runtime.snowpark import SnowparkSession\n"
        "from skills_nb.runtime.wire_session import WireSession\n"
        "wire = EmbeddedWire(Account.open())\n"
        "login = WireSession(wire, user='ADMIN', role='ACCOUNTADMIN', warehouse='COMPUTE_WH')\n"
        "print(SnowparkSession(login).query('SELECT 1').rows)\n"
        "heavy = ('snowflake.connector', 'snowflake.snowpark', 'pandas', 'pyarrow')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("((1,),)\n[]\n", "")
