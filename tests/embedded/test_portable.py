"""An account as SQL and back: nothing is lost, or it is refused."""

import datetime as dt
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.embedded import portable
from skills_nb.embedded.account import Account
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.demo import seed
from skills_nb.embedded.portable import portrait
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
    portable.load(copy, "".join(portable.export(account)))
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
        assert "".join(portable.export(copy)) == "".join(portable.export(rich))


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
    assert "".join(portable.export(account)).count(";") == 0


def test_an_account_that_is_in_use_takes_no_script(rich: Account) -> None:
    before = rich.fingerprint()
    with pytest.raises(SkillsError, match="not new"):
        portable.load(rich, "create role other")
    assert rich.fingerprint() == before


def test_what_the_script_cannot_say_is_refused_by_name(account: Account) -> None:
    session = account.session("ADMIN")
    session.execute("create database d")
    session.execute("create table t (a int)")
    view = "create view v as select * from t"
    session.execute(view)
    session.execute("drop table t")
    with pytest.raises(SqlError) as refused:
        list(portable.export(account))
    assert "T" in str(refused.value)


_TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=12)
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
)
_TABLE = (
    "create table d.public.t (a string, b number(38,0), c number(12,2), d float, e boolean, "
    "f date, g time, h timestamp_ntz, i timestamp_ltz, j binary)"
)


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
        marks = ", ".join("?" for _ in made[0])
        names = "a b c d e f g h i j".upper().split()
        target = f'"{table[0]}"."{table[1]}" ({", ".join(names)})'
        for row in made:
            place.execute(f"INSERT INTO {target} VALUES ({marks})", list(row))
        with carried(account) as copy:
            asked = "select a, b, c, d, e, f, g, h, i, j from d.public.t"
            before = rows(session, asked)
            after = rows(copy.session("ADMIN"), asked)
            assert [_comparable(row) for row in after] == [_comparable(row) for row in before]
            assert len(after) == len(made)


def _comparable(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple("nan" if isinstance(v, float) and math.isnan(v) else v for v in row)
