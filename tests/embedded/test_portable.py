"""An account as SQL and back: nothing is lost, or it is refused."""

import contextlib
import datetime as dt
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.tools import export
from skills_nb.embedded.tools.demo import seed
from skills_nb.embedded.tools.export import portrait
from skills_nb.errors import SkillsError, SqlError

from .conftest import rows, statements

RICH = r"""
create role steward comment = 'it''s a \\ role'
create role "odd Role"
grant role steward to role sysadmin
grant role "odd Role" to role steward
create user eve login_name = 'eve@example.org' default_role = 'STEWARD' disabled = true
grant role steward to user eve
create warehouse big warehouse_size = 'LARGE' auto_suspend = 60 auto_resume = false
alter warehouse compute_wh set comment = 'for all'
alter user admin set email = 'admin@example.org'
create database d data_retention_time_in_days = 7 comment = 'first'
create transient schema d.s with managed access comment = 'second'
create schema d."odd Schema"
create database empty
drop schema empty.public
use schema d.s
create table base (id int autoincrement start 10 increment 5, name string(20) not null
  default 'x''y', amount number(12,2) comment 'how much', primary key (id))
insert into base (name, amount) values ('a', 1.50), ('b''c', null)
create table "odd Table" ("odd Column" string, v variant, o object, b binary, f float)
insert into "odd Table" select 'x', parse_json('{"a":[1,null]}'), parse_json('{}'),
  X'00FF', 'nan'::float
create transient table short_lived (a int)
create table regions (who string, region string)
create view v1 as select id, name from base
create secure view v2 (n) comment = 'over v1' as select name from v1
create or replace view v1 as select id, name from base where id > 0
create tag kind allowed_values 'pii', 'none' comment = 'what it is'
create tag d.s."odd Tag"
create masking policy hide as (v string) returns string ->
  case when current_role() = 'STEWARD' then v else '***' end
create masking policy hide_some as (v string, a number) returns string ->
  case when a > 1 then v else '***' end
create row access policy own as (n string) returns boolean ->
  exists (select 1 from regions where who = current_user() and region = n)
alter table base modify column name set masking policy hide_some using (name, amount)
alter table regions modify column region set masking policy hide
alter table base set tag kind = 'pii'
alter table base modify column amount set tag kind = 'none'
alter table "odd Table" add row access policy own on ("odd Column")
alter tag d.s."odd Tag" set masking policy hide
grant usage on database d to role steward
grant usage on schema d.s to role steward with grant option
grant select, insert on table base to role "odd Role"
grant create role on account to role steward
grant select on future tables in schema d.s to role steward
revoke usage on warehouse compute_wh from role public
grant ownership on table short_lived to role steward copy current grants
grant ownership on database empty to role sysadmin copy current grants
create temporary table passing (a int)
create table gone (a int)
drop table gone
"""


def carried(account: Account) -> Account:
    """Return a new account, made of another's script."""
    copy = Account.open()
    export.load(copy, "".join(export.export(account)))
    return copy


@pytest.fixture
def rich(account: Account) -> Account:
    session = account.session("ADMIN")
    for statement in statements(RICH):
        session.execute(statement)
    return account


def test_an_account_comes_back_with_everything_that_it_held(rich: Account) -> None:
    with carried(rich) as copy:
        assert portrait.of(copy.catalog) == portrait.of(rich.catalog)
        assert "".join(export.export(copy)) == "".join(export.export(rich))


def test_rows_come_back_and_stay_protected(rich: Account) -> None:
    with carried(rich) as copy:
        for account in (rich, copy):
            admin = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "S")
            assert rows(admin, "select id, name, amount from base order by id") == [
                (10, "a", Decimal("1.50")),
                (15, "***", None),
            ]
            assert rows(admin, 'select count(*) from "odd Table"') == [(0,)]
            admin.execute('alter table "odd Table" drop all row access policies')
            (found,) = rows(admin, 'select "odd Column", v, o, b, f from "odd Table"')
            assert (found[0], found[3], str(found[4])) == ("x", b"\x00\xff", "nan")
            admin.execute("insert into base (name) values ('next')")
            assert rows(admin, "select max(id) from base") == [(20,)]


@pytest.mark.slow
def test_the_demo_account_comes_back(account: Account) -> None:
    seed(account)
    with carried(account) as copy:
        assert portrait.of(copy.catalog) == portrait.of(account.catalog)
        for table in ("CUSTOMERS", "ORDERS", "EMPLOYEES"):
            everything = f"select * from prod.customer_data.{table} order by 1"
            found = rows(copy.session("ADMIN"), everything)
            assert found == rows(account.session("ADMIN"), everything)


def test_the_history_begins_after_the_import(rich: Account) -> None:
    with carried(rich) as copy:
        asked = "select count(*) from snowflake.account_usage.query_history"
        assert rows(copy.session("ADMIN"), asked) == [(0,)]


def test_a_new_account_is_an_empty_script(account: Account) -> None:
    assert "".join(export.export(account)).count(";") == 0


def test_an_account_that_is_in_use_takes_no_script(rich: Account) -> None:
    before = rich.fingerprint()
    with pytest.raises(SkillsError, match="not new"):
        export.load(rich, "create role other")
    assert rich.fingerprint() == before


def test_what_the_script_cannot_say_is_refused_by_name(account: Account) -> None:
    session = account.session("ADMIN")
    session.execute("create database d")
    session.execute("create table t (a int)")
    view = "create view v as select * from t"
    session.execute(view)
    session.execute("drop table t")
    with pytest.raises(SqlError) as refused:
        list(export.export(account))
    assert "T" in str(refused.value)


_TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=12)


def _zoned(moment: dt.datetime, minutes: int) -> dict[str, object]:
    """Hold a moment as its instant and its offset, as the account does."""
    return {"t": moment.replace(tzinfo=dt.UTC), "o": minutes}


_MOMENT = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1))
_ROW = st.tuples(
    st.none() | _TEXT,
    st.none() | st.integers(-(10**37), 10**37),
    st.none() | st.decimals(-(10**9), 10**9, places=2, allow_nan=False),
    st.none() | st.floats(width=64),
    st.none() | st.booleans(),
    st.none() | st.dates(dt.date(1900, 1, 1), dt.date(2200, 1, 1)),
    st.none() | st.times(),
    st.none() | _MOMENT,
    st.none() | _MOMENT.map(lambda value: value.replace(tzinfo=dt.UTC)),
    st.none() | st.binary(max_size=8),
    st.none() | st.tuples(_MOMENT, st.integers(-720, 840)).map(lambda made: _zoned(*made)),
)
_TABLE = (
    "create table d.public.t (a string, b number(38,0), c number(12,2), d float, e boolean, "
    "f date, g time, h timestamp_ntz, i timestamp_ltz, j binary, k timestamp_tz)"
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(_ROW, min_size=1, max_size=5))
def test_every_value_survives_the_journey(made: list[tuple[object, ...]]) -> None:
    with Account.open() as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        session.execute(_TABLE)
        place = account.store.connection
        (table,) = [
            entity.detail.place for entity in account.catalog.children(Kind.TABLE, ("D", "PUBLIC"))
        ]
        insert = duck_sql.of(
            "INSERT INTO {table} ({names}) VALUES {marks}",
            table=duck_sql.place(table),
            names=duck_sql.names("ABCDEFGHIJK"),
            marks=duck_sql.marks(len(made[0])),
        )
        for row in made:
            place.execute(insert, list(row))
        with carried(account) as copy:
            asked = "select a, b, c, d, e, f, g, h, i, j, k from d.public.t"
            before = rows(session, asked)
            after = rows(copy.session("ADMIN"), asked)
            assert [_comparable(row) for row in after] == [_comparable(row) for row in before]
            assert len(after) == len(made)


def _comparable(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple("nan" if isinstance(v, float) and math.isnan(v) else v for v in row)


_FURTHER = r"""
create resource monitor m with credit_quota = 5 frequency = weekly start_timestamp = immediately
  triggers on 50 percent do notify on 90 percent do suspend
create resource monitor n with credit_quota = 7
alter resource monitor n set comment = 'plain'
create warehouse w resource_monitor = m
create role clerk
create database d comment = 'lent'
create database role d.reader comment = 'reads'
create database role d.writer
grant database role d.reader to database role d.writer
grant database role d.writer to role clerk
grant database role snowflake.object_viewer to role clerk
grant application role snowflake.data_quality_monitoring_viewer to role clerk
use schema d.public
create table t (a int, b string)
create secure view v as select a from t
grant usage on schema d.public to database role d.reader
grant select on table t to database role d.reader
grant select on future tables in schema d.public to database role d.writer
create data metric function odd (arg table(x int)) returns number comment = 'odd ones'
  as 'select count_if(x % 2 = 1) from arg'
alter table t set data_metric_schedule = '5 minute'
alter table t add data metric function odd on (a) expectation few (value < 3)
alter table t add data metric function snowflake.core.accepted_values on (a, a -> a > 0)
create tag pii
create snowflake.data_privacy.custom_classifier codes()
call codes!add_regex('CODE', 'IDENTIFIER', '[A-Z]\\d{3}', 'code.*', 'it''s a code', 0.5)
create snowflake.data_privacy.classification_profile p({'auto_tag': true,
  'tag_map': {'column_tag_map': [{'tag_name': 'd.public.pii', 'tag_value': 'x'}]}})
create snowflake.core.budget b()
call b!set_spending_limit(12)
create share s comment = 'for partners'
grant usage on database d to share s
grant usage on schema d.public to share s
grant select on view v to share s
alter share s add accounts = org.one, org.two
"""


@pytest.fixture
def further(account: Account) -> Account:
    session = account.session("ADMIN")
    for statement in statements(_FURTHER):
        session.execute(statement)
    return account


def test_monitors_database_roles_metrics_instances_and_shares_come_back(further: Account) -> None:
    assert portrait.of(carried(further).catalog) == portrait.of(further.catalog)


def test_the_script_of_what_came_back_is_the_same_script(further: Account) -> None:
    assert "".join(export.export(carried(further))) == "".join(export.export(further))


def test_what_a_budget_is_linked_to_is_refused_by_name(further: Account) -> None:
    session = further.session("ADMIN")
    session.execute("use schema d.public")
    session.execute(
        "call b!add_resource(system$reference('TABLE', 'd.public.t', 'SESSION', 'APPLYBUDGET'))"
    )
    with pytest.raises(SqlError) as refused:
        list(export.export(further))
    assert refused.value.sqlstate == "0A000"
    assert "SNOWFLAKE.CORE.BUDGET" in str(refused.value)


_CHANGES = st.lists(
    st.sampled_from(
        [
            "create database role if not exists d.r1",
            "grant database role d.r1 to role clerk",
            "grant usage on schema d.public to database role d.r1",
            "grant select on future views in schema d.public to database role d.r1",
            "create share if not exists s1 comment = 'x'",
            "grant usage on database d to share s1",
            "grant usage on schema d.public to share s1",
            "grant select on table d.public.t to share s1",
            "alter share s1 set accounts = org.a",
            "create or replace resource monitor m1 with credit_quota = 3 "
            "triggers on 10 percent do suspend_immediate",
            "alter account set resource_monitor = m1",
            "create or replace data metric function d.public.f (t table(a int)) returns number "
            "as 'select max(a) from t'",
            "create snowflake.core.budget d.public.b1()",
            "call d.public.b1!set_spending_limit(3)",
            "revoke usage on schema d.public from share s1",
            "drop share s1",
            "drop database role d.r1",
        ]
    ),
    max_size=14,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(_CHANGES)
def test_whatever_was_done_comes_back(changes: list[str]) -> None:
    account = Account.open()
    session = account.session("ADMIN")
    for statement in ("create role clerk", "create database d", "create table d.public.t (a int)"):
        session.execute(statement)
    for statement in changes:
        with contextlib.suppress(SqlError):  # what comes too early is refused, and changes nothing
            session.execute(statement)
    assert portrait.of(carried(account).catalog) == portrait.of(account.catalog)
