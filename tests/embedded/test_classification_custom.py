"""Custom categories: expressions, thresholds, and their rank beside the native ones."""

import pytest

from skills_nb.embedded.classification import ColumnSample, CustomCategory, classify_column
from skills_nb.errors import UsageError

ICD = CustomCategory(
    "DB.S.MEDICAL", "ICD_10_CODES", "IDENTIFIER", r"[A-TV-Z]\d[\dAB]\.?[\dA-TV-Z]{0,4}", "ICD.*"
)
CODES = ["A01.1", "B20", "C50.919", "Z99.89", "J45.40"]


def test_a_custom_category_is_recommended_when_values_and_name_match():
    assert classify_column(ColumnSample("ICD_CODE", "VARCHAR", CODES), custom=[ICD]) == {
        "alternates": [],
        "recommendation": {
            "classifier_name": "DB.S.MEDICAL",
            "confidence": "HIGH",
            "coverage": 1,
            "details": [],
            "privacy_category": "IDENTIFIER",
            "semantic_category": "ICD_10_CODES",
        },
        "valid_value_ratio": 1,
    }


@pytest.mark.parametrize(
    ("name", "values"),
    [("DIAGNOSIS", CODES), ("ICD_CODE", [*CODES[:3], "none", "n/a"]), ("ICD_CODE", [])],
)
def test_a_custom_category_stays_away_when_name_or_values_do_not_match(name, values):
    entry = classify_column(ColumnSample(name, "VARCHAR", values), custom=[ICD])
    assert "recommendation" not in entry


def test_without_a_name_expression_the_values_decide():
    anywhere = CustomCategory("DB.S.M", "TICKET", "SENSITIVE", r"T-\d+", threshold=0.5)
    column = ColumnSample("X", "VARCHAR", ["T-1", "T-2", "other", "T-xx"])
    found = classify_column(column, custom=[anywhere])["recommendation"]
    assert (found["semantic_category"], found["coverage"]) == ("TICKET", 0.5)


def test_an_expression_has_to_cover_the_whole_value():
    part = CustomCategory("DB.S.M", "DIGITS", "SENSITIVE", r"\d+")
    entry = classify_column(ColumnSample("X", "VARCHAR", ["a1", "b2"]), custom=[part])
    assert "recommendation" not in entry


def test_custom_goes_before_native_and_the_native_one_becomes_an_alternate():
    staff = CustomCategory("DB.S.M", "STAFF_MAIL", "QUASI-IDENTIFIER", r".*@corp\.example\.com")
    column = ColumnSample("EMAIL", "VARCHAR", ["a@corp.example.com", "b@corp.example.com"])
    entry = classify_column(column, custom=[staff])
    assert entry["recommendation"]["semantic_category"] == "STAFF_MAIL"
    assert entry["recommendation"]["privacy_category"] == "QUASI_IDENTIFIER"
    assert [found["semantic_category"] for found in entry["alternates"]] == ["EMAIL"]


def test_the_better_match_wins_and_a_tie_goes_by_name():
    loose = CustomCategory("DB.S.M", "B_LOOSE", "SENSITIVE", r"\w\d+")
    same = CustomCategory("DB.S.M", "A_SAME", "SENSITIVE", r"[a-z]\d+")
    strict = CustomCategory("DB.S.M", "C_STRICT", "SENSITIVE", r"[a-d]\d+")
    column = ColumnSample("X", "VARCHAR", ["a1", "b2", "c3", "d4", "e5"])
    entry = classify_column(column, custom=[strict, loose, same])
    ranked = [entry["recommendation"], *entry["alternates"]]
    assert [found["semantic_category"] for found in ranked] == ["A_SAME", "B_LOOSE", "C_STRICT"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value_regex": "("}, "regular expression '(' cannot be read"),
        ({"col_name_regex": "["}, "regular expression '[' cannot be read"),
        ({"threshold": 0.0}, "threshold 0.0 is out of range"),
        ({"threshold": 1.1}, "threshold 1.1 is out of range"),
        ({"privacy_category": "SECRET"}, "privacy category 'SECRET' does not exist"),
    ],
)
def test_a_category_that_cannot_work_is_refused(change, message):
    given = {
        "classifier_name": "C",
        "semantic_category": "X",
        "privacy_category": "SENSITIVE",
        "value_regex": "x",
    }
    with pytest.raises(UsageError) as refused:
        CustomCategory(**{**given, **change})
    assert str(refused.value).startswith(message)
