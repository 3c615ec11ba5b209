"""No statement shows a column that a projection policy keeps out of results."""

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows

POLICIES = """
create table staff (id int, badge string, note string, team string)
insert into staff values (1,'S3C-1','a','x'), (2,'S3C-2','b','x'), (3,'S3C-3','c','y')
create table sink (v string)
create function same(v string) returns string as 'v'
create function each_of(v string) returns table (o string) as 'select v as o'
create function everybody() returns table (b string) as 'select badge from staff'
create function top_badge() returns string as '(select max(badge) from staff)'
create projection policy hidden as () returns projection_constraint ->
  projection_constraint(allow => false)
alter table staff modify column badge set projection policy hidden
create view staff_view as select * from staff
create view starred_view as select (* exclude id) from staff
create table staff_clone clone staff
create stream staff_stream on table staff
insert into staff values (4, 'S3C-4', 'd', 'z')
"""
REFUSED = [
    "select * from staff",
    "select badge from staff",
    "select badge as b from staff",
    "select staff.* from staff",
    "select $2 from staff",
    "select upper(badge) from staff",
    "select badge || '' from staff",
    "select badge is null from staff",
    "select length(badge) from staff",
    "select hash(badge) from staff",
    "select case when badge like 'S%1' then 1 end from staff",
    "select max(badge) from staff",
    "select min_by(badge, id) from staff",
    "select any_value(badge) from staff group by id",
    "select array_agg(badge) from staff",
    "select listagg(badge, ',') from staff",
    "select object_construct(*) from staff",
    "select object_construct('a', badge) from staff",
    "select badge::variant from staff",
    "select first_value(badge) over (order by id) from staff",
    "select rank() over (order by badge) from staff",
    "select distinct badge from staff",
    "select badge from staff group by all",
    "select badge, count(*) from staff group by badge",
    "select (select max(badge) from staff)",
    "select id, (select s.badge from staff s where s.id = o.id) from staff o",
    "select b from (select badge as b from staff)",
    "select u || '' from (select upper(badge) as u from staff)",
    "with w as (select badge from staff) select * from w",
    "with w(a, b) as (select id, badge from staff) select b from w",
    "with recursive r as (select 1 n, '' b union all"
    " select n + 1, s.badge from r join staff s on s.id = n where n < 3) select b from r",
    "select note from staff union all select badge from staff",
    "select badge from staff union select note from staff",
    "select note from staff minus select badge from staff",
    "select upper(badge) as u, u || 'x' as w from staff",
    "select a.badge from staff a join staff b using (id)",
    "select badge from staff a natural join staff b",
    "select x.b from staff, lateral (select staff.badge as b) x",
    "select f.value from staff, lateral flatten(input => split(badge, '')) f",
    "select f.value from staff, table(split_to_table(badge, '-')) f",
    "select column1 from values ((select max(badge) from staff))",
    "select same(badge) from staff",
    "select o from staff, table(each_of(badge))",
    "select b from table(everybody())",
    "select top_badge()",
    "select * from staff_view",
    "select badge from staff_clone",
    "select badge from staff_stream",
    "select badge from staff at (offset => 0)",
    "select * replace (upper(badge) as note) from staff",
    "select * rename (badge as b) from staff",
    "select * ilike 'b%' from staff",
    "select * from staff sample (10 rows)",
    "select * from (values (1)) v(a) join staff on true",
    "select * from staff qualify row_number() over (order by badge) = 1",
    "select sum(iff(badge = 'x', 1, 0)) from staff",
    *(
        f"select {star} from staff s"
        for star in (
            "(*)",
            "(* exclude id)",
            "((s.* exclude (id)))",
            "(* replace (1 as id))",
            "(* rename id as x)",
            "concat(* exclude (id))",
            "concat(s.* ilike 'b%')",
            "concat_ws(',', *)",
            "coalesce(* exclude (id, note, team), note)",
            "greatest(* exclude id)",
            "upper(* ilike 'badge')",
            "max(* ilike 'badge')",
            "same(* ilike 'badge')",
            "hash(s.* exclude id)",
            "hash_agg(s.*)",
            "array_construct(*)",
            "[* exclude id]",
            "{*}",
            "{s.* exclude (id)}",
            "{'a': 1, *}",
            "object_construct(s.* exclude id)",
            "object_construct_keep_null(* exclude id)",
        )
    ),
    "select sum(n) from (select length(concat(* exclude id)) as n from staff)",
    "with w as (select (* exclude id) from staff) select badge from w",
    "select concat(* exclude id) from (select (* exclude note) from staff)",
    "select note from staff union all select concat(* exclude id) from staff",
    "create table copied as select (* exclude id) from staff",
    "create table copied as select concat(* exclude id) as c from staff",
    "insert into sink select (* ilike 'badge') from staff",
    "insert into sink select concat(*) from staff",
    "merge into sink using (select (* exclude id) from staff) s on sink.v = s.note"
    " when not matched then insert values (s.badge)",
    "update sink set v = s.c from (select concat(*) as c from staff) s",
    "select * from starred_view",
    "insert into sink select badge from staff",
    "insert into sink values ((select max(badge) from staff))",
    "update staff set note = badge",
    "update sink set v = s.badge from staff s",
    "merge into sink using staff on sink.v = staff.note"
    " when not matched then insert values (staff.badge)",
    "merge into staff t using staff s on t.id = s.id when matched then update set note = s.badge",
    "create table copied as select * from staff",
    "create dynamic table moving target_lag = '1 minute' warehouse = compute_wh"
    " as select badge from staff",
    "copy into @~/x from staff",
    "copy into @~/x from (select badge from staff)",
    "set b = (select max(badge) from staff)",
    "execute immediate 'select badge from staff'",
    "call system$classify('staff', null)",
]
ANSWERED = [
    "select id, team from staff where badge like 'S%'",
    "select id from staff order by badge",
    "select count(badge), count(distinct badge) from staff",
    "select team, count(*) from staff group by team having count(badge) > 1",
    "select a.id from staff a join staff b on a.badge = b.badge",
    "select * exclude badge from staff",
    "select (* exclude badge), concat(* exclude badge) from staff",
    "select count(* exclude id), count(distinct *), count(staff.*), count((*)) from staff",
    "select id from staff_view where badge is not null",
    "select id from (select id, badge from staff) where badge <> ''",
    "select (select count(*) from staff where badge like 'S%')",
    "select team, (select max(id) from staff where badge is not null) from staff",
    "delete from staff where badge = 'nobody'",
]


@pytest.fixture
def reader(admin: AccountSession) -> AccountSession:
    statement = ""
    for line in POLICIES.strip().splitlines():
        if not line.startswith(" ") and statement:
            admin.execute(statement)
            statement = ""
        statement += f"{line} "
    admin.execute(statement)
    return admin


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_constrained_column_is_not_shown(reader: AccountSession, attempt: str) -> None:
    with pytest.raises(SqlError) as refused:
        reader.execute(attempt)
    assert "restricted by a Projection Policy" in str(refused.value)
    assert "S3C-" not in str(refused.value)


@pytest.mark.parametrize("attempt", ANSWERED)
def test_it_may_be_used_where_it_is_not_shown(reader: AccountSession, attempt: str) -> None:
    assert "S3C-" not in str(reader.execute(attempt).rows)


def test_an_error_about_a_value_does_not_tell_it(reader: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        reader.execute("select id from staff where to_number(badge) > 0")
    assert "S3C-" not in str(refused.value)


@pytest.mark.parametrize("attempt", [a for a in REFUSED if a.startswith(("select", "with"))])
def test_nullified_values_are_null_however_they_are_read(
    reader: AccountSession, attempt: str
) -> None:
    body = "projection_constraint(allow => false, enforcement => 'NULLIFY')"
    reader.execute(f"alter projection policy hidden set body -> {body}")
    assert "S3C-" not in str(reader.execute(attempt).rows)


def test_nullified_values_are_stored_as_null(reader: AccountSession) -> None:
    body = "projection_constraint(allow => false, enforcement => 'NULLIFY')"
    reader.execute(f"alter projection policy hidden set body -> {body}")
    reader.execute("create table copied as select id, badge from staff where id = 1")
    reader.execute("alter table staff modify column badge unset projection policy")
    assert rows(reader, "select * from copied") == [(1, None)]


def test_a_body_that_answers_nothing_keeps_the_column(reader: AccountSession) -> None:
    body = "case when current_role() = 'NOBODY' then projection_constraint(allow => true) end"
    reader.execute(f"alter projection policy hidden set body -> {body}")
    with pytest.raises(SqlError) as refused:
        reader.execute("select badge from staff")
    assert "restricted by a Projection Policy" in str(refused.value)


def test_a_policy_on_rows_may_not_read_a_constrained_column(reader: AccountSession) -> None:
    reader.execute("create row access policy r as (v string) returns boolean -> v = 'x'")
    with pytest.raises(SqlError):
        reader.execute("alter table staff add row access policy r on (badge)")
    reader.execute("alter table staff add row access policy r on (note)")
    with pytest.raises(SqlError):
        reader.execute("alter table staff modify column note set projection policy hidden")
