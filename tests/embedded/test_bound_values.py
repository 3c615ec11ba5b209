"""A bound value is a value of its declared type, and never anything else."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.embedded import errors
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.session.bound_values import read, received
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError
from skills_nb.runtime import mounted_connection

from .conftest import rows

SECRET = '(select max(ssn) from "SHOP.SALES"."PEOPLE")'
TEXTS = [
    "(SELECT count(*) FROM duckdb_tables())",
    "1; CREATE TABLE main.pwned(x int); SELECT 1",
    SECRET,
    "1) UNION ALL SELECT 1 --",
    "1 /*",
    "0 OR TRUE",
    "x'); SELECT getenv('HOME'); --",
    "') AS v, (SELECT 1",
    "NULL",
    "current_setting('threads')",
    "getvariable('moment')",
    "$$1$$",
    "?",
    "$1",
    "1::int",
    "0x1F",
    "1_000",
    "١٢",
    "1e999999999",
    "9" * 39,
    "",
    " ",
    "\x00",
    "1\x00",
    "'",
    '"',
]
KINDS = {
    "FIXED": {100038},
    "REAL": {100038},
    "BINARY": {100115},
    "BOOLEAN": {100037},
    "DATE": {100040},
    "TIME": {100108},
    "TIMESTAMP_NTZ": {100035},
    "TIMESTAMP_LTZ": {100035},
    "TIMESTAMP_TZ": {100035},
    "VARIANT": {100069},
    "OBJECT": {100069},
    "ARRAY": {100069},
    "GEOGRAPHY": {2},
    "fixed": {2},
    "INT); SELECT (1": {2},
}
READABLE = {
    ("REAL", "1e999999999"),
    ("REAL", "9" * 39),
    ("BINARY", ""),
    ("VARIANT", "1e999999999"),
    ("VARIANT", "9" * 39),
}
PLACES = [
    "select ? as v",
    "select id from people limit ?",
    "select id from people limit 1 offset ?",
    "select top ? id from people",
    "select id from people order by ?",
    "select id from people where id = ?",
    "select id from people where name like ?",
    "select id from people where id in (?, 2)",
    "select * from (values (?)) x",
    "select max(id) from people having max(id) > ?",
    "select id from people sample (? rows)",
    "select id from people at (offset => ?)",
    "select cast('1' as number(?, 0)) as v",
    "select abs(?) as v",
    "select * from table(flatten(input => ?))",
    "select seq4() as v from table(generator(rowcount => ?))",
    "select to_char(1, ?) as v",
    "select date_trunc(?, current_date) as v",
    "set held = ?",
    "update people set id = ? where id = 1",
    "delete from people where id = ?",
    "merge into people using (select 1 as i) s on people.id = ? when matched then delete",
    "insert into people (id) values (?)",
    "create table copied as select ? as v",
    "create table shop.sales.filled (a int default ?)",
    "call system$wait(?)",
]


NAMING = [
    "select * from identifier(?)",
    "select * from table(?)",
    "select identifier(?) from people",
    "create table identifier(?) (a int)",
    "insert into identifier(?) values (1)",
    "drop table identifier(?)",
    "use role identifier(?)",
    "call identifier(?)()",
    "execute immediate ?",
    "begin let x := ?; execute immediate :x; end",
    "select get_ddl('table', ?)",
    "comment on table people is ?",
    "show tables like ?",
    "alter session set query_tag = ?",
    "copy into @~ from people file_format = (type = csv field_delimiter = ?)",
    "select * from people pivot (max(id) for name in (?))",
    "select * from (select 1 as a) unpivot (v for n in (?))",
    "select * from table(information_schema.query_history(result_limit => ?))",
]
NAMES = [
    "duckdb_tables",
    "duckdb_tables()",
    '"_account"."record"',
    'temp.main."__rows_1"',
    '"SHOP.SALES"."PEOPLE"',
    "select * from duckdb_tables()",
    "/etc/passwd",
    "people; drop table people",
]


def bound(kind: str, value: object) -> dict[str, Any]:
    return {"1": {"type": kind, "value": value}}


def outcome(session: AccountSession, sql: str, sent: object) -> object:
    """Return the rows, or the words of the refusal, which is no trouble of the account's own."""
    try:
        return session.execute(sql, bindings=sent).rows
    except SqlError as error:
        refused = error
    assert refused.errno not in (None, errors.INCIDENT)
    str(refused).encode()
    return str(refused)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_is_not_of_the_type_is_refused_in_snowflakes_words(
    analyst: AccountSession, kind: str
) -> None:
    for text in TEXTS:
        if (kind, text) not in READABLE:
            with pytest.raises(SqlError) as refused:
                analyst.execute("select ? as v", bindings=bound(kind, text))
            assert refused.value.errno in KINDS[kind], text


@pytest.mark.parametrize("place", PLACES)
def test_nowhere_in_a_statement_is_a_value_read_as_sql(
    analyst: AccountSession, admin: AccountSession, place: str
) -> None:
    before = rows(admin, "select * from people order by id")
    for kind, text in product(("FIXED", "REAL", "BINARY"), TEXTS[:3]):
        with pytest.raises(SqlError) as refused:
            analyst.execute(place, bindings=bound(kind, text))
        assert refused.value.errno != errors.INCIDENT
    assert rows(admin, "select * from people order by id") == before
    assert [r[1] for r in admin.execute("show tables in account").rows] == ["PEOPLE"]


@pytest.mark.parametrize("place", PLACES)
def test_a_text_stays_a_text(analyst: AccountSession, admin: AccountSession, place: str) -> None:
    for text in (SECRET, "x' or '1'='1", "1; drop table people", "a\x00b", "\\'"):
        found = repr(outcome(analyst, place, bound("TEXT", text)))
        assert not any(secret in found for secret in ("111-11", "222-22", "333-33"))
    assert admin.execute("select count(*) from people").rows[0][0] >= 3


@pytest.mark.parametrize("place", NAMING)
def test_a_name_that_is_bound_names_nothing_below_the_account(
    analyst: AccountSession, admin: AccountSession, place: str
) -> None:
    for text in NAMES:
        found = repr(outcome(analyst, place, bound("TEXT", text))).replace(repr(text)[1:-1], "")
        assert not any(hidden in found for hidden in ("111-11", "222-22", "root:"))
    assert [r[1] for r in admin.execute("show tables in account").rows] == ["PEOPLE"]
    assert admin.execute("select count(*) from people").rows == ((3,),)


VALUES = [
    ("FIXED", "1", 1),
    ("FIXED", "-1.50", Decimal("-1.50")),
    ("FIXED", " 7 ", 7),
    ("FIXED", "1E+5", 100_000),
    ("FIXED", 5, 5),
    ("FIXED", "9" * 38, int("9" * 38)),
    ("FIXED", "0." + "1" * 50, Decimal("0." + "1" * 37)),
    ("REAL", "1.5", 1.5),
    ("REAL", "-inf", float("-inf")),
    ("REAL", 2, 2.0),
    ("BINARY", "abCD", b"\xab\xcd"),
    ("BINARY", "", b""),
    ("BOOLEAN", "true", True),
    ("BOOLEAN", "OFF", False),
    ("BOOLEAN", True, True),
    ("DATE", "1700000000000", date(2023, 11, 14)),
    ("DATE", "-1", date(1969, 12, 31)),
    ("DATE", "2024-02-29", date(2024, 2, 29)),
    ("TIME", "3600000001000", time(1, 0, 0, 1)),
    ("TIMESTAMP_NTZ", "1700000000123456000", datetime(2023, 11, 14, 22, 13, 20, 123456)),
    ("TIMESTAMP_LTZ", "0", datetime(1970, 1, 1, tzinfo=UTC)),
    ("TIMESTAMP_TZ", "0 1500", datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))),
    ("TEXT", "o'x \\ \n", "o'x \\ \n"),
    ("TEXT", 5, "5"),
    ("TEXT", None, None),
    ("ANY", None, None),
    ("FIXED", None, None),
    ("VARIANT", '{"a": 1}', '{\n  "a": 1\n}'),
    (None, "x", "x"),
]


@pytest.mark.parametrize(("kind", "sent", "found"), VALUES)
def test_a_value_of_its_type_arrives(
    admin: AccountSession, kind: str, sent: object, found: object
) -> None:
    assert admin.execute("select ? as v", bindings=bound(kind, sent)).rows == ((found,),)


@pytest.mark.parametrize(("kind", "sent", "found"), [v for v in VALUES if v[0] not in ("ANY",)])
def test_a_value_of_its_type_arrives_in_a_batch(
    admin: AccountSession, kind: str, sent: object, found: object
) -> None:
    column = column_for(kind or "TEXT", found)
    admin.execute(f"create table batch (v {column})")
    admin.execute("insert into batch values (?)", bindings=bound(kind, [sent, sent]))
    assert rows(admin, "select * from batch") == [(found,)] * 2


def column_for(kind: str, value: object) -> str:
    if kind != "FIXED":
        return {"TEXT": "varchar", "REAL": "float"}.get(kind, kind)
    behind = -Decimal(str(value)).as_tuple().exponent if value is not None else 0
    return f"number(38, {behind})"


@pytest.mark.parametrize(
    ("sent", "errno"),
    [
        ([], 2049),
        ([1], 1003),
        ("x", 1003),
        (7, 1003),
        ({"1": 5}, 1003),
        ({"1": None}, 1003),
        ({"1": []}, 1003),
        ({"1": {"type": "TEXT"}}, 1003),
        ({"1": {"type": 5, "value": "x"}}, 1003),
        ({"1": {"type": ["TEXT"], "value": "x"}}, 1003),
        ({"1": {"type": "TEXT", "value": {"a": 1}}}, 1003),
        ({"1": {"type": "TEXT", "value": [["a"]]}}, 1003),
        ({"1": {"type": "TEXT", "value": [{}]}}, 1003),
        ({"1": {"type": "TEXT", "value": []}}, 2),
        ({"one": {"type": "TEXT", "value": "x"}}, 2049),
        ({"0": {"type": "TEXT", "value": "x"}}, 2049),
        ({"1 ": {"type": "TEXT", "value": "x"}}, 2049),
        ({"-1": {"type": "TEXT", "value": "x"}}, 2049),
        ({"1": {"type": "TEXT", "value": "\ud800"}}, 100144),
    ],
)
def test_bindings_of_another_form_are_refused(
    admin: AccountSession, sent: object, errno: int
) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute("select ? as v", bindings=sent)
    assert refused.value.errno == errno
    str(refused.value).encode()


@pytest.mark.parametrize(
    "sent",
    [
        {"1": {"type": "FIXED", "value": ["1"]}, "2": {"type": "TEXT", "value": ["a", "b"]}},
        {"1": {"type": "FIXED", "value": "1"}, "2": {"type": "TEXT", "value": ["a", "b"]}},
        {
            "1": {"type": "FIXED", "value": ["1", "2; x"]},
            "2": {"type": "TEXT", "value": ["a", "b"]},
        },
    ],
)
def test_a_batch_of_unequal_lists_or_wrong_values_inserts_nothing(
    admin: AccountSession, sent: object
) -> None:
    with pytest.raises(SqlError):
        admin.execute("insert into people (id, name) values (?, ?)", bindings=sent)
    assert rows(admin, "select count(*) from people") == [(3,)]


# ---- over the wire


@pytest.fixture
def cursor(account: Account, analyst: AccountSession) -> Iterator[Any]:
    connection = mounted_connection.connect(
        EmbeddedWire(account),
        user="ADMIN",
        role="ANALYST",
        database="SHOP",
        schema="SALES",
        paramstyle="qmark",
    )
    yield connection.cursor()
    connection.close()


@pytest.mark.parametrize("kind", ["FIXED", "REAL", "BINARY", "BOOLEAN", "DATE", "TIMESTAMP_TZ"])
def test_no_client_gets_below_the_policies_with_a_value(cursor: Any, kind: str) -> None:
    from snowflake.connector.errors import Error

    for sql, text in product(("select ? as v", "select name from people limit ?"), TEXTS[:9]):
        with pytest.raises(Error) as refused:
            cursor.execute(sql, [(kind, text)])
        assert refused.value.errno in KINDS[kind]


def test_a_batch_of_the_connectors_is_read_by_type(cursor: Any, admin: AccountSession) -> None:
    from snowflake.connector.errors import Error

    cursor.executemany("insert into people (id, name) values (?, ?)", [(8, "x'"), (9, "y")])
    with pytest.raises(Error):
        cursor.executemany("insert into people (id) values (?)", [[("FIXED", SECRET)]] * 2)
    with pytest.raises(Error):
        cursor.executemany("delete from people where id = ?", [[("FIXED", "id")]])
    found = rows(admin, "select id, name from people where id > 3 order by id")
    assert found == [(8, "x'"), (9, "y")]


@pytest.mark.parametrize(
    "body",
    [
        {"bindings": [1]},
        {"bindings": "x"},
        {"bindings": {"1": {"type": {}, "value": 1}}},
        {"parameters": [1]},
        {"parameters": "x"},
        {"parameters": {"MULTI_STATEMENT_COUNT": "x"}},
        {"parameters": {"MULTI_STATEMENT_COUNT": [1]}},
        {"parameters": {"MULTI_STATEMENT_COUNT": -1}},
        {"sqlText": 5},
        {"sqlText": None},
        {"sqlText": ["select 1"]},
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_a_request_of_another_form_is_refused_with_a_number(
    account: Account, body: dict[str, Any], beside: bool
) -> None:
    wire = EmbeddedWire(account)
    login = {"data": {"LOGIN_NAME": "ADMIN"}}
    token = wire.handle("POST", "http://x/session/v1/login-request", {}, login)["data"]["token"]
    headers = {"Authorization": f'Snowflake Token="{token}"'}
    sent = {"sqlText": "select ? as v", "asyncExec": beside, **body}
    answer = wire.handle("POST", "http://x/queries/v1/query-request", headers, sent)
    if beside:
        url = f"http://x/queries/{answer['data']['queryId']}/result"
        while (answer := wire.handle("GET", url, headers, {}))["code"] in WORKING:
            pass
    assert not answer["success"]
    assert int(answer["code"]) not in (603, errors.INCIDENT)


WORKING = ("333333", "333334")


# ---- laws

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
BOUND = st.fixed_dictionaries(
    {}, optional={"type": st.sampled_from([*KINDS, "TEXT", "ANY"]) | JSON, "value": JSON}
)
SLOW = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.slow
@SLOW
@given(sent=JSON | st.dictionaries(st.sampled_from(["1", "2", "x"]), BOUND | JSON, max_size=2))
def test_whatever_is_bound_gives_a_row_or_a_refusal(admin: AccountSession, sent: object) -> None:
    found = outcome(admin, "select ? as v", sent)
    if isinstance(found, tuple):
        assert isinstance(sent, dict)
        ((value,),) = found
        assert same(value, read(sent["1"].get("type") or "TEXT", sent["1"]["value"]))


def same(found: object, expected: object) -> bool:
    if isinstance(expected, float) and isinstance(found, float):
        return repr(found) == repr(expected)
    if isinstance(found, str) and isinstance(expected, str) and found != expected:
        return bool(json.loads(found) == json.loads(expected))
    return found == expected


@SLOW
@given(
    kind=st.sampled_from(sorted(KINDS)),
    text=st.text(max_size=20) | st.sampled_from(TEXTS),
    place=st.sampled_from(PLACES),
)
def test_no_text_of_any_type_brings_down_any_statement(
    admin: AccountSession, kind: str, text: str, place: str
) -> None:
    outcome(admin, place, bound(kind, text))


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=5, min_value=-(10**30), max_value=10**30
    )
)
def test_a_number_is_read_as_itself(number: Decimal) -> None:
    assert read("FIXED", str(number)) == number


@given(st.binary())
def test_bytes_are_read_as_themselves(data: bytes) -> None:
    assert read("BINARY", data.hex()) == data


def test_bindings_that_were_read_are_taken_as_they_are() -> None:
    first = received({"1": {"type": "FIXED", "value": "1"}})
    assert received(first) == first
