"""Fixtures: an account with people who may see different things."""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession

SETUP = """
create database shop
create schema shop.sales
create table people (id int, name string, ssn string, region string)
insert into people values (1,'Ann','111-11','EU'), (2,'Bob','222-22','US'), (3,'Cy','333-33','EU')
create role analyst
create role steward
grant usage on database shop to role analyst
grant usage on schema shop.sales to role analyst
grant select, insert, update, delete on table people to role analyst
grant role analyst to user admin
grant role steward to role analyst
create masking policy mask as (v string) returns string ->
  case when current_role() = 'ACCOUNTADMIN' then v else '***' end
alter table people modify column ssn set masking policy mask
"""


def statements(text: str) -> list[str]:
    """Cut a script whose continuation lines are indented."""
    found: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            found[-1] += line
        else:
            found.append(line)
    return found


def rows(session: AccountSession, sql: str) -> list[tuple[object, ...]]:
    return list(session.execute(sql).rows)


@pytest.fixture
def account() -> Iterator[Account]:
    with Account.open() as opened:
        yield opened


@pytest.fixture
def admin(account: Account) -> AccountSession:
    session = account.session("ADMIN")
    for statement in statements(SETUP):
        session.execute(statement)
    return session


@pytest.fixture
def analyst(account: Account, admin: AccountSession) -> AccountSession:
    return account.session("ADMIN", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")
