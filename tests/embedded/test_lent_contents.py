"""What a share lends follows what its provider changes, and an error tells of nothing else."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows, statements

SETUP = """
create database prov
create schema prov.s
create schema prov.w
create database far
create schema far.f
create table far.f.secret (id int, ssn string)
insert into far.f.secret values (1, 'far-1')
use schema prov.s
create table base (id int, ssn string, region string)
insert into base values (1, 'e-1', 'EU'), (2, 'u-2', 'US')
create table "My T" (id int, ssn string)
insert into "My T" values (1, 's-1'), (2, 's-2')
create secure view sv as select id, ssn from base where region = 'EU'
create secure view "far view" as select * from far.f.secret
create secure view over_far as select id from "far view"
create database role prov.readers
create share lend
grant usage on database prov to share lend
grant usage on schema prov.s to share lend
grant select on table "My T" to share lend
grant select on view sv to share lend
alter share lend add accounts = embedded
create database lent from share embedded.lend
use schema prov.s
create role reader
create user eve default_role = reader default_secondary_roles = ()
grant role reader to user eve
grant imported privileges on database lent to role reader
grant usage on warehouse compute_wh to role reader
"""
TABLE, VIEW = 'select ssn from lent.s."My T" order by 1', "select ssn from lent.s.sv"
GONE = [
    ('create or replace table "My T" (id int, ssn string)', TABLE),
    ('drop table "My T"', TABLE),
    ('alter table "My T" rename to prov.w."My T"', TABLE),
    ('alter table "My T" rename to far.f."My T"', TABLE),
    ('alter table "My T" rename to "Your T"', TABLE),
    ("drop schema prov.s", TABLE),
    ("create or replace schema prov.s", TABLE),
    ("create or replace database prov", TABLE),
    ("drop database prov", TABLE),
    ("create or replace share lend", TABLE),
    ("revoke usage on database prov from share lend", TABLE),
    ("revoke usage on schema prov.s from share lend", TABLE),
    ('revoke select on table "My T" from share lend', TABLE),
    ("alter share lend remove accounts = embedded", TABLE),
    ("alter view sv unset secure", VIEW),
    ("create or replace secure view sv as select * from base", VIEW),
    ("grant ownership on view sv to role reader revoke current grants", VIEW),
]


@pytest.fixture
def provider(account: Account) -> AccountSession:
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in statements(SETUP):
        session.execute(statement)
    return session


@pytest.fixture
def eve(account: Account, provider: AccountSession) -> AccountSession:
    return account.session("EVE", "READER", "COMPUTE_WH")


@pytest.mark.parametrize(("change", "query"), GONE)
def test_what_is_no_longer_lent_is_no_longer_read(
    provider: AccountSession, eve: AccountSession, change: str, query: str
) -> None:
    assert rows(eve, query)
    provider.execute(change)
    with pytest.raises(SqlError) as refused:
        eve.execute(query)
    assert refused.value.errno == 2003
    assert "PROV" not in str(refused.value)


def test_what_comes_back_is_read_again(provider: AccountSession, eve: AccountSession) -> None:
    for change in ('drop table "My T"', 'undrop table "My T"', "drop schema s", "undrop schema s"):
        provider.execute(change)
    assert rows(eve, TABLE) == [("s-1",), ("s-2",)]
    provider.execute("drop database prov")
    provider.execute("undrop database prov")
    assert rows(eve, TABLE) == [("s-1",), ("s-2",)]


def test_what_was_hidden_by_its_schema_does_not_come_back_with_it(
    provider: AccountSession, eve: AccountSession
) -> None:
    provider.execute("revoke usage on schema prov.s from share lend")
    provider.execute('revoke select on table prov.s."My T" from share lend')
    provider.execute("grant usage on schema prov.s to share lend")
    with pytest.raises(SqlError):
        eve.execute(TABLE)
    assert rows(eve, VIEW) == [("e-1",)]


def test_a_new_name_and_copied_grants_are_followed(
    provider: AccountSession, eve: AccountSession
) -> None:
    provider.execute('alter table "My T" rename to "Your T"')
    assert len(rows(eve, 'select * from lent.s."Your T"')) == 2
    provider.execute("create or replace table \"Your T\" copy grants as select 9 id, 's-9' ssn")
    assert rows(eve, 'select ssn from lent.s."Your T"') == [("s-9",)]
    provider.execute("create or replace secure view sv copy grants as select region from base")
    assert rows(eve, "select * from lent.s.sv order by 1") == [("EU",), ("US",)]


@pytest.mark.parametrize("view", ['"far view"', "over_far"])
def test_a_view_over_another_database_needs_its_name_in_the_share(
    provider: AccountSession, eve: AccountSession, view: str
) -> None:
    with pytest.raises(SqlError) as refused:
        provider.execute(f"grant select on view {view} to share lend")
    assert "Grant REFERENCE_USAGE" in str(refused.value)
    provider.execute("grant reference_usage on database far to share lend")
    provider.execute(f"grant select on view {view} to share lend")
    assert rows(eve, f"select id from lent.s.{view}") == [(1,)]
    provider.execute("revoke reference_usage on database far from share lend")
    with pytest.raises(SqlError):
        eve.execute(f"select id from lent.s.{view}")


def test_a_database_role_lends_no_open_view_and_nothing_of_another_database(
    provider: AccountSession, eve: AccountSession
) -> None:
    provider.execute("create view plain as select id from base")
    provider.execute("create secure view moved as select id from base")
    for granted in ("view plain", "view moved", "table base"):
        provider.execute(f"grant select on {granted} to database role prov.readers")
    provider.execute("grant database role prov.readers to share lend")
    provider.execute("grant database role lent.readers to role reader")
    assert len(rows(eve, "select * from lent.s.moved")) == 2
    with pytest.raises(SqlError, match="cannot share data of several databases"):
        provider.execute('grant select on view "far view" to database role prov.readers')
    # What the share names counts for what it holds itself, and not for its roles.
    provider.execute("grant reference_usage on database far to share lend")
    provider.execute(
        "create or replace secure view moved copy grants as select id from far.f.secret"
    )
    assert len(rows(eve, "select * from lent.s.base")) == 2
    for view in ("plain", '"far view"', "moved"):
        with pytest.raises(SqlError):
            eve.execute(f"select * from lent.s.{view}")


TOLD_NOTHING = [
    "current_user() is null",
    "current_role() is null",
    "invoker_role() is null",
    "current_available_roles() is null",
    "current_secondary_roles() is null",
    "getvariable('OPEN') is null",
    "not is_role_in_session('READER')",
]


@pytest.mark.parametrize("condition", TOLD_NOTHING)
def test_a_policy_knows_nothing_of_the_consumers_session(
    provider: AccountSession, eve: AccountSession, condition: str
) -> None:
    provider.execute(
        "create masking policy mask as (v string) returns string -> "
        f"case when {condition} then 'nobody' else v end"
    )
    provider.execute('alter table "My T" modify column ssn set masking policy mask')
    eve.execute("set open = 'yes'")
    assert rows(eve, TABLE) == [("nobody",), ("nobody",)]


def test_an_error_in_what_is_lent_names_nothing_of_the_provider(
    provider: AccountSession, eve: AccountSession
) -> None:
    provider.execute(
        "create row access policy known as (v string) returns boolean -> "
        "v in (select ssn from base)"
    )
    provider.execute('alter table "My T" add row access policy known on (ssn)')
    assert rows(eve, TABLE) == []
    provider.execute("alter table base rename to elsewhere")
    for query in (TABLE, VIEW):
        with pytest.raises(SqlError) as refused:
            eve.execute(query)
        assert refused.value.errno == 2037
        assert not any(word in str(refused.value) for word in ("BASE", "PROV", "ELSEWHERE"))
    with pytest.raises(SqlError, match=r"Object 'PROV\.S\.BASE' does not exist"):
        provider.execute("select * from sv")


def test_a_lent_database_is_not_taken_out_of_its_shares_in_passing(
    provider: AccountSession, eve: AccountSession
) -> None:
    with pytest.raises(SqlError, match="granted to a share"):
        provider.execute("grant ownership on database prov to role reader revoke current grants")
    provider.execute("grant ownership on database prov to role reader copy current grants")
    assert len(rows(eve, TABLE)) == 2
