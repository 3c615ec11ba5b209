"""Roles on an account that has some already: what differs is shown, and nothing is taken over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

DEPOT = """
CREATE DATABASE "Depot"; CREATE SCHEMA "Depot"."in stock"; CREATE SCHEMA "Depot"."Old";
CREATE TABLE "Depot"."in stock"."things" ("id" INT); CREATE TABLE "Depot"."Old"."things" ("id" INT);
CREATE VIEW "Depot"."in stock"."few things" AS SELECT "id" FROM "Depot"."in stock"."things";
CREATE DYNAMIC TABLE "Depot"."in stock"."late" TARGET_LAG = '1 hour' WAREHOUSE = COMPUTE_WH AS
  SELECT "id" FROM "Depot"."in stock"."things";
CREATE ROLE OTHERS; CREATE ROLE WEAK; GRANT ROLE WEAK TO USER ADMIN;
CREATE USER "Zoë"; CREATE USER ZED;
CREATE WAREHOUSE "small wh" WAREHOUSE_SIZE = XSMALL;
"""
ROLES = "set-up-role-hierarchy"
STOCK = '"Depot"."in stock"'
WANTED = {"target_scope": STOCK, "role_prefix": '"my depot"', "warehouse": '"small wh"'}


@pytest.fixture
def depot(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, DEPOT) as account:
        yield account


def stopped(depot: OwnAccount, **inputs: str) -> str:
    """Return why a run stopped, which changed nothing."""
    before = depot.look()
    shown = depot.run_to_its_end(ROLES, **{**WANTED, **inputs})
    assert shown[-1] != COMPLETED
    assert depot.changes(before) == []
    return shown[-1]


@pytest.mark.slow
def test_the_same_again_sends_nothing_and_something_else_shows_what_is_new(
    depot: OwnAccount,
) -> None:
    first = depot.run_to_its_end(ROLES, **WANTED)
    assert first[1:] == [
        "my depot_READ may read 3 tables and views; my depot_WRITE may change rows of 1 table. "
        "my depot_ANALYST is granted to role SYSADMIN; my depot_ENGINEER to role SYSADMIN.",
        COMPLETED,
    ]
    before = depot.look()
    again = depot.run_to_its_end(ROLES, **WANTED)
    assert (depot.sent(), depot.changes(before)) == ([], [])
    assert again == ["Nothing was missing, so nothing was sent. " + first[1], COMPLETED]
    changed = depot.run_to_its_end(ROLES, **WANTED, analyst_user="Zoë", future_objects="exclude")
    assert "0 roles to create, 1 kind of grant to add and 7 future grants to end" in changed[0]
    assert "my depot_ANALYST is granted to" in changed[1]
    assert "user Zoë" in changed[1]
    assert depot.rows(f"SHOW FUTURE GRANTS IN SCHEMA {STOCK}") == []
    before = depot.look()
    depot.run_to_its_end(ROLES, **WANTED, analyst_user='"Zoë"', future_objects="exclude")
    assert (depot.sent(), depot.changes(before)) == ([], [])


@pytest.mark.slow
def test_a_table_that_came_without_its_grant_is_the_only_one_that_is_granted(
    depot: OwnAccount,
) -> None:
    depot.run_to_its_end(ROLES, **WANTED)
    depot.run(f'CREATE TABLE {STOCK}."new" ("id" INT)')
    depot.run(f'REVOKE SELECT ON TABLE {STOCK}."new" FROM ROLE "my depot_READ"')
    shown = depot.run_to_its_end(ROLES, **WANTED)
    assert "0 roles to create, 1 kind of grant to add" in shown[0]
    assert "may read 4 tables and views" in shown[1]


@pytest.mark.slow
def test_a_whole_database_keeps_the_future_grants_of_others(depot: OwnAccount) -> None:
    others = 'GRANT SELECT ON FUTURE TABLES IN DATABASE "Depot" TO ROLE OTHERS'
    depot.run(others)
    assert "SELECT on TABLES for OTHERS" in stopped(depot)
    depot.run_to_its_end(ROLES, **{**WANTED, "target_scope": '"Depot"'})
    depot.run('CREATE TABLE "Depot"."Old"."later" ("id" INT); CREATE SCHEMA "Depot"."New";')
    holders = depot.rows('SHOW GRANTS ON TABLE "Depot"."Old"."later"')
    assert {(row["grantee_name"], row["privilege"]) for row in holders} >= {
        ("OTHERS", "SELECT"),
        ("my depot_READ", "SELECT"),
        ("my depot_WRITE", "TRUNCATE"),
    }
    users = depot.rows('SHOW GRANTS ON SCHEMA "Depot"."New"')
    assert ("my depot_READ", "USAGE") in {(row["grantee_name"], row["privilege"]) for row in users}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"parent_role": "NOBODY"}, "There is no role NOBODY"),
        ({"warehouse": "SMALL_WH"}, "it sees: COMPUTE_WH, small wh"),
        ({"analyst_user": "zoe"}, "There is no user zoe"),
        ({"target_scope": '"Depot"."In stock"'}, "There is no schema"),
        ({"target_scope": f'{STOCK}."things"'}, "names a table"),
        ({"grant_role": "WEAK"}, "Role WEAK lacks MANAGE GRANTS"),
        ({"grant_role": "OTHERS"}, "Role OTHERS is not granted to user ADMIN"),
    ],
)
def test_what_is_not_there_stops_it(depot: OwnAccount, inputs: dict[str, str], reason: str) -> None:
    assert reason in stopped(depot, **inputs)


def test_a_role_of_others_under_one_of_the_names_stops_it(depot: OwnAccount) -> None:
    depot.run("CREATE ROLE \"my depot_WRITE\" COMMENT = 'Since 2019'")
    assert 'my depot_WRITE (owner ACCOUNTADMIN, "Since 2019")' in stopped(depot)


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(depot: OwnAccount) -> None:
    found = list(depot.aborted_at_each_pause(ROLES, **WANTED, analyst_user="ZED"))
    assert [remains for _, remains in found] == [[], []]
