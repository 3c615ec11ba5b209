"""A temporary object belongs to its session: there it hides a lasting one of its name.

See https://docs.snowflake.com/en/user-guide/tables-temp-transient (naming conflicts)
"""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

Pair = tuple[AccountSession, AccountSession]


@pytest.fixture
def pair(account: Account) -> Pair:
    mine = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    mine.execute("create database d")
    return mine, account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "PUBLIC")


@pytest.mark.parametrize(
    "sql",
    [
        "create temporary table if not exists t (a int)",
        "create table if not exists t (a int)",
        "create table t (a int)",
        "create or replace table t (a int)",
        "create or replace temporary table t as select 2 as a",
        "create view t as select 3 as a",
    ],
)
def test_two_sessions_have_tables_of_one_name(pair: Pair, sql: str) -> None:
    mine, other = pair
    mine.execute("create temporary table t (a int, mine varchar)")
    mine.execute("insert into t values (1, 'x')")
    with pytest.raises(SqlError, match="does not exist"):
        other.execute("select * from t")
    other.execute(sql)
    other.execute("select a from t")
    with pytest.raises(SqlError, match="MINE"):
        other.execute("select mine from t")
    assert rows(mine, "select * from t") == [(1, "x")]
    mine.execute("drop table t")
    other.execute("select a from t")


def test_a_temporary_table_hides_the_lasting_one_until_it_is_dropped(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create table t as select 'lasting' as a")
    mine.execute("create temporary table t as select 'mine' as a")
    other.execute("create temporary table t as select 'of the other' as a")
    assert rows(mine, "select a from t") == [("mine",)]
    assert rows(other, "select a from d.public.t") == [("of the other",)]
    mine.execute("insert into t values ('more')")
    mine.execute("update t set a = upper(a)")
    mine.execute("delete from t where a = 'MORE'")
    assert rows(mine, "select a from t") == [("MINE",)]
    mine.execute("drop table t")
    assert rows(mine, "select a from t") == [("lasting",)]
    other.close()
    mine.execute("drop table t")
    with pytest.raises(SqlError, match="does not exist"):
        mine.execute("select a from t")


def test_a_lasting_table_made_beside_is_hidden_from_the_session(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create temporary table t as select 'mine' as a")
    mine.execute("create table t as select 'lasting' as a")
    assert rows(mine, "select a from t") == [("mine",)]
    assert rows(other, "select a from t") == [("lasting",)]
    with pytest.raises(SqlError) as taken:
        mine.execute("create table t (b int)")
    assert taken.value.errno == 2002
    with pytest.raises(SqlError) as taken:
        mine.execute("create temporary table t (b int)")
    assert taken.value.errno == 2002


def test_a_session_lists_both_and_never_the_others(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create table t (a int)")
    mine.execute("create temporary table t (a int, b int)")
    listed = [(r[1], r[4]) for r in rows(mine, "show tables")]
    assert sorted(listed) == [("T", "TABLE"), ("T", "TEMPORARY")]
    assert [(r[1], r[4]) for r in rows(other, "show tables")] == [("T", "TABLE")]
    counted = "select count(*) from information_schema.tables where table_name = 'T'"
    assert (rows(mine, counted), rows(other, counted)) == ([(2,)], [(1,)])
    described = [r[0] for r in rows(mine, "describe table t")]
    assert (described, len(rows(other, "describe table t"))) == (["A", "B"], 1)


@pytest.mark.parametrize("sql", ["select * from v", "select f()", "select a from guarded"])
def test_what_a_text_names_is_the_lasting_table(pair: Pair, sql: str) -> None:
    mine, other = pair
    for made in (
        "create table t as select 'lasting' as a",
        "create view v as select a from t",
        "create function f() returns varchar as 'select max(a) from t'",
        "create table guarded as select 'lasting' as a union all select 'mine'",
        "create row access policy p as (x varchar) returns boolean ->"
        " exists (select 1 from d.public.t where t.a = x)",
        "alter table guarded add row access policy p on (a)",
    ):
        mine.execute(made)
    mine.execute("create temporary table t as select 'mine' as a")
    assert rows(mine, sql) == rows(other, sql) == [("lasting",)]


def test_nobody_brings_back_another_session_s_temporary_table(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create temporary table t as select 1 as a")
    mine.execute("drop table t")
    with pytest.raises(SqlError, match=r"did not exist|does not exist|undropped"):
        other.execute("undrop table t")
    mine.execute("undrop table t")
    assert rows(mine, "select a from t") == [(1,)]


@pytest.mark.parametrize("kind", ["stage", "file format"])
def test_stages_and_formats_stand_beside_each_other_too(pair: Pair, kind: str) -> None:
    mine, other = pair
    more = " type = csv" if kind == "file format" else ""
    mine.execute(f"create temporary {kind} s{more}")
    other.execute(f"create {kind} s{more}")
    other.execute(f"create temporary {kind} s{more}")
    assert len(rows(mine, f"show {kind}s")) == len(rows(other, f"show {kind}s")) == 2


def test_rows_of_both_are_kept_apart_over_a_restart(tmp_path: object) -> None:
    folder = tmp_path / "account"  # type: ignore[operator]
    with Account.open(folder) as account:
        mine = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        mine.execute("create database d")
        mine.execute("create table t as select 'lasting' as a")
        mine.execute("create temporary table t as select 'mine' as a")
    with Account.open(folder) as account:
        again = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "PUBLIC")
        assert rows(again, "select a from t") == [("lasting",)]


def test_dropping_the_schema_takes_them_along(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create schema s")
    mine.execute("create temporary table t (a int)")
    other.execute("drop schema s")
    with pytest.raises(SqlError):
        mine.execute("select * from d.s.t")
    other.execute("create schema s")
    with pytest.raises(SqlError):
        mine.execute("select * from d.s.t")


def test_a_transaction_undone_shows_the_lasting_table_again(pair: Pair) -> None:
    mine, _ = pair
    mine.execute("create table t as select 'lasting' as a")
    mine.execute("create temporary table t as select 'mine' as a")
    mine.execute("begin")
    mine.execute("insert into t values ('more')")
    mine.execute("rollback")
    assert rows(mine, "select a from t") == [("mine",)]


def test_a_temporary_clone_is_temporary(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create table t as select 'lasting' as a")
    mine.execute("create temporary table c clone t")
    mine.execute("create temp table t clone c")
    mine.execute("create transient table kept clone c")
    listed = {(r[1], r[4]) for r in rows(mine, "show tables")}
    assert listed == {("T", "TABLE"), ("T", "TEMPORARY"), ("C", "TEMPORARY"), ("KEPT", "TRANSIENT")}
    assert rows(mine, "select get_ddl('table', 'c')")[0][0].startswith(
        "create or replace TEMPORARY"
    )
    with pytest.raises(SqlError) as refused:
        mine.execute("create table lasting clone c")
    assert refused.value.errno == 2
    assert {r[1] for r in rows(other, "show tables")} == {"T", "KEPT"}


def test_a_clone_of_the_schema_leaves_them_out(pair: Pair) -> None:
    mine, other = pair
    mine.execute("create schema s")
    mine.execute("create temporary table t as select 1 as a")
    other.execute("create table d.s.t as select 'lasting' as a")
    for number, session in enumerate(pair):
        session.execute(f"create schema d.copy{number} clone d.s")
        assert rows(session, f"select a from d.copy{number}.t") == [("lasting",)]
