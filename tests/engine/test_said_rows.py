"""Words that say which rows are meant become a condition, or are told as not understood."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.engine.inputs.wording.said_counts import counts_said
from skills_nb.engine.inputs.wording.said_moments import moments_said
from skills_nb.engine.inputs.wording.said_rows import HeldValue, rows_said
from skills_nb.engine.inputs.wording.table_columns import TableColumn
from skills_nb.sql.row_conditions import read_condition

TODAY = date(2026, 11, 26)
COLUMNS = (
    TableColumn("LOAN_ID", "number"),
    TableColumn("BORROWED_AT", "moment"),
    TableColumn("RETURNED_AT", "moment"),
    TableColumn("late fee", "number"),
    TableColumn("Branch", "text"),
    TableColumn("STATE", "text"),
)
HELD = (
    HeldValue("Branch", "North Side"),
    HeldValue("Branch", "Harbour"),
    HeldValue("STATE", "Lost"),
)


_SAID = (
    "loans late fee above below 7 'x' \"late fee\" not without between and in since october 2025",
    "last week branch is harbour ; -- ) ( Ünïcode İ 31 february",
)
_WORDS = " ".join(_SAID).split(" ")


def said(goal, moment="BORROWED_AT", held=HELD):
    return rows_said(
        goal, COLUMNS, table="loans", moment=moment, today=TODAY, held=_said_of(goal, held)
    )


def _said_of(goal, held):
    """The values that the look-up would find: those whose words stand in the goal."""
    return tuple(one for one in held if one.value.lower() in goal.lower())


@pytest.mark.parametrize(
    ("goal", "condition"),
    {
        "how many loans with a late fee above 3.5": '"late fee" > 3.5',
        "loans where the late fee is at least 10": '"late fee" >= 10',
        "loans with late fee less than 2": '"late fee" < 2',
        "loans with a late fee between 2 and 5": '"late fee" BETWEEN 2 AND 5',
        "how many loans with loan id 7": "LOAN_ID = 7",
        "loans whose late fee is not 0": '"late fee" <> 0',
        "loans without a late fee": '"late fee" IS NULL',
        "loans where returned at is missing": "RETURNED_AT IS NULL",
        "loans where returned at is not empty": "RETURNED_AT IS NOT NULL",
        "loans where branch is 'Harbour'": "\"Branch\" = 'Harbour'",
        "how many lost loans": "STATE = 'Lost'",
        "loans at north side": "\"Branch\" = 'North Side'",
        "loans at Harbour or North Side": "\"Branch\" IN ('Harbour', 'North Side')",
        "loans not at Harbour": "\"Branch\" IS DISTINCT FROM 'Harbour'",
        "loans since 2026-10-03": "BORROWED_AT >= '2026-10-03'",
        "loans before 3 October": "BORROWED_AT < '2026-10-03'",
        "loans after October 3rd, 2025": "BORROWED_AT >= '2025-10-04'",
        "loans until 2026-10-03": "BORROWED_AT < '2026-10-04'",
        "loans since 2026-10-03 14:30": "BORROWED_AT >= '2026-10-03 14:30'",
        "loans on 24 December": "BORROWED_AT >= '2025-12-24' AND BORROWED_AT < '2025-12-25'",
        "loans in October": "BORROWED_AT >= '2026-10-01' AND BORROWED_AT < '2026-11-01'",
        "loans in december 2024": "BORROWED_AT >= '2024-12-01' AND BORROWED_AT < '2025-01-01'",
        "loans in 2025": "BORROWED_AT >= '2025-01-01' AND BORROWED_AT < '2026-01-01'",
        "loans since 2025": "BORROWED_AT >= '2025-01-01'",
        "loans from 2026-10-03 to 2026-10-05": (
            "BORROWED_AT >= '2026-10-03' AND BORROWED_AT < '2026-10-06'"
        ),
        "loans of the last 7 days": "BORROWED_AT >= DATEADD(DAY, -7, CURRENT_DATE)",
        "loans older than 2 years": "BORROWED_AT < DATEADD(YEAR, -2, CURRENT_DATE)",
        "loans today": "BORROWED_AT >= CURRENT_DATE",
        "loans this month": "BORROWED_AT >= DATE_TRUNC('MONTH', CURRENT_DATE)",
        "loans of the last two weeks": "BORROWED_AT >= DATEADD(WEEK, -2, CURRENT_DATE)",
        "loans since last Monday": "BORROWED_AT >= '2026-11-23'",
        "loans since Monday": "BORROWED_AT >= '2026-11-23'",
        "loans on friday": "BORROWED_AT >= '2026-11-20' AND BORROWED_AT < '2026-11-21'",
        "loans since last thursday": "BORROWED_AT >= '2026-11-19'",
        "loans March 2025": "BORROWED_AT >= '2025-03-01' AND BORROWED_AT < '2025-04-01'",
        "loans from the first quarter": (
            "BORROWED_AT >= '2026-01-01' AND BORROWED_AT < '2026-04-01'"
        ),
        "loans in Q4": "BORROWED_AT >= '2026-10-01' AND BORROWED_AT < '2027-01-01'",
        "loans since the second quarter of 2025": "BORROWED_AT >= '2025-04-01'",
        "loans not yet returned": "RETURNED_AT IS NULL",
        "how many loans haven't been returned yet": "RETURNED_AT IS NULL",
        "loans that were never returned": "RETURNED_AT IS NULL",
        "loans already returned": "RETURNED_AT IS NOT NULL",
    }.items(),
)
def test_what_is_said_of_rows_is_one_condition(goal, condition):
    found = said(goal)
    assert (found.conditions, found.unread) == ((condition,), ())


def test_conditions_add_up():
    found = said("average late fee of lost loans at Harbour since 2026-10-03 above all")
    assert set(found.conditions) == {
        "BORROWED_AT >= '2026-10-03'",
        "STATE = 'Lost'",
        "\"Branch\" = 'Harbour'",
    }
    assert found.unread == ("above",)


@pytest.mark.parametrize(
    "goal",
    [
        "how many loans",
        "how many loans do we have",
        "total late fee by branch",
        "show me the first 20 rows of loans",
        "the 5 most expensive loans",
        "daily late fee of our loans",
    ],
)
def test_a_goal_that_means_all_rows_sets_no_condition(goal):
    found = said(goal)
    assert (found.conditions, found.unread) == ((), ())


@pytest.mark.parametrize(
    ("goal", "unread"),
    {
        "how many overdue loans": "overdue",
        "loans above 15": "above 15",
        "how many loans were renewed": "renewed",
        "loans in Atlantis": "Atlantis",
        "loans where the weather was bad": "weather was bad",
        "loans on 31 February": "31 February",
        "loans since Thursday": "Thursday",
        "loans not yet renewed": "not yet renewed",
        "loans older than 60": "older than 60",
    }.items(),
)
def test_what_cannot_be_read_is_told_and_not_passed_over(goal, unread):
    found = said(goal)
    assert (found.conditions, found.unread) == ((), (unread,))


def test_a_time_that_may_be_about_two_columns_is_offered_for_each():
    found = said("lost loans since 2026-10-03", moment=None)
    assert found.unread == ("since 2026-10-03",)
    assert found.offers == (
        "BORROWED_AT >= '2026-10-03' AND STATE = 'Lost'",
        "RETURNED_AT >= '2026-10-03' AND STATE = 'Lost'",
    )


def test_the_word_of_a_column_tells_which_time_is_meant():
    found = said("loans returned since 2026-10-03", moment=None)
    assert found.conditions == ("RETURNED_AT >= '2026-10-03'",)


def test_a_value_that_two_columns_hold_is_that_of_the_one_that_is_named():
    both = (HeldValue("Branch", "Lost"), HeldValue("STATE", "Lost"))
    assert said("how many lost loans", held=both).unread == ("lost",)
    named = said("how many loans with state lost", held=both)
    assert named.conditions == ("STATE = 'Lost'",)


def test_only_words_that_nothing_explains_are_looked_up():
    assert said("how many loans by branch since 2026-10-03").runs == ()
    assert "north side" in said("how many loans at north side").runs


@given(
    st.lists(st.sampled_from(_WORDS)).map(" ".join),
    st.sampled_from(["BORROWED_AT", None]),
)
def test_every_condition_is_one_and_what_is_unread_was_said(goal, moment):
    found = said(goal, moment)
    for condition in (*found.conditions, *found.offers):
        assert read_condition(condition).sql == condition
    plain = " ".join(goal.split())
    assert all(" ".join(words.split()) in plain for words in found.unread)


@given(st.text(alphabet="0123456789 -/abcdefghijklmnopqrstuvwxyz:.'", max_size=60))
def test_no_text_upsets_the_reading_of_times(text):
    stretches = sorted((one.start, one.end) for one in moments_said(text, TODAY))
    assert all(0 <= start < end <= len(text) for start, end in stretches)
    assert all(one[1] <= other[0] for one, other in pairwise(stretches))


@pytest.mark.parametrize(
    ("words", "count"),
    {
        "the top 5 loans": "5",
        "10 newest loans": "10",
        "the three cheapest loans": "three",
        "loans of the last 7 days": None,
        "loans of the last two weeks": None,
        "first 20 rows": "20",
        "loans above 15": None,
        "loans since 2026-10-03": None,
    }.items(),
)
def test_a_number_of_rows_is_told_from_other_numbers(words, count):
    found = [words[start:end] for start, end in counts_said(words)]
    assert found[:1] == ([count] if count else [])


PEOPLE = (
    TableColumn("AGE", "number"),
    TableColumn("Price", "number"),
    TableColumn("duration_minutes", "number"),
    TableColumn("JOINED", "moment"),
    TableColumn("STATE", "text"),
)


@pytest.mark.parametrize(
    ("goal", "condition"),
    {
        "members older than 60": "AGE > 60",
        "how many members are younger than 18 years": "AGE < 18",
        "members aged over 65": "AGE > 65",
        "members who are 60 or older": "AGE >= 60",
        "cheaper than 20 euros": '"Price" < 20',
        "more expensive than $9.50": '"Price" > 9.50',
        "longer than 30 minutes": '"duration_minutes" > 30',
        "joined in March 2025": "JOINED >= '2025-03-01' AND JOINED < '2025-04-01'",
    }.items(),
)
def test_what_is_more_or_less_is_about_the_column_that_says_how_much(goal, condition):
    found = rows_said(goal, PEOPLE, table="members", today=TODAY)
    assert (found.conditions, found.unread) == ((condition,), ())


@pytest.mark.parametrize("goal", ["longer than 2 hours", "taller than 180", "older than 3 weeks x"])
def test_another_unit_or_no_such_column_is_not_guessed(goal):
    found = rows_said(goal, PEOPLE, table="members", moment=None, today=TODAY)
    assert not any(sign in " ".join(found.conditions) for sign in ("AGE", "duration"))
    assert found.unread or found.conditions == ("JOINED < DATEADD(WEEK, -3, CURRENT_DATE)",)


def test_of_two_columns_that_could_be_meant_none_is():
    two = (*PEOPLE, TableColumn("cost", "number"))
    found = rows_said("cheaper than 20", two, table="members", today=TODAY)
    assert (found.conditions, found.unread) == ((), ("cheaper than 20",))


def test_an_age_is_found_by_the_day_of_birth():
    columns = (TableColumn("DATE_OF_BIRTH", "moment"), TableColumn("SEEN", "moment"))
    found = rows_said("patients older than 60", columns, table="patients", today=TODAY)
    assert found.conditions == ("DATE_OF_BIRTH < DATEADD(YEAR, -60, CURRENT_DATE)",)


def test_what_was_not_done_at_a_time_is_no_missing_time():
    assert said("loans not returned in March").unread == ("not returned",)


def test_a_state_that_is_a_value_too_is_asked_about():
    held = (HeldValue("STATE", "Returned"),)
    found = rows_said("loans not yet returned", COLUMNS, table="loans", today=TODAY, held=held)
    assert (found.conditions, found.unread) == ((), ("not yet returned",))
    assert "returned" in said("loans not yet returned").runs


@pytest.mark.parametrize(
    ("goal", "condition"),
    {
        "which jobs are done": "DONE = TRUE",
        "jobs that are not done": "DONE IS DISTINCT FROM TRUE",
        "jobs where done is false": "DONE = FALSE",
        "how many active jobs": '"is_active" = TRUE',
        "jobs without the active ones": '"is_active" IS DISTINCT FROM TRUE',
        "jobs where done is missing": "DONE IS NULL",
        "count jobs by done": None,
        "show the done column of jobs": None,
    }.items(),
)
def test_a_column_that_is_true_or_false_is_a_condition_by_its_name(goal, condition):
    columns = (TableColumn("DONE", "truth"), TableColumn("is_active", "truth"))
    found = rows_said(goal, columns, table="jobs", today=TODAY)
    assert found.conditions == ((condition,) if condition else ())
    assert found.unread == ()
