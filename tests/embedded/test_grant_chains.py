"""Who may grant, and what goes with a grant that is taken back."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows, statements

SETUP = """
create database shop
create schema shop.open
create schema shop.kept with managed access
create role one
create role two
create role three
create user ana default_role = one default_secondary_roles = ()
create user bob default_role = two default_secondary_roles = ()
grant role one to user ana
grant role two to user bob
grant usage on warehouse compute_wh to role public
grant usage on database shop to role public
grant usage on all schemas in database shop to role public
grant create table on all schemas in database shop to role one
create table shop.open."My T" as select 1 as a
create table shop.kept."My T" as select 1 as a
"""
OPEN, KEPT = 'shop.open."My T"', 'shop.kept."My T"'


@pytest.fixture
def boss(account: Account) -> AccountSession:
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in statements(SETUP):
        session.execute(statement)
    return session


@pytest.fixture
def ana(account: Account, boss: AccountSession) -> AccountSession:
    return account.session("ANA", "ONE", "COMPUTE_WH")


@pytest.fixture
def bob(account: Account, boss: AccountSession) -> AccountSession:
    return account.session("BOB", "TWO", "COMPUTE_WH")


def refusal(session: AccountSession, sql: str) -> int | None:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno


def held(boss: AccountSession, table: str) -> list[tuple[object, ...]]:
    """Return who holds SELECT on a table, with the grant option, from whom."""
    found = rows(boss, f"show grants on table {table}")
    return sorted((row[5], row[6], row[7]) for row in found if row[1] == "SELECT")


# ---- managed access


def test_in_a_managed_schema_its_owner_alone_decides_on_grants(
    boss: AccountSession, ana: AccountSession
) -> None:
    for schema in ("open", "kept"):
        ana.execute(f"create table shop.{schema}.hers (a int)")
        boss.execute(f'grant select on table shop.{schema}."My T" to role one with grant option')
    for attempt in (
        "grant select on table shop.{}.hers to role two",
        "revoke select on table shop.{}.hers from role two",
        'grant select on table shop.{}."My T" to role two',
        "grant select on all tables in schema shop.{} to role two",
        "grant ownership on table shop.{}.hers to role one copy current grants",
    ):
        assert refusal(ana, attempt.format("kept")) == 3001
        ana.execute(attempt.format("open"))
    boss.execute("grant select on all tables in schema shop.kept to role two")
    assert [who for who, _, _ in held(boss, "shop.kept.hers")] == ["TWO"]
    ana.execute("drop table shop.kept.hers")


def test_managed_access_counts_as_long_as_the_schema_has_it(
    boss: AccountSession, ana: AccountSession
) -> None:
    ana.execute("create table shop.kept.hers (a int)")
    boss.execute("alter schema shop.kept disable managed access")
    ana.execute("grant select on table shop.kept.hers to role two")
    boss.execute("alter schema shop.kept enable managed access")
    assert refusal(ana, "grant select on table shop.kept.hers to role three") == 3001
    assert held(boss, "shop.kept.hers") == [("TWO", "false", "ONE")]


def test_the_owner_of_a_managed_schema_grants_on_what_others_own(
    boss: AccountSession, ana: AccountSession, bob: AccountSession
) -> None:
    ana.execute("create table shop.kept.hers (a int)")
    boss.execute("grant ownership on schema shop.kept to role two copy current grants")
    boss.execute("grant references on table shop.kept.hers to role two")
    bob.execute("grant select on table shop.kept.hers to role two")
    assert rows(bob, "select * from shop.kept.hers") == []


# ---- grant options


def test_what_was_granted_on_keeps_a_grant_from_going_or_goes_with_it(
    boss: AccountSession, ana: AccountSession, bob: AccountSession
) -> None:
    boss.execute(f"grant select on table {OPEN} to role one with grant option")
    ana.execute(f"grant select on table {OPEN} to role two with grant option")
    bob.execute(f"grant select on table {OPEN} to role three")
    whole = held(boss, OPEN)
    for attempt in ("revoke select", "revoke grant option for select"):
        for behaviour in ("", " restrict"):
            assert refusal(boss, f"{attempt} on table {OPEN} from role one{behaviour}") == 3036
    assert held(boss, OPEN) == whole
    boss.execute(f"revoke grant option for select on table {OPEN} from role one cascade")
    assert held(boss, OPEN) == [("ONE", "false", "ACCOUNTADMIN")]
    assert refusal(bob, f"select * from {OPEN}") == 2003
    boss.execute(f"revoke select on table {OPEN} from role one")
    assert held(boss, OPEN) == []


def test_what_the_owner_granted_too_stays(boss: AccountSession, ana: AccountSession) -> None:
    boss.execute(f"grant select on table {OPEN} to role one with grant option")
    for first, second in ((boss, ana), (ana, boss)):
        first.execute(f"grant select on table {OPEN} to role three")
        second.execute(f"grant select on table {OPEN} to role three")
        boss.execute(f"revoke grant option for select on table {OPEN} from role one cascade")
        assert held(boss, OPEN)[1] == ("THREE", "false", "ACCOUNTADMIN")
        boss.execute(f"revoke select on table {OPEN} from role three")
        boss.execute(f"grant select on table {OPEN} to role one with grant option")


def test_who_granted_in_a_circle_loses_all_of_it(
    boss: AccountSession, ana: AccountSession, bob: AccountSession
) -> None:
    boss.execute(f"grant select on table {OPEN} to role one with grant option")
    ana.execute(f"grant select on table {OPEN} to role two with grant option")
    bob.execute(f"grant select on table {OPEN} to role one with grant option")
    boss.execute(f"revoke select on table {OPEN} from role one cascade")
    assert held(boss, OPEN) == []


def test_a_grant_option_takes_back_what_it_gave_and_nothing_else(
    boss: AccountSession, ana: AccountSession
) -> None:
    boss.execute(f"grant select on table {OPEN} to role one with grant option")
    boss.execute(f"grant select on table {OPEN} to role two")
    ana.execute(f"grant select on table {OPEN} to role three")
    assert refusal(ana, f"revoke select on table {OPEN} from role two") == 3001
    assert refusal(ana, f"grant insert on table {OPEN} to role three") == 3001
    ana.execute(f"revoke select on table {OPEN} from role three")
    assert [who for who, _, _ in held(boss, OPEN)] == ["ONE", "TWO"]


def test_who_holds_everything_otherwise_has_no_dependents(boss: AccountSession) -> None:
    boss.execute(f"grant select on table {OPEN} to role accountadmin with grant option")
    boss.execute(f"grant select on table {OPEN} to role one")
    boss.execute(f"revoke select on table {OPEN} from role accountadmin")
    assert held(boss, OPEN) == [("ONE", "false", "ACCOUNTADMIN")]


@pytest.mark.parametrize("role", ["accountadmin", "securityadmin", "sysadmin", "public"])
def test_nobody_hands_over_a_role_of_the_system(boss: AccountSession, role: str) -> None:
    assert refusal(boss, f"grant ownership on role {role} to role one") == 3001
    boss.execute("grant ownership on role two to role one copy current grants")
