"""Splitting a text into statements."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.statements import Statement, split
from skills_nb.sql.tokens import TokenKind, literal, quotations, scan, tokenize, unescape

PIECES = st.sampled_from(
    [
        "select 1",
        "select 'a;b'",
        "select 'it''s;'",
        r"select 'a\';b'",
        'select "a;b"',
        "select $$ ; $$",
        "select 1 /* ; */ + 2",
        "select 1 -- ;\n + 2",
        "begin let x := 1; return x; end",
        "begin transaction",
        "declare x int; begin return 1; end",
        "create procedure p() returns int as begin return case when 1=1 then 2 end; end",
    ]
)
MARKS = "' \" $$ -- // /* */ ; \\ begin end case as $ create procedure declare a 1 . @ ( ) é"
FRAGMENTS = st.lists(st.sampled_from([*MARKS.split(), " ", "\n", "\x00"]), max_size=30).map("".join)


def texts(sql):
    return [statement.text for statement in split(sql)]


def test_a_statement_knows_its_line_and_offset():
    assert split("select 1;\n\n-- why\nselect 2;") == (
        Statement("select 1", 1, 0),
        Statement("select 2", 4, 18),
    )


def test_semicolons_in_literals_names_and_comments_do_not_split():
    sql = "select 'a;b', \"c;d\", $$ e;f $$ -- g;h\n, /* i;j */ 1; select 2"
    assert texts(sql) == ["select 'a;b', \"c;d\", $$ e;f $$ -- g;h\n, /* i;j */ 1", "select 2"]


def test_a_backslash_escapes_a_quote_and_a_doubled_quote_is_one():
    assert texts(r"select 'a\';b'; select 'c'';d'") == [r"select 'a\';b'", "select 'c'';d'"]


@pytest.mark.parametrize(
    "block",
    [
        "begin insert into t select 1; insert into t select 2; end",
        "declare x int default 1; begin return x; end",
        "begin if (a > 1) then return 1; end if; return 2; end",
        "begin for i in 1 to 3 do select 1; end for; end",
        "begin while (x) do x := 1; end while; loop break; end loop; end",
        "begin repeat x := 1; until (x > 1) end repeat; end",
        "begin case (x) when 1 then return 1; else return 2; end case; end",
        "begin return case when 1 = 1 then 2 end; end",
        "begin begin select 1; end; exception when other then select 2; end",
        "create procedure p() returns int language sql as begin return 1; end",
        "create or replace procedure p() returns int as declare x int; begin return x; end",
        "create task t schedule = '1 minute' as begin select 1; select 2; end",
        "create alert a if (exists (select 1)) then begin select 1; select 2; end",
        "alter task t modify as begin select 1; select 2; end",
        "execute immediate $$ begin select 1; end $$",
    ],
)
def test_a_block_stays_whole(block):
    assert texts(f"{block}; select 9") == [block, "select 9"]


def test_a_transaction_is_no_block():
    sql = "begin; select 1; commit; begin transaction; select 2; rollback; begin work; begin name x"
    assert len(texts(sql)) == 8


def test_a_column_called_begin_opens_no_block():
    assert texts("select t.begin from t; select 2") == ["select t.begin from t", "select 2"]


def test_an_open_quote_takes_the_rest():
    assert texts("select 1; select 'a; select 2") == ["select 1", "select 'a; select 2"]


@pytest.mark.parametrize("sql", ["", ";", " ;; \n;", "-- only\n/* comments */ // here"])
def test_a_text_without_a_statement_has_none(sql):
    assert split(sql) == ()


def test_a_path_after_file_is_no_comment():
    assert texts("put file:///tmp/a.csv @s; select 1") == ["put file:///tmp/a.csv @s", "select 1"]


@given(st.lists(PIECES, max_size=6), st.sampled_from([";", " ;\n", "; -- next\n", ";;"]))
def test_splitting_what_was_joined_gives_the_parts_back(pieces, separator):
    assert texts(separator.join(pieces)) == pieces


@given(FRAGMENTS | st.text(max_size=80))
def test_splitting_is_total_and_stands_where_it_says(sql):
    for statement in split(sql):
        assert sql[statement.offset :].startswith(statement.text)
        assert statement.line == sql.count("\n", 0, statement.offset) + 1


@given(FRAGMENTS | st.text(max_size=80))
def test_the_tokens_joined_are_the_text(sql):
    assert "".join(token.text for token in scan(sql)) == sql


@given(st.text(max_size=60))
def test_a_literal_is_one_token_that_means_its_text(value):
    written = literal(value)
    token, end = tokenize(written)
    assert (token.value, unescape(written[1:-1]), end.text) == (value, value, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        text * 100_001
        for text in ("'", "$$", "/*", "begin ", "case ", "a", "\\", ";", "'\\", '"', "(", "--")
    ],
)
def test_splitting_long_texts_takes_no_long_time(sql):
    start = time.process_time()
    split(sql)
    assert time.process_time() - start < 5


def test_a_procedure_inside_of_a_declaration_stays_whole() -> None:
    text = (
        "declare p procedure() returns int as declare x int; begin return 1; end; "
        "begin call p(); end"
    )
    assert [found.text for found in split(f"{text}; select 1")] == [text, "select 1"]


PIECES = [
    "'",
    '"',
    "$",
    "$$",
    "/",
    "//",
    "/*",
    "*/",
    "--",
    "\n",
    "a",
    "1",
    "\\",
    "a$",
    "file:",
    "e5",
]


@given(st.lists(st.sampled_from(PIECES)))
def test_what_holds_other_text_is_cut_as_tokens_are(parts):
    sql = "".join(parts)
    held = {
        TokenKind.STRING,
        TokenKind.QUOTED,
        TokenKind.DOLLAR,
        TokenKind.COMMENT,
        TokenKind.BROKEN,
    }
    assert list(quotations(sql)) == [token for token in scan(sql) if token.kind in held]
