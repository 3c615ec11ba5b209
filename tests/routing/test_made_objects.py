"""Which kind of object is to be made or is asked of, and which skill makes it."""

import pytest

from skills_nb.routing.made_objects import made_by
from skills_nb.routing.words import read_intent


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
