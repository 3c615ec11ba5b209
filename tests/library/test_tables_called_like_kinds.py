"""Tables that are called like kinds of objects (policies, users, tasks) are tables all the same."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, shown

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "Nordic Insurance"; CREATE SCHEMA "Nordic Insurance"."core";
CREATE TABLE "Nordic Insurance"."core"."policies" (POLICY_NO STRING, HOLDER STRING, EMAIL STRING,
  PREMIUM NUMBER(10, 2), STATE STRING, SIGNED_ON DATE, BROKER STRING);
INSERT INTO "Nordic Insurance"."core"."policies" VALUES
  ('P-1', 'Mia Kern', 'mia@example.org', 310.5, 'active', '2025-01-04', 'Nord'),
  ('P-2', 'Tom Brandt', 'tom@example.org', 120, 'lapsed', '2025-02-18', 'West');
CREATE TABLE "Nordic Insurance"."core"."claims" (CLAIM_ID INT, POLICY_NO STRING,
  FILED_AT TIMESTAMP_NTZ, AMOUNT NUMBER(10, 2), STATUS STRING);
CREATE SCHEMA "Nordic Insurance"."hr";
CREATE TABLE "Nordic Insurance"."hr"."users" ("user id" INT, SALARY NUMBER(10, 2), TEAM STRING);
CREATE TABLE "Nordic Insurance"."hr"."tasks" (TASK_NO INT, DUE DATE, DONE BOOLEAN);
CREATE ROLE CLAIMS_DESK
"""
POLICIES = '"Nordic Insurance"."core"."policies"'
USERS = '"Nordic Insurance"."hr"."users"'
TASKS = '"Nordic Insurance"."hr"."tasks"'


account = account_that_holds(HOLDS)


@pytest.mark.parametrize(
    ("goal", "sql"),
    [
        ("which policies lapsed", f"FROM {POLICIES} WHERE (STATE = 'lapsed')"),
        ("average premium by broker for active policies", f"FROM {POLICIES} WHERE (STATE = 'act"),
        ("who can read the email column of policies", f"SHOW GRANTS ON TABLE {POLICIES}"),
        ("delete policies that are lapsed", f"DELETE FROM {POLICIES} WHERE"),
        ("what is the average salary of users per team", "SELECT TEAM, AVG(SALARY) AS AVERAGE"),
        ("which tasks are not done", f"FROM {TASKS} WHERE (DONE IS DISTINCT FROM TRUE)"),
        ("remove rows of tasks that are done", f"DELETE FROM {TASKS} WHERE (DONE = TRUE)"),
        ("clone the hr schema", 'CREATE SCHEMA "Nordic Insurance".HR_CLONE CLONE'),
        ("let CLAIMS_DESK read the policies table", f"SELECT ON TABLE {POLICIES} TO ROLE CLAIMS_D"),
    ],
)
def test_a_table_is_found_where_its_name_is_a_word_of_the_account_too(account, goal, sql):
    told = shown(account, goal)
    assert sql in told, told


def test_a_question_that_rows_answer_is_no_page_of_a_reference(account):
    assert f"FROM {USERS} GROUP BY TEAM" in shown(account, "what is the average salary per team")


def test_a_part_of_another_name_names_no_table(account):
    told = shown(account, "hide the email column of policies from CLAIMS_DESK")
    assert "FILED_AT" not in told, told


def test_policies_of_a_kind_are_no_rows(account):
    told = shown(account, "list the masking policies of claims")
    assert f"FROM {POLICIES}" not in told, told


def test_what_is_to_be_left_out_is_never_passed_over(account):
    told = shown(account, "let CLAIMS_DESK read the claims table but not the amounts")
    assert "GRANT SELECT" not in told, told
    assert "can't do that yet" in told, told


def test_a_watch_over_rows_is_asked_for_by_the_table_s_name(account):
    told = shown(account, "warn me if no claims arrive for a day")
    assert "Hours without new rows" in told, told
