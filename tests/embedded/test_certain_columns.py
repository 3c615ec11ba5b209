"""A client is told which columns of a result can never be NULL; a table made of it says no more.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api
"""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from tests.embedded.conftest import rows


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for sql in (
            "create database d",
            "create table t (id int not null, a int)",
            "create table m (id int not null, s varchar not null)",
            "create masking policy p as (v varchar) returns varchar -> null",
            "alter table m modify column s set masking policy p",
        ):
            opened.execute(sql)
        yield opened


@pytest.mark.parametrize(
    ("query", "nullable"),
    [
        ("select 1, 'x', true, null", [False, False, False, True]),
        ("select id, a, id + 1, id + a, -id from t", [False, True, False, True, False]),
        ("select * from t", [False, True]),
        ("select x.id from (select id from t) x", [False]),
        ("with c as (select id, a from t) select * from c", [False, True]),
        ("select count(*), count(a), max(id) from t", [False, False, True]),
        ("select t.id, u.id from t left join t u on t.a = u.id", [False, True]),
        ("select t.id, u.id from t right join t u on t.a = u.id", [True, False]),
        ("select t.id, u.id from t full join t u on t.a = u.id", [True, True]),
        ("select t.id, u.id from t join t u on t.a = u.id", [False, False]),
        ("select id, s from m", [False, True]),
        ("select coalesce(a, 0), coalesce(a, a) from t", [False, True]),
        ("select id::varchar, try_cast('x' as int), a::int from t", [False, True, True]),
        ("select case when a = 1 then 1 else id end, case when a = 1 then 1 end from t",
         [False, True]),
        ("select a is null, a = 1, id = 1 from t", [False, True, False]),
        ("select id from t union all select a from t", [True]),
        ("select id from t union all select id from m", [False]),
        ("select id, count(*) from t group by rollup (id)", [True, True]),
        ("select row_number() over (order by id), lag(id) over (order by id) from t",
         [False, True]),
        ("select id / 2 from t", [True]),
        ("select (select max(id) from t)", [True]),
        ("select parse_json('null')::int", [True]),
    ],
)  # fmt: skip
def test_a_result_tells_what_is_never_null(
    session: AccountSession, query: str, nullable: list[bool]
) -> None:
    for only_described in (False, True):
        found = session.execute(query, describe_only=only_described).columns
        assert [column.nullable for column in found] == nullable


def test_a_table_of_a_query_takes_null(session: AccountSession) -> None:
    session.execute("create table made as select 1 as a, id from t")
    session.execute("insert into made values (null, null)")
    assert [row[3] for row in rows(session, "describe table made")] == ["Y", "Y"]
