"""Whoever tries to reach past Snowflake's surface meets a wall."""

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows

ATTEMPTS = [
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from '/etc/passwd'",
    "select * from duckdb_tables()",
    "select * from duckdb_settings()",
    "select * from pragma_table_info('x')",
    "select * from sqlite_master",
    "select * from main.__rows_1",
    "select * from temp.main.x",
    'select * from "SHOP.SALES"."PEOPLE"',
    'select * from memory."SHOP.SALES"."PEOPLE"',
    "select * from _account.record",
    'select * from "_account"."query_history"',
    "select * from query('select 1')",
    "select * from query_table('people')",
    "select getenv('HOME')",
    "select current_setting('threads')",
    "select columns(*) from people",
    "select rowid from people",
    "select __row_id from people",
    "select __stored.ssn from people",
    "attach 'x.db'",
    "copy people to 'x.csv'",
    "pragma database_list",
    "install httpfs",
    "load httpfs",
    "export database 'x'",
    "checkpoint",
    "call pragma_version()",
    "create macro m(a) as a",
    "create function f() returns int as '1'",
    "explain analyze select * from people",
    "select * from people at (offset => -60)",
    "select * from people changes (information => default) at (offset => -60)",
    "select * from @stage",
    "select * from people where ssn = (select body from _account.record limit 1)",
    "select 1; select 2",
    "",
    "select",
    "select * from people /* sqlglot.meta found=1 target=1 */ where nope = 1",
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_no_statement_reaches_past_the_account(analyst: AccountSession, attempt: str) -> None:
    with pytest.raises(SqlError) as refused:
        analyst.execute(attempt)
    assert refused.value.errno is not None
    assert refused.value.sqlstate is not None
    assert "111-11" not in str(refused.value)


def test_names_with_quotes_stay_names(admin: AccountSession) -> None:
    admin.execute('create table "a""; drop table people; --" ("x""y" int)')
    admin.execute('insert into "a""; drop table people; --" values (1)')
    assert rows(admin, 'select "x""y" from "a""; drop table people; --"') == [(1,)]
    assert rows(admin, "select count(*) from people") == [(3,)]


def test_a_value_is_never_read_as_sql(admin: AccountSession) -> None:
    bound = {"1": {"type": "TEXT", "value": "x' or '1'='1"}}
    assert admin.execute("select * from people where name = ?", bindings=bound).rows == ()
    admin.execute("set evil = $$people where 1 = 1; drop table people$$")
    with pytest.raises(SqlError):
        admin.execute("select * from identifier($evil)")
    with pytest.raises(SqlError):
        admin.execute("select * from table($evil)")


@pytest.mark.parametrize(
    ("statement", "errno", "sqlstate"),
    [
        ("select * from nope", 2003, "42S02"),
        ("select * from nodb.s.t", 2003, "02000"),
        ("select nope from people", 904, "42000"),
        ("selec 1", 1003, "42000"),
        ("select nofunction(1)", 2140, "42601"),
        ("create table people (a int)", 2002, "42710"),
        ("select a.id from people a join people a on 1 = 1", 2028, "42710"),
        ("select id from people a join people b on 1 = 1", 1052, "42702"),
        ("insert into people(id) values ('x')", 100038, "22018"),
        ("select 1 / 0", 100051, "22012"),
        ("use role nope", 2043, "02000"),
        ("use warehouse nope", 2043, "02000"),
        ("drop table nope", 2003, "42S02"),
        ("drop masking policy mask", 3531, "23001"),
        ("create or replace masking policy mask as (v string) returns string -> v", 3531, "23001"),
        ("create table x (a int, a int)", 2025, "42S21"),
        ("select $nothing", 2211, "02000"),
        ("select * from (select 1 as a) unpivot (v for n in ('a'))", 1003, "42000"),
        (
            "select * from table(information_schema.query_history(result_limit => 'a'))",
            1014,
            "22023",
        ),
        (
            "select * from table(information_schema.task_history(result_limit => 1.5))",
            1014,
            "22023",
        ),
        ("create procedure p() returns int language sql as 'select 1'", 2, "0A000"),
        ("grant fly on table people to role analyst", 1003, "42000"),
    ],
)
def test_errors_have_snowflakes_numbers(
    admin: AccountSession, statement: str, errno: int, sqlstate: str
) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute(statement)
    assert (refused.value.errno, refused.value.sqlstate) == (errno, sqlstate)


def test_a_query_over_a_table_needs_a_warehouse(admin: AccountSession) -> None:
    admin.execute("use warehouse none")
    assert rows(admin, "select current_role()") == [("ACCOUNTADMIN",)]
    assert len(rows(admin, "show tables")) == 1
    for statement in ("select * from people", "insert into people(id) values (9)"):
        with pytest.raises(SqlError) as refused:
            admin.execute(statement)
        assert (refused.value.errno, refused.value.sqlstate) == (606, "57P03")


def test_secrets_are_not_kept_in_the_history(admin: AccountSession) -> None:
    admin.execute("create user eve password = 'hunter2' comment = 'x'")
    found = rows(admin, "select query_text from snowflake.account_usage.query_history")
    assert not any("hunter2" in str(row) for row in found)
    assert ("create user eve password = '«redacted»' comment = 'x'",) in found


def test_the_history_keeps_no_password_that_a_row_is_given_and_the_row_does(
    admin: AccountSession,
) -> None:
    admin.execute('create table "My Users" (name varchar, password varchar)')
    admin.execute("alter session set query_tag = 'password=hunter2;'")
    admin.execute("""insert into "My Users" (name, password) values ('eve', 'hunter2')""")
    assert rows(admin, 'select * from "My Users"') == [("eve", "hunter2")]
    told = rows(
        admin,
        "select query_text, query_tag from snowflake.account_usage.query_history "
        "where query_text ilike 'insert%users%'",
    )
    assert told == [
        (
            """insert into "My Users" (name, password) values ('eve', '«redacted»')""",
            "password=«redacted»;",
        )
    ]
