"""What people said before tells targets apart, and makes nobody surer than the words do."""

import pytest

from skills_nb.model.utterances import placed_utterances, read_utterances
from skills_nb.routing.likeness import Heard, heard_from
from skills_nb.routing.words import read_intent

MASK, SHARE, NEW = 0, 1, 2


@pytest.fixture
def heard():
    return heard_from(
        {
            MASK: ["hide the salaries", "who can see the salaries", "hide phone numbers"],
            SHARE: ["give the partner the orders", "let the partner read the orders"],
        }
    )


def test_a_sentence_sounds_like_those_that_were_said_before(heard):
    alike = heard.likeness(read_intent("hide the bonus"))
    assert alike[MASK] > 0 > alike[SHARE]


def test_a_target_of_which_nothing_was_said_is_neither_helped_nor_harmed(heard):
    assert NEW not in heard.likeness(read_intent("hide the bonus"))


def test_words_that_nobody_said_say_nothing(heard):
    assert set(heard.likeness(read_intent("quarks and gluons")).values()) == {0.0}


def test_the_order_and_number_of_words_do_not_matter(heard):
    once = heard.likeness(read_intent("hide the orders"))
    assert heard.likeness(read_intent("orders the hide hide")) == once


def test_without_sentences_everything_sounds_alike():
    assert Heard().likeness(read_intent("hide the salaries")) == {}


def test_what_objects_are_called_is_no_word_of_the_sentence():
    heard = heard_from({MASK: ["mask CLINIC.HR.STAFF"], SHARE: ["share CLINIC.RAW.VISITS"]})
    other = heard.likeness(read_intent("mask CLINIC.RAW.VISITS"))
    assert other == heard.likeness(read_intent("mask SHOP.CORE.ORDERS"))
    assert other[MASK] > other[SHARE]


TEXT = """# What people say

- said of nothing

## `playbooks/x`

- hide it
not an item
- hide that, too

## primitives/y

- share it
"""


def test_sentences_stand_under_the_skill_that_they_mean():
    assert read_utterances([TEXT, "## primitives/y\n- and that"]) == {
        "": ("said of nothing",),
        "playbooks/x": ("hide it", "hide that, too"),
        "primitives/y": ("share it", "and that"),
    }


def test_a_sentence_has_its_line():
    assert [line for line, _, _ in placed_utterances(TEXT)] == [3, 7, 9, 13]
