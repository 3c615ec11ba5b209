"""Identifiers as words."""

import pytest

from skills_nb.views.sheets.phrasing import in_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("masking_policy", "masking policy"),
        ("snowflake.core.budget", "budget"),
        ("snowflake.data_privacy.classification_profile", "classification profile"),
    ],
)
def test_the_words_of_a_name(name, words):
    assert in_words(name) == words
