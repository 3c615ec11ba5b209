"""Tables and columns as people say them, and small jobs on them, on two farms' own tables."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED, OwnAccount

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "Two Farms"; CREATE SCHEMA "Two Farms"."field";
CREATE TABLE "Two Farms"."field"."egg_orders" (ID INT, "e-mail" STRING, BARN STRING,
  "sent on" DATE, "net price" NUMBER(10, 2), "lid shut" STRING);
INSERT INTO "Two Farms"."field"."egg_orders" VALUES
  (1, 'a@x', 'Red Barn', '2025-01-03', 10, 'y'), (2, NULL, 'Red Barn', '2025-01-20', 4, 'n'),
  (3, 'c@x', 'Hill', '2025-02-01', 7, 'y'), (3, 'c@x', 'Hill', '2025-02-01', 7, 'y');
CREATE TABLE "Two Farms"."field".HAYBALES (ID INT, BARN STRING, MADE DATE);
INSERT INTO "Two Farms"."field".HAYBALES VALUES (1, 'Hill', '2025-03-01'),
  (2, 'Hill', '2025-03-01');
CREATE TABLE "Two Farms"."field".POLICIES (ID INT, INSURER STRING);
INSERT INTO "Two Farms"."field".POLICIES VALUES (1, 'Acorn');
CREATE TABLE "Two Farms"."field".WAGES (HAND STRING, "hourly pay" NUMBER(10, 2), SHED STRING);
INSERT INTO "Two Farms"."field".WAGES VALUES ('Bo', 12, 'A'), ('Bo', 12, 'A'), ('Ida', 15, 'B');
CREATE ROLE "Farm Hands"; CREATE ROLE VETS;
CREATE STAGE "Two Farms"."field"."in box";
CREATE PIPE "Two Farms"."field"."hay pipe" AS COPY INTO "Two Farms"."field".HAYBALES
  FROM @"Two Farms"."field"."in box" FILE_FORMAT = (TYPE = CSV)
"""
ORDERS = '"Two Farms"."field"."egg_orders"'
BALES = '"Two Farms"."field".HAYBALES'

account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "told"),
    {
        # The last word of a name, a hyphen, one word for two.
        "how many orders?": f"COUNT(*) AS ROW_COUNT FROM {ORDERS}",
        "how many hay-bales per barn": f"SELECT BARN, COUNT(*) AS ROW_COUNT FROM {BALES}",
        "hay-bales per day": "DATE_TRUNC('DAY', MADE)::DATE AS DAY, COUNT(*)",
        "which orders have no email?": 'WHERE ("e-mail" IS NULL)',
        "how many orders where the lid was not shut": "WHERE (\"lid shut\" = 'n')",
        "how many orders come from Red Barn": "WHERE (BARN = 'Red Barn')",
        "which shed is the busiest": "GROUP BY SHED ORDER BY ROW_COUNT DESC",
        # What is to come, and what is to come again.
        "copy egg orders before we reprice them": f"CLONE {ORDERS}",
        "who is allowed to read the egg orders?": f"SHOW GRANTS ON TABLE {ORDERS}",
        "add a column harvest to policies": 'ALTER TABLE "Two Farms"."field".POLICIES',
        "rename the column sent on of egg orders to shipped on": '"sent on" TO "shipped on"',
        "hide the e-mail of egg orders from everybody except VETS": "IS_ROLE_IN_SESSION('VETS')",
        "show the state of the hay pipe": 'SYSTEM$PIPE_STATUS(\'"Two Farms"."field"."hay pipe"\')',
        # Tables that stay up to date.
        "make a dynamic table of net price by month from egg orders": (
            "DATE_TRUNC('month', \"sent on\")"
        ),
        "dynamic table of egg orders only with a net price above 5": 'WHERE ("net price" > 5)',
        "keep a table fresh with the net price of egg orders per barn, where the lid was shut": (
            "WHERE (\"lid shut\" = 'y') GROUP BY BARN"
        ),
    }.items(),
)
def test_a_table_is_known_by_the_words_that_people_have_for_it(account, goal, told):
    if "column harvest" in goal:
        say(account, goal)
        account.invoke("respond", "text", "--at", "input:column_type")
        steps = account.events("plan_proposed")[-1].steps
        assert told in steps[0].sql
        assert "ADD COLUMN HARVEST" in steps[0].sql
        return
    assert told in shown(account, goal)


@pytest.mark.parametrize(
    "goal",
    [
        "every night at 2 delete egg orders with a net price below 5",
        "truncate haybales every monday",
        "each week remove the rows of haybales",
    ],
)
def test_what_is_wanted_again_and_again_is_not_done_once(account, goal):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.kind != "plan_proposed"
    assert not account.pause.at.startswith("input:")
    assert account.sent() == []


def test_of_two_new_things_not_one_alone_is_made(account: OwnAccount) -> None:
    say(account, 'create a role called "Egg Desk" and a role PACKERS')
    assert account.pause is not None
    assert "can't do that yet" in account.pause.present
    assert 'CREATE ROLE "Egg Desk"' in shown(account, 'create a role called "Egg Desk"')


def test_a_column_that_is_masked_already_is_offered_and_said(account: OwnAccount) -> None:
    account.run("""
        CREATE TABLE "Two Farms"."field".HELPERS (ID INT, "home phone" STRING, MAIL STRING);
        CREATE MASKING POLICY "Two Farms"."field".STARS AS (V STRING) RETURNS STRING -> '*';
        ALTER TABLE "Two Farms"."field".HELPERS MODIFY COLUMN MAIL
          SET MASKING POLICY "Two Farms"."field".STARS
    """)
    say(account, "mask the home phone and the mail of helpers")
    assert account.pause is not None
    assert account.pause.at == "input:column"
    assert "one column at a time" in account.pause.present
    assert [(one.id, one.description) for one in account.pause.options[:2]] == [
        ('"home phone"', ""),
        ("MAIL", 'Masked by "Two Farms"."field".STARS'),
    ]


def test_a_table_is_not_opened_where_a_part_of_it_is_to_stay_hidden(account: OwnAccount) -> None:
    say(account, "let VETS read the egg orders but hide the e-mail from them")
    assert account.pause is not None
    assert account.pause.kind != "plan_proposed"
    assert account.sent() == []


def test_a_clause_that_could_not_be_read_is_asked_for(account):
    say(account, "how many haybales where the barn is where it should be")
    assert account.pause is not None
    assert account.pause.at == "input:rows"


def test_numbers_that_tell_rows_apart_are_not_averaged_unasked(account):
    say(account, "average of haybales per barn")
    assert account.pause is not None
    assert account.pause.at == "input:amount"


def test_after_a_grant_it_is_shown_what_the_role_can_read(account: OwnAccount) -> None:
    say(account, 'let "Farm Hands" read the egg orders and show what it can then see')
    account.finish()
    assert account.ended == COMPLETED
    tables, columns = account.events("environment_probed")[-2:]
    assert tables.result["rows"] == [[ORDERS, "TABLE", "SELECT"]]
    assert [row[0] for row in columns.result["rows"]] == [
        *("ID", "e-mail", "BARN", "sent on", "net price", "lid shut")
    ]
    assert {row[2] for row in columns.result["rows"]} == {None}


def test_what_is_masked_and_filtered_is_said_of_a_view_that_was_granted(
    account: OwnAccount,
) -> None:
    account.run("""
        CREATE VIEW "Two Farms"."field".SENT AS SELECT ID, "e-mail", BARN FROM
          "Two Farms"."field"."egg_orders";
        CREATE MASKING POLICY "Two Farms"."field".DOTS AS (V STRING) RETURNS STRING -> '.';
        CREATE ROW ACCESS POLICY "Two Farms"."field".ONE_BARN AS (V STRING) RETURNS BOOLEAN ->
          V = 'Hill';
        ALTER VIEW "Two Farms"."field".SENT MODIFY COLUMN "e-mail" SET MASKING POLICY
          "Two Farms"."field".DOTS;
        ALTER VIEW "Two Farms"."field".SENT ADD ROW ACCESS POLICY "Two Farms"."field".ONE_BARN
          ON (BARN)
    """)
    say(account, "let VETS read the view SENT")
    account.finish()
    assert account.ended == COMPLETED
    columns = account.events("environment_probed")[-1]
    assert [(row[0], *row[2:]) for row in columns.result["rows"]] == [
        ("ID", None, "ONE_BARN"),
        ("e-mail", "DOTS", "ONE_BARN"),
        ("BARN", None, "ONE_BARN"),
    ]


def test_the_former_copy_of_a_deduplicated_table_is_not_asked_about(account: OwnAccount) -> None:
    say(account, "remove the duplicate wages")
    account.finish()
    assert account.ended == COMPLETED
    assert len(account.rows('SELECT * FROM "Two Farms"."field".WAGES_FORMER')) == 3
    told = shown(account, "average hourly pay per shed")
    assert 'FROM "Two Farms"."field".WAGES GROUP BY SHED' in told


def test_what_threads_and_sessions_asked_is_not_offered_as_a_slow_query(
    account: OwnAccount,
) -> None:
    mine = 'SELECT BARN, COUNT(*) FROM "Two Farms"."field".HAYBALES GROUP BY BARN'
    account.run(mine)
    say(account, "how many haybales at Hill")
    account.finish()
    say(account, "why is my query slow?")
    slowest = account.events("environment_probed")[-1]
    texts = [row[slowest.result["columns"].index("BEGINS_WITH")] for row in slowest.result["rows"]]
    assert mine in texts
    assert not [text for text in texts if text.startswith("SHOW") or "CURRENT_ACCOUNT" in text]
    assert not [text for text in texts if 'AS "column"' in text]
