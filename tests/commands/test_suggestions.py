"""What a model suggests at a pause, with how sure it is and what it took."""

import pytest

from skills_nb.commands.home.model_choice import suggestion, suggestion_words
from skills_nb.model.events import ModelAnswered
from skills_nb.model.state import Pause

PAUSE = Pause("checkpoint", "5", "review", "look", seq=7)


def said(seq, answer, joint="5", **more):
    return ModelAnswered(joint=joint, model="cortex/x", answer=answer, seq=seq, **more)


def test_the_latest_word_on_this_pause_counts():
    events = [said(8, {"choice": "abort"}), said(9, {"choice": "approve"})]
    assert suggestion(PAUSE, events) == events[1]


@pytest.mark.parametrize(
    "event",
    [
        said(6, {"choice": "approve"}),
        said(8, {"choice": "approve"}, joint="8"),
        said(8, None),
        said(8, {"choice": None}),
        said(8, {"name": "PII"}),
    ],
    ids=str,
)
def test_what_is_about_another_pause_or_says_nothing_is_no_suggestion(event):
    assert suggestion(PAUSE, [event]) is None


def test_where_nothing_waits_there_is_nothing_to_suggest():
    assert suggestion(None, [said(8, {"choice": "approve"})]) is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "The model cortex/x would choose 'approve'. You decide."),
        (
            {"confidence": 0.82, "cost": {"output_tokens": 12, "input_tokens": 300}},
            "The model cortex/x would choose 'approve' (82% sure, 300 input tokens, "
            "12 output tokens). You decide.",
        ),
    ],
)
def test_a_suggestion_tells_how_sure_it_is_and_what_it_took(more, words):
    assert suggestion_words(said(8, {"choice": "approve"}, **more)) == words
