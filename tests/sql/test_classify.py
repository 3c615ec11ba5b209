"""Kinds of statements, and prohibited actions wherever they hide."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.errors import SqlError
from skills_nb.sql.classify import (
    DynamicSqlError,
    Kind,
    kind_of,
    may_take_long,
    prohibited_action,
    why_no_probe,
)

READ = """
select 1
with a as (select 1) select * from a
(select 1) union (select 2)
values (1)
select * from t at(offset => -60*5)
select * from t before(statement => '8e5d0ca9')
select * from t, lateral flatten(input => t.a) f
select * from table(information_schema.policy_references(policy_name => 'p'))
select * from table(db.information_schema.query_history())
select * from table(result_scan(last_query_id()))
select * from identifier('t')
select system$get_tag('a', 'b', 'table')
select get_ddl('table', 't')
select $1 from @s/x
select current_role(), 'insert into t'
show tables in schema s
show grants to role r
describe table t
desc masking policy p
explain select 1
explain using text insert into t select 1
list @s
show tables ->> select * from $1
call system$classify('t', null)
call system$classify('t', {'sample_count': 10})
call b!get_spending_limit()
call d.s.b!get_spending_limit() ->> call d.s.b!get_linked_resources() ->> select * from $1
execute immediate 'select 1'
execute immediate $$ show tables $$
""".strip().splitlines()

REPEATABLE = """
create table if not exists t (a int)
create or alter table t (a int)
create masking policy if not exists p as (v string) returns string -> v
grant select on table t to role r
revoke role a from user b
alter table t modify column c set masking policy p
alter table t modify column c unset tag x
alter table t set tag x = 'y'
alter table t add column if not exists a int
alter warehouse w set auto_suspend = 60
alter session set query_tag = 'x'
alter masking policy p set body -> 1
use role r
use secondary roles all
set v = (select 1)
unset v
comment on table t is 'x'
""".strip().splitlines()

ONCE = """
call b!set_spending_limit(10)
call get_spending_limit()
call b!get_spending_limit('x')
call b!get_linked_resources() ->> delete from t
create or replace view v as select 1
create or replace tag t
drop table if exists t
show tables ->> drop table if exists t
insert into t values (1)
with a as (select 1) insert into t select * from a
update t set a = 1
delete from t
merge into t using s on t.a = s.a when matched then delete
copy into t from @s
truncate table t
create table t (a int)
create masking policy p as (v string) returns string -> v
drop table t
undrop table t
alter table t rename to u
alter table t add column a int
alter table t add row access policy p on (a)
alter task t resume
alter table t swap with u
execute task t
call p()
call system$classify('t', {'auto_tag': true})
call system$classify('t', $options)
call system$classify('t', null) into :x
select s.nextval
select system$cancel_query('x')
select system$something_new('x')
select * from table(my_procedure(1))
select * from table(db.s.my_procedure(1))
select * from table(db.snowflake.my_procedure(1))
select * from table(db."information_schema".my_procedure(1))
select * from table("snowflake".core.my_procedure(1))
select * from table(snowflake.cortex.search_preview('s', 'q'))
select * from table(identifier('my_procedure')(1))
select * from table(my_model!forecast(1))
select system$show_oauth_client_secrets('x')
explain analyze delete from t
explain call p()
explain with p as procedure() returns int as $$ begin return 1; end $$ call p()
select 1 into :x
select a from t for update
set v = (select s.nextval)
execute immediate 'drop table t'
execute immediate $stmt
execute immediate 'select 1' || ''
begin insert into t select 1; end
begin
select 'abc
select (
grant select on
show tables ->> insert into t select * from $1
select 1; drop table t
put file:///tmp/x @s
with p as procedure() returns int language sql as $$ begin return 1; end $$ call p()
""".strip().splitlines()


@pytest.mark.parametrize(
    ("sql", "kind"),
    [(s, Kind.READ) for s in READ]
    + [(s, Kind.REPEATABLE) for s in REPEATABLE]
    + [(s, Kind.ONCE) for s in ONCE],
)
def test_a_statement_has_its_kind(sql, kind):
    assert kind_of(sql) is kind


@pytest.mark.parametrize("sql", ["", ";", "-- nothing", "/* x */"])
def test_nothing_at_all_only_reads(sql):
    assert kind_of(sql) is Kind.READ


def test_endless_nesting_is_done_once():
    sql = "select 1"
    for _ in range(12):
        sql = "execute immediate '" + sql.replace("\\", "\\\\").replace("'", "''") + "'"
    assert kind_of(sql) is Kind.ONCE


PROBES = [sql for sql in READ if not sql.startswith(("call", "execute"))]
UNPROVEN = [
    ("", "asks nothing"),
    ("-- only a comment", "asks nothing"),
    ("select 1; select 2", "holds 2 statements, and a probe is one"),
    ("call system$classify('t', null)", "calls a procedure"),
    ("execute immediate 'select 1'", "runs SQL that it is handed as a text"),
    ("select f(1)", "calls F, which may do more than read"),
    ('select db.s."f"(1)', "calls DB.S.f, which may do more than read"),
    ("select db.s.sum(1)", "calls DB.S.SUM, which may do more than read"),
    ("select 1 from t where exists (select g(a) from u)", "calls G, which may do more than read"),
    ("show tables ->> select f() from $1", "calls F, which may do more than read"),
    ("select m!predict(1)", "calls m!PREDICT, which may do more than read"),
    ("select ai_complete('m', 'x')", "calls AI_COMPLETE, which may do more than read"),
    ("select ai_agg(a, 'x') from t", "calls AI_AGG, which may do more than read"),
    ("select * from table(to_query('select 1'))", "calls TO_QUERY, which may do more than read"),
    ("delete from t", "may change the account: it begins with 'delete from t'"),
    ("select s.nextval", "may change the account: it begins with 'select s.nextval'"),
]


@pytest.mark.parametrize("sql", PROBES)
def test_what_only_reads_may_be_a_probe(sql):
    assert why_no_probe(sql) is None


@pytest.mark.parametrize(("sql", "why"), UNPROVEN)
def test_what_is_not_provably_a_read_says_why(sql, why):
    assert why_no_probe(sql) == why


ODD = {
    "EXPLAIN (CALL P())": "explains what cannot be read",
    "EXPLAIN USING TABULAR ((EXECUTE IMMEDIATE 'x'))": "explains what cannot be read",
    "EXPLAIN WITH A AS (SELECT 1) CALL P()": "explains what cannot be read",
    "EXPLAIN SELECT F(1)": "calls F, which may do more than read",
    "EXPLAIN SELECT SYSTEM$WAIT(9)": "calls SYSTEM$WAIT, which may do more than read",
    "EXPLAIN SELECT * FROM TABLE(P())": "calls P, which may do more than read",
    "DESCRIBE RESULT SYSTEM$WAIT(9)": "calls SYSTEM$WAIT, which may do more than read",
    'SELECT "count"(1)': 'calls "count", which may do more than read',
    "SELECT 1, --\r $$ \n 2 ->> DELETE FROM T -- $$": (
        "cannot be read: a comment ends in a character that only some take for the end of a line"
    ),
    "SELECT 1 // x\u2028->> DELETE FROM T": (
        "cannot be read: a comment ends in a character that only some take for the end of a line"
    ),
    "SELECT 1 -- x\x0b, P()": (
        "cannot be read: a comment ends in a character that only some take for the end of a line"
    ),
}
PLAIN = [
    "EXPLAIN DELETE FROM T WHERE A = 1",
    "EXPLAIN USING JSON SELECT COUNT(*) FROM T",
    "DESCRIBE RESULT LAST_QUERY_ID()",
    'SELECT "COUNT"(1)',
    'WITH "a" (x) AS (SELECT 1) SELECT * FROM "a"',
    "SELECT 1 -- one\r\n, 2 -- two\n",
]


@pytest.mark.parametrize(("sql", "why"), ODD.items())
def test_what_only_looks_like_a_read_is_no_probe(sql, why):
    assert why_no_probe(sql) == why


@pytest.mark.parametrize("sql", PLAIN)
def test_what_is_a_read_in_another_form_is_a_probe(sql):
    assert why_no_probe(sql) is None


@pytest.mark.parametrize("sql", [*REPEATABLE, *ONCE])
def test_what_may_change_the_account_is_no_probe(sql):
    assert why_no_probe(sql) is not None


ACTIONS = ("DROP DATABASE", "DROP SCHEMA", "GRANT OWNERSHIP", "ALTER ACCOUNT")
FOUND = [
    ("drop database x", "DROP DATABASE"),
    ("DrOp\n\tDaTaBaSe if exists x", "DROP DATABASE"),
    ("drop/**/database x", "DROP DATABASE"),
    ("drop -- a comment\n database x", "DROP DATABASE"),
    ("drop // a comment\n database x", "DROP DATABASE"),
    ("drop /* ; ' */ database x", "DROP DATABASE"),
    ("drop\u00a0database x", "DROP DATABASE"),
    ("/* drop */ drop schema s", "DROP SCHEMA"),
    ("select 1; drop schema s", "DROP SCHEMA"),
    ('drop schema "S\'; --"', "DROP SCHEMA"),
    ("drop database identifier('x')", "DROP DATABASE"),
    ("create or replace database x", "DROP DATABASE"),
    ("create or replace transient schema x clone y", "DROP SCHEMA"),
    ("grant ownership on table t to role r", "GRANT OWNERSHIP"),
    ("grant select, ownership on table t to role r", "GRANT OWNERSHIP"),
    ("grant ownership on all tables in schema s to role r", "GRANT OWNERSHIP"),
    ("grant ownership on future tables in schema s to role r", "GRANT OWNERSHIP"),
    ("alter account set x = 1", "ALTER ACCOUNT"),
    ("alter organization account set x = 1", "ALTER ACCOUNT"),
    ("execute immediate 'drop database x'", "DROP DATABASE"),
    ("execute immediate 'DROP\\tDATABASE x'", "DROP DATABASE"),
    ("execute immediate 'drop \\x64atabase x'", "DROP DATABASE"),
    ("execute immediate $$ drop database x $$", "DROP DATABASE"),
    ("execute immediate $$ begin drop schema s; end $$", "DROP SCHEMA"),
    ("execute immediate 'execute immediate ''drop database x'''", "DROP DATABASE"),
    ("execute /* x */ immediate 'drop database x'", "DROP DATABASE"),
    ("begin drop schema s; end", "DROP SCHEMA"),
    ("declare x int; begin if (true) then drop database y; end if; end", "DROP DATABASE"),
    ("begin return (execute immediate 'drop schema s'); end", "DROP SCHEMA"),
    ("create procedure p() returns int as 'begin drop schema s; end'", "DROP SCHEMA"),
    ("create procedure p() returns int language sql as $$ drop schema s $$", "DROP SCHEMA"),
    ("create procedure p() returns int as begin drop schema s; end", "DROP SCHEMA"),
    (
        "create procedure p() returns int language javascript as "
        "$$ snowflake.execute({sqlText: `drop database x`}) $$",
        "DROP DATABASE",
    ),
    ("with p as procedure() returns int as $$ drop database x $$ call p()", "DROP DATABASE"),
    ("create task t as drop database x", "DROP DATABASE"),
    ("create task t schedule = '1 m' as begin drop schema s; end", "DROP SCHEMA"),
    ("create task t as execute immediate 'drop schema s'", "DROP SCHEMA"),
    ("alter task t modify as drop schema s", "DROP SCHEMA"),
    ("create alert a if (exists (select 1)) then drop schema s", "DROP SCHEMA"),
    ("show tables ->> drop database x", "DROP DATABASE"),
    ("select 'it''s'; drop database x", "DROP DATABASE"),
    (r"select 'a\'; drop schema s; --'; drop database x", "DROP DATABASE"),
    ("select $$ ' $$; drop database x; select $$ ' $$", "DROP DATABASE"),
    ("/* /* */ drop database x -- */", "DROP DATABASE"),
    ('select "a""; drop schema s; "; drop database x', "DROP DATABASE"),
]
INNOCENT = [
    "select 'drop database x'",
    "select 1 -- drop database x",
    "/* drop database x */ select 1",
    'select "drop database x" from t',
    "drop table database_x",
    "drop table t",
    "create database x",
    "create schema if not exists s",
    "grant select on table t to role ownership",
    "show grants on schema s",
    "alter user u set comment = 'alter account'",
    "select t.drop, database from x",
    "execute immediate 'select ''drop database x'''",
    "execute immediate 'select ?' using (a)",
    "create function f() returns int language python as $$ x $$",
    "create masking policy p as (v string) returns string -> 'drop database x'",
    "comment on table t is 'drop schema s'",
    "insert into t values ('grant ownership')",
    "",
]
DYNAMIC = [
    "execute immediate $stmt",
    "execute immediate :q",
    "execute immediate q",
    "execute immediate 'drop ' || 'database x'",
    "execute immediate ('drop ' || 'database x')",
    "execute immediate concat('drop', ' database x')",
    "execute immediate from @s/x.sql",
    "execute immediate 'a' 'b'",
    "execute immediate",
    "begin let q := 'x'; execute immediate :q; end",
    "begin let q := 'x'; execute immediate q; end",
    "set s = 'drop database x'; execute immediate $s",
    "create procedure p(q string) returns int as $$ begin execute immediate :q; end $$",
    "create procedure p() returns int language python as $$ session.sql(x) $$",
    "create procedure p() returns int language java as 'x'",
    "create task t as execute immediate $q",
    "execute immediate 'execute immediate $x'",
]


@pytest.mark.parametrize(("sql", "action"), FOUND)
def test_a_prohibited_action_is_found(sql, action):
    assert prohibited_action(sql, ACTIONS) == action


@pytest.mark.parametrize("sql", INNOCENT)
def test_words_in_literals_names_and_comments_are_no_action(sql):
    assert prohibited_action(sql, ACTIONS) is None


@pytest.mark.parametrize("sql", DYNAMIC)
def test_sql_made_at_run_time_is_refused(sql):
    with pytest.raises(DynamicSqlError):
        prohibited_action(sql, ACTIONS)


@pytest.mark.parametrize("sql", ["select 'open", "drop /* x", 'drop "x', "execute immediate $$ x"])
def test_what_cannot_be_cut_is_refused(sql):
    with pytest.raises(SqlError):
        prohibited_action(sql, ACTIONS)


def test_other_actions_may_be_prohibited_too():
    assert prohibited_action("drop  warehouse w", ["Drop Warehouse"]) == "Drop Warehouse"


def test_no_actions_prohibit_nothing():
    assert prohibited_action("drop database x", ["", "  "]) is None


WORDS = (
    "drop database schema grant ownership on to execute immediate ' $$ $x ; -- /* */ begin end "
    'create procedure as language python select show ->> call ( ) , . = " alter account'
)
PIECES = st.lists(st.sampled_from(WORDS.split()), max_size=15).map(" ".join)


@pytest.mark.slow
@given(PIECES | st.text(max_size=60))
def test_classifying_is_total(sql):
    assert kind_of(sql) in Kind
    assert why_no_probe(sql) is not None or kind_of(sql) is Kind.READ
    try:
        found = prohibited_action(sql, ACTIONS)
    except (DynamicSqlError, SqlError):
        return
    assert found is None or found in ACTIONS


@given(st.sampled_from(ACTIONS), st.text(alphabet=" \t\n\r", min_size=1, max_size=3))
def test_no_blank_hides_an_action(action, blank):
    assert prohibited_action(action.replace(" ", blank) + " x", ACTIONS) == action


@pytest.mark.parametrize(
    "text", ["grant ", "create or replace ", "(", "execute ", "drop ", "'", "["]
)
def test_searching_long_texts_takes_no_long_time(text):
    start = time.process_time()
    with suppress(DynamicSqlError, SqlError):
        prohibited_action(text * 20_000, ACTIONS)
    kind_of(text * 20_000)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("insert into t select 1", True),
        ("merge into t using s on t.a = s.a when matched then delete", True),
        ("copy into t from @s", True),
        ("create or replace transient table t as select * from s", True),
        ("call p(1)", True),
        ("execute immediate 'select 1'", True),
        ("create table t (a int)", False),
        ("create view v as select * from t", False),
        ("grant select on table t to role r", False),
        ("", False),
    ],
)
def test_a_statement_that_writes_rows_may_take_long(sql, expected):
    assert may_take_long(sql) is expected
