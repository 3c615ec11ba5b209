"""Ownership is not given to a role that the giver does not work as; its rights end with it."""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows

MADE = {
    "procedure": (
        "create procedure x() returns int language sql as 'begin return 1; end'",
        "x()",
    ),
    "function": ("create function x() returns int as '1'", "x()"),
    "view": ("create view x as select 1 as a", "x"),
    "table": ("create table x (a int)", "x"),
    "task": ("create task x warehouse = compute_wh schedule = '1 minute' as select 1", "x"),
}


@pytest.fixture
def maker(account: Account, admin: AccountSession) -> AccountSession:
    admin.execute("grant all on schema shop.sales to role analyst")
    admin.execute("grant usage on warehouse compute_wh to role analyst")
    admin.execute("create user eve")
    admin.execute("grant role analyst to user eve")
    return account.session("EVE", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("current", ["", " copy current grants", " revoke current grants"])
def test_what_somebody_made_is_not_given_to_a_role_above(
    maker: AccountSession, kind: str, current: str
) -> None:
    create, name = MADE[kind]
    maker.execute(create)
    with pytest.raises(SqlError, match="activated in the current session") as refused:
        maker.execute(f"grant ownership on {kind} {name} to role accountadmin{current}")
    assert refused.value.errno == 3001
    maker.execute(f"grant ownership on {kind} {name} to role steward")


def test_who_manages_grants_gives_ownership_to_any_role(
    account: Account, admin: AccountSession
) -> None:
    admin.execute("use role securityadmin")
    admin.execute("grant ownership on table shop.sales.people to role steward copy current grants")
    admin.execute("use role accountadmin")
    told = rows(admin, "select table_owner from shop.information_schema.tables")
    assert ("STEWARD",) in told


def test_ownership_to_come_is_not_given_to_a_role_above(
    admin: AccountSession, maker: AccountSession
) -> None:
    admin.execute("grant ownership on schema shop.sales to role analyst copy current grants")
    with pytest.raises(SqlError, match="activated in the current session"):
        maker.execute("grant ownership on future procedures in schema shop.sales to role sysadmin")
