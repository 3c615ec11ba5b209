"""No statement tells about fewer records than an aggregation policy asks for."""

from decimal import Decimal

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.tools import export
from skills_nb.errors import SqlError

from .conftest import rows

SETUP = """
create table pay (id int, name string, dept string, amount int)
insert into pay values (1,'zed-1','a',98761), (2,'zed-2','a',98762), (3,'zed-3','a',98763)
insert into pay values (4,'zed-4','b',98764), (5,'zed-5','c',98765)
create table open_t (id int, k string)
insert into open_t values (1,'x'), (2,'x'), (3,'x'), (4,'y'), (4,'y'), (4,'y'), (5,'z')
create table sink (v string)
create function same(v string) returns string as 'v'
create function names_of() returns table (n string) as 'select name from pay'
create function names_and_more() returns table (n string, g int) as 'select name, amount from pay'
create function top_name() returns string as '(select max(name) from pay)'
create aggregation policy three as () returns aggregation_constraint -> aggregation_constraint(min_group_size => 3)
alter table pay set aggregation policy three
create function pick(v int) returns int as 'iff(v = 5, 1, 0)'
create view picking_view as select iff(id = 5, amount, 0) as x from pay
create view weighed_view as select p.amount, o.id as other from pay p, open_t o where p.id = o.id
create view pay_view as select * from pay
create table pay_clone clone pay
create stream pay_stream on table pay
"""  # noqa: E501
AGGREGATION_REQUIRED, AGGREGATION_VIOLATED, NO_SUCH_COLUMN = 3651, 3652, 904
REFUSED = [
    "select * from pay",
    "select name from pay",
    "select $2 from pay",
    "select pay.* from pay",
    "select * exclude id from pay",
    "select 1 from pay",
    "select name from pay limit 1",
    "select top 1 name from pay",
    "select * from pay sample (1 rows)",
    "select object_construct(*) from pay",
    "select same(name) from pay",
    "select min(amount) from pay",
    "select max(name) from pay",
    "select any_value(name) from pay",
    "select listagg(name) from pay",
    "select array_agg(name) from pay group by dept",
    "select median(amount) from pay",
    "select mode(name) from pay",
    "select count_if(id = 5) from pay",
    "select sum(iff(id = 5, amount, 0)) from pay",
    "select sum(amount * (id = 5)::int) from pay",
    "select count(case when id = 5 then 1 end) from pay",
    "select sum(amount) filter (where id = 5) from pay",
    "select avg(nullif(amount, 1)) from pay",
    "select sum(decode(id, 5, amount)) from pay",
    "select count(same(name)) from pay",
    "select sum(to_number(name)) from pay",
    "select sum(amount) over (partition by id) from pay",
    "select name, row_number() over (order by id) from pay",
    "select name from pay qualify row_number() over (order by id) = 1",
    "select * from (select name, row_number() over (order by id) rn from pay) where rn = 1",
    "select dept, name from pay group by dept",
    "select dept, count(*) from pay group by dept having max(name) = 'x'",
    "select dept, count(*) from pay group by dept order by max(name)",
    "select cast(name as string) from pay group by 1",
    "select dept from pay group by rollup (dept)",
    "select dept from pay group by cube (dept)",
    "select dept from pay group by grouping sets ((dept), ())",
    "select p.name from open_t o join pay p on o.id = p.id",
    "select * from pay p natural join pay q",
    "select name from pay intersect select name from pay",
    "select name from pay union select 'x'",
    "select name from pay union all select 'x'",
    "select count(*) from (select name from pay minus select 'x')",
    "with c as (select * from pay) select name from c",
    "with recursive r as (select id, name from pay union all"
    " select r.id + 1, r.name from r where r.id < 3) select * from r",
    "select (select name from pay limit 1)",
    "select (select max(name) from pay)",
    "select id from open_t where id in (select id from pay)",
    "select id from open_t where exists (select 1 from pay where pay.id = open_t.id)",
    "select 1 where exists (select 1 from pay where id = 5)",
    "select id, (select sum(amount) from pay where pay.id = open_t.id) from open_t",
    "select x.s from open_t o, lateral (select sum(amount) s from pay p where p.id = o.id) x",
    "select sum((select count(*) from open_t o where o.id = p.id)) from pay p",
    "select f.value from pay, lateral flatten(input => split(name, '-')) f",
    "select * from table(names_of())",
    "select * from table(names_and_more())",
    "select top_name()",
    "select * from pay_view",
    "select * from pay_clone",
    "select name from pay_stream",
    "select name from pay at (offset => 0)",
    'select "__guard_1" from (select * from pay)',
    "create table copied as select * from pay",
    "insert into sink select name from pay",
    "insert into sink values ((select max(name) from pay))",
    "update sink set v = p.name from pay p",
    "merge into sink using pay on sink.v = pay.name when not matched then insert values (pay.name)",
    "create dynamic table moving target_lag = '1 minute' warehouse = compute_wh"
    " as select name from pay",
    "copy into @~/x from pay",
    "copy into @~/x from (select name from pay)",
    "set a = (select name from pay where id = 1)",
    "execute immediate 'select * from pay'",
    "call system$classify('pay', null)",
    *(
        f"select sum(x) from (select {value} as x from pay)"
        for value in (
            "iff(id = 5, amount, 0)",
            "case id when 5 then amount end",
            "decode(id, 5, amount)",
            "amount * (id = 5)::int",
            "amount * pick(id)",
            "amount * (1 - sign(abs(id - 5)))",
            "amount * power(0, abs(id - 5))",
            "bitand(id, 1) * amount",
            "regexp_count(name, '5') * amount",
            "coalesce(nullif(id, 5), amount)",
            "amount * (id - 1) * (id - 2) * (id - 3) * (id - 4)",
            "div0(amount, id - 5)",
        )
    ),
    "select sum(x) from picking_view",
    "with c as (select iff(id = 5, amount, 0) as x from pay) select avg(x) from c",
    "select count(x) from (select nullif(name, 'zed-5') as x from pay)",
    "select sum(y) from (select x as y from (select iff(id = 5, amount, 0) as x from pay))",
    "select sum(x) from (select 0 as x from pay union all select iff(id = 5, amount, 0) from pay)",
    "select iff(id = 5, amount, 0) as x, sum(x) from pay group by all",
    "select sum(x * y) from (select amount as x, id - 1 as y from pay)",
    "select sum(x * y) from (select id as x, id as y from pay)",
    "select sum((id - 1) * (id - 2)) from pay",
    "select sum(p.amount * o.id) from pay p join open_t o on p.id = o.id",
    "select sum(amount * w) from pay p, (select id as i, iff(id = 5, 1, 0) as w from open_t)"
    " where p.id = i",
    "select sum(p.amount / o.id) from pay p join open_t o on p.id = o.id",
    "select sum(p.amount * q.id) from pay p join pay q on p.id = q.id",
    "select sum(amount * w) from (select p.amount, o.id as w from pay p"
    " join open_t o on p.id = o.id)",
    "select sum(amount * other) from weighed_view",
    "select count(*) from pay where convert_timezone(name, current_timestamp()) is null",
    "select count(*) from (select name from pay where id = 5) p join (select 1 as name) q"
    " using (name)",
    "select sum(amount / (id - 5)) from pay",
    "select count(1 / (id - 5)) from pay",
    "select sum(p.amount * f.value) from pay p, table(flatten(array_construct(0, 1))) f",
    "select sum(f.value) from pay p,"
    " lateral flatten(input => array_construct(iff(p.id = 5, p.amount, 0))) f",
]
UNTOLD = [
    "select count(*) from pay where id = {n} and 1 / (amount - 98765) > -9",
    "select count(*) from pay where id = {n} and to_number(name) > 0",
    "select count(*) from pay where id = {n} and name > 0",
    "select count(*) from pay where id = {n} and name::int > 0",
    "select count(*) from pay where id = {n} and to_date(name) > '2024-01-01'",
    "select count(*) from pay where id = {n} and parse_json(name) is not null",
    "select count(*) from pay where id = {n} group by 1 / (amount - 98765)",
    "select 1 / (amount - 98765), count(*) from pay where id = {n} group by 1",
    "select count(*) from pay p join open_t o on p.id = {n} and 1 / (p.amount - 98765) > -9",
    "select count(*) from pay p join open_t o on to_number(p.name) = o.id and p.id = {n}",
    "select count(*) from (select 1 / (amount - 98765) as x from pay where id = {n})",
    "select count(*) from (select id, to_number(name) as x from pay) where id = {n} and x > 0",
    "select count(*) from (select id from pay where id = {n} order by 1 / (amount - 98765))",
    "select count(*) from pay p, lateral flatten(array_construct(1 / (p.amount - 98765))) f"
    " where p.id = {n}",
    "select count(*) from (select name from pay where id = {n}) p, lateral flatten(p.name) f",
    "select count(*) from (select name from pay where id = {n}) p,"
    " lateral flatten(parse_json(p.name)) f",
    "select count(*) from (select id, name from pay where id = {n}) p,"
    " table(split_to_table(p.name, 1 / (p.id - 5))) f",
    "select count(*) from pay where id = {n} and name = (select max(id) from open_t)",
    "select sum(name) from pay where id = {n}",
    "select sum(1 / id) from pay where id = {n}",
]
"""Attempts whose answer is the same whatever the record {n} holds."""
NOTHING = [
    "select count(*), sum(amount) from pay where id = 5",
    "select sum(amount) from pay where id in (4, 5)",
    "select name from pay where id = 1 group by all",
    "select distinct name from pay where id < 3",
    "select count(*) + 0 from pay where id = 5",
    "select count(*) from (select * from pay limit 1)",
    "select sum(x) from (select amount x from pay order by x limit 2)",
    "select sum(amount) from pay sample (1 rows)",
    "select sum(p.amount) from pay p cross join open_t o where p.id = 5",
    "select sum(p.amount) from pay p join open_t o on p.id = o.id where o.k = 'y'",
    "select count(*) from"
    " (select * from pay where id = 1 union all select * from pay where id = 1)",
    "with c as (select * from pay where id = 1) select sum(amount) from c",
    "select sum(amount) from pay_view where id = 1",
    "select sum(amount) from pay_clone where id = 1",
    "select sum(amount) from pay at (offset => 0) where id = 1",
]
GROUPS = {
    "select name, count(*) from pay group by name": [(None, 5)],
    "select name, id, count(*) from pay group by 1, 2": [(None, None, 5)],
    "select amount, count(*) from pay p cross join open_t o group by amount": [(None, 35)],
    "select p.amount, count(*) from pay p cross join pay q group by p.amount": [(None, 25)],
    "select k, count(*) from open_t o join pay p on o.id = p.id group by k having k is not null": [
        ("x", 3)
    ],
    "select same(dept), count(*) from pay group by 1 having count(*) = 3": [("a", 3)],
    "select distinct dept from pay_view where dept = 'a'": [("a",)],
    "select dept as d, sum(amount) s from pay group by d having s > 1": [("a", 296286)],
    "select pay.dept, count(distinct name) n from pay group by dept having n = 3": [("a", 3)],
    "select distinct (select count(*) from open_t) n, dept from pay where dept = 'a'": [(7, "a")],
    "select dept, (select max(id) from open_t) from pay where dept = 'a' group by 1": [("a", 5)],
    "select max(n) from (select dept, count(*) n from pay group by dept)": [(3,)],
    "select count(*) from pay p left join open_t o on p.id = o.id and o.k = 'x'": [(5,)],
    "select case when count(*) > 4 then 'many' end from pay": [("many",)],
    "select sum(amount * id), sum(amount * (1 - id)), sum(amount / 5) from pay where id < 4": [
        (592574, -296288, Decimal("59257.200000"))
    ],
    "select sum(r) from (select amount * (1 - id) as r from pay where id < 4)": [(-296288,)],
    "select k, count(*) from (select iff(dept = 'a', 'A', 'z') as k from pay) group by k"
    " having k = 'A'": [("A", 3)],
    "select sum(x) from (select iff(d = 'a', s, 0) as x from"
    " (select dept as d, sum(amount) as s from pay group by dept))": [(296286,)],
    "select count(*) from pay where 1 / (amount - 98765) < 9": [(4,)],
    "select sum(amount), count(o) from (select p.amount, o.id as o from pay p"
    " join open_t o on p.id = o.id and o.k = 'x')": [(296286, 3)],
    "select count(*) from pay p, lateral flatten(split(p.dept, '')) f": [(5,)],
    "select f.value, count(*) from pay p, table(split_to_table(p.dept, '-')) f"
    " group by 1 having f.value = 'a'": [("a", 3)],
}


@pytest.fixture
def reader(admin: AccountSession) -> AccountSession:
    for statement in SETUP.strip().splitlines():
        admin.execute(statement)
    return admin


@pytest.mark.slow
@pytest.mark.parametrize("attempt", REFUSED)
def test_rows_are_not_told(reader: AccountSession, attempt: str) -> None:
    with pytest.raises(SqlError) as refused:
        reader.execute(attempt)
    assert refused.value.errno in (AGGREGATION_REQUIRED, AGGREGATION_VIOLATED, NO_SUCH_COLUMN)
    assert "zed-" not in str(refused.value)
    assert "9876" not in str(refused.value)


@pytest.mark.parametrize("attempt", NOTHING)
def test_too_few_records_give_nothing(reader: AccountSession, attempt: str) -> None:
    assert {value for row in rows(reader, attempt) for value in row} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("attempt", UNTOLD)
def test_no_failure_tells_of_one_record(reader: AccountSession, attempt: str) -> None:
    answers = [rows(reader, attempt.format(n=number)) for number in (1, 4, 5)]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("query", GROUPS)
def test_groups_that_are_large_enough_are_told(reader: AccountSession, query: str) -> None:
    assert rows(reader, query) == GROUPS[query]


def test_entities_are_counted_for_every_entity_key(reader: AccountSession) -> None:
    keys = "entity key (name), entity key (dept)"
    reader.execute(f"alter table pay set aggregation policy three {keys}")
    assert rows(reader, "select dept, count(*) from pay group by dept") == [(None, 5)]
    assert rows(reader, "select count(*) from pay where dept <> 'a'") == [(None,)]


def test_rows_and_entities_have_each_their_minimum(reader: AccountSession) -> None:
    body = "aggregation_constraint(min_row_count => 5, min_entity_count => 2)"
    reader.execute(f"alter aggregation policy three set body -> {body}")
    reader.execute("alter table pay set aggregation policy three entity key (dept)")
    assert rows(reader, "select count(*) from pay") == [(5,)]
    assert rows(reader, "select count(*) from pay where id < 5") == [(None,)]


def test_a_constrained_column_is_not_even_counted(reader: AccountSession) -> None:
    reader.execute(
        "create projection policy hidden as () returns projection_constraint -> "
        "projection_constraint(allow => false)"
    )
    reader.execute("alter table pay modify column name set projection policy hidden")
    with pytest.raises(SqlError) as refused:
        reader.execute("select count(name) from pay")
    assert "restricted by a Projection Policy" in str(refused.value)
    assert rows(reader, "select count(*) from pay") == [(5,)]


def test_a_body_that_answers_nothing_shows_nothing(reader: AccountSession) -> None:
    body = "case when current_role() = 'NOBODY' then no_aggregation_constraint() end"
    reader.execute(f"alter aggregation policy three set body -> {body}")
    with pytest.raises(SqlError):
        reader.execute("select count(*) from pay")


def test_a_body_reads_no_table(reader: AccountSession) -> None:
    with pytest.raises(SqlError):
        reader.execute(
            "create aggregation policy p as () returns aggregation_constraint -> case when "
            "exists (select 1 from open_t) then no_aggregation_constraint() end"
        )


def test_who_may_change_rows_changes_them_one_by_one(reader: AccountSession) -> None:
    assert rows(reader, "update pay set dept = 'b' where id = 5") == [(1, 0)]
    assert rows(reader, "delete from pay where id = 5") == [(1,)]


def test_an_exported_account_asks_for_the_same_minimum(
    account: Account, reader: AccountSession
) -> None:
    keys = "entity key (name), entity key (dept, id)"
    reader.execute(f"alter table pay set aggregation policy three {keys}")
    for statement in ("drop stream pay_stream", "drop function names_of()"):
        reader.execute(statement)
    for statement in ("same(varchar)", "names_and_more()", "top_name()"):
        reader.execute(f"drop function {statement}")
    with Account.open() as copy:
        export.load(copy, "".join(export.export(account)))
        again = copy.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "SHOP", "SALES")
        assert rows(again, "select dept, count(*) from pay group by dept order by dept") == [
            ("a", 3),
            (None, None),
        ]
        ddl = str(rows(again, "select get_ddl('table', 'pay')"))
        assert "AGGREGATION POLICY SHOP.SALES.THREE ENTITY KEY (NAME) ENTITY KEY (DEPT, ID)" in ddl
