"""Who may do what, and what a missing privilege sounds like."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows


def refusal(session: AccountSession, sql: str) -> tuple[int | None, str]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, refused.value.message


@pytest.fixture
def nobody(account: Account, admin: AccountSession) -> AccountSession:
    admin.execute("create role outsider")
    admin.execute("create user eve default_role = outsider default_secondary_roles = ()")
    admin.execute("grant role outsider to user eve")
    return account.session("EVE", "OUTSIDER", "COMPUTE_WH")


def test_without_usage_a_database_does_not_exist(nobody: AccountSession) -> None:
    errno, text = refusal(nobody, "select * from shop.sales.people")
    assert (errno, "Database 'SHOP' does not exist or not authorized." in text) == (2003, True)
    assert rows(nobody, "show databases") == []


def test_each_grant_opens_one_door(admin: AccountSession, nobody: AccountSession) -> None:
    query = "select count(*) from shop.sales.people"
    admin.execute("grant usage on database shop to role outsider")
    assert "Schema 'SHOP.SALES' does not exist" in refusal(nobody, query)[1]
    admin.execute("grant usage on schema shop.sales to role outsider")
    assert "Object 'SHOP.SALES.PEOPLE' does not exist" in refusal(nobody, query)[1]
    admin.execute("grant references on table people to role outsider")
    assert refusal(nobody, query) == (
        3001,
        "SQL access control error:\nInsufficient privileges to operate on table 'PEOPLE'",
    )
    admin.execute("grant select on table people to role outsider")
    assert rows(nobody, query) == [(3,)]
    admin.execute("revoke select on table people from role outsider")
    assert refusal(nobody, query)[0] == 3001


def test_privileges_come_through_the_hierarchy(
    admin: AccountSession, nobody: AccountSession
) -> None:
    admin.execute("grant role analyst to role outsider")
    assert rows(nobody, "select count(*) from shop.sales.people") == [(3,)]
    assert rows(nobody, "select is_role_in_session('STEWARD'), current_role()") == [
        (True, "OUTSIDER")
    ]


def test_secondary_roles_lend_privileges_but_not_the_current_role(
    admin: AccountSession, nobody: AccountSession
) -> None:
    admin.execute("grant role analyst to user eve")
    assert refusal(nobody, "select * from shop.sales.people")[0] == 2003
    nobody.execute("use secondary roles all")
    assert rows(nobody, "select distinct ssn, current_role() from shop.sales.people") == [
        ("***", "OUTSIDER")
    ]
    admin.execute("grant create table on schema shop.sales to role analyst")
    assert refusal(nobody, "create table shop.sales.x (a int)")[0] == 3001


def test_future_grants_reach_new_tables_only(admin: AccountSession, nobody: AccountSession) -> None:
    for statement in (
        "grant usage on database shop to role outsider",
        "grant usage on schema shop.sales to role outsider",
        "grant select on future tables in schema shop.sales to role outsider",
        "create table later as select 1 as a",
    ):
        admin.execute(statement)
    assert rows(nobody, "select a from shop.sales.later") == [(1,)]
    assert refusal(nobody, "select * from shop.sales.people")[0] == 2003


def test_changing_needs_its_own_privileges(admin: AccountSession, nobody: AccountSession) -> None:
    for statement in (
        "grant usage on database shop to role outsider",
        "grant usage on schema shop.sales to role outsider",
        "grant update, delete, insert on table people to role outsider",
    ):
        admin.execute(statement)
    nobody.execute("insert into shop.sales.people (id) values (9)")
    assert refusal(nobody, "delete from shop.sales.people where ssn = '111-11'")[0] == 3001
    assert refusal(nobody, "truncate table shop.sales.people")[0] == 3001
    assert refusal(nobody, "drop table shop.sales.people")[0] == 3001
    assert refusal(nobody, "alter table shop.sales.people drop column ssn")[0] == 3001


def test_only_who_may_apply_takes_a_policy_off(
    admin: AccountSession, analyst: AccountSession
) -> None:
    off = "alter table people modify column ssn unset masking policy"
    assert refusal(analyst, off)[0] == 3001
    assert refusal(analyst, "alter masking policy mask set body -> v")[0] in (2003, 3001)
    admin.execute("grant ownership on table people to role analyst copy current grants")
    assert refusal(analyst, off)[0] == 3001
    admin.execute("grant apply masking policy on account to role analyst")
    analyst.execute(off)
    assert len(rows(analyst, "select distinct ssn from people")) == 3


def test_cloning_a_schema_does_not_hand_over_what_is_in_it(
    admin: AccountSession, nobody: AccountSession
) -> None:
    for statement in (
        "grant usage on database shop to role outsider",
        "grant usage on schema shop.sales to role outsider",
        "grant create schema on database shop to role outsider",
    ):
        admin.execute(statement)
    nobody.execute("create schema shop.copied clone shop.sales")
    assert refusal(nobody, "select * from shop.copied.people")[0] == 2003
    admin.execute("grant usage on schema shop.copied to role accountadmin")
    assert rows(admin, "select ssn from shop.copied.people where id = 1") == [("111-11",)]


def test_a_role_that_would_contain_itself_is_refused(admin: AccountSession) -> None:
    assert refusal(admin, "grant role analyst to role steward")[0] == 3005


def test_a_disabled_user_does_not_enter(account: Account, nobody: AccountSession) -> None:
    account.session("ADMIN").execute("alter user eve set disabled = true")
    with pytest.raises(SqlError, match="disabled"):
        account.session("EVE")


def test_who_is_who(admin: AccountSession) -> None:
    assert rows(admin, "select current_user(), current_role(), current_warehouse()") == [
        ("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    ]


def test_secure_views_keep_their_text(admin: AccountSession, analyst: AccountSession) -> None:
    admin.execute("create secure view hidden as select id from people where region = 'EU'")
    admin.execute("grant select on view hidden to role analyst")
    assert rows(analyst, "show views like 'hidden' ->> select \"text\" from $1") == [("",)]
    assert refusal(analyst, "select get_ddl('view', 'hidden')")[0] == 3001
    assert "region = 'EU'" in str(rows(admin, "select get_ddl('view', 'hidden')"))
