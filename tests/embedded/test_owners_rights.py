"""What runs with its owner's rights asks at each call what the owner may do by now."""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import statements

BEFORE = """
create database home
create schema home.open
create schema home.priv
create table home.priv."My Base" (id int, c string)
insert into home.priv."My Base" values (1, 'word')
create role owner
create role reader
create user eve default_role = reader default_secondary_roles = ()
grant role reader to user eve
grant role owner to user admin
grant usage on warehouse compute_wh to role reader
grant usage on warehouse compute_wh to role owner
grant usage on database home to role reader
grant usage on schema home.open to role reader
grant usage on database home to role owner
grant usage on schema home.priv to role owner
grant all on schema home.open to role owner
grant select on table home.priv."My Base" to role owner
grant execute task on account to role owner
use role owner
use secondary roles none
create view home.open.v as select * from home.priv."My Base"
create secure view home.open.sv as select * from home.priv."My Base"
create view home.open.over as select * from home.open.v
create materialized view home.open.mv as select id, c from home.priv."My Base"
create function home.open.f() returns string as 'select max(c) from home.priv."My Base"'
create secure function home.open.tf() returns table (c string)
  as 'select c from home.priv."My Base"'
create procedure home.open.p() returns string language sql
  as 'declare x string; begin select max(c) into :x from home.priv."My Base"; return x; end'
create dynamic table home.open.d target_lag = '1 hour' warehouse = compute_wh
  as select c from home.priv."My Base"
create semantic view home.open.sem tables (base as home.priv."My Base" primary key (id))
  metrics (base.n as max(base.c))
grant select on all views in schema home.open to role reader
grant select on materialized view home.open.mv to role reader
grant usage on all functions in schema home.open to role reader
grant usage on all procedures in schema home.open to role reader
grant select, operate on dynamic table home.open.d to role reader
grant select on semantic view home.open.sem to role reader
use role accountadmin
"""
CALLS = (
    "select * from home.open.v",
    "select * from home.open.sv",
    "select * from home.open.over",
    "select * from home.open.mv",
    "select home.open.f()",
    "select * from table(home.open.tf())",
    "call home.open.p()",
    "alter dynamic table home.open.d refresh",
    "select * from semantic_view(home.open.sem metrics n)",
    "explain select * from home.open.v",
)


@pytest.fixture
def boss(account: Account) -> AccountSession:
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in statements(BEFORE):
        session.execute(statement)
    return session


def told(session: AccountSession) -> dict[str, int | None]:
    """Say for each call whether it is refused, and with which number."""
    found: dict[str, int | None] = {}
    for call in CALLS:
        try:
            session.execute(call)
            found[call] = None
        except SqlError as error:
            found[call] = error.errno
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("taken", "given"),
    [
        ('select on table home.priv."My Base"', None),
        ("usage on schema home.priv", None),
        ("usage on database home", None),
        ('select on table home.priv."My Base"', 'select on table home.priv."My Base"'),
    ],
)
def test_what_the_owner_lost_is_lost_at_the_next_call(
    account: Account, boss: AccountSession, taken: str, given: str | None
) -> None:
    eve = account.session("EVE", "READER", "COMPUTE_WH")
    assert told(eve) == dict.fromkeys(CALLS)
    boss.execute(f"revoke {taken} from role owner")
    assert set(told(eve).values()) <= {3001, 2003, 2037}
    if given is not None:
        boss.execute(f"grant {given} to role owner")
        assert told(eve) == dict.fromkeys(CALLS)


@pytest.mark.slow
def test_what_a_dropped_role_owned_runs_with_the_rights_of_who_dropped_it(
    account: Account, boss: AccountSession
) -> None:
    eve = account.session("EVE", "READER", "COMPUTE_WH")
    for statement in (
        "create role heir",
        "grant role heir to user admin",
        "grant ownership on role owner to role heir",
        "use role heir",
        "drop role owner",
        "use role accountadmin",
    ):
        boss.execute(statement)
    assert set(told(eve).values()) <= {3001, 2003, 2037}
    for granted in (
        "usage on database home",
        "usage on schema home.priv",
        "usage on schema home.open",
        'select on table home.priv."My Base"',
        "usage on warehouse compute_wh",
    ):
        boss.execute(f"grant {granted} to role heir")
    assert told(eve) == dict.fromkeys(CALLS)
