"""What people ask of their own tables, in one word for a table: the right rows, or a question."""

from __future__ import annotations

from typing import Any

import pytest

from skills_nb.commands.verbs import thread_verbs
from skills_nb.model.routes import Route
from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED, OwnAccount

pytestmark = pytest.mark.slow

HOLDS = """
CREATE DATABASE "City Library"; CREATE SCHEMA "City Library"."desk";
CREATE TABLE "City Library"."desk"."loans" (LOAN_ID INT, BOOK INT, BORROWED_AT TIMESTAMP_NTZ,
  RETURNED_AT TIMESTAMP_NTZ, "late fee" NUMBER(10, 2), "Branch" STRING, STATE STRING);
INSERT INTO "City Library"."desk"."loans" VALUES
  (1, 1, '2025-03-01 10:00', '2025-03-09 10:00', 0, 'Harbour', 'back'),
  (2, 1, '2025-03-01 12:00', '2025-04-09 10:00', 4.5, 'Harbour', 'back'),
  (3, 2, '2025-04-02 09:00', NULL, 12, 'North Side', 'Lost'),
  (4, 3, '2025-04-03 09:00', NULL, NULL, 'North Side', 'out');
CREATE TABLE "City Library"."desk".BOOKS (BOOK INT, TITLE STRING, PRICE NUMBER(10, 2));
INSERT INTO "City Library"."desk".BOOKS VALUES (1, 'Moss', 10), (2, 'Tides', 25), (3, 'Sky', 5);
CREATE ROLE "Front Desk"
"""
LOANS = '"City Library"."desk"."loans"'


account = account_that_holds(HOLDS)


def planned(account: OwnAccount) -> tuple[str, list[tuple[Any, ...]]]:
    """Approve the plan that waits; its last query, and the rows that it found."""
    assert account.pause is not None
    assert account.pause.at == "plan", (account.pause.at, account.pause.present)
    account.finish()
    assert account.ended == COMPLETED
    asked = account.events("environment_probed")[-1]
    return asked.query, [tuple(map(_plain, row)) for row in asked.result["rows"]]


def _plain(cell: Any) -> Any:
    """Return a number as one, whatever its type."""
    try:
        return float(cell)
    except (TypeError, ValueError):
        return cell


@pytest.mark.parametrize(
    ("goal", "rows"),
    {
        "how many loans?": [(4,)],
        "how many lost loans are there?": [(1,)],
        "how many loans at north side": [(2,)],
        "how many loans were not at Harbour": [(2,)],
        "how many loans with a late fee above 4": [(2,)],
        "how many loans without a late fee": [(1,)],
        "how many loans borrowed in April 2025": [(2,)],
        "how many loans borrowed since 2025-03-01 11:00": [(3,)],
        "how many loans per branch": [("Harbour", 2), ("North Side", 2)],
        "average late fee of the loans at Harbour": [(2.25, 2)],
        "total late fee per branch of loans borrowed in 2025": [
            ("North Side", 12, 2),
            ("Harbour", 4.5, 2),
        ],
        "show the 2 most expensive books by price": [(2, "Tides", 25), (1, "Moss", 10)],
        "total price of books": [(40, 3)],
        "show books with a price above 20": [(2, "Tides", 25)],
        "the two cheapest books": [(3, "Sky", 5), (1, "Moss", 10)],
        "books cheaper than 12": [(3, "Sky", 5), (1, "Moss", 10)],
        "how many loans are not yet returned": [(2,)],
        "how many loans borrowed in the second quarter of 2025": [(2,)],
    }.items(),
)
def test_a_question_about_rows_is_answered_with_just_these_rows(account, goal, rows):
    say(account, goal)
    assert sorted(planned(account)[1]) == sorted(rows)


@pytest.mark.parametrize(
    ("goal", "told"),
    {
        "how many overdue loans": "overdue",
        "how many loans were renewed": "renewed",
        "average late fee of loans in Atlantis": "Atlantis",
        "how many loans last week": "last week",
        "how many loans cost more than 15": "cost more than 15",
    }.items(),
)
def test_a_condition_that_cannot_be_read_is_asked_for(account, goal, told):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == "input:rows"
    assert told in account.pause.present
    account.invoke("respond", "other", "--at", "input:rows", "--set", "rows=STATE = 'out'")
    assert "WHERE (STATE = 'out')" in planned(account)[0]


def test_a_condition_that_is_none_is_refused_and_asked_for_again(account):
    say(account, "how many overdue loans")
    with pytest.raises(Exception, match="one condition on rows"):
        account.invoke("respond", "other", "--at", "input:rows", "--set", "rows=1=1); DROP TABLE X")
    account.answer("all-rows")
    assert "WHERE" not in planned(account)[0]


def test_rows_are_deleted_only_by_a_condition(account):
    say(account, "delete the loans")
    assert account.pause is not None
    assert account.pause.at == "input:rows"
    assert account.pause.option("all-rows") is None


def test_a_time_that_may_be_about_two_columns_is_put_as_a_choice(account):
    say(account, "how many loans in April 2025")
    assert account.pause is not None
    offered = [option.id for option in account.pause.options[:2]]
    assert [words.split()[0] for words in offered] == ["BORROWED_AT", "RETURNED_AT"]
    account.answer(offered[0])
    assert planned(account)[1] == [(2,)]


@pytest.mark.parametrize(
    ("goal", "sql"),
    {
        "who can read the state column of loans?": f"SHOW GRANTS ON TABLE {LOANS}",
        "delete loans with a late fee below 1": f'DELETE FROM {LOANS} WHERE ("late fee" < 1)',
        "loans not yet returned": f"SELECT * FROM {LOANS} WHERE (RETURNED_AT IS NULL)",
        "which loans were borrowed in March 2025": "WHERE (BORROWED_AT >= '2025-03-01' AND",
        "delete books with a price below 6": 'DELETE FROM "City Library"."desk".BOOKS WHERE (PRICE',
        "drop the books table": 'DROP TABLE "City Library"."desk".BOOKS',
        "what is the cheapest of the books by price": "ORDER BY PRICE ASC",
    }.items(),
)
def test_a_table_that_is_named_by_one_word_is_found_in_the_account(account, goal, sql):
    say(account, goal)
    assert account.pause is not None
    assert account.pause.at == "plan"
    assert any(sql in step.sql for step in account.events("plan_proposed")[-1].steps) or any(
        sql in str(option) for option in account.pause.options
    )


def test_a_column_that_is_masked_is_what_is_wanted(account):
    say(account, "mask the late fee column of loans")
    assert account.pause is not None
    assert account.pause.at == "input:clear_role"
    (routed,) = account.events("routed")
    assert routed.target == "primitives/masking-policies"


def test_a_table_is_not_compared_with_itself(account):
    say(account, "compare loans with a copy of it")
    assert account.pause is not None
    assert account.pause.at == "input:target"
    offered = [option.id for option in account.pause.options]
    assert LOANS not in offered
    assert '"City Library"."desk".BOOKS' in offered


def test_what_no_plan_can_do_is_declined_and_not_done_in_part(account):
    say(account, "join loans with books and show the average price per branch")
    assert account.pause is not None
    assert account.pause.kind != "plan_proposed"
    assert account.sent() == []


def test_no_secret_of_the_words_is_sent_to_look_for_tables(account):
    told = "average score of the loans, my password is Tr0ub4dor3"
    fact = Route("reference", ("agent-evaluation",), ("primitives/benchmark-scoring",), 0.5)
    thread_verbs._with_tables_of_account(account.app, told, fact)
    say(account, told)
    asked = account.rows(
        'SELECT QUERY_TEXT FROM TABLE("City Library".INFORMATION_SCHEMA.QUERY_HISTORY())'
    )
    assert any("loan" in row["QUERY_TEXT"] for row in asked)
    assert not [row for row in asked if "tr0ub4dor" in row["QUERY_TEXT"].lower()]


@pytest.mark.parametrize(
    "goal",
    [
        "remove all rows older than 2024 from loans",
        "delete all rows of 2025 from loans",
        "delete every row in loans with a late fee above 4",
        "empty loans but keep the lost ones",
        "truncate loans to the rows of Harbour",
        "delete all rows from loans that are older than a year",
    ],
)
def test_a_part_is_never_taken_for_all_rows(account: OwnAccount, goal: str) -> None:
    assert "TRUNCATE" not in shown(account, goal)


def test_a_warehouse_that_never_suspends_is_not_suspended_now(account: OwnAccount) -> None:
    assert "COMPUTE_WH SUSPEND" not in shown(account, "make COMPUTE_WH never suspend")
