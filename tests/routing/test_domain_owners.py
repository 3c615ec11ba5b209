"""Which domain a clause speaks of."""

import pytest

from skills_nb.routing.clauses import Clause
from skills_nb.routing.domain_owners import find_owners

NOUNS = Clause(())
WISH = Clause((), is_wish=True)
THEN = Clause((), is_wish=True, comes_later=True)


def owners(*said, in_list=False):
    clauses, tops = zip(*said, strict=True)
    return find_owners(clauses, tops, "home", in_list=in_list)


@pytest.mark.parametrize(
    ("clause", "lead", "owner"),
    [
        (NOUNS, 8, "home"),
        (NOUNS, 12, "other"),
        (WISH, 6, "home"),
        (WISH, 8, "other"),
        (THEN, 4, "other"),
        (Clause((), is_context=True), 12, "home"),
        (Clause((), is_context=True), 14, "other"),
        (Clause((), is_wish=True, checks=True), 10, "home"),
    ],
)
def test_another_domain_must_lead_by_more_the_less_a_clause_sounds_like_a_wish(clause, lead, owner):
    assert owners((clause, {"home": 5.0, "other": 5.0 + lead})) == [owner]


def test_the_items_of_a_list_without_verbs_are_nearly_wishes():
    item = (NOUNS, {"home": 5.0, "other": 15.0})
    assert owners(item) == ["home"]
    assert owners(item, in_list=True) == ["other"]


def test_a_weak_wish_counts_beside_a_clear_one():
    weak = (WISH, {"home": 4.0, "other": 10.0})
    assert owners(weak) == ["home"]
    assert owners(weak, (WISH, {"third": 30.0})) == ["other", "third"]


def test_what_comes_before_a_timed_wish_is_a_thing_of_its_own():
    first = (WISH, {"home": 20.0, "other": 22.0})
    assert owners(first, (WISH, {"home": 20.0})) == ["home", "home"]
    assert owners(first, (THEN, {"home": 20.0})) == ["other", "home"]


def test_what_says_nothing_belongs_to_the_whole():
    said = Clause((), is_wish=True, says_nothing=True)
    assert owners((said, {"other": 30.0})) == ["home"]
    assert owners((WISH, {})) == ["home"]
