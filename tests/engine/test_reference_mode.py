"""A question of fact is answered by one section of one page."""

import pytest

from skills_nb.engine.reference_mode import relevant_section
from tests.builders import primitive

PAGE = primitive(
    "streams",
    Syntax="CREATE STREAM … ON TABLE …",
    Parameters="| `APPEND_ONLY` | inserts only |",
    Constraints="One consumer per stream. It goes stale after the retention.",
    Examples="MERGE INTO …",
    Discovery_queries="SHOW STREAMS",
    Expected_errors="the stream is stale",
)


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("what's the syntax for a stream", "Syntax"),
        ("What is the syntax of the parameters of a stream?", "Syntax"),
        ("how do I write CREATE STREAM", "Syntax"),
        ("which parameters does a stream take", "Parameters"),
        ("what is the default of APPEND_ONLY", "Parameters"),
        ("does a stream support two readers", "Constraints"),
        ("is there a limit", "Constraints"),
        ("give me an example", "Examples"),
        ("what does that error mean", "Expected errors"),
        ("why does my stream fail", "Expected errors"),
        ("which streams are there already", "Discovery queries"),
        ("when does it go stale: retention", "Constraints"),
        ("streams", "Syntax"),
        ("", "Syntax"),
    ],
)
def test_a_question_is_answered_by_its_section(question, section):
    assert relevant_section(PAGE, question) == section


def test_a_section_that_is_missing_or_empty_answers_nothing():
    bare = primitive("streams", Syntax=" ", Constraints="One consumer.")
    assert relevant_section(bare, "what's the syntax") == "Constraints"
    assert relevant_section(primitive("streams"), "what's the syntax") is None
