"""Code of others that somebody runs gets nothing that is the caller's own.

Owner's rights procedures, tasks, refreshes and defaults of columns are written by one person and
run by another, who may see more.
"""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows, statements

SETUP = """
create database shop
create schema shop.sales
create schema shop.lab
create role analyst
create user ana default_role = analyst default_secondary_roles = ()
grant role analyst to user ana
grant role analyst to role accountadmin
grant usage on warehouse compute_wh to role analyst
grant usage on database shop to role analyst
grant usage on schema shop.sales to role analyst
grant all on schema shop.lab to role analyst
grant execute task on account to role analyst
use schema shop.sales
create table people (id int, ssn string)
insert into people values (1, '111-11'), (2, '222-22')
create masking policy mask as (v string) returns string ->
  case when current_role() = 'ACCOUNTADMIN' then v else '***' end
alter table people modify column ssn set masking policy mask
grant select on table people to role analyst
copy into @~/private from people
"""
HERS = """
create table shop.lab.loot (s string)
create function shop.lab.top() returns string as '(select max(ssn) from shop.sales.people)'
create function shop.lab.plain(a int) returns int as 'a + 1'
"""
MOVES_NOTHING = "Unsupported statement type 'PUT_FILES'"
BODIES = [
    ("insert into shop.lab.loot select $1 from @~", "user stages"),
    ("copy into shop.lab.loot from @~", "user stages"),
    ("remove @~", "user stages"),
    ("list @~", "user stages"),
    ("put file:///etc/hostname @shop.lab.stage", MOVES_NOTHING),
    ("execute immediate 'put file:///etc/hostname @shop.lab.stage'", MOVES_NOTHING),
    ("describe user admin", "does not exist or not authorized"),
    ("show grants to user admin", "does not exist or not authorized"),
    ("show parameters in user admin", "does not exist or not authorized"),
    ("alter user admin set default_role = 'PUBLIC'", "does not exist or not authorized"),
    ("alter user set default_role = 'PUBLIC'", "does not exist or not authorized"),
    *(
        (
            f"insert into shop.lab.loot select {column} from "
            f"table(shop.information_schema.{name}())",
            f"Unsupported function '{name.upper()}'",
        )
        for name, column in (
            ("query_history", "query_text"),
            ("query_history_by_session", "query_text"),
            ("query_history_by_user", "query_text"),
            ("query_history_by_warehouse", "query_text"),
            ("login_history_by_user", "user_name"),
        )
    ),
    (
        "insert into shop.lab.loot select user_name from "
        "table(shop.information_schema.login_history())",
        None,
    ),
]  # fmt: skip


@pytest.fixture
def boss(account: Account) -> AccountSession:
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in statements(SETUP):
        session.execute(statement)
    return session


@pytest.fixture
def ana(account: Account, boss: AccountSession) -> AccountSession:
    session = account.session("ANA", "ANALYST", "COMPUTE_WH")
    for statement in statements(HERS):
        session.execute(statement)
    session.execute("create stage shop.lab.stage")
    return session


@pytest.mark.parametrize(("body", "refusal"), BODIES)
def test_a_procedure_with_its_owners_rights_gets_nothing_of_its_caller(
    boss: AccountSession, ana: AccountSession, body: str, refusal: str | None
) -> None:
    quoted = body.replace("'", "''")
    ana.execute(
        f"create procedure shop.lab.p() returns string language sql as 'begin {quoted}; end'"
    )
    if refusal is None:
        boss.execute("call shop.lab.p()")
    else:
        with pytest.raises(SqlError) as refused:
            boss.execute("call shop.lab.p()")
        assert refusal in str(refused.value)
    assert rows(ana, "select * from shop.lab.loot") == []
    assert rows(boss, "select count(*) from @~") == [(2,)]


@pytest.mark.parametrize(
    "body",
    [
        "insert into shop.lab.loot select count(*) from @~",
        "describe user admin",
        "insert into shop.lab.loot select query_text from "
        "table(shop.information_schema.query_history()) limit 1",
        "insert into shop.lab.loot select ssn from shop.sales.people limit 1",
    ],
)
def test_a_procedure_with_the_callers_rights_gets_what_the_caller_does(
    boss: AccountSession, ana: AccountSession, body: str
) -> None:
    ana.execute(
        "create procedure shop.lab.p() returns string language sql execute as caller as "
        f"'begin {body}; end'"
    )
    boss.execute("call shop.lab.p()")


def test_a_task_sees_no_history_and_no_stage_of_who_runs_it(
    boss: AccountSession, ana: AccountSession
) -> None:
    boss.execute("select '333-33'")
    for name, source in (
        ("h", "select query_text from table(shop.information_schema.query_history())"),
        ("f", "select $1 from @~"),
        ("d", "select ssn from shop.sales.people"),
    ):
        ana.execute(
            f"create task shop.lab.{name} warehouse = compute_wh schedule = '1 minute' as "
            f"insert into shop.lab.loot {source}"
        )
        boss.execute(f"execute task shop.lab.{name}")
    assert rows(ana, "select * from shop.lab.loot") == [("***",), ("***",)]


DEFAULTS = [
    "(select max(ssn) from shop.sales.people)",
    "shop.lab.top()",
    "upper(shop.lab.top())",
    "max(1)",
    "row_number() over (order by 1)",
    "ssn",
]


@pytest.mark.parametrize("default", DEFAULTS)
def test_a_default_reads_nothing(boss: AccountSession, ana: AccountSession, default: str) -> None:
    ana.execute("create table shop.lab.t (id int, s string)")
    for attempt in (
        f"create table shop.lab.u (id int, s string default {default})",
        f"alter table shop.lab.t add column v string default {default}",
        f"alter table shop.lab.t modify column s set default {default}",
    ):
        with pytest.raises(SqlError) as refused:
            ana.execute(attempt)
        assert refused.value.errno in (2, 904, 2263)
    boss.execute("insert into shop.lab.t (id) values (1)")
    assert rows(ana, "select * from shop.lab.t") == [(1, None)]


def test_a_function_that_reads_later_on_is_no_default_from_then_on(
    boss: AccountSession, ana: AccountSession
) -> None:
    ana.execute("create table shop.lab.t (id int, n int default shop.lab.plain(1))")
    boss.execute("insert into shop.lab.t (id) values (1)")
    assert rows(ana, "select * from shop.lab.t") == [(1, 2)]
    ana.execute(
        "create or replace function shop.lab.plain(a int) returns int as "
        "'(select max(ssn)::int from shop.sales.people)'"
    )
    for attempt in (
        "insert into shop.lab.t (id) values (2)",
        "insert into shop.lab.t values (2, default)",
        "update shop.lab.t set n = default",
        "merge into shop.lab.t t using (select 2 id) s on t.id = s.id "
        "when not matched then insert (id, n) values (s.id, default)",
        "merge into shop.lab.t t using (select 2 id) s on t.id = s.id "
        "when not matched then insert (id) values (s.id)",
        "insert all into shop.lab.t values (id, default) select 2 as id",
    ):
        with pytest.raises(SqlError, match="a function that reads tables in DEFAULT"):
            boss.execute(attempt)
    assert rows(ana, "select * from shop.lab.t") == [(1, 2)]


def test_an_error_of_a_secure_text_names_nothing_that_it_reads(
    boss: AccountSession, ana: AccountSession
) -> None:
    for statement in (
        "create table hidden (id int)",
        "create secure view seen as select * from hidden",
        "create view open_view as select * from hidden",
        "create secure function one() returns int as '(select max(id) from hidden)'",
        "create secure function all_of() returns table (id int) as 'select id from hidden'",
        "create table kept (id int)",
        "create row access policy known as (v int) returns boolean -> v in (select id from hidden)",
        "alter table kept add row access policy known on (id)",
        "grant select on all views in schema shop.sales to role analyst",
        "grant select on table kept to role analyst",
        "grant usage on all functions in schema shop.sales to role analyst",
        "drop table hidden",
    ):
        boss.execute(statement)
    for query in (
        "select * from shop.sales.seen",
        "select shop.sales.one()",
        "select * from table(shop.sales.all_of())",
        "select * from shop.sales.kept",
    ):
        with pytest.raises(SqlError) as refused:
            ana.execute(query)
        assert refused.value.errno == 2037
        assert "HIDDEN" not in str(refused.value)
        with pytest.raises(SqlError, match="HIDDEN"):
            boss.execute(query)
    with pytest.raises(SqlError, match="HIDDEN"):
        ana.execute("select * from shop.sales.open_view")
