"""Values that people want changed in rows of their own: what goes in, where, and what they keep."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED, OwnAccount

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "Geigenbau"; CREATE SCHEMA "Geigenbau".SHOP; CREATE DATABASE ARCHIVE;
CREATE TABLE "Geigenbau".SHOP.VIOLINS (SERIAL STRING, MAKER STRING, VALUE NUMBER(10, 2),
  STATUS STRING, DATE DATE, INSURED BOOLEAN);
INSERT INTO "Geigenbau".SHOP.VIOLINS VALUES ('V-1', 'Guarneri', 900, 'in repair', '2020-08-01',
  FALSE), ('V-2', 'Klotz', NULL, 'ready', '2020-11-01', TRUE);
CREATE TABLE "Geigenbau".SHOP."repair jobs" ("job no" INT, COST NUMBER(10, 2), "VIP?" STRING);
INSERT INTO "Geigenbau".SHOP."repair jobs" VALUES (1, NULL, 'yes'), (2, 30, 'no');
CREATE TABLE "Geigenbau".SHOP.BOWS (NO INT, WOOD STRING);
CREATE SCHEMA ARCHIVE.SHOP; CREATE TABLE ARCHIVE.SHOP.BOWS (NO INT, WOOD STRING)
"""
VIOLINS, JOBS = '"Geigenbau".SHOP.VIOLINS', '"Geigenbau".SHOP."repair jobs"'
account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "table", "put", "rows"),
    [
        ("set status to sold for violins of maker Klotz", VIOLINS, "STATUS = 'sold'", "'Klotz'"),
        ("set status to ok where date is older than 9 days in SHOP.VIOLINS", VIOLINS, "'ok'", "-9"),
        ("fill missing values with 0 in violins", VIOLINS, "VALUE = '0'", "VALUE IS NULL"),
        ("fill missing costs with 0 in repair jobs", JOBS, "COST = '0'", "COST IS NULL"),
        ("set the cost of repair jobs to 0 where it is missing", JOBS, "COST = '0'", "IS NULL"),
        ("rename the maker Klotz to M Klotz in violins", VIOLINS, "= 'M Klotz'", "= 'Klotz')"),
        ("rename Klotz back to Testore in violins", VIOLINS, "MAKER = 'Testore'", "'Klotz')"),
        ("replace ready by done in the status of violins", VIOLINS, "= 'done'", "= 'ready')"),
        ("mark the violins of Klotz as insured", VIOLINS, "INSURED = 'TRUE'", "'Klotz'"),
        ("change VIP? to no in repair jobs where job no is 1", JOBS, "\"VIP?\" = 'no'", "= 1"),
        ("set maker to null for violins with status ready", VIOLINS, "MAKER = NULL", "'ready'"),
        ("set status to sold for all violins", VIOLINS, "STATUS = 'sold'", "WHERE STATUS IS"),
    ],
)
def test_values_are_changed_where_they_are_meant(account, goal, table, put, rows):
    told = shown(account, goal)
    (update,) = (part for part in told.split("\nUPDATE ")[1:])
    assert f"UPDATE {table} SET" in told, told
    assert put in update, told
    assert rows in update, told


@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("set status to sold in violins", "rows"),
        ("set wood to ebony for bows with no 1", "source"),
    ],
)
def test_what_is_open_is_asked_for(account: OwnAccount, goal: str, asked: str) -> None:
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == f"input:{asked}"
    assert account.sent() == []


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("rename maker to builder in violins", "RENAME COLUMN MAKER TO BUILDER"),
        ("rename the violins table to fiddles", "RENAME TO"),
        ("set the retention of violins to 7 days", "DATA_RETENTION_TIME_IN_DAYS = 7"),
    ],
)
def test_what_is_about_no_value_stays_what_it_is(account, goal, told):
    said = shown(account, goal)
    assert told in said
    assert "UPDATE" not in said


def test_former_values_are_kept_and_put_back(account: OwnAccount) -> None:
    before = account.look()
    say(account, "set status to sold for violins of maker Klotz")
    account.finish()
    assert account.ended == COMPLETED
    assert account.rows(f"SELECT STATUS FROM {VIOLINS} WHERE MAKER = 'Klotz'") == [
        {"STATUS": "sold"}
    ]
    assert account.rows(f"SELECT STATUS FROM {VIOLINS}_FORMER WHERE MAKER = 'Klotz'") == [
        {"STATUS": "ready"}
    ]
    assert account.events("environment_probed")[-1].result["rows"] == [[1, 0, 0, 2]]
    account.clean()
    assert account.changes(before) == []


def test_a_second_change_keeps_the_rows_under_another_name(account: OwnAccount) -> None:
    account.run(f"CREATE TABLE {VIOLINS}_FORMER CLONE {VIOLINS}")
    assert "VIOLINS_FORMER_2 CLONE" in shown(account, "set status to sold for all violins")
