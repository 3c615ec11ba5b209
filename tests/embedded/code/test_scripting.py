"""Snowflake Scripting, procedures and functions.

Pages of the manual: developer-guide/snowflake-scripting (blocks, variables, loops, cursors,
resultsets, exceptions), sql-reference/sql/create-procedure, sql/call, sql/create-function,
sql/execute-immediate, developer-guide/stored-procedure/stored-procedures-rights.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.procedures.filling import Lookup, filled, literal_of
from skills_nb.errors import SqlError


def rows(session: AccountSession, sql: str) -> list[tuple[object, ...]]:
    return list(session.execute(sql).rows)


def run(session: AccountSession, *statements: str) -> None:
    for statement in statements:
        session.execute(statement)


BLOCKS = {
    "begin return 1; end": 1,
    "begin null; end": None,
    "declare x int default 2; y int; begin y := x * 3; return y; end": 6,
    "begin let x int := 5; let y := x * 2; return y + 1; end": 11,
    "begin let s := 'it''s; a \\\\ b'; return s; end": "it's; a \\ b",
    "begin let x := 3; if (x > 5) then return 'big'; elseif (x > 2) then return 'middle'; "
    "else return 'small'; end if; end": "middle",
    "begin let x := 3; case when x = 1 then return 'one'; else return 'other'; end case; end": (
        "other"
    ),
    "begin let x := 2; case (x) when 1 then return 'one'; when 2 then return 'two'; end; end": (
        "two"
    ),
    "begin let n := 0; for i in 1 to 4 do n := n + i; end for; return n; end": 10,
    "begin let s := ''; for i in reverse 1 to 3 do s := s || i; end for; return s; end": "321",
    "begin let n := 0; while (n < 5) do n := n + 2; end while; return n; end": 6,
    "begin let n := 9; repeat n := n - 1; until (n < 5) end repeat; return n; end": 4,
    "begin let n := 0; loop n := n + 1; if (n = 3) then continue; end if; "
    "if (n > 6) then break; end if; end loop; return n; end": 7,
    "begin let n := 0; for i in 1 to 3 do for j in 1 to 3 do if (j = 2) then break outer_one; "
    "end if; n := n + 1; end for; end for outer_one; return n; end": 1,
    "begin let n int; select count(*) into :n from people where id >= 2; return n; end": 2,
    "declare c cursor for select id from people order by id; begin let n := 0; "
    "for r in c do n := n * 10 + r.id; end for; return n; end": 123,
    "declare c cursor for select name from people where id = ?; n string; k int default 2; "
    "begin open c using (k); fetch c into n; close c; return n; end": "Bob",
    "declare r resultset default (select id from people order by id desc); v int; "
    "begin let c cursor for r; open c; fetch c into v; fetch c into v; return v; end": 2,
    "begin let q := 'select max(id) from people where id < ?'; let top := 3; "
    "let r resultset := (execute immediate :q using (top)); let v int; let c cursor for r; "
    "open c; fetch c into v; return v; end": 2,
    "begin let t := 'people'; let n int; select count(*) into :n from identifier(:t); "
    "return n; end": 3,
    "begin update people set name = 'x' where id > 1; return sqlrowcount || ' ' || sqlfound; end": (
        "2 true"
    ),
    "declare e exception (-20007, 'mine'); begin raise e; "
    "exception when e then return sqlcode || ' ' || sqlerrm || ' ' || sqlstate; end": (
        "-20007 mine P0001"
    ),
    "begin select * from missing; exception when statement_error then return sqlcode; end": 2003,
    "begin let x := 1 / 0; exception when expression_error then return sqlcode; end": 100051,
    "begin begin select * from missing; end; exception when other then return 'outer'; end": (
        "outer"
    ),
    "declare e exception (-20007, 'mine'); begin begin raise e; exception when e then raise; end; "
    "exception when other then return sqlcode; end": -20007,
}


@pytest.mark.parametrize(("block", "expected"), BLOCKS.items())
def test_a_block_returns_what_snowflakes_would(
    admin: AccountSession, block: str, expected: object
) -> None:
    result = admin.execute(block)
    assert (result.columns[0].name, result.rows) == ("anonymous block", ((expected,),))


def test_a_block_may_come_as_a_text(admin: AccountSession) -> None:
    assert rows(admin, "execute immediate $$ begin return 7; end $$") == [(7,)]


def test_statements_before_an_error_stay(admin: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute("begin\n  delete from people where id = 1;\n  select * from missing;\nend")
    assert (refused.value.errno, refused.value.sqlstate, refused.value.message) == (
        2003,
        "42S02",
        "Uncaught exception of type 'STATEMENT_ERROR' on line 3 at position 2 : SQL compilation "
        "error:\nObject 'SHOP.SALES.MISSING' does not exist or not authorized.",
    )
    assert rows(admin, "select count(*) from people") == [(2,)]


def test_a_transaction_in_a_block_can_be_undone(admin: AccountSession) -> None:
    run(admin, "begin begin transaction; delete from people; rollback; end")
    assert rows(admin, "select count(*) from people") == [(3,)]


REFUSED = {
    "begin let x := ; end": (1003, "42000"),
    "begin break; end": (1003, "42000"),
    "begin return y; end": (904, "42000"),
    "begin x := 1; end": (1003, "42000"),
    "begin select id into :missing from people; end": (90225, "22000"),
    "begin let x int; select id into :x from people; end": (90225, "22000"),
    "begin let r resultset := async (select 1 as a); return table(r); end": (1003, "42000"),
    "begin await r; end": (1003, "42000"),
    "begin let r := 1; await r; end": (1003, "42000"),
    "declare p procedure(x int) returns int as begin return 1; end; begin call p(); end": (
        1003,
        "42000",
    ),
    "begin raise nothing_such; end": (1003, "42000"),
    "begin let c cursor for select 1; let v int; fetch c into v; end": (1003, "42000"),
}


@pytest.mark.parametrize(("block", "expected"), REFUSED.items())
def test_a_block_that_cannot_be_is_refused(
    admin: AccountSession, block: str, expected: tuple[int, str]
) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute(block)
    assert (refused.value.errno, refused.value.sqlstate) == expected


@given(st.text())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
def test_a_value_goes_through_a_script_unchanged(text: str) -> None:
    made = filled("select :v", _lookup(text), bare=False)
    assert made == f"select {literal_of(text)}"


def _lookup(text: str) -> Lookup:
    return lambda name, field: literal_of(text) if name == "V" and field is None else None


HOSTILE = ("'; drop table people; --", "' || (select max(ssn) from people) || '", "\\", "$$", ":v")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_value_is_never_read_as_sql(admin: AccountSession, text: str) -> None:
    run(
        admin,
        "create procedure echo(v string) returns string as begin let w string; "
        "select :v into :w; return w; end",
    )
    assert rows(admin, f"call echo({literal_of(text)})") == [(text,)]
    assert rows(admin, "select count(*) from people") == [(3,)]


# ---- procedures


def test_a_procedure_takes_arguments_by_place_name_and_default(admin: AccountSession) -> None:
    run(
        admin,
        "create procedure p(a int, b string default 'd') returns string as "
        "begin return a || b; end",
    )
    assert rows(admin, "call p(1)") == [("1d",)]
    assert rows(admin, "call p(1, 'x')") == [("1x",)]
    assert rows(admin, "call p(b => 'n', a => 2)") == [("2n",)]
    with pytest.raises(SqlError) as refused:
        admin.execute("call p(1, 'x', 'y')")
    assert refused.value.errno == 1044


def test_overloads_are_told_apart_by_their_types(admin: AccountSession) -> None:
    run(admin, "create procedure p(a int) returns string as begin return 'number'; end")
    run(admin, "create procedure p(a string) returns string as begin return 'text'; end")
    assert rows(admin, "call p(1)") == [("number",)]
    assert rows(admin, "call p('1')") == [("text",)]
    run(admin, "drop procedure p(string)")
    with pytest.raises(SqlError) as refused:
        admin.execute("drop procedure p(string)")
    assert refused.value.errno == 2003


def test_a_procedure_may_return_rows(admin: AccountSession) -> None:
    run(
        admin,
        "create procedure p() returns table (number int) as "
        "declare r resultset default (select id from people order by id); "
        "begin return table(r); end",
    )
    result = admin.execute("call p()")
    assert ([c.name for c in result.columns], result.rows) == (["NUMBER"], ((1,), (2,), (3,)))


def test_an_owners_rights_procedure_cannot_change_the_session(admin: AccountSession) -> None:
    run(admin, "create procedure p() returns string as begin use role public; return 'x'; end")
    with pytest.raises(SqlError) as refused:
        admin.execute("call p()")
    assert refused.value.errno == 90236
    assert rows(admin, "select current_role()") == [("ACCOUNTADMIN",)]


@pytest.mark.parametrize(
    "sql",
    [
        "create procedure p() returns string language javascript as 'return 1'",
        "create function f(a out int) returns int as '1'",
        "create procedure p() returns string execute as restricted caller as begin return 1; end",
        "create function f() returns int language java handler = 'x' as 'y'",
        "create function f(a int) returns table (b int) language python runtime_version = '3.11' "
        "handler = 'f' as 'x'",
    ],
)
def test_routines_that_are_not_supported_say_so(admin: AccountSession, sql: str) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute(sql)
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")


# ---- functions


def test_functions_in_sql_compute_and_read(admin: AccountSession) -> None:
    run(
        admin,
        "create function twice(x int) returns int as 'x * 2'",
        "create function named(k int) returns string as $$ select name from people where id = k $$",
        "create function between_ids(a int, b int default 2) returns table (i int, n string) as "
        "'select id, name from people where id between a and b'",
    )
    sql = "select twice(twice(id)), named(id), shop.sales.twice(1) from people order by id"
    assert rows(admin, sql) == [(4, "Ann", 2), (8, "Bob", 2), (12, "Cy", 2)]
    assert rows(admin, "select * from table(between_ids(1)) order by i") == [(1, "Ann"), (2, "Bob")]
    joined = "select p.id, f.i from people p, table(between_ids(p.id)) f order by 1, 2"
    assert rows(admin, joined) == [(1, 1), (1, 2), (2, 2)]
    assert rows(admin, "select max(named(id)) from people") == [("Cy",)]


def test_a_strict_function_gives_null_for_null(admin: AccountSession) -> None:
    run(admin, "create function f(a int) returns int strict as 'coalesce(a, 5)'")
    run(admin, "create function g(a int) returns int as 'coalesce(a, 5)'")
    assert rows(admin, "select f(null), g(null)") == [(None, 5)]


def test_functions_in_python_take_and_give_values(admin: AccountSession) -> None:
    run(
        admin,
        "create function f(a int, v variant) returns variant language python "
        "runtime_version = '3.11' handler = 'go' as $$\n"
        "def go(a, v):\n    return {'a': a + 1, 'k': v['k'][0]}\n$$",
    )
    assert rows(admin, "select f(1, parse_json('{\"k\": [7]}')):k::int") == [(7,)]


def test_a_handler_that_raises_is_an_error(admin: AccountSession) -> None:
    run(
        admin,
        "create function f(a int) returns int language python runtime_version = '3.11' "
        "handler = 'go' as $$\ndef go(a):\n    raise ValueError('no')\n$$",
    )
    with pytest.raises(SqlError):
        admin.execute("select f(1)")
    with pytest.raises(SqlError) as refused:
        admin.execute(
            "create function g() returns int language python runtime_version = '3.11' "
            "handler = 'go' as 'def ('"
        )
    assert refused.value.errno == 100357


# ---- what must not leak


@pytest.fixture
def maker(admin: AccountSession, analyst: AccountSession) -> AccountSession:
    admin.execute(
        "grant create procedure, create function, create table on schema shop.sales to role analyst"
    )
    return analyst


SECRETS = ("111-11", "222-22", "333-33")
ROADS = [
    "begin let x string; select max(ssn) into :x from people; return x; end",
    "begin let x := (select max(ssn) from people); return x; end",
    "declare c cursor for select ssn from people; begin for r in c do return r.ssn; end for; end",
    "declare r resultset default (select * from people); begin return table(r); end",
    "begin execute immediate 'select ssn from people'; return table(result_scan(last_query_id())); "
    "exception when other then return sqlerrm; end",
    "begin let n int; select count(*) into :n from people where ssn like '111%'; "
    "if (n > 0) then return '111-11'; end if; return n; end",
    "begin let x int := (select max(ssn)::int from people); "
    "exception when other then return sqlerrm; end",
    "execute immediate $$ begin execute immediate 'begin return (select min(ssn) from people); "
    "end'; end $$",
    "begin create table copied as select * from people; let r resultset := "
    "(select * from copied); return table(r); end",
    "call callers()",
    "select leak(1)",
    "select * from table(leaks())",
    "select py(ssn) from people",
    "select pyfail(ssn) from people",
    "begin let q string := (select text from (select query_text as text from "
    "table(information_schema.query_history()) where query_text like '%:%' limit 1)); "
    "return q; end",
]


@pytest.mark.parametrize("road", ROADS)
def test_no_script_shows_a_masked_value(
    admin: AccountSession, maker: AccountSession, road: str
) -> None:
    python = "language python runtime_version = '3.11' handler = 'f' as "
    run(
        admin,
        "create procedure callers() returns string execute as caller as "
        "begin return (select max(ssn) from people); end",
        "create function leak(a int) returns string as 'select max(ssn) from people'",
        "create function leaks() returns table (s string) as 'select ssn from people'",
        f"create function py(a string) returns string {python} 'def f(a): return a'",
        f"create function pyfail(a string) returns string {python} $$\n"
        "def f(a):\n    raise ValueError(a)\n$$",
        "grant usage on procedure callers() to role analyst",
    )
    for one in ("leak(int)", "leaks()", "py(string)", "pyfail(string)"):
        admin.execute(f"grant usage on function {one} to role analyst")
    try:
        shown = repr(maker.execute(road).rows)
    except SqlError as refused:
        shown = str(refused)
    assert not [secret for secret in SECRETS if secret in shown]


def test_an_owners_rights_procedure_reads_as_its_owner_and_shows_only_what_it_returns(
    admin: AccountSession, analyst: AccountSession
) -> None:
    run(
        admin,
        "create procedure p() returns string as begin let x string; "
        "select max(ssn) into :x from people; select :x; return current_role(); end",
    )
    with pytest.raises(SqlError) as refused:
        analyst.execute("call p()")
    assert refused.value.errno == 2140
    admin.execute("grant usage on procedure p() to role analyst")
    assert rows(analyst, "call p()") == [("ACCOUNTADMIN",)]
    assert rows(analyst, "select current_role()") == [("ANALYST",)]
    history = "select query_id, query_text from table(information_schema.query_history())"
    told = rows(analyst, history)
    inside = [str(text) for _, text in told if "max(ssn)" in str(text) or ":x" in str(text)]
    assert len(inside) >= 2
    assert not [text for text in inside if any(s in text for s in SECRETS)]
    for query_id in [q for q, text in told if str(text) == "select :x"]:
        with pytest.raises(SqlError) as hidden:
            analyst.execute(f"select * from table(result_scan('{query_id}'))")
        assert hidden.value.errno == 709


def test_the_role_comes_back_when_a_procedure_fails(
    admin: AccountSession, analyst: AccountSession
) -> None:
    run(admin, "create procedure p() returns string as begin select * from missing; end")
    admin.execute("grant usage on procedure p() to role analyst")
    with pytest.raises(SqlError):
        analyst.execute("call p()")
    assert rows(analyst, "select current_role(), current_schema()") == [("ANALYST", "SALES")]
    assert rows(analyst, "select distinct ssn from people") == [("***",)]


def test_a_procedures_session_variables_are_its_callers_only_with_callers_rights(
    account: Account, admin: AccountSession
) -> None:
    body = "as begin return (select $v); end"
    run(admin, "set v = 'mine'", f"create procedure own() returns string {body}")
    run(admin, f"create procedure theirs() returns string execute as caller {body}")
    assert rows(admin, "call theirs()") == [("mine",)]
    with pytest.raises(SqlError) as refused:
        admin.execute("call own()")
    assert refused.value.errno == 2211


def test_routines_are_shown_and_described(admin: AccountSession) -> None:
    run(
        admin,
        "create procedure p(a int, b string default 'x') returns string execute as caller "
        "as begin return 1; end",
    )
    shown = admin.execute("show procedures in schema shop.sales")
    row = dict(zip([c.name for c in shown.columns], shown.rows[0], strict=True))
    assert (row["name"], row["min_num_arguments"], row["arguments"]) == (
        "P",
        1,
        "P(NUMBER, DEFAULT VARCHAR) RETURN VARCHAR",
    )
    told = dict(rows(admin, "describe procedure p(int, string)"))  # type: ignore[arg-type]
    assert (told["execute as"], told["body"]) == ("CALLER", "begin return 1; end")
