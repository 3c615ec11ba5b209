"""A table that nobody names is known by its columns, and one that is gone by what was dropped."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "Küste"; CREATE SCHEMA "Küste"."Büro";
CREATE TABLE "Küste"."Büro".VOYAGES (VOYAGE STRING, VESSEL STRING, "Fuel (t)" NUMBER(10, 1),
  DEPARTED TIMESTAMP_NTZ);
CREATE TABLE "Küste"."Büro"."containers" (CONTAINER_NO STRING, VOYAGE STRING, WEIGHT_KG INT,
  SHIPPER STRING, EMAIL STRING);
CREATE TABLE "Küste"."Büro".CREW (CREW_ID STRING, "Full Name" STRING, RANK STRING,
  "Monthly Wage" NUMBER(10, 2), PASSPORT_NO STRING, EMAIL STRING);
CREATE TABLE "Küste"."Büro".OFFICES (CITY STRING, DESKS INT);
CREATE TABLE "Küste"."Büro".HARBOURS (CITY STRING, DESKS INT);
INSERT INTO "Küste"."Büro".CREW VALUES ('01', 'A', 'cook', 2000, 'X1', ''),
  ('02', 'B', 'cook', 4000, 'X2', '');
CREATE TABLE "Küste"."Büro".TARIFFS (CODE STRING); DROP TABLE "Küste"."Büro".TARIFFS;
CREATE TABLE "Küste"."Büro"."port dues" (CODE STRING); DROP TABLE "Küste"."Büro"."port dues";
CREATE ROLE AGENT
"""
CREW, CONTAINERS = '"Küste"."Büro".CREW', '"Küste"."Büro"."containers"'
account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "sql"),
    [
        ("average monthly wage per rank", f'AVG("Monthly Wage") AS AVERAGE, % FROM {CREW}'),
        ("total weight per voyage", f"SUM(WEIGHT_KG) AS TOTAL, % FROM {CONTAINERS}"),
        ("dynamic table with total weight per voyage", f"FROM {CONTAINERS} GROUP BY VOYAGE"),
        ("who can read Monthly Wage", f"SHOW GRANTS ON TABLE {CREW}"),
        ("average fuel per vessel", 'AVG("Fuel (t)") AS AVERAGE'),
    ],
)
def test_a_table_is_known_by_its_columns(account, goal, sql):
    told = shown(account, goal)
    assert sql.replace("%", "COUNT(*) AS ROW_COUNT") in told, told


def test_why_a_table_was_taken_is_said(account):
    say(account, "average monthly wage per rank")
    (step,) = account.events("plan_proposed")[-1].steps
    assert f"Of the tables that you can see, only {CREW} has what you name." in step.action


def test_where_two_tables_hold_the_columns_these_two_are_offered(account):
    say(account, "average desks per city")
    assert account.pause is not None
    assert account.pause.at == "input:source"
    offered = [option.id for option in account.pause.options[:3]]
    assert offered == ['"Küste"."Büro".HARBOURS', '"Küste"."Büro".OFFICES', "other"]


def test_a_column_that_several_tables_have_is_masked_where_a_person_says(account):
    say(account, "mask the emails")
    assert account.pause is not None
    assert account.pause.at == "input:source"
    assert [option.id for option in account.pause.options[:2]] == [CREW, CONTAINERS]


def test_a_column_that_one_table_has_is_masked_there(account):
    say(account, "mask passport_no for AGENT")
    assert account.pause is not None
    assert account.pause.at == "input:clear_role"
    account.answer("SYSADMIN")
    steps = account.events("plan_proposed")[-1].steps
    assert f"ALTER TABLE {CREW} MODIFY COLUMN PASSPORT_NO" in steps[1].sql


@pytest.mark.parametrize("goal", ["undrop tariffs", "I dropped the port dues, get them back"])
def test_a_dropped_table_comes_back_and_nobody_is_asked_what_happened(account, goal):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == "1"
    assert "dropped versions within the retention: 1," in account.pause.present
    account.finish()
    assert account.ended == COMPLETED
    assert any(sql.startswith("UNDROP TABLE") for sql in account.sent())


def test_a_table_that_stands_was_damaged(account):
    say(account, "restore the crew table as it was yesterday")
    (told,) = [e.value for e in account.events("input_gathered") if e.name == "what_happened"]
    assert told == "damaged"


def test_one_that_stands_and_was_dropped_may_be_either(account):
    account.run(
        f"CREATE TABLE {CREW}_2 (A INT); DROP TABLE {CREW}_2; CREATE TABLE {CREW}_2 (A INT)"
    )
    say(account, f"restore the table {CREW}_2")
    assert account.pause is not None
    assert account.pause.at == "input:what_happened"
