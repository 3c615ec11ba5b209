"""YAML to values with places; what is refused, and why."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from skills_nb.model.documents import Place
from skills_nb.reading import yaml_data
from skills_nb.reading.yaml_data import parse_yaml


def test_keys_and_values_have_their_places():
    data, problems = parse_yaml("a: 1\nb:\n  - x\n  - {c: é, d: z}\n", "f.md", line=2)
    assert problems == ()
    assert data is not None
    assert data.value == {"a": 1, "b": ["x", {"c": "é", "d": "z"}]}
    assert data.place("a") == Place(2, 4)
    assert data.key_place("b") == Place(3, 1)
    assert data.place("b", 1, "d") == Place(5, 15)
    assert data.key_place("b", 1, "d") == Place(5, 12)
    assert data.place("b", 1, "missing") == Place(5, 5)


def test_text_inside_a_list_keeps_the_column_of_the_file():
    data, _ = parse_yaml("a: 1\n", "f.md", line=10, column=4)
    assert data is not None
    assert (data.key_place("a"), data.place("a")) == (Place(10, 4), Place(10, 7))


def test_scalars_resolve_as_yaml_does_but_dates_stay_text():
    text = (
        "[1, -2, 1_000, 1.5, 1.0e+3, 1e3, true, No, ~, '', null, 2026-01-31, '7', 0x1F, 1:30, 010]"
    )
    data, _ = parse_yaml(text, "f")
    assert data is not None
    assert data.value == [
        *(1, -2, 1000, 1.5, 1000.0, "1e3", True, False, None, "", None),
        *("2026-01-31", "7", "0x1F", "1:30", "010"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        ("a: [1\nb: 2", "SK007", (2, 2), "not valid YAML: did not find expected ',' or ']'"),
        ("a: 1\na: 2", "SK011", (2, 1), "key 'a' appears twice"),
        ("a: &x 1", "SK012", (1, 4), "anchor '&x'"),
        ("a: *x", "SK012", (1, 4), "alias '*x'"),
        ("a: !!python/name:os.system x", "SK012", (1, 4), "tag 'tag:yaml.org,2002:python/name"),
        ("a: 1\n---\nb: 2", "SK012", (2, 1), "a second YAML document"),
        ("? [a]\n: 1", "SK012", (1, 3), "a key that is not text"),
        ("a: \x07", "SK007", (1, 4), "not valid YAML: control character U+0007"),
        ("[" * 30 + "]" * 30, "SK012", (1, 25), "nested over 24 deep"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text, code, place, message):
    _, problems = parse_yaml(text, "f.md")
    assert [(each.code, (each.span.line, each.span.column)) for each in problems] == [(code, place)]
    assert problems[0].message.startswith(message)


@pytest.mark.parametrize("text", ["- " * 300_000, "[" * 300_000, "{a: " * 100_000, "? " * 300_000])
def test_a_tower_of_brackets_ends_neither_in_a_crash_nor_in_a_wait(text):
    data, problems = parse_yaml(text, "f.md")
    assert data is None
    assert len(problems) == 1


def test_an_empty_text_is_nothing():
    data, problems = parse_yaml("# only a comment\n", "f.md")
    assert (data is not None and data.value is None, problems) == (True, ())


def test_without_libyaml_the_answers_are_the_same(monkeypatch):
    text = "a: [1, {b: 'x'}]\nc: |\n  long\n"
    fast = parse_yaml(text, "f")
    monkeypatch.setattr(yaml_data, "_LOADER", yaml.SafeLoader)
    assert parse_yaml(text, "f") == fast


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["Cc", "Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(PLAIN)
@example({"as text": ["0E0", "1e3", "1.0E0", "-0"]})
def test_whatever_yaml_writes_is_read_back(value):
    data, problems = parse_yaml(yaml.safe_dump(value, allow_unicode=True), "f")
    assert problems == ()
    assert data is not None
    assert data.value == value
