"""Whatever the text, the parser answers or refuses, and soon."""

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.errors import SqlError
from skills_nb.sql.governance import parse, table_clauses
from skills_nb.sql.governance.outline import outlines_of
from skills_nb.sql.objects import changes_of, compensation_of
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import scan, tokenize

HERE = Path(__file__)
STATEMENTS = [
    s.text
    for file in ("statements.sql", "manual.sql")
    for s in split(HERE.with_name(file).read_text())
]
WORDS = (
    "create or replace alter drop show grants describe grant revoke use comment call set "
    "unset undrop  execute immediate masking policy row access tag role database schema "
    "warehouse user table view  modify column add using force to from on in all future "
    "with option if not exists as returns ->  ->> => = ( ) , . ; ' \" $$ $x @s a b 'x' 1 -1 "
    "case when then end begin like limit "
)
SOUP = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)


@st.composite
def damaged(draw):
    """Return a real statement with a token taken out, doubled, or replaced."""
    tokens = [token.text for token in scan(draw(st.sampled_from(STATEMENTS)))]
    index = draw(st.integers(0, len(tokens) - 1))
    tokens[index : index + 1] = draw(
        st.sampled_from([[], [tokens[index]] * 2, ["("], ["'"], ["select"], [";"], ["$$"], ["."]])
    )
    return "".join(tokens)


@settings(max_examples=400)
@given(damaged() | SOUP | st.text(max_size=60))
def test_parsing_answers_or_raises_an_sql_error(sql):
    for read in (parse, table_clauses, outlines_of):
        with suppress(SqlError):
            read(sql)
    changes_of(sql, "DB", "S")
    compensation_of(sql, "DB", "S", {})


@given(
    st.sampled_from([sql for sql in STATEMENTS if "->>" not in sql]),
    st.sampled_from(["upper", "blanks", "comments", "semicolon"]),
)
def test_case_of_keywords_blanks_and_comments_change_nothing(sql, how):
    written = {
        "upper": "".join(
            token.text.upper() if token.word in ("ALTER", "CREATE", "SHOW", "GRANT") else token.text
            for token in scan(sql)
        ),
        "blanks": "\n\t " + sql + " \n",
        "comments": "/* a ; */ " + sql + " -- b",
        "semicolon": sql + " ; ",
    }[how]
    assert parse(written) == parse(sql)


@given(st.sampled_from(STATEMENTS))
def test_taking_clauses_out_leaves_none_to_take(sql):
    left, _ = table_clauses(sql)
    assert table_clauses(left) == (left, ())
    assert len(tokenize(left)) <= len(tokenize(sql))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "create masking policy p as (v int) returns int -> " + "(" * 50_000,
        "create masking policy p as (v int) returns int -> " + "case when " * 30_000,
        "create table t (" + "a int, " * 30_000 + "b int)",
        "create table t (" + "a int with masking policy p, " * 10_000 + "b int)",
        "grant " + "select, " * 30_000 + "insert on table t to role r",
        "alter table t modify " + "column a unset masking policy, " * 10_000 + "b unset comment",
        "create warehouse w x = " + "(" * 900,
        "create tag t allowed_values " + "'a', " * 30_000 + "'b'",
        "show " + "a " * 30_000,
        "call p(" + "f(" * 20_000,
        "select 1 ->> " * 10_000,
        "drop table " + "a." * 30_000 + "b",
        "set v = " + "1 + " * 30_000 + "1",
    ],
)
def test_long_texts_take_no_long_time(sql):
    start = time.process_time()
    for read in (parse, table_clauses):
        with suppress(SqlError):
            read(sql)
    assert time.process_time() - start < 10
