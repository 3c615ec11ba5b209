"""Clauses that say something beside the wish, and wishes that look like them."""

import pytest

from skills_nb.routing import resolve
from skills_nb.routing.asides import is_aside
from skills_nb.routing.clauses import split_clauses
from skills_nb.routing.negation import is_limit
from skills_nb.routing.words import read_intent


def aside(text, *, begins=False):
    return is_aside(read_intent(text), begins=begins)


@pytest.mark.parametrize(
    "clause",
    [
        "and write the result in a table each night",
        "results to a table",
        "then store the outcome next to it",
        "source STG.CRM.DELTA target DW.DIM.ADDRESS",
        "pause after 10 minutes",
        "and set it to small",
        "and correct",
        "no rows since tuesday",
    ],
)
def test_a_place_a_setting_and_a_symptom_are_no_wish_of_their_own(clause):
    assert aside(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "put the results in a streamlit app",
        "export the results to a file",
        "compare STG.CRM.DELTA with DW.DIM.ADDRESS",
        "pause the pipe",
        "set it up for the whole account",
        "check the keys",
        "STG.CRM.DELTA DW.DIM.ADDRESS",
    ],
)
def test_who_wants_more_with_the_result_or_the_table_says_so(clause):
    assert not aside(clause)


def test_names_alone_at_the_beginning_are_what_the_wish_is_about():
    assert not aside("from STG.CRM.DELTA to DW.DIM.ADDRESS", begins=True)


def test_a_statement_is_quoted_behind_a_colon_and_wanted_behind_a_comma():
    quoted = split_clauses(read_intent("why is it so slow: select sum(x), y from A.B.C"))
    assert [clause.says_nothing for clause in quoted][-1]
    assert " ".join(word.text for word in quoted[-1].words) == "select sum x y from a b c"
    wished = split_clauses(read_intent("mask the emails, select the ten best customers"))
    assert not any(clause.says_nothing for clause in wished)
    assert len(split_clauses(read_intent("two things: select one table"))) == 1


def test_what_is_to_stay_is_a_limit_and_what_is_to_stay_fresh_a_wish():
    assert is_limit(read_intent("and keep the grants"))
    assert not is_limit(read_intent("and keep the daily totals fresh"))
    assert not is_limit(read_intent("keep the grants"))


@pytest.mark.parametrize(
    ("intent", "target"),
    [
        ("stop the pool RENDER_POOL, it costs money", "primitives/spcs-compute-pools"),
        (
            "merge the address changes with their history (scd 2), source A.B.C, target A.D.E",
            "playbooks/merge-changes-with-history",
        ),
        (
            "why is this so slow: select sum(amount) from SHOP.CORE.ORDERS",
            "playbooks/tune-slow-query",
        ),
    ],
)
def test_one_wish_with_an_aside_is_no_chain(library, intent, target):
    route = resolve(intent, library)
    assert route.mode != "chain"
    assert route.targets == (target,)


def test_two_wishes_stay_two_where_neither_is_an_aside(library):
    route = resolve("mask the emails in SHOP.CORE.BUYERS, then share it with a partner", library)
    assert route.domains == ("data-security", "data-sharing")


def test_what_is_to_be_mended_was_told_before():
    assert aside("clean that up for all our tables")
    assert aside("that should stop")
    assert not aside("clean up the old tables")
    assert not aside("stop the warehouse")
