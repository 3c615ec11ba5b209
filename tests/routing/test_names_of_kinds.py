"""What an object is called, and the word before its name, say of what kind it is."""

import pytest

from skills_nb.routing import resolve
from skills_nb.routing.evidence import evidence_of
from skills_nb.routing.names_of_kinds import capitals_in, makers_of_named, with_kind
from skills_nb.routing.words import nameless, read_intent, read_words


def test_the_name_of_an_object_says_of_what_kind_it_is():
    name = nameless("mv_active_policies")
    assert with_kind(name) == (name, *read_words("materialized view"))


@pytest.mark.parametrize("name", ["active_policies", "mv", "mvp_list"])
def test_other_names_say_nothing_of_a_kind(name):
    assert with_kind(nameless(name)) == ()


def test_a_word_that_is_no_name_says_no_kind():
    assert with_kind(read_words("mv_sales")[0]) == ()


def test_capitals_in_the_plural_behind_a_preposition_are_a_table():
    assert capitals_in("remove doubles from POLICIES") == {"policies"}


def test_capitals_behind_a_kind_are_its_name():
    assert capitals_in("scale service THUMBNAILER up") == {"thumbnailer"}


@pytest.mark.parametrize("said", ["policies in SQL", "SHOW GRANTS ON ALL TABLES IN SCHEMA X"])
def test_other_capitals_are_words(said):
    assert capitals_in(said) == frozenset()


def test_the_kind_before_a_name_is_what_it_is_about(library):
    evidence = evidence_of(library)
    refs = {
        evidence.targets[number].ref
        for number in makers_of_named(
            read_intent('suspend the dynamic table "RIDES" now'), evidence.makers
        )
    }
    assert refs == {"primitives/dynamic-tables"}


def test_a_kind_that_is_named_beside_much_else_decides_nothing(library):
    words = read_intent('mask the column in table "RIDES"')
    assert makers_of_named(words, evidence_of(library).makers) == ()


def test_an_abbreviation_leads_to_the_skill(library):
    assert resolve("status of VOLT.RAW.METER_PIPE", library).targets == ("primitives/snowpipe",)
