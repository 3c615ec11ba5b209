"""One statement's text becomes one value, whichever of its languages it is written in."""

import subprocess
import sys

import pytest
from sqlglot import exp

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.parser.file_statements import ListFiles
from skills_nb.embedded.parser.statement import (
    Administration,
    AnonymousProcedure,
    Block,
    Explain,
    FileWork,
    FromTemplate,
    General,
    Statement,
    What,
    parse,
)
from skills_nb.embedded.session.bound_values import Bindings, Bound
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

WITHOUT: Bindings = {}


def read(text: str, bindings: Bindings = WITHOUT) -> Statement:
    return parse(text, bindings, {})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("select 1", General),
        ("  -- about\n select 1 ; ", General),
        ("begin", General),
        ("begin transaction", General),
        ("begin select 1; end", Block),
        ("declare x int; begin return 1; end", Block),
        (
            "with p as procedure() returns int language sql as 'begin return 1; end' call p()",
            AnonymousProcedure,
        ),
        ("with p as (select 1 as a) select a from p", General),
        ("explain using json select 1", Explain),
        ("list @~", FileWork),
        ("copy into t from @s", FileWork),
        ("show tables", Administration),
        ("list @~ ->> select * from $1", Administration),
        ("select 'a ->> b'", General),
        ("create table t using template (select 1)", FromTemplate),
        ("create table template (a int)", General),
        ("create view v as select 1 as a", General),
    ],
)
def test_a_text_is_read_in_its_own_language(text: str, kind: type[What]) -> None:
    assert type(read(text).what) is kind


def test_what_is_parsed_says_all_that_is_asked_of_it_later() -> None:
    listed = read("list @~;")
    assert isinstance(listed.what, FileWork)
    assert isinstance(listed.what.statement, ListFiles)
    assert (listed.sent, listed.bindings) == ("list @~;", {})
    explained = read("explain using json select 1").what
    assert isinstance(explained, Explain)
    assert (explained.form, explained.query.sql()) == ("JSON", "SELECT 1")
    assert read("explain select 1").what == Explain("TABULAR", explained.query)
    called = read("call p(1)")
    assert (called.is_call, called.ends_transaction) == (True, False)
    assert [read(text).ends_transaction for text in ("commit", "rollback", "begin")] == [
        True,
        True,
        False,
    ]


def test_a_bound_name_is_put_in_and_a_bound_value_waits() -> None:
    name: Bindings = {"1": Bound("TEXT", "t")}
    named = read("select * from identifier(?)", name)
    assert named.bindings == {}
    assert "IDENTIFIER('t')" in named.what.tree.sql("snowflake")
    waiting = read("select ? as a", name)
    assert waiting.bindings == name
    assert isinstance(waiting.what, General)
    assert waiting.what.tree.find(exp.Placeholder) is not None


def test_quoted_names_are_read_in_capitals_where_a_session_says_so() -> None:
    made = parse('drop table "my table"', {}, {}, quoted_in_capitals=True).what
    assert isinstance(made, Administration)
    assert made.statement == ast.Drop("TABLE", ("MY TABLE",))


def test_a_variable_stands_for_the_name_that_it_holds() -> None:
    made = parse("drop table identifier($gone)", {}, {"GONE": "d.s.t"}).what
    assert isinstance(made, Administration)
    assert made.statement == ast.Drop("TABLE", ("D", "S", "T"))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 900),
        (" ; ", 900),
        ("select 1; select 2", 8),
        ("selec 1", 1003),
        ("explain using xml select 1", 1003),
        ("explain drop table t", 2),
        ("create table t using template select 1", 1003),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, number: int) -> None:
    with pytest.raises(SqlError) as refused:
        read(text)
    assert refused.value.errno == number


def test_a_value_may_be_bound_in_what_is_explained(admin: AccountSession) -> None:
    found = admin.execute(
        "explain using text select id from people where id = ?",
        bindings={"1": {"type": "FIXED", "value": "2"}},
    )
    assert "id = 2" in found.rows[0][0]


def test_only_the_end_of_an_aborted_transaction_is_read(admin: AccountSession) -> None:
    admin.execute("alter session set transaction_abort_on_error = true")
    admin.execute("begin")
    for text in ("select 1 / 0", "select 1", "selec"):
        with pytest.raises(SqlError):
            admin.execute(text)
    with pytest.raises(SqlError, match="aborted"):
        admin.execute("selec 1")
    admin.execute("rollback")
    assert admin.execute("select 1 as a").rows == ((1,),)


def test_a_call_that_fails_stands_in_the_history_as_a_call(admin: AccountSession) -> None:
    with pytest.raises(SqlError):
        admin.execute("call missing()")
    found = admin.execute(
        "select query_type from table(information_schema.query_history()) "
        "where query_text = 'call missing()'"
    )
    assert found.rows == (("CALL",),)


def test_a_compiled_parser_beside_ours_is_named_with_its_repair():
    program = (
        "import sqlglot.parser; sqlglot.parser.__file__ = 'parser.so'\n"
        "import skills_nb.embedded.parser.parsing"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "sqlglotc is installed here" in done.stderr.splitlines()[-1]
