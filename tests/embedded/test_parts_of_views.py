"""A query that needs a part of INFORMATION_SCHEMA gets what it would get of the whole."""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.account import Account

ALL_OF = {"TABLES", "COLUMNS", "VIEWS"}
MADE = (
    "create database shop",
    "create schema side",
    'create table side."orders" ("Id" int, name varchar(10) comment \'who\')',
    "create table side.orders (id int, at timestamp_tz) comment = 'ours'",
    "insert into side.orders values (1, '2024-01-01'::timestamp_tz), (2, null)",
    "create view side.v as select * from side.orders",
    "create schema other",
    "create table other.orders (id number(10,2) not null default 3)",
    "create temporary table other.mine (id int)",
    "create role reader",
    "grant usage on database shop to role reader",
    "grant usage on schema shop.other to role reader",
    "grant select on table shop.other.orders to role reader",
    "grant role reader to user admin",
)
QUERIES = (
    "select table_name from {TABLES} order by 1, table_schema",
    "select count(*) from {TABLES}",
    "select count(1) from {COLUMNS} where table_schema = 'SIDE'",
    "select table_schema, count(*) as n, sum(row_count) from {TABLES} group by all order by 1",
    "select row_count, bytes from {TABLES} where table_name = 'ORDERS' and table_schema = 'SIDE'",
    "select comment from {TABLES} where 'ORDERS' = table_name order by 1",
    "select table_name, created from {TABLES} where table_name in ('orders', 'V') order by 1",
    "select table_name from {TABLES} where table_name = 'Orders'",
    "select table_name from {TABLES} where table_name = 'orders' or row_count = 0 order by 1",
    "select table_name from {TABLES} where not table_name = 'ORDERS' order by 1",
    "select upper(table_name) as table_name from {TABLES} where table_name = 'orders'",
    'select "TABLE_NAME" from {TABLES} as "t" where "t".table_name = \'V\'',
    "select column_name, data_type, comment from {COLUMNS} where table_name = 'orders' order by 1",
    "select t.table_name, c.column_name from {TABLES} t join {COLUMNS} c "
    "on t.table_name = c.table_name and t.table_schema = c.table_schema "
    "where t.table_name = 'ORDERS' order by all",
    "select t.table_name, c.column_name from {TABLES} t left join {COLUMNS} c "
    "using (table_schema, table_name) where c.table_name = 'V' order by all",
    "select table_name from {TABLES} natural left join {VIEWS} order by 1",
    "select table_name from {TABLES} t where exists (select 1 from {COLUMNS} c "
    "where c.table_name = t.table_name and c.is_nullable = 'NO') order by table_schema",
    "select table_name from {TABLES} union select column_name from {COLUMNS} order by 1",
    "select t.* exclude (created, last_altered, last_ddl) from {TABLES} t "
    "where table_type = 'VIEW'",
    "select object_construct(*):TABLE_NAME::text as n from {TABLES} "
    "where table_schema = 'SIDE' order by 1",
    "select c from {VIEWS} as v (a, b, c, d, e, f, g, h, i, j, k, l) where c = 'V'",
    "select table_name, row_number() over (order by table_schema, table_name) as r from {TABLES} "
    "qualify r = 2",
    "select identifier('TABLE_NAME') from {TABLES} where table_name = 'V'",
    "select view_definition from {VIEWS} where table_name = 'V' and table_schema = 'SIDE'",
    "select ordinal_position from {COLUMNS} where lower(table_name) = 'orders' "
    "and table_schema = 'SIDE' and table_name = 'orders' order by 1",
)


@pytest.fixture(scope="module")
def session():
    with Account.open() as account:
        made = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for text in MADE:
            made.execute(text)
        yield made


def _answers(session, query):
    """Return the answer of the views, and of all that they hold."""
    parts = {name: f"information_schema.{name}" for name in ALL_OF}
    wholes = {name: f"(select * from information_schema.{name})" for name in ALL_OF}
    return tuple(session.execute(query.format(**named)).rows for named in (parts, wholes))


@pytest.mark.parametrize("role", ["ACCOUNTADMIN", "READER"])
@pytest.mark.parametrize("query", QUERIES)
def test_a_part_is_what_the_whole_has(session, query, role):
    session.execute(f"use role {role}")
    part, whole = _answers(session, query)
    assert part == whole
    assert part or role == "READER" or "'Orders'" in query


def test_a_view_over_a_part_shows_the_same(session):
    session.execute("use role ACCOUNTADMIN")
    session.execute(
        "create or replace view side.listed as select table_name as n, row_count as r "
        "from shop.information_schema.tables where table_schema = 'SIDE'"
    )
    assert session.execute("select n, r from side.listed where r is not null order by 1").rows == (
        ("ORDERS", 2),
        ("orders", 0),
    )
    session.execute("drop view side.listed")


def _counted(session, tables):
    shown = {row[1]: row[7] for row in session.execute("show tables in schema d.public").rows}
    rows = session.execute("select table_name, row_count from information_schema.tables").rows
    real = {f"T{i}": session.execute(f"select count(*) from t{i}").rows[0][0] for i in tables}
    return shown, dict(rows), real


CHANGES = (
    "insert into t1 select seq4(), 'x' from table(generator(rowcount => 100))",
    "insert into t2 values (1, 'a'), (2, 'b')",
    "insert into t3 select * from t1",
    "insert into t4 values (1, 'a')",
    "delete from t1 where id < 40",
    "update t2 set name = 'c'",
    "truncate table t3",
    "insert overwrite into t4 values (3, 'c'), (4, 'd')",
    "merge into t5 using t1 on t5.id = t1.id when not matched then insert values (t1.id, 'm')",
    "create or replace table t6 as select * from t2",
    "create or replace table t7 clone t1",
    "alter table t8 add column more int",
    "insert into t8 values (1, 'a', 2)",
    "drop table t9",
    "undrop table t9",
)


def test_many_tables_are_counted_as_each_of_them_is():
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        session.execute("create database d")
        tables = range(25)
        for i in tables:
            session.execute(f"create table t{i} (id int, name varchar)")
        for text in CHANGES:
            session.execute(text)
        shown, told, real = _counted(session, tables)
        assert shown == told == real
        assert (real["T1"], real["T4"], real["T5"], real["T9"]) == (60, 2, 60, 0)


def test_what_a_transaction_put_in_and_took_out_counts_for_it_alone():
    with Account.open() as account:
        session, other = (account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH") for _ in "12")
        session.execute("create database d")
        tables = range(25)
        for i in tables:
            session.execute(f"create table t{i} (id int)")
        other.execute("use schema d.public")
        session.execute("begin")
        session.execute("insert into t1 values (1), (2)")
        for asked, rows in ((session, 2), (other, 0)):
            shown, told, real = _counted(asked, tables)
            assert (shown == told == real, real["T1"]) == (True, rows)
        session.execute("rollback")
        shown, told, real = _counted(session, tables)
        assert (shown == told == real, real["T1"]) == (True, 0)
