"""Which kind of object is to be made or is asked of, and which skill makes it."""

import pytest

from skills_nb.routing.made_objects import description_in, made_by
from skills_nb.routing.words import read_intent, read_words


def makers(intent, evidence):
    found = made_by(read_intent(intent), evidence.makers)
    return [evidence.targets[number].ref for number in found]


@pytest.mark.parametrize(
    ("intent", "maker"),
    [
        ("write me a procedure that archives old rows and grants usage", "stored-procedures"),
        ("a view for the couriers on A.B.C showing only the street", "views"),
        ("can a materialized view join two tables", "materialized-views"),
        ("package our tables as a listing", "listings"),
        ("create masking policy for phones", "masking-policies"),
        ("we need a small alert on late loads", "alerts"),
        ("create an empty warehouse", "warehouses"),
    ],
)
def test_the_kind_that_is_made_or_asked_of_is_found(intent, maker, evidence):
    assert makers(intent, evidence)[0] == f"primitives/{maker}"


@pytest.mark.parametrize(
    "intent",
    [
        "create a stage curtain design for the school theatre",
        "new table",
        "are network policies part of a failover group",
        "share the view with a partner",
        "we need the view back",
        "can you look",
        "make it a bit better",
        "please",
        "",
    ],
)
def test_what_only_sounds_like_a_kind_is_none(intent, evidence):
    assert makers(intent, evidence) == []


def test_a_playbook_that_is_named_after_the_kind_makes_it_too(evidence):
    made = makers("create a semantic view on A.B", evidence)
    assert made == ["primitives/semantic-views", "playbooks/build-semantic-view"]


def test_a_kind_that_many_pages_create_and_none_is_named_after_is_nobodys(evidence):
    assert "databas" not in evidence.makers
    assert "schema" not in evidence.makers


def test_a_kind_that_is_asked_after_is_its_makers_matter_and_a_list_is_no_listing(evidence):
    assert makers("which warehouses do we have", evidence) == ["primitives/warehouses"]
    assert makers("what tasks are there", evidence) == ["primitives/tasks"]
    assert makers("which warehouses should we suspend", evidence) == []
    assert makers("give me a list of suppliers", evidence) == []


def test_what_a_thing_holds_is_its_description(evidence):
    words = read_words("a table for complaints with a text, and mask it")
    told = [words[at].text for at in description_in(words, evidence.makers)]
    assert told == ["for", "complaints", "with", "a", "text", ","]
    assert not description_in(read_words("drop the table for complaints"), evidence.makers)


def test_a_playbook_that_works_on_what_there_is_makes_nothing(evidence):
    assert makers("create a warehouse for the night", evidence) == ["primitives/warehouses"]
