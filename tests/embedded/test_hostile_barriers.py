"""No statement tells about rows that a secure view, a secure function or a policy leaves out.

Each attempt would fail, or compute something else, if it were tried on the hidden row of BOB alone:
he earns 200, and his text is no number.
"""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession

from .conftest import rows, statements

SETUP = """
create database shop
create schema shop.sales
create table staff (id int, name string, dept string, salary int, code string)
insert into staff values (1,'ann','x',100,'1'), (2,'bob','y',200,'zz'), (3,'cy','x',300,'3')
create table access (dept string, role string)
insert into access values ('x', 'ANALYST')
create table other (id int, k int)
insert into other values (1, 1), (2, 2), (3, 3)
create role analyst
grant usage on database shop to role analyst
grant usage on schema shop.sales to role analyst
grant select, insert, update, delete on table other to role analyst
grant role analyst to user admin
create secure view plain as select * from staff where dept = 'x'
create secure view joined as select s.* from staff s join access a on s.dept = a.dept
  where a.role = current_role()
create secure view listed as select * from staff where dept in
  (select dept from access where role = current_role())
create secure view told as select * from staff where exists
  (select 1 from access a where a.dept = staff.dept and a.role = current_role())
create secure view united as select * from staff where dept = 'x'
  union all select * from staff where dept = 'q'
create secure view over_it as select * from joined
create view around as select * from joined
create secure function held() returns table
  (id int, name string, dept string, salary int, code string)
  as 'select s.* from staff s join access a on s.dept = a.dept'
create table policed clone staff
create table mapped clone staff
create row access policy own as (d string) returns boolean -> d = 'x'
create row access policy looked_up as (d string) returns boolean ->
  exists (select 1 from access a where a.dept = d and a.role = current_role())
alter table policed add row access policy own on (dept)
alter table mapped add row access policy looked_up on (dept)
create view policed_view as select p.* from policed p join access a on p.dept = a.dept
grant select on all views in schema sales to role analyst
grant select on table policed to role analyst
grant select on table mapped to role analyst
grant usage on function held() to role analyst
"""
SHIELDED = (
    "plain",
    "joined",
    "listed",
    "told",
    "united",
    "over_it",
    "around",
    "policed",
    "mapped",
    "policed_view",
    "table(held())",
)
ATTEMPTS = {
    "select count(*) from {v} v where 1 / (salary - 200) > -9": [(2,)],
    "select count(*) from {v} v where to_number(code) > 0": [(2,)],
    "select count(*) from {v} v where id = 2 and 1 / (salary - 200) > -9": [(0,)],
    "select count(*) from {v} v join other o on o.id = v.id and 1 / (v.salary - 200) > -9": [(2,)],
    "select count(*) from {v} v join other o on o.k = to_number(v.code)": [(2,)],
    "select count(*) from other o left join {v} v on o.k = v.id and to_number(v.code) > 0": [(3,)],
    "select count(*) from {v} a join {v} b on 1 / (a.salary - 200) = 1 / (b.salary - 200)": [(2,)],
    "select o.id from other o where exists (select 1 from {v} v"
    " where v.id = o.id and 1 / (v.salary - 200) > -9) order by 1": [(1,), (3,)],
    "select o.id from other o where o.k in (select to_number(code) from {v} v) order by 1": [
        (1,),
        (3,),
    ],
    "select o.id, (select max(1 / (v.salary - 200)) is null from {v} v where v.id = o.id)"
    " from other o order by 1": [(1, False), (2, True), (3, False)],
    "select count(1 / (salary - 200)) from {v} v": [(2,)],
    "select dept from {v} v group by dept having max(1 / (salary - 200)) > -9": [("x",)],
    "select id from {v} v qualify row_number() over (order by to_number(code)) = 1": [(1,)],
    "select count(x.y) from {v} v, lateral (select 1 / (v.salary - 200) as y) x": [(2,)],
    "select id from {v} v order by to_number(code) limit 1": [(1,)],
    "select count(*) from (select *, to_number(code) as n from {v} v) where n > 0": [(2,)],
    "with w as (select * from {v} v) select count(*) from w where to_number(code) > 0": [(2,)],
    "update other set k = to_number(v.code) from {v} v where v.id = other.id": [(2, 0)],
    "delete from other using {v} v where v.id = other.id and to_number(v.code) > 9": [(0,)],
    "insert into other select 1, 2 from {v} v where 1 / (salary - 200) > 9": [(0,)],
}


@pytest.fixture(scope="module")
def analyst() -> AccountSession:
    account = Account.open()
    session = account.session("ADMIN")
    for statement in statements(SETUP):
        session.execute(statement)
    return account.session("ADMIN", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")


@pytest.mark.slow
@pytest.mark.parametrize("shielded", SHIELDED)
def test_nothing_is_tried_on_hidden_rows(analyst: AccountSession, shielded: str) -> None:
    analyst.execute("begin")
    found = {attempt: rows(analyst, attempt.format(v=shielded)) for attempt in ATTEMPTS}
    analyst.execute("rollback")
    assert found == ATTEMPTS
