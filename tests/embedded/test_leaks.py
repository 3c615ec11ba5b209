"""A masked value never leaks: every road to it is walked as somebody who may not see it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import SETUP, rows, statements

SECRETS = ("111-11", "222-22", "333-33")
ROADS = [
    "select * from people",
    "select ssn from people",
    "select people.ssn from people",
    "select p.* from people p",
    'select "SSN" from "SHOP"."SALES"."PEOPLE"',
    "select sales.people.ssn from sales.people",
    "select $3 from people",
    "select p.$3 from people p",
    "select * exclude (id) from people",
    "select * rename (ssn as x) from people",
    "select * replace (upper(ssn) as ssn) from people",
    "select * ilike '%ss%' from people",
    "select ssn as a, a || 'x' as b from people",
    "with people as (select * from people) select * from people",
    "with x as (select ssn from shop.sales.people) select * from x",
    "with recursive r as (select ssn, 1 n from people union all select ssn, n + 1 from r "
    "where n < 2) select * from r",
    "select * from (select ssn from people)",
    "select * from identifier('people')",
    "select * from table('people')",
    "select a.ssn, b.ssn from people a join people b on a.id = b.id",
    "select a.ssn from people a join people b on a.ssn = b.ssn",
    "select (select max(ssn) from people)",
    "select id, (select max(b.ssn) from people b where b.id = a.id) from people a",
    "select min(ssn), max(ssn), any_value(ssn), mode(ssn) from people",
    "select listagg(ssn, ',') from people",
    "select array_agg(ssn) from people",
    "select object_agg(id::string, ssn) from people",
    "select object_construct(*) from people",
    "select object_construct('a', ssn) from people",
    "select to_json(object_construct('a', ssn)) from people",
    "select ssn from people union all select ssn from people",
    "select 'x' where exists (select 1 from people where ssn = '111-11')",
    "select name from people where ssn = '111-11'",
    "select name from people where ssn like '111%'",
    "select name from people group by name, ssn having max(ssn) = '111-11'",
    "select name from people qualify max(ssn) over (partition by id) = '111-11'",
    "select count(distinct ssn) as n from people having n > 1",
    "select first_value(ssn) over (order by id) from people",
    "select f.value from people, lateral flatten(input => array_construct(ssn)) f",
    "select x.s from people, lateral (select ssn as s) x",
    "select s.value from people, table(split_to_table(ssn, '-')) s",
    "select v.ssn from (select * from people) v natural join people",
    "select * from (people) x",
    "select * from (people)",
    "select * from ((people) as l inner join (people) as r using (id))",
    "select * from (people l join people r on l.id = r.id) join people x on x.id = l.id",
    "select * from (people l join people r using (id)) z",
    "(select ssn from people)",
    "((select * from people)) union all (select * from people)",
    "select * from people where id in (select id from (people) q) and ssn is not null",
    "select * from people a, people b where a.id = b.id",
    "select * from people l left join lateral (select p.ssn from people p where p.id = l.id) x",
    "values ((select max(ssn) from people))",
    "select * from values ((select max(ssn) from people))",
    "select people from people",
    "select sha2(ssn), ssn from people",
    "select * from people sample (100)",
    "select top 2 ssn from people",
    "select case when ssn like '1%' then 'hit' || ssn end from people",
    "select decode(ssn, '111-11', 'hit111-11') from people",
    "select regexp_substr(ssn, '[0-9]+') || '-11' from people",
]


def flat(result: object) -> str:
    return repr(result)


def leaks(text: str) -> bool:
    return any(secret in text for secret in SECRETS)


@pytest.mark.parametrize("road", ROADS)
def test_no_query_shows_a_masked_value(analyst: AccountSession, road: str) -> None:
    try:
        found = flat(analyst.execute(road).rows)
    except SqlError as error:
        found = str(error)
    assert not leaks(found.replace(road, ""))


@pytest.mark.parametrize("road", [r for r in ROADS if r != "select people from people"])
def test_the_same_query_runs_for_who_may_see(admin: AccountSession, road: str) -> None:
    admin.execute(road)


def test_a_predicate_compares_masked_values(analyst: AccountSession) -> None:
    assert rows(analyst, "select name from people where ssn = '111-11'") == []
    assert rows(analyst, "select count(*) from people where ssn = '***'") == [(3,)]


@pytest.mark.parametrize(
    "change",
    [
        "update people set name = 'hit' where ssn = '111-11'",
        "update people set name = 'hit' from people p where p.id = people.id and p.ssn = '111-11'",
        "delete from people where ssn = '111-11'",
        "delete from people using people p where p.id = people.id and p.ssn = '111-11'",
        "merge into people t using (select 1 as one) s on t.ssn = '111-11' "
        "when matched then update set name = 'hit'",
        "merge into people t using people s on t.id = s.id and s.ssn = '111-11' "
        "when matched then delete",
        "merge into people t using people s on t.id = s.id "
        "when matched and t.ssn = '111-11' then update set name = 'hit'",
    ],
)
def test_a_change_finds_rows_by_masked_values_only(
    admin: AccountSession, analyst: AccountSession, change: str
) -> None:
    before = rows(admin, "select * from people order by id")
    analyst.execute(change)
    assert rows(admin, "select * from people order by id") == before


def test_what_is_written_from_a_masked_column_is_masked(
    admin: AccountSession, analyst: AccountSession
) -> None:
    analyst.execute("update people set name = ssn where id = 1")
    analyst.execute("insert into people select id + 10, ssn, ssn, region from people where id = 2")
    analyst.execute(
        "merge into people t using (select 20 as id, max(ssn) as s from people) s on t.id = s.id "
        "when not matched then insert (id, name) values (s.id, s.s)"
    )
    found = rows(admin, "select name from people where id in (1, 12, 20)")
    assert found == [("***",)] * 3


def test_a_table_made_from_a_masked_one_holds_masked_values(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("grant create table, create view on schema shop.sales to role analyst")
    analyst.execute("create table copied as select * from people")
    analyst.execute("create table cloned clone people")
    analyst.execute("create view seen as select * from people")
    for table in ("copied", "cloned", "seen"):
        assert rows(analyst, f"select distinct ssn from {table}") == [("***",)]
    admin.execute("grant role analyst to role accountadmin")
    assert rows(admin, "select distinct ssn from copied") == [("***",)]


def test_a_view_shows_what_the_caller_may_see(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("create secure view v as select id, ssn as s from people")
    admin.execute("create view vv as select s from v")
    admin.execute("grant select on view v to role analyst")
    admin.execute("grant select on view vv to role analyst")
    for view in ("v", "vv"):
        assert rows(analyst, f"select distinct s from {view}") == [("***",)]
    assert len(rows(admin, "select distinct s from vv")) == 3


def test_results_of_another_role_are_not_read_again(
    admin: AccountSession, analyst: AccountSession
) -> None:
    query_id = admin.execute("select ssn from people").query_id
    with pytest.raises(SqlError, match="not found"):
        analyst.execute(f"select * from table(result_scan('{query_id}'))")
    assert len(rows(admin, f"select * from table(result_scan('{query_id}'))")) == 3


def test_a_row_access_policy_hides_rows_before_anything_else_sees_them(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute(
        "create row access policy only_eu as (r string) returns boolean -> "
        "current_role() = 'ACCOUNTADMIN' or r = 'EU'"
    )
    admin.execute("alter table people add row access policy only_eu on (region)")
    assert rows(analyst, "select name from people order by id") == [("Ann",), ("Cy",)]
    assert rows(analyst, "select count(*) from people") == [(2,)]
    analyst.execute("delete from people where 1 = 1")
    assert rows(admin, "select name from people") == [("Bob",)]


def test_an_error_does_not_tell_a_hidden_value(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute(
        "create row access policy nobody as (r string) returns boolean -> "
        "case when current_role() = 'ACCOUNTADMIN' then true else r = 'EU' end"
    )
    admin.execute("alter table people add row access policy nobody on (region)")
    for question in ("name::int = 1", "to_number(name) = 1", "to_date(name) is null"):
        with pytest.raises(SqlError) as refused:
            analyst.execute(f"select id from people where {question}")
        assert not any(name in str(refused.value) for name in ("Bob", "Ann", "Cy"))


def test_a_mapping_table_decides_per_row_and_role(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("create table map (role string, region string)")
    admin.execute("insert into map values ('ANALYST', 'US')")
    admin.execute(
        "create row access policy mapped as (region string) returns boolean -> exists "
        "(select 1 from map m where m.role = current_role() and m.region = region)"
    )
    admin.execute(
        "create or replace row access policy mapped2 as (r string) returns boolean -> "
        "exists (select 1 from map m where m.role = current_role() and m.region = r)"
    )
    admin.execute("alter table people add row access policy mapped2 on (region)")
    assert rows(analyst, "select name from people") == [("Bob",)]
    with pytest.raises(SqlError, match="not exist or not authorized"):
        analyst.execute("select * from map")


def test_a_conditional_mask_reads_its_other_column_as_stored(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute(
        "create masking policy by_region as (v string, r string) returns string -> "
        "case when r = 'US' then v else 'hidden' end"
    )
    admin.execute(
        "alter table people modify column name set masking policy by_region using (name, region)"
    )
    found = rows(analyst, "select name from people order by id")
    assert found == [("hidden",), ("Bob",), ("hidden",)]


def test_a_policy_outlives_renames_swaps_and_undrop(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("alter table people rename column ssn to social")
    admin.execute("alter table people rename to folk")
    admin.execute("alter schema sales rename to trade")
    assert rows(analyst, "select distinct social from shop.trade.folk") == [("***",)]
    admin.execute("drop table shop.trade.folk")
    admin.execute("undrop table shop.trade.folk")
    assert rows(analyst, "select distinct social from shop.trade.folk") == [("***",)]


def test_a_tag_masks_every_column_that_carries_it(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("create tag pii")
    admin.execute("alter tag pii set masking policy mask")
    admin.execute("alter table people modify column name set tag pii = 'yes'")
    assert rows(analyst, "select distinct name from people") == [("***",)]
    admin.execute("alter schema sales set tag pii = 'yes'")
    assert rows(analyst, "select distinct region from people") == [("***",)]


EXPRESSIONS = st.sampled_from(
    [
        "ssn",
        "upper(ssn)",
        "p.ssn",
        "coalesce(ssn, 'x')",
        "ssn || name",
        "substr(ssn, 1, 6)",
        "max(ssn) over ()",
        "iff(ssn = '111-11', '222-22x', 'no')",
        "parse_json('\"' || ssn || '\"')",
    ]
)
WRAPS = st.sampled_from(
    [
        "select * from ({q}) w",
        "with w as ({q}) select * from w",
        "({q}) union all ({q})",
        "select * from ({q}) order by 1 limit 5",
        "select distinct * from ({q}) z",
    ]
)


@pytest.fixture(scope="module")
def walker() -> AccountSession:
    account = Account.open()
    session = account.session("ADMIN")
    for statement in statements(SETUP):
        session.execute(statement)
    return account.session("ADMIN", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(EXPRESSIONS, min_size=1, max_size=3), st.lists(WRAPS, max_size=3))
def test_no_combination_of_wrappings_leaks(
    walker: AccountSession, expressions: list[str], wraps: list[str]
) -> None:
    listed = ", ".join(f"{e} as c{i}" for i, e in enumerate(expressions))
    query = f"select {listed} from people p"
    for wrap in wraps:
        query = wrap.format(q=query)
    assert not leaks(flat(walker.execute(query).rows))
