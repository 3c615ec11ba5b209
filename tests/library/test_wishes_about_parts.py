"""Wishes about a part of something, or about two things: nothing of them is left out unsaid."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED, OwnAccount

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "North Line"; CREATE SCHEMA "North Line"."quay";
CREATE TABLE "North Line"."quay"."ships" ("imo" INT, "ship name" STRING, "flag" STRING);
INSERT INTO "North Line"."quay"."ships" VALUES (1, 'Aurora', 'NO'), (2, 'Calypso', 'DK');
CREATE TABLE "North Line"."quay".BOOKINGS (BOOKING_NO STRING, IMO INT, SHIPPER STRING,
  PORT STRING, BOOKED_ON DATE, FREIGHT_USD NUMBER(10, 2), MAIL STRING);
INSERT INTO "North Line"."quay".BOOKINGS VALUES
  ('B-1', 1, 'Acme', 'Hull', '2026-10-05', 10, 'a@x'),
  ('B-2', 1, 'Acme', 'Oslo', '2026-11-05', 20, NULL),
  ('B-2', 1, 'Acme', 'Oslo', '2026-11-05', 20, NULL);
CREATE TABLE "North Line"."quay".OLD_BOOKINGS LIKE "North Line"."quay".BOOKINGS;
CREATE TABLE "North Line"."quay".CREWS (NAME STRING, MAIL STRING);
CREATE DATABASE SANDBOX; CREATE SCHEMA SANDBOX.PLAY;
CREATE TABLE SANDBOX.PLAY.CREWS (NAME STRING);
CREATE STAGE "North Line"."quay"."drop box"; CREATE ROLE AGENTS; CREATE ROLE BILLING
"""
PLACE = '"North Line"."quay"'
BOOKINGS, SHIPS = f"{PLACE}.BOOKINGS", f'{PLACE}."ships"'
account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        # A span and a group, distinct values, two months.
        ("how many bookings per month by port", "AS FIRST_DAY, PORT, COUNT(*) AS ROW_COUNT"),
        ("total freight per week and port of bookings", "AS FIRST_DAY, PORT, SUM(FREIGHT_USD)"),
        ("count distinct shippers of bookings", "COUNT(DISTINCT SHIPPER)"),
        ("compare the freight of bookings in October with November", "BOOKED_ON < '2026-12-01'"),
        # Columns that are left out, stages in words.
        ("unload bookings to the drop box without mail", "(SELECT * EXCLUDE (MAIL) FROM"),
        ("unload bookings to the drop box without mail", '"drop box/unload/BOOKINGS/'),
        ("export bookings except the port and the shipper", "EXCLUDE (PORT, SHIPPER)"),
        # Rows, and not all of them.
        ("let AGENTS see only rows with port Hull in bookings", "Role that sees all rows"),
        ("make a table of the bookings where the port is Oslo", "AS SELECT * FROM"),
        ("copy the bookings from October into old bookings", f"SELECT * FROM {BOOKINGS} WHERE"),
        ("clone bookings as it was 1 hour ago", "AT (OFFSET => -3600 * 1)"),
        # Two tables.
        ("which ships have no bookings", 'OTHER.IMO = ONE."imo"'),
        ("show the bookings with their ships", f"LEFT JOIN {SHIPS}"),
        # What a form of words says.
        ("rename port to harbour in bookings", "RENAME COLUMN PORT TO HARBOUR"),
        ("rename the ships table to vessels", f"RENAME TO {PLACE}.VESSELS"),
        ("add a text column called note to bookings", "ADD COLUMN NOTE"),
        ("add a column moored boolean to ships", "ADD COLUMN MOORED"),
        ('comment on the ships: "what sails for us"', "IS 'what sails for us'"),
        ("are there any duplicates in bookings", "AS REPEATED"),
        ("delete all Hull bookings from bookings", "DELETE FROM"),
        ("hide the mail of bookings from everyone but BILLING", "IS_ROLE_IN_SESSION('BILLING')"),
        ("a dynamic table of freight per port of bookings, refreshed every 10 minutes", "10 minut"),
        ("alert me when the freight of bookings is above 15", "WHERE (FREIGHT_USD > 15)"),
        ("what columns do the ships have", f"DESCRIBE TABLE {SHIPS}"),
    ],
)
def test_every_part_of_a_wish_is_in_the_plan(account: OwnAccount, goal: str, told: str) -> None:
    assert told in shown(account, goal).replace('"drop box"/', '"drop box/')


@pytest.mark.parametrize(
    ("goal", "asked", "told"),
    [
        # What is not there is said to be missing.
        (f"clone {PLACE}.NOPE", "source", f"Your role can see no table or view {PLACE}.NOPE"),
        (f"how many rows has {PLACE}.NOPE", "source", "Your role can see no table or view"),
        (f"suspend task {PLACE}.NOPE", "task", f"Your role can see no task {PLACE}.NOPE"),
        # What may stand for several things is asked.
        ("who can read crews.mail", "source", "Table to look at"),
        ("bookings by port and shipper", "group", "This takes one column at a time"),
        ("how many bookings in October and November are late", "rows", "“late”"),
    ],
)
def test_what_is_missing_or_too_much_is_asked_for(account, goal, asked, told):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == f"input:{asked}", account.pause.present
    assert told in account.pause.present


@pytest.mark.parametrize(
    "goal",
    [
        "add columns harbour and tide to bookings",
        "every night at 2 delete the bookings older than 90 days",
    ],
)
def test_what_no_plan_does_is_declined(account: OwnAccount, goal: str) -> None:
    say(account, goal)
    assert account.pause is not None
    assert "can't do that yet" in account.pause.present
    assert account.sent() == []


def test_a_statement_that_is_said_is_scheduled_as_it_is(account: OwnAccount) -> None:
    say(account, f"run DELETE FROM {BOOKINGS} WHERE PORT = 'Hull' every Monday")
    account.invoke("respond", "other", "--at", "input:task", "--set", f"task={PLACE}.TIDY")
    steps = account.events("plan_proposed")[-1].steps
    assert f"DELETE FROM {BOOKINGS} WHERE PORT = ''Hull''" in steps[0].sql
    assert "0 2 * * 1 UTC" in steps[0].sql


def test_rows_are_copied_and_taken_back(account: OwnAccount) -> None:
    count = f"SELECT COUNT(*) AS N FROM {PLACE}.OLD_BOOKINGS"
    say(account, "copy the bookings where the port is Oslo into old bookings")
    account.finish()
    assert account.ended == COMPLETED
    assert account.rows(count) == [{"N": 2}]
    account.clean()
    assert account.rows(count) == [{"N": 0}]


def test_a_file_that_is_named_is_loaded_alone(account: OwnAccount, tmp_path) -> None:
    for name, ship in (("one.csv", 8), ("two.csv", 9)):
        (tmp_path / name).write_text(f"imo,ship name,flag\n{ship},X,SE\n")
        account.run(
            f"""PUT 'file://{tmp_path / name}' '@{PLACE}."drop box"' AUTO_COMPRESS = FALSE"""
        )
    say(account, f"load two.csv from stage drop box into {SHIPS}")
    account.finish()
    assert account.ended == COMPLETED
    found = account.rows(f'SELECT "imo" FROM {SHIPS} WHERE "flag" = \'SE\'')
    assert found == [{"imo": 9}]
