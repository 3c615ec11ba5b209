"""Identifiers: typed text to stored names and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.identifiers import (
    RESERVED,
    SqlNameError,
    in_capitals,
    quote,
    render_name,
    resolve,
    split_name,
    with_public,
)
from skills_nb.sql.tokens import scan

STORED = st.text(st.characters(exclude_characters="\x00"), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("prod", ("PROD",)),
        ('prod."My S".t', ("PROD", "My S", "T")),
        ('"a""b"', ('a"b',)),
        ("_x$1", ("_X$1",)),
        ('a.b.c."d.e"', ("A", "B", "C", "d.e")),
        ('"--"', ("--",)),
    ],
)
def test_a_dotted_name_splits_into_stored_parts(typed, parts):
    assert split_name(typed) == parts


HOSTILE = [
    "",
    " ",
    ".",
    "a.",
    ".a",
    "a..b",
    "a b",
    " a",
    "a ",
    "a. b",
    "a;b",
    "a;drop table t",
    "a--",
    "a/**/",
    "a -- x",
    "1a",
    "a-b",
    "a'b",
    '"',
    '"a',
    'a"',
    '""',
    '"a"b',
    '"a""',
    '"a"."b',
    "a.b.c.d.e",
    "a\n",
    "\na",
    "a\tb",
    "a\x00",
    '"a\x00"',
    "é",
    "ſelect",
    "ＤＲＯＰ",
    "a\u200bb",
    "a\u00a0b",
    "$a",
    "$1",
    "@a",
    "a(b)",
    "a,b",
    "a=b",
    "identifier('a')",
    "a[0]",
    "a:b",
    "a::b",
    "*",
    "a.*",
    "a\\b",
    "a`b`",
    "x" * 256,
    '"' + "x" * 256 + '"',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_name_is_refused(text):
    with pytest.raises(SqlNameError):
        split_name(text)


def test_a_stored_name_is_quoted_only_where_it_needs_it():
    assert [quote(part) for part in ("PROD", "my col", "prod", 'a"b', "A$1", "1A")] == [
        "PROD",
        '"my col"',
        '"prod"',
        '"a""b"',
        "A$1",
        '"1A"',
    ]


def test_reserved_words_are_quoted():
    assert {quote(word) for word in RESERVED} == {f'"{word}"' for word in RESERVED}


@pytest.mark.parametrize("part", ["", "x" * 256, "a\x00b"])
def test_what_snowflake_could_not_store_is_not_quoted(part):
    with pytest.raises(SqlNameError):
        quote(part)


@given(STORED)
def test_resolving_a_quoted_name_gives_it_back(part):
    assert resolve(quote(part)) == part


@given(st.lists(STORED, min_size=1, max_size=4))
def test_splitting_a_rendered_name_gives_its_parts_back(parts):
    assert split_name(render_name(parts)) == tuple(parts)


@given(st.text(max_size=60))
def test_a_text_either_splits_or_is_refused(text):
    try:
        parts = split_name(text)
    except SqlNameError:
        return
    assert split_name(render_name(parts)) == parts


def test_quoted_names_are_put_in_capitals_and_nothing_else_is() -> None:
    sql = """select "a b", 'x "y"', $$ "z" $$, c -- "d" \n from "s"."t\"\"u" """
    assert in_capitals(sql) == (
        """select "A B", 'x "y"', $$ "z" $$, c -- "d" \n from "S"."T\"\"U" """
    )


@given(st.text(alphabet="aB\"'$ -\n.", max_size=30))
def test_capitals_keep_every_token_in_its_place(sql: str) -> None:
    assert [(t.kind, t.start, t.end) for t in scan(in_capitals(sql))] == [
        (t.kind, t.start, t.end) for t in scan(sql)
    ]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("select * from db..t", "select * from db.PUBLIC.t"),
        ('select "a b".."c"."d"', 'select "a b".PUBLIC."c"."d"'),
        ("copy into db..t from @db..st/a..b", "copy into db.PUBLIC.t from @db.PUBLIC.st/a..b"),
        ("put file:///tmp/a..b @st", "put file:///tmp/a..b @st"),
        ("select 'a..b' -- a..b", "select 'a..b' -- a..b"),
        ("select a.b..c", "select a.b..c"),
        ("select 1..2", "select 1..2"),
    ],
)
def test_a_schema_that_two_dots_leave_out_is_public(typed: str, written: str) -> None:
    assert with_public(typed) == written
