"""SEQ tells which row of the input a row was made of, whatever stands before the function.

See https://docs.snowflake.com/en/sql-reference/functions/flatten
"""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from tests.embedded.conftest import rows

MADE = (
    "create database d",
    "create table t (a int, v variant)",
    "insert into t select 1, parse_json('[1,2]') union all select 2, parse_json('[1,2]')",
    "insert into t select 3, parse_json('[]')",
    "create table u (b int)",
    "insert into u values (1), (2)",
    'create table "My t" ("the v" variant)',
    "insert into \"My t\" select parse_json('[7]') union all select parse_json('[7]')",
    "create view w as select * from t where a < 3",
)


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for sql in MADE:
            opened.execute(sql)
        yield opened


@pytest.mark.parametrize(
    ("sources", "inputs"),
    [
        ("t, lateral flatten(t.v) f", "t.a"),
        ("t as x, table(flatten(input => x.v, outer => true)) f", "x.a"),
        ("w, lateral flatten(w.v) f", "w.a"),
        ("t cross join lateral flatten(t.v) f", "t.a"),
        ("t join u on t.a = u.b, lateral flatten(t.v) f", "t.a"),
        ("t, u, lateral flatten(t.v) f", "t.a || '/' || u.b"),
        ("t left join u on t.a = u.b + 1, lateral flatten(t.v) f", "t.a || '/' || nvl(u.b, 0)"),
        ("(select distinct a, v from t) t, lateral flatten(t.v) f", "t.a"),
        ("(select 1 as a, array_construct(1, 2) as v union all select 2, array_construct(3)) t,"
         " lateral flatten(t.v) f", "t.a"),
        ("t, lateral flatten(t.v) g, lateral flatten(array_construct(g.value, 1)) f",
         "t.a || '/' || g.index"),
        ("u, lateral (select u.b + column1 as x from values (1), (2)) l,"
         " lateral flatten(array_construct(l.x, 0)) f", "u.b || '/' || l.x"),
        ("(values (1, 'a,b'), (2, 'a,b')) t(a, s), lateral split_to_table(t.s, ',') f", "t.a"),
        ("(values (1, 'a b'), (2, 'a b')) t(a, s), lateral strtok_split_to_table(t.s) f", "t.a"),
        ("t, lateral flatten(t.v) f, u", "t.a"),
    ],
)  # fmt: skip
def test_each_row_of_the_input_has_a_number_of_its_own(
    session: AccountSession, sources: str, inputs: str
) -> None:
    asked = f"select count(distinct {inputs}), count(distinct f.seq) from {sources}"
    ((wanted, found),) = rows(session, asked)
    both = f"select count(*) from (select distinct {inputs} as i, f.seq as s from {sources})"
    assert wanted > 1
    assert (found, rows(session, both)) == (wanted, [(wanted,)])


def test_rows_of_one_source_are_numbered_in_their_order(session: AccountSession) -> None:
    asked = 'select seq, value::int from "My t", lateral flatten("the v")'
    assert rows(session, asked) == [(1, 7), (2, 7)]


def test_a_function_that_stands_alone_has_one_input(session: AccountSession) -> None:
    assert rows(session, "select seq from table(flatten(parse_json('[5,6]')))") == [(1,), (1,)]


def test_a_column_of_another_name_is_the_same_number(session: AccountSession) -> None:
    asked = "select t.a, f.s from t, lateral flatten(t.v) f(s, k, p, i, x, y) order by 1"
    assert rows(session, asked) == [(1, 1), (1, 1), (2, 2), (2, 2)]


def test_stars_do_not_list_the_numbers_of_the_input(session: AccountSession) -> None:
    found = session.execute("select * from t, u, lateral flatten(t.v) f").columns
    assert [c.name for c in found] == ["A", "V", "B", "SEQ", "KEY", "PATH", "INDEX", "VALUE",
                                       "THIS"]  # fmt: skip
    starred = session.execute("select t.*, f.seq from t, lateral flatten(t.v) f").columns
    assert [c.name for c in starred] == ["A", "V", "SEQ"]


def test_rows_that_a_policy_hides_are_not_counted(account: Account) -> None:
    admin = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for sql in (*MADE, "create row access policy hiding as (a int) returns boolean -> a <> 1",
                "alter table t add row access policy hiding on (a)"):  # fmt: skip
        admin.execute(sql)
    assert rows(admin, "select t.a, f.seq from t, lateral flatten(t.v) f") == [(2, 1), (2, 1)]
