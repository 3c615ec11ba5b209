"""Runs of constant rows are set aside, and come back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.constant_rows import SHORT, put_back, set_aside
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import leading_tokens, tokenize

PAD = "-- " + "x" * SHORT + "\n"
"""Makes a text long enough to be looked through."""


def _rows(count, row="('it''s', -1.5, NULL)"):
    return "".join(f"\n  , {row}" for _ in range(count))


def test_a_long_run_of_rows_becomes_one_row():
    run = _rows(30).lstrip()
    short, runs = set_aside(f"{PAD}SELECT * FROM VALUES ('a', 1, true) {run} WHERE 1 = 1")
    assert short == f"{PAD}SELECT * FROM VALUES ('a', 1, true) {runs[0].stand_in} WHERE 1 = 1"
    assert [(one.text, one.width) for one in runs] == [(run, 3)]
    assert runs[0].rows == run.lstrip(", ")


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT * FROM VALUES (1){_rows(500, '(1)')}"[: SHORT - 1],
        f"{PAD}SELECT * FROM VALUES (1){_rows(19)}",
        f"{PAD}SELECT * FROM VALUES (1){_rows(30, '(x)')}",
        f"{PAD}SELECT * FROM VALUES (1){_rows(30, '(1e5)')}",
        f"{PAD}SELECT * FROM VALUES (1){_rows(30, chr(40) + repr(chr(92)) + chr(41))}",
        f"{PAD}SELECT '{_rows(30, '(1)')}'",
        f'{PAD}SELECT "{_rows(30, "(1)")}"',
        f"{PAD}SELECT $${_rows(30)}$$",
        f"{PAD}SELECT /* {_rows(30)} */ 1",
        f"{PAD}SELECT '\x00' FROM VALUES (1){_rows(30)}",
    ],
    ids=[
        "short",
        "few",
        "names",
        "exponents",
        "backslashes",
        "string",
        "quoted",
        "dollars",
        "comment",
        "nul",
    ],
)
def test_what_is_not_a_long_run_of_plain_constants_stays(text):
    assert set_aside(text) == (text, ())


def test_rows_of_another_width_end_a_run():
    text = f"{PAD}VALUES (1){_rows(25, '(1)')}{_rows(25, '(1, 2)')}"
    assert [one.width for one in set_aside(text)[1]] == [1, 2]


@given(
    st.lists(
        st.sampled_from(
            ["SELECT 1;", "\n", "VALUES (1)" + _rows(40) + ";", "f(1" + _rows(25, "(2)") + ")", "'"]
        ),
        max_size=8,
    )
)
def test_what_was_set_aside_comes_back(parts):
    text = PAD + "".join(parts)
    short, runs = set_aside(text)
    assert put_back(short, runs) == text


def test_statements_with_long_lists_are_cut_where_they_stand():
    first, second = f"INSERT INTO t VALUES (1, 2, 3){_rows(2_000)}", "SELECT\n1"
    found = split(f"-- rows\n{first};\n\n{second};")
    assert [(one.text, one.line, one.offset) for one in found] == [
        (first, 2, 8),
        (second, 2_004, 8 + len(first) + 3),
    ]


@pytest.mark.parametrize("text", ["", "SELECT 1", PAD, f"{PAD}SELECT 1 -- x"])
def test_the_opening_is_how_the_tokens_begin(text):
    assert leading_tokens(text, 2) == tokenize(text)[:2]
