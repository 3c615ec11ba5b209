"""Short wishes about things that are called alike, spelt amiss or said in passing."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import OwnAccount

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE WINDPARK; CREATE SCHEMA WINDPARK.RAW; CREATE DATABASE TRADING;
CREATE SCHEMA TRADING.RAW;
CREATE TABLE WINDPARK.RAW.TURBINES (TURBINE_ID INT, SITE STRING, MODEL STRING);
INSERT INTO WINDPARK.RAW.TURBINES VALUES (1, 'North Slope', 'E-82'), (2, 'Lake', 'V90');
CREATE TABLE WINDPARK.RAW.FAULTS (ID INT, CODE STRING, "ORDER" INT, SEVERITY STRING,
  COST NUMBER(10, 2), VALUE NUMBER(10, 2), DATE DATE);
INSERT INTO WINDPARK.RAW.FAULTS VALUES (1, 'E1', 1, 'high', 5, 6, '2026-01-01');
CREATE TABLE WINDPARK.RAW.CONTRACTS (ID INT, BUYER STRING);
CREATE TABLE TRADING.RAW.CONTRACTS (ID INT, BUYER STRING);
CREATE ROLE TRADERS; CREATE WAREHOUSE GRID_WH; GRANT USAGE ON WAREHOUSE GRID_WH TO ROLE TRADERS
"""
FAULTS, BOTH = "WINDPARK.RAW.FAULTS", ["TRADING.RAW.CONTRACTS", "WINDPARK.RAW.CONTRACTS"]
account = account_that_holds(HOLDS)


@pytest.mark.parametrize("verb", ["drop", "clone", "truncate", "how many", "describe"])
def test_of_tables_that_are_called_alike_both_are_offered(account: OwnAccount, verb: str) -> None:
    say(account, f"{verb} contracts")
    assert account.pause is not None
    assert account.pause.at == "input:source", account.pause.present
    assert [one.id for one in account.pause.options[:2]] == BOTH
    assert account.pause.options[2].id == "other"


def test_a_database_that_is_named_tells_which_of_them_is_meant(account: OwnAccount) -> None:
    told = shown(account, "let TRADERS read the contracts in TRADING")
    assert "SELECT ON TABLE TRADING.RAW.CONTRACTS" in told


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("total cost per order of faults", f'SELECT "ORDER", SUM(COST) AS TOTAL, % FROM {FAULTS}'),
        ("average value by severity of faults", f"AVG(VALUE) AS AVERAGE, % FROM {FAULTS}"),
        ("faults per date", f"SELECT DATE, % FROM {FAULTS}"),
        (
            "revoke usage on warehouse GRID_WH from role TRADERS",
            "REVOKE USAGE ON WAREHOUSE GRID_WH",
        ),
    ],
)
def test_own_columns_and_grants_are_taken_at_their_word(account, goal, told):
    assert told.replace("%", "COUNT(*) AS ROW_COUNT") in shown(account, goal)


@pytest.mark.parametrize(
    ("goal", "values"),
    [
        ("filter turbines so TRADERS only see site North Slope", ["North Slope"]),
        (
            "TRADERS may only see turbines where site is Lake or North Slope",
            ["Lake", "North Slope"],
        ),
    ],
)
def test_the_values_that_a_role_may_see_are_read(account, goal, values):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == "input:clear_role"
    told = {one.name: one.value for one in account.events("input_gathered")}
    assert (told["values"], told["column"]) == (values, "SITE")


def test_values_that_are_not_said_are_asked_for(account: OwnAccount) -> None:
    say(account, "TRADERS may only see some rows of turbines by site")
    assert account.pause is not None
    assert account.pause.at == "input:values"


def test_a_table_without_a_key_is_put_back_as_it_was(account: OwnAccount) -> None:
    told = shown(account, "restore faults to how it was an hour ago")
    assert f"CLONE {FAULTS}\n  AT (OFFSET => -3600 * 1) COPY GRANTS" in told
    assert f"ALTER TABLE {FAULTS} SWAP WITH {FAULTS}_FORMER" in told


def test_what_was_dropped_is_not_put_back_so(account: OwnAccount) -> None:
    assert "SWAP" not in shown(account, "restore faults that were dropped an hour ago")


@pytest.mark.parametrize(
    ("goal", "asked", "near"),
    [
        ("clone the fualts table", "source", [FAULTS]),
        ("how many rows in WINDPARK.RAW.FALTS", "source", [FAULTS]),
        ("mask buyr of WINDPARK.RAW.CONTRACTS", "column", ["BUYER"]),
    ],
)
def test_a_slip_of_typing_is_asked_about_once(account, goal, asked, near):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == f"input:{asked}", account.pause.present
    assert "Nothing is called quite as you said" in account.pause.present
    assert [one.id for one in account.pause.options[:2]] == [*near, "other"]


def test_what_is_near_nothing_is_asked_with_all_there_is(account: OwnAccount) -> None:
    say(account, "clone the zebras table")
    assert account.pause is not None
    assert "quite as you said" not in account.pause.present
    assert len(account.pause.options) > len(BOTH)
