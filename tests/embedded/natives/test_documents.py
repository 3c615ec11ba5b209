"""Loose JSON, XML, addresses and regular expressions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.embedded.translator.python_functions import RefusalError, answer

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_strict_json_is_loose_json(value: object) -> None:
    assert json.loads(answer("json", json.dumps(value)) or "") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': 'it\\'s'}", {"a": 1, "b": "it's"}),
        ("{'a': 1,}", {"a": 1}),
        ("[1, 2,]", [1, 2, None]),
        ("[, 1, , ]", [None, 1, None, None]),
        ("[TRUE, undefined]", [True, None]),
    ],
)
def test_json_may_lack_quotes_and_elements(text: str, value: object) -> None:
    assert json.loads(answer("json", text) or "") == value


def test_equal_documents_are_one_text_and_numbers_keep_the_digits_that_count() -> None:
    text = '{"b": 0.12345678901234567890, "a": [12345678901234567890123, {"d": 1, "c": "ä"}]}'
    told = '{"a":[12345678901234567890123,{"c":"ä","d":1}],"b":0.1234567890123456789}'
    assert answer("json", text) == told
    assert answer("json", told) == told


@pytest.mark.parametrize("text", ["{a: }", "[1", "nope", "1 2", '"'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(RefusalError, match="Error parsing JSON"):
        answer("json", text)
    assert answer("json", text, True) is None


def test_xml_keeps_tags_attributes_and_content() -> None:
    found = json.loads(answer("parse_xml", '<a k="x"><b>1</b>text<b/></a>') or "")
    expected = {"@": "a", "@k": "x", "$": [{"@": "b", "$": 1}, "text", {"@": "b", "$": ""}]}
    assert found == expected


def test_xml_declares_no_entities() -> None:
    with pytest.raises(RefusalError, match="Error parsing XML"):
        answer("parse_xml", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')


def test_an_ip_range_is_computed() -> None:
    found = json.loads(answer("parse_ip", "10.0.0.5/30", "INET") or "")
    assert (found["ipv4_range_start"], found["ipv4_range_end"]) == (167772164, 167772167)


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(RefusalError, match=r"\[100048 2201B\] Invalid regular expression: '\('"):
        answer("regexp_count", "a", "(")


def test_positions_begin_at_one() -> None:
    with pytest.raises(RefusalError, match="Invalid position: 0"):
        answer("regexp_substr", "abc", "b", 0)


@given(st.text(alphabet="ab", max_size=8))
def test_replacing_counts_as_many_as_counting(text: str) -> None:
    replaced = answer("regexp_replace", text, "a", "x")
    assert (replaced or "").count("x") == int(answer("regexp_count", text, "a") or 0)
