"""Functions that Python computes, and how they refuse."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.embedded.translator.python_functions import (
    CALLS,
    REGISTRY,
    RefusalError,
    answer,
    carried,
)
from skills_nb.embedded.translator.python_functions.calls import key_of

LISTS = st.lists(st.one_of(st.integers(), st.text(), st.booleans(), st.none()), max_size=6)


def _array(name: str, *values: object) -> object:
    made = answer(name, *(json.dumps(value) for value in values))
    return None if made is None else json.loads(made)


@given(LISTS, LISTS)
def test_what_two_arrays_share_and_what_the_first_has_alone_are_the_first(
    one: list[object], other: list[object]
) -> None:
    shared, rest = _array("array_intersect", one, other), _array("array_except", one, other)
    assert isinstance(shared, list)
    assert isinstance(rest, list)
    assert sorted(map(json.dumps, [*shared, *rest])) == sorted(map(json.dumps, one))


@given(LISTS)
def test_an_array_reversed_twice_is_itself(items: list[object]) -> None:
    assert _array("array_reverse", _array("array_reverse", items)) == items


@given(LISTS)
def test_distinct_elements_are_distinct_and_all_there(items: list[object]) -> None:
    found = _array("array_distinct", items)
    assert isinstance(found, list)
    keys = [json.dumps(item) for item in found]
    assert len(keys) == len(set(keys))
    assert set(keys) == {json.dumps(item) for item in items}


def test_one_and_true_are_different_elements() -> None:
    assert _array("array_distinct", [1, True, 1]) == [1, True]


@pytest.mark.parametrize("name", ["array_compact", "array_reverse", "array_flatten", "array_max"])
def test_no_array_gives_no_answer(name: str) -> None:
    assert answer(name, None) is None


def test_a_refusal_carries_number_and_state_through_text() -> None:
    with pytest.raises(RefusalError) as caught:
        answer("array_flatten", "[1]")
    text = f"Python exception occurred: RefusalError: {caught.value}"
    said = "Not an array of arrays in function ARRAY_FLATTEN"
    assert carried(text) == (100107, "22000", said)


def test_another_error_carries_nothing() -> None:
    assert carried("Conversion Error: could not convert") is None


def test_every_function_says_its_page() -> None:
    own = ("changes", "split_rows", "token_rows", "json", "moment", "binary")
    missing = [
        name
        for name, function in REGISTRY.items()
        if name not in own and "docs.snowflake.com" not in (function.__doc__ or "")
    ]
    assert missing == []


def test_no_two_functions_answer_to_one_name() -> None:
    assert all(REGISTRY[key_of(named)] is call.run for named, call in CALLS.items())
