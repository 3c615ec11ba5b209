"""A database role stays itself, whatever it, its database or an account role is called."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows


@pytest.fixture
def reader(account: Account, admin: AccountSession) -> AccountSession:
    for statement in (
        "create database role shop.readers",
        "grant usage on schema shop.sales to database role shop.readers",
        "grant select on table people to database role shop.readers",
        "create role guest",
        "grant role guest to user admin",
        "grant usage on warehouse compute_wh to role guest",
        "grant database role shop.readers to role guest",
    ):
        admin.execute(statement)
    session = account.session("ADMIN", "GUEST", "COMPUTE_WH", "SHOP", "SALES")
    session.execute("use secondary roles none")
    return session


def _count(session: AccountSession, table: str = "shop.sales.people") -> object:
    return rows(session, f"select count(*) from {table}")[0][0]


def test_it_keeps_its_privileges_when_its_database_is_renamed(
    admin: AccountSession, reader: AccountSession
) -> None:
    admin.execute("alter database shop rename to store")
    assert _count(reader, "store.sales.people") == 3


def test_it_goes_and_comes_back_with_its_database(
    admin: AccountSession, reader: AccountSession
) -> None:
    admin.execute("drop database shop")
    listed = rows(admin, "show grants to role guest")
    assert [row[3] for row in listed] == ["COMPUTE_WH"]
    admin.execute("undrop database shop")
    assert _count(reader) == 3


def test_a_dropped_one_gives_everything_up(admin: AccountSession, reader: AccountSession) -> None:
    admin.execute("drop database role shop.readers")
    admin.execute("create database role shop.readers")
    with pytest.raises(SqlError):
        _count(reader)


def test_it_may_be_granted_to_a_user(account: Account, admin: AccountSession) -> None:
    admin.execute("create database role shop.readers")
    admin.execute("grant usage on schema shop.sales to database role shop.readers")
    admin.execute("grant select on table people to database role shop.readers")
    admin.execute("grant usage on warehouse compute_wh to role public")
    admin.execute("create user guest default_secondary_roles = ('ALL')")
    admin.execute("grant database role shop.readers to user guest")
    guest = account.session("GUEST", "PUBLIC", "COMPUTE_WH", "SHOP", "SALES")
    assert _count(guest) == 3
    assert rows(guest, "select current_available_roles()") == [('["PUBLIC"]',)]
    assert "READERS" not in str(rows(guest, "select current_secondary_roles()"))
    guest.execute("use secondary roles none")
    with pytest.raises(SqlError):
        _count(guest)


def test_no_account_role_gets_the_name_of_its_record(admin: AccountSession) -> None:
    admin.execute("create role other")
    for statement in ('create role "\x1f1"', 'alter role other rename to "\x1f1"'):
        with pytest.raises(SqlError):
            admin.execute(statement)


def test_ownership_stays_with_account_roles(admin: AccountSession) -> None:
    admin.execute("create database role shop.owners")
    with pytest.raises(SqlError) as refused:
        admin.execute("grant ownership on table people to database role shop.owners")
    assert refused.value.sqlstate == "0A000"
