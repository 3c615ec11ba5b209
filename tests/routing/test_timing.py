"""What is said about when a thing has to be done."""

import pytest

from skills_nb.routing import resolve
from skills_nb.routing.clauses import split_clauses
from skills_nb.routing.timing import Timing, read_timing
from skills_nb.routing.words import read_words


@pytest.mark.parametrize(
    ("clause", "timing"),
    [
        ("but before that mask the rows", Timing(3, goes_before=True)),
        ("once that is done hide the numbers", Timing(4, goes_after=True)),
        ("and after this works publish it", Timing(4, goes_after=True)),
        ("only after that a dashboard", Timing(3, goes_after=True)),
        ("with that in place a dashboard", Timing(4, goes_after=True)),
        ("and besides that shrink it", Timing(3)),
        ("names have to be masked before that", Timing(goes_before=True)),
        ("after masking the column", Timing(1, is_act=True, goes_before=True)),
        ("once you have loaded the files", Timing(3, is_act=True, goes_before=True)),
        ("until the rows are filtered", Timing(1, goes_before=True, is_condition=True)),
        ("but not before names are masked", Timing(3, goes_before=True, is_condition=True)),
        ("only when its keys are checked", Timing(2, goes_before=True, is_condition=True)),
        ("and only then the metrics", Timing(3, goes_after=True)),
        ("a dashboard afterwards", Timing(goes_after=True)),
        ("last step is the portal", Timing(3, goes_after=True)),
        ("before it the names are hidden", Timing(2, goes_before=True)),
        ("before building the portal", Timing(1, is_act=True, goes_after=True, awaits=True)),
        ("before you share the table", Timing(2, is_act=True, goes_after=True, awaits=True)),
    ],
)
def test_a_clause_tells_when_it_has_to_be_done(clause, timing):
    assert read_timing(read_words(clause)) == timing


@pytest.mark.parametrize(
    "clause",
    [
        "after the audit",
        "before we hire interns",
        "after we moved the jobs",
        "once a week",
        "last week the load failed",
        "only if we pay",
        "",
        "before that",
    ],
)
def test_a_circumstance_is_no_order(clause):
    assert read_timing(read_words(clause)) == Timing()


@pytest.mark.parametrize(
    ("intent", "clauses"),
    [
        (
            "share the sales, but before that restrict the rows",
            ["but before that restrict the rows", "share the sales"],
        ),
        (
            "before you share the orders, revoke the grants",
            ["revoke the grants", "before you share the orders"],
        ),
        (
            "put up a page for support after masking the column",
            ["after masking the column", "put up a page for support"],
        ),
        (
            "after masking the column, put up a page",
            ["after masking the column", "put up a page"],
        ),
    ],
)
def test_clauses_come_in_the_order_of_doing(intent, clauses):
    found = split_clauses(read_words(intent))
    assert [" ".join(word.text for word in each.words) for each in found] == clauses


@pytest.mark.parametrize(
    ("intent", "domains"),
    [
        (
            "Give the dealers a share of STOCK, but before that restrict rows by dealer",
            ("data-security", "data-sharing"),
        ),
        (
            "We need a React portal; define KPIs in a semantic view before building the portal",
            ("semantic-modeling", "app-development"),
        ),
        (
            "mask the phone column but not for auditors, then share the table with our partner",
            ("data-security", "data-sharing"),
        ),
        (
            "put the budget on the team first, and once that works build a Streamlit page",
            ("cost-operations", "app-development"),
        ),
        (
            "no share goes out until row filters per region are on",
            ("data-security", "data-sharing"),
        ),
        (
            "bevor wir die Streamlit App deployen, please set a budget for the warehouse",
            ("cost-operations", "app-development"),
        ),
    ],
)
def test_a_chain_follows_the_order_that_was_said(library, intent, domains):
    assert resolve(intent, library).domains == domains
