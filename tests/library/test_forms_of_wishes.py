"""What people want of their tables in forms of their own: the right plan, or one right question."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE BRAUEREI; CREATE SCHEMA BRAUEREI."Verkauf";
CREATE TABLE BRAUEREI."Verkauf"."beer orders" (ORDER_NO STRING, CUSTOMER STRING, BEER STRING,
  BOTTLES INT, "Net Amount" STRING, "Order Date" DATE, PAID STRING, PICKED_UP STRING);
INSERT INTO BRAUEREI."Verkauf"."beer orders" VALUES
  ('01', 'Post', 'Pils', 10, '€5', '2026-01-01', 'Y', 'ja'),
  ('02', 'Lac', 'Pils', 30, '€9', '2026-01-02', 'N', 'nein'),
  ('03', 'Lac', 'Bock', 5, '€7', '2026-01-02', 'N', 'offen');
CREATE TABLE BRAUEREI."Verkauf".KEGS (CODE STRING, LOCATION STRING, EMAIL STRING, BORN DATE);
CREATE TABLE BRAUEREI."Verkauf".CUSTOMERS (NAME STRING, BIRTH_DATE DATE);
CREATE ROLE TAPSTER
"""
PLACE = 'BRAUEREI."Verkauf"'
ORDERS, KEGS = f'{PLACE}."beer orders"', f"{PLACE}.KEGS"
account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "sql"),
    [
        ("let TAPSTER look at kegs but show me what they see", f"SELECT ON TABLE {KEGS}"),
        ("TAPSTER needs to read kegs, show what it will see", f"SELECT ON TABLE {KEGS}"),
        ("clone kegs for testing", f"CREATE TABLE {PLACE}.KEGS_CLONE CLONE {KEGS}"),
        ("clone the kegs table as kegs_test", f"CREATE TABLE {PLACE}.KEGS_TEST CLONE {KEGS}"),
        ('copy kegs into a new table "Fässer 2"', f'CREATE TABLE {PLACE}."Fässer 2" CLONE {KEGS}'),
        ("which customer bought the most bottles?", "SELECT CUSTOMER, SUM(BOTTLES) AS TOTAL"),
        ("which beer has the fewest beer orders", "ORDER BY ROW_COUNT ASC NULLS LAST"),
        ("keep an up to date table of bottles per beer", f"SUM(BOTTLES) AS TOTAL FROM {ORDERS}"),
        ("which roles have access to kegs.email", f"SHOW GRANTS ON TABLE {KEGS}"),
        ("how many unpaid beer orders", "WHERE (PAID = 'N')"),
        ("how many beer orders are paid", "WHERE (PAID = 'Y')"),
        ("beer orders that are not paid", "WHERE (PAID IS DISTINCT FROM 'Y')"),
        ("how many customers were born before 2002", "WHERE (BIRTH_DATE < '2002-01-01')"),
        ("blur the email of kegs for everyone", "Role that still sees the values"),
    ],
)  # fmt: skip
def test_a_wish_is_understood_in_its_own_form(account, goal, sql):
    told = shown(account, goal)
    assert sql in told, told


def test_a_measure_that_is_text_is_never_replaced_by_another(account):
    say(account, "daily net amount of the beer orders")
    assert account.pause is not None
    assert account.pause.at == "input:amount"
    assert '"Net Amount" holds texts, not numbers.' in account.pause.present


def test_a_month_beside_a_group_is_not_left_out(account):
    told = shown(account, "create a dynamic table with the bottles per customer and month")
    assert "DATE_TRUNC('month', \"Order Date\")::DATE AS FIRST_DAY, CUSTOMER," in told
