"""Masks and row filters hold through shares, database roles, clones, time travel and MERGE."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows, statements

SETUP = """
create database role shop.readers
grant usage on schema shop.sales to database role shop.readers
grant select on table people to database role shop.readers
create row access policy eu as (r string) returns boolean ->
  r = 'EU' or current_role() = 'ACCOUNTADMIN'
alter table people add row access policy eu on (region)
create secure view named as select name, ssn, region from people
create share lent_people
grant usage on database shop to share lent_people
grant usage on schema shop.sales to share lent_people
grant select on table people to share lent_people
grant select on view named to share lent_people
grant database role shop.readers to share lent_people
alter share lent_people add accounts = embedded
create database lent from share embedded.lent_people
create schema shop.copies
use schema shop.sales
create table shop.copies.people clone people
grant usage on schema shop.copies to role analyst
grant select on table shop.copies.people to role analyst
create table sink (v string)
grant select, insert, update on table sink to role analyst
create role partner
grant role partner to user admin
grant database role lent.readers to role partner
grant usage on warehouse compute_wh to role partner
create role importer
grant role importer to user admin
grant imported privileges on database lent to role importer
grant usage on warehouse compute_wh to role importer
"""
MASKED = [
    ("ANALYST", "select ssn, region from people"),
    ("ANALYST", "select ssn, region from people at (offset => 0)"),
    ("ANALYST", "select ssn, region from shop.copies.people"),
    ("PARTNER", "select ssn, region from lent.sales.people"),
    ("PARTNER", "select * from (select max(ssn), region from lent.sales.people group by region)"),
    ("IMPORTER", "select ssn, region from lent.sales.people"),
    ("IMPORTER", "select ssn, region from lent.sales.named"),
    ("IMPORTER", "with p as (select * from lent.sales.people) select ssn, region from p"),
    ("ACCOUNTADMIN", "select ssn, region from lent.sales.people"),
    ("ACCOUNTADMIN", "select ssn, region from lent.sales.named"),
]
REFUSED = [
    ("PARTNER", "select * from lent.sales.named"),
    ("PARTNER", "select * from shop.sales.people"),
    ("ANALYST", "select * from lent.sales.people"),
    ("IMPORTER", "select * from lent.sales.people at (offset => 0)"),
    ("IMPORTER", "create table shop.copies.mine clone lent.sales.people"),
    ("IMPORTER", "insert into lent.sales.people values (9, 'x', 'x', 'EU')"),
    ("IMPORTER", "update lent.sales.people set ssn = 'x'"),
    ("IMPORTER", "delete from lent.sales.people"),
    ("IMPORTER", "merge into lent.sales.people t using (select 1 as id) s on t.id = s.id"
     " when matched then delete"),
    ("ACCOUNTADMIN", "create database mine clone lent"),
    ("ACCOUNTADMIN", "create schema shop.mine clone lent.sales"),
    ("ACCOUNTADMIN", "create table lent.sales.mine (a int)"),
    ("ACCOUNTADMIN", "create schema lent.mine"),
    ("ACCOUNTADMIN", "grant select on view lent.sales.people to role analyst"),
    ("ACCOUNTADMIN", "grant select on all views in database lent to role analyst"),
    ("ACCOUNTADMIN", "alter view lent.sales.people modify column ssn unset masking policy"),
    ("ACCOUNTADMIN", "drop view lent.sales.people"),
    ("ACCOUNTADMIN", "grant ownership on view lent.sales.people to role analyst"),
    ("ACCOUNTADMIN", "alter database role lent.readers rename to lent.writers"),
    ("ACCOUNTADMIN", "grant usage on database lent to share lent_people"),
]  # fmt: skip


@pytest.fixture
def prepared(admin: AccountSession) -> AccountSession:
    for statement in statements(SETUP):
        admin.execute(statement)
    return admin


def _as(account: Account, role: str) -> AccountSession:
    session = account.session("ADMIN", role, "COMPUTE_WH", "SHOP", "SALES")
    session.execute("use secondary roles none")
    return session


@pytest.mark.parametrize(("role", "query"), MASKED)
def test_whoever_reads_meets_mask_and_filter(
    account: Account, prepared: AccountSession, role: str, query: str
) -> None:
    assert set(rows(_as(account, role), query)) == {("***", "EU")}


@pytest.mark.parametrize(("role", "attempt"), REFUSED)
def test_nothing_else_is_lent_and_nothing_lent_changes(
    account: Account, prepared: AccountSession, role: str, attempt: str
) -> None:
    with pytest.raises(SqlError) as refused:
        _as(account, role).execute(attempt)
    assert "111-11" not in str(refused.value)


def test_a_merge_writes_masked_values_only(account: Account, prepared: AccountSession) -> None:
    analyst = _as(account, "ANALYST")
    analyst.execute(
        "merge into sink using people on sink.v = people.name "
        "when not matched then insert values (people.ssn)"
    )
    assert set(rows(prepared, "select v from sink")) == {("***",)}


def test_taking_the_role_back_ends_the_lending(account: Account, prepared: AccountSession) -> None:
    prepared.execute("revoke database role shop.readers from share lent_people")
    with pytest.raises(SqlError):
        _as(account, "PARTNER").execute("select * from lent.sales.people")


def test_taking_the_account_out_ends_the_lending(
    account: Account, prepared: AccountSession
) -> None:
    prepared.execute("alter share lent_people remove accounts = embedded")
    with pytest.raises(SqlError):
        _as(account, "IMPORTER").execute("select * from lent.sales.people")
    prepared.execute("alter share lent_people set accounts = embedded")
    assert rows(_as(account, "IMPORTER"), "select count(*) from lent.sales.people") == [(2,)]


def test_constraints_of_the_provider_hold_for_the_consumer(
    account: Account, prepared: AccountSession
) -> None:
    for statement in (
        "create projection policy home as () returns projection_constraint -> "
        "projection_constraint(allow => invoker_share() is null)",
        "alter table people modify column name set projection policy home",
    ):
        prepared.execute(statement)
    assert len(rows(prepared, "select name from people")) == 3
    with pytest.raises(SqlError) as refused:
        _as(account, "IMPORTER").execute("select name from lent.sales.people")
    assert "restricted by a Projection Policy" in str(refused.value)


def test_an_account_role_named_like_a_database_role_gets_nothing(
    account: Account, prepared: AccountSession
) -> None:
    prepared.execute('create role "SHOP.READERS"')
    prepared.execute('grant role "SHOP.READERS" to user admin')
    with pytest.raises(SqlError):
        _as(account, "SHOP.READERS").execute("select * from shop.sales.people")
