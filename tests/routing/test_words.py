"""Words, stems and spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.routing.spelling import Spelling, distance
from skills_nb.routing.words import lemma, read_intent, read_lines, read_words, stem


def texts(intent):
    return [word.text for word in read_words(intent)]


def test_case_accents_shorthands_and_punctuation_are_evened_out():
    said = texts("Don't mask Ünïcode—rows w/o PII & Redshift -> Snowflake, it's vs. that")
    assert " ".join(said) == (
        "do not mask unicode , rows without pii and redshift , to snowflake , it versus that"
    )


def test_sql_names_and_error_numbers_are_kept_whole():
    assert texts("SYSTEM$CLASSIFY('db.t') fails: 002003 in TAG_REFERENCES") == (
        ["system$classify", "(", "db", "t", ")", "fails", ":", "002003", "in", "tag_references"]
    )


def test_the_name_of_a_warehouse_says_that_it_is_the_speakers_and_nothing_else():
    assert texts("suspend the warehouse CLINIC_WH, then etl_2_wh") == (
        ["suspend", "the", "our", "warehouse", ",", "then", "our", "warehouse"]
    )
    assert texts("small wh, no _wh") == ["small", "wh", ",", "no", "_wh"]


def test_an_address_is_one_word():
    assert texts("allow 10.0.0.0/8") == ["allow", "ipaddress"]


@pytest.mark.parametrize(
    "forms",
    [
        "classify classified classification classifies",
        "migrate migrated migration",
        "mask masks masked masking",
        "policy policies",
        "query queries queried",
        "monitor monitors monitoring",
        "load loads loaded loading loader",
    ],
)
def test_grammatical_forms_share_a_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


def test_a_lemma_drops_inflection_but_not_what_makes_another_word():
    assert {lemma(word) for word in ("plan", "plans", "planned", "planning")} == {"plan"}
    assert lemma("planner") == lemma("planners") != lemma("plan")


@pytest.mark.parametrize(
    ("one", "other"), [("notion", "not"), ("news", "network"), ("user", "use")]
)
def test_different_words_keep_different_stems(one, other):
    assert stem(one) != stem(other)


@given(st.lists(st.text().filter(lambda text: "\n" not in text.casefold()), max_size=5))
def test_reading_many_texts_at_once_is_reading_them_one_by_one(several):
    single = [text.replace("\r", " ").replace("\n", " ") for text in several]
    assert read_lines(single) == [read_words(text) for text in single] or not single


@given(st.text())
def test_reading_never_fails_and_never_yields_capitals(text):
    assert all(word.text == word.text.lower() for word in read_words(text))


def test_a_misspelt_word_is_recognised_and_a_known_or_short_one_left_alone():
    words = read_words("mask columns warehouses policy which FIELD_DELIMITER")
    spelling = Spelling({word.stem: word.text for word in words})
    assert spelling.nearest(stem("colums")) == "columns"
    assert spelling.nearest(stem("wharehouses")) == "warehouses"
    assert spelling.nearest(stem("wihch")) == "which"
    assert spelling.nearest("whack") is None
    assert spelling.nearest("field_delimeter") == "field_delimiter"
    assert spelling.nearest("xyz") is None
    assert spelling.nearest("elephant") is None


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_distance_is_symmetric_and_zero_only_for_equal_words(one, other):
    assert distance(one, other, 3) == distance(other, one, 3)
    assert (distance(one, other, 3) == 0) == (one == other)


def test_swapped_letters_are_one_error():
    assert distance("emial", "email", 2) == 1


def test_german_words_of_grammar_are_read_as_english_ones():
    assert texts("Wir laden und danach mit Prüfung") == [
        "we",
        "laden",
        "and",
        "then",
        "with",
        "prufung",
    ]


def test_following_and_paging_are_said_in_plain_words():
    assert texts("load it, followed by checks") == ["load", "it", ",", "and", "then", "checks"]
    assert texts("page us, not the page") == ["notify", "us", ",", "not", "the", "page"]


def test_short_forms_of_hurried_people_stand_for_words():
    assert texts("tune our whs incl. the procs, plz") == (
        ["tune", "our", "warehouses", "including", "the", "procedures", ",", "please"]
    )
    assert texts("who has executed it") == texts("who executed it")


def test_who_mails_an_address_notifies_somebody():
    assert texts("email ops@acme.example when it is empty")[:3] == ["email", "me", "when"]
    assert texts("erase jo@acme.example")[-1] == "emailaddress"


def test_a_pattern_holds_across_the_name_of_an_object():
    said = [word.text for word in read_intent('why is role "x y" not allowed to read A.B.C')]
    assert said == ["why", "role", "x", "y", "can", "not", "read", "a", "b", "c"]
