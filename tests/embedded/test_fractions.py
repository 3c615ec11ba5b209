"""A moment between two microseconds is refused in words, wherever it comes from; never cut unsaid.

A type of fewer digits keeps what it says.
See https://docs.snowflake.com/en/sql-reference/data-types-datetime
"""

from collections.abc import Iterator
from datetime import datetime, time

import pytest

from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.executor.convert import converted
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.types.data_types import type_named
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

FINE = "2024-01-01 00:00:00.123456789"


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        opened.execute("create database d")
        opened.execute("create table t (n timestamp_ntz, l timestamp_ltz, z timestamp_tz, m time)")
        opened.execute("insert into t values ('2024-01-01', '2024-01-01', '2024-01-01', '00:00')")
        opened.execute(f"create table s (x varchar) as select '{FINE}'")
        yield opened


REFUSED = (
    f"select '{FINE}'::timestamp_ntz",
    f"select '{FINE}'::timestamp_ltz",
    f"select '{FINE} +0100'::timestamp_tz",
    f"select '{FINE}'::timestamp_ntz(9)",
    "select '10:00:00.0000001'::time",
    f"select timestamp '{FINE}'",
    f"select try_to_timestamp('{FINE}')",
    f"select try_cast('{FINE}' as timestamp_ntz)",
    f"select to_timestamp('{FINE}', 'YYYY-MM-DD HH24:MI:SS.FF9')",
    "select x::timestamp_ntz from s",
    "select to_timestamp_ntz(1700000000123456789, 9)",
    "select to_timestamp_ntz('1700000000123456789')",
    "select to_timestamp_ltz(1700000000.1234567)",
    "select timestamp_ntz_from_parts(2024, 1, 1, 1, 1, 1, 1)",
    "select timestamp_ltz_from_parts(2024, 1, 1, 1, 1, 1, 1)",
    "select timestamp_tz_from_parts(2024, 1, 1, 1, 1, 1, 1, 'UTC')",
    "select time_from_parts(1, 2, 3, 4001)",
    f"select parse_json('\"{FINE}\"')::timestamp_ntz",
    f"select as_timestamp_ntz(parse_json('\"{FINE}\"'))",
    "select as_time(parse_json('\"10:00:00.0000001\"'))",
    f"select count(*) from t where n = '{FINE}'",
    f"select count(*) from t where l > '{FINE}'",
    f"select count(*) from t where n in ('2023-01-01', '{FINE}')",
    f"select count(*) from t where n between '2023-01-01' and '{FINE}'",
    f"select coalesce(nullif(n, n), '{FINE}') from t",
    f"select iff(n is null, n, '{FINE}') from t",
    f"select case when n is null then n else '{FINE}' end from t",
    f"select greatest(n, '{FINE}') from t",
    f"select dateadd(day, 1, '{FINE}')",
    "select dateadd(ns, 1, n) from t",
    "select n + interval '5 ns' from t",
    "select n + interval '1 day, 999 nanoseconds' from t",
    f"insert into t (n) values ('{FINE}')",
    f"insert into t (l) select '{FINE}'",
    f"insert into t (z) values ('{FINE}')",
    "insert into t (m) values ('10:00:00.0000001')",
    f"update t set n = '{FINE}'",
    "merge into t using s on true when matched then update set n = s.x",
)


@pytest.mark.parametrize("sql", REFUSED)
def test_what_would_be_lost_is_refused(session: AccountSession, sql: str) -> None:
    before = rows(session, "select * from t")
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")
    assert "nanoseconds below a microsecond" in refused.value.message
    assert rows(session, "select * from t") == before


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("'2024-01-01 00:00:00.123456000'::timestamp_ntz", datetime(2024, 1, 1, 0, 0, 0, 123456)),
        (f"'{FINE}'::timestamp_ntz(6)", datetime(2024, 1, 1, 0, 0, 0, 123456)),
        (f"'{FINE}'::timestamp_ntz(3)", datetime(2024, 1, 1, 0, 0, 0, 123000)),
        ("'2024-01-01 00:00:00.999'::timestamp_ntz(0)", datetime(2024, 1, 1)),
        ("to_timestamp_ntz('2024-01-01 00:00:00.999')::timestamp_ntz(0)", datetime(2024, 1, 1)),
        ("'10:00:00.987654'::time(2)", time(10, 0, 0, 980000)),
        (f"'{FINE}'::date::varchar", "2024-01-01"),
        ("to_timestamp_ntz(1700000000123456000, 9)", datetime(2023, 11, 14, 22, 13, 20, 123456)),
        ("to_timestamp_ntz(1700000000123457, 6)", datetime(2023, 11, 14, 22, 13, 20, 123457)),
        ("to_timestamp_ntz(column1 / 1000)", datetime(2023, 11, 14, 22, 13, 20, 123000)),
        ("timestamp_ntz_from_parts(2024, 1, 1, 1, 1, 1, 5000)", datetime(2024, 1, 1, 1, 1, 1, 5)),
        ("time_from_parts(1, 2, 3, 4000)", time(1, 2, 3, 4)),
        ("'2024-01-01'::timestamp_ntz + interval '5000 ns'", datetime(2024, 1, 1, 0, 0, 0, 5)),
        ("'2024-01-01'::timestamp_ntz(3)::varchar", "2024-01-01 00:00:00.000"),
    ],
)
def test_what_is_kept_is_exact(session: AccountSession, value: str, kept: object) -> None:
    assert rows(session, f"select {value} from values (1700000000123)") == [(kept,)]


def test_a_column_of_fewer_digits_cuts(session: AccountSession) -> None:
    session.execute("create table p (a timestamp_ntz(3), b time(0), c timestamp_tz(1))")
    session.execute(f"insert into p values ('{FINE}', '10:00:00.9', '{FINE} +0100')")
    session.execute("insert into p select a + interval '1 us', b, c from p")
    found = rows(session, "select a, b, to_varchar(c, 'FF9 TZH') from p")
    assert set(found) == {(datetime(2024, 1, 1, 0, 0, 0, 123000), time(10), "100000000 +01")}


@pytest.mark.parametrize("kind", ["timestamp_ntz", "timestamp_ltz", "timestamp_tz", "time"])
def test_a_file_and_a_bound_value_are_refused_too(session: AccountSession, kind: str) -> None:
    text = FINE[11:] if kind == "time" else FINE
    with pytest.raises(SqlError, match="nanoseconds"):
        converted(text, ColumnDef("A", type_named(kind)), Format("CSV"))
    converted(text, ColumnDef("A", type_named(f"{kind}(6)")), Format("CSV"))
    bound = {"1": {"type": kind.upper(), "value": "1001"}}
    with pytest.raises(SqlError, match="nanoseconds"):
        session.execute("select ?", bindings=bound)
    session.execute("select ?", bindings={"1": {"type": kind.upper(), "value": "1000"}})
