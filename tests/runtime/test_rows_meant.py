"""Columns named in passing weigh nothing, and words about rows alone ask to see them."""

import pytest

from skills_nb.runtime.rows_meant import (
    asks_for_rows,
    may_ask_for_rows,
    may_compare,
    may_name_columns,
    without_columns,
)

COLUMNS = ("late fee", "EMAIL", "RATING", "ROLE")


@pytest.mark.parametrize(
    ("words", "left"),
    {
        "delete D.S.LOANS with a late fee below 1": 'delete D.S.LOANS with a "late fee"',
        "D.S.T where rating is between 2 and 5, please": 'D.S.T where "RATING", please',
        "D.S.T with a rating of at least 4.5 and an email": 'D.S.T with a "RATING" and an email',
        "copy D.S.T where the email is missing": 'copy D.S.T where the "EMAIL"',
        "D.S.T whose role is 'late fee'": 'D.S.T whose "ROLE"',
        'D.S.T where "late fee" > 1': 'D.S.T where "late fee" > 1',
    }.items(),
)
def test_a_column_in_a_condition_says_nothing_of_what_is_wanted(words, left):
    assert may_compare(words)
    assert may_name_columns(words)
    assert without_columns(words, COLUMNS, asks_rows=False) == left


@pytest.mark.parametrize(
    "words",
    [
        "mask the email column of D.S.T",
        "mask email and late fee in D.S.T for ANALYST",
        "protect D.S.T with a row access policy by role",
        "who can read EMAIL of D.S.T",
        "share D.S.EMAIL with a rating agency",
    ],
)
def test_a_column_that_is_the_subject_stays_a_word(words):
    assert without_columns(words, COLUMNS, asks_rows=False) == words


def test_what_numbers_are_grouped_and_measured_by_is_a_column_of_a_question():
    words = "average late fee of D.S.T by role"
    assert (
        without_columns(words, COLUMNS, asks_rows=True) == 'average "late fee" of D.S.T by "ROLE"'
    )
    assert without_columns(words, COLUMNS, asks_rows=False) == words


@pytest.mark.parametrize(
    "words",
    [
        "which D.S.MEMBERS joined in March 2025",
        "D.S.MEMBERS older than 60",
        "the three cheapest D.S.BOOKS",
        'show "City"."s"."loans" from the first quarter',
        "D.S.LOANS not yet returned",
    ],
)
def test_words_about_the_rows_of_a_table_ask_to_see_them(words):
    assert asks_for_rows(words)


@pytest.mark.parametrize(
    "words",
    [
        "D.S.MEMBERS",
        "D.S.MEMBERS to the other account",
        "D.S.LOANS table needs a mask",
        "mask D.S.MEMBERS older than 60",
        "members older than 60",
        "which roles read D.S.MEMBERS",
    ],
)
def test_other_words_about_a_table_do_not(words):
    assert not asks_for_rows(words)


@pytest.mark.parametrize("words", ["mask the data by role", "clone it for 30 days", "total cost"])
def test_what_compares_nothing_asks_no_account_for_its_columns(words):
    assert not may_compare(words)


def test_a_goal_that_begins_with_the_most_may_ask_for_rows():
    assert may_ask_for_rows("the three cheapest bikes")
    assert not may_ask_for_rows("find the cheapest warehouse")
