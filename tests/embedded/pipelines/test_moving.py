"""Sequences, time travel, streams, dynamic tables, tasks and alerts.

Pages of the manual: sql-reference/constructs/at-before, sql-reference/constructs/changes,
user-guide/streams-intro, user-guide/dynamic-tables-about, user-guide/tasks-intro,
user-guide/tasks-graphs, user-guide/alerts, sql-reference/sql/create-sequence,
sql-reference/sql/undrop-schema, sql-reference/sql/undrop-database.
"""

from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.physical import duck_sql
from skills_nb.errors import SqlError


def rows(session: AccountSession, sql: str) -> list[tuple[object, ...]]:
    return list(session.execute(sql).rows)


def refusal(session: AccountSession, sql: str) -> tuple[int | None, str | None]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, refused.value.sqlstate


def run(session: AccountSession, *statements: str) -> None:
    for statement in statements:
        session.execute(statement)


# ---- sequences


def test_a_sequence_gives_another_number_to_every_row_and_every_mention(
    admin: AccountSession,
) -> None:
    run(admin, "create sequence s start 10 increment 5")
    assert rows(admin, "select s.nextval, s.nextval") == [(10, 15)]
    run(admin, "create table n (id int default s.nextval, t string)")
    run(admin, "insert into n (t) values ('a'), ('b')")
    assert rows(admin, "select * from n order by id") == [(20, "a"), (25, "b")]
    assert rows(admin, "select nextval from table(getnextval(s))") == [(30,)]


def test_a_sequence_needs_usage(admin: AccountSession, analyst: AccountSession) -> None:
    run(admin, "create sequence s")
    assert refusal(analyst, "select s.nextval") == (2003, "02000")
    run(admin, "grant usage on sequence s to role analyst")
    assert rows(analyst, "select s.nextval") == [(1,)]


def test_a_changed_increment_counts_on_from_the_last_number(admin: AccountSession) -> None:
    run(admin, "create sequence s")
    assert rows(admin, "select s.nextval") == [(1,)]
    run(admin, "alter sequence s set increment 10")
    shown = admin.execute("show sequences")
    names = [column.name for column in shown.columns]
    row = dict(zip(names, shown.rows[0], strict=True))
    assert (row["next_value"], row["interval"], row["ordered"]) == (2, 10, "N")
    assert refusal(admin, "alter sequence s set increment 0") == (1008, "22023")


# ---- time travel


def test_rows_come_back_as_they_stood_before_a_statement(admin: AccountSession) -> None:
    before = rows(admin, "select id, name from people order by id")
    changed = admin.execute("update people set name = 'X' where id = 1").query_id
    run(admin, "delete from people where id = 2")
    sql = f"select id, name from people before (statement => '{changed}') order by id"
    assert rows(admin, sql) == before
    after = f"select id, name from people at (statement => '{changed}') order by id"
    assert rows(admin, after) == [(1, "X"), (2, "Bob"), (3, "Cy")]
    assert rows(admin, "select id, name from people order by id") == [(1, "X"), (3, "Cy")]


def test_a_clone_of_an_instant_has_the_rows_of_then(admin: AccountSession) -> None:
    gone = admin.execute("delete from people").query_id
    run(admin, f"create table back clone people before (statement => '{gone}')")
    assert rows(admin, "select count(*) from back") == [(3,)]
    run(admin, f"insert overwrite into people select * from people before (statement => '{gone}')")
    assert rows(admin, "select count(*) from people") == [(3,)]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("at (offset => -86400)", (707, "02000")),
        ("at (timestamp => '2001-01-01'::timestamp)", (707, "02000")),
        ("at (offset => 5)", (709, "22023")),
        ("at (statement => 'no-such-id')", (709, "02000")),
    ],
)
def test_an_instant_without_rows_is_refused(
    admin: AccountSession, when: str, expected: tuple[int, str]
) -> None:
    assert refusal(admin, f"select * from people {when}") == expected


def test_columns_added_later_are_null_in_former_rows(admin: AccountSession) -> None:
    changed = admin.execute("delete from people where id = 1").query_id
    run(
        admin, "alter table people add column extra string", "alter table people drop column region"
    )
    sql = f"select id, extra from people before (statement => '{changed}') order by id"
    assert rows(admin, sql) == [(1, None), (2, None), (3, None)]


def test_changes_between_two_statements(admin: AccountSession) -> None:
    start = admin.execute("insert into people values (4, 'Di', '4', 'EU')").query_id
    end = admin.execute("delete from people where id = 1").query_id
    run(admin, "insert into people values (5, 'Ed', '5', 'EU')")
    sql = (
        "select id, metadata$action from people changes (information => default) "
        f"before (statement => '{start}') end (statement => '{end}') order by id"
    )
    assert rows(admin, sql) == [(1, "DELETE"), (4, "INSERT")]


# ---- dropped containers


def test_an_undropped_schema_has_everything_and_its_policies(
    admin: AccountSession, analyst: AccountSession
) -> None:
    run(admin, "create view v as select * from people", "create sequence s")
    run(admin, "drop schema shop.sales")
    assert refusal(admin, "select * from shop.sales.people") == (2003, "02000")
    run(admin, "undrop schema shop.sales", "use schema shop.sales")
    assert rows(admin, "select id from v order by id") == [(1,), (2,), (3,)]
    assert rows(admin, "select s.nextval") == [(1,)]
    assert rows(analyst, "select distinct ssn from shop.sales.people") == [("***",)]


def test_an_undropped_database_has_its_schemas(admin: AccountSession) -> None:
    run(
        admin, "create schema shop.other", "create table shop.other.t (a int)", "drop database shop"
    )
    run(admin, "undrop database shop")
    assert rows(admin, "select count(*) from shop.other.t") == [(0,)]
    assert rows(admin, "select count(*) from shop.sales.people") == [(3,)]
    assert refusal(admin, "undrop database shop") == (2002, "42710")


def test_a_table_dropped_before_its_schema_stays_dropped(admin: AccountSession) -> None:
    run(admin, "create table gone (a int)", "drop table gone", "drop schema shop.sales")
    run(admin, "undrop schema shop.sales")
    assert refusal(admin, "select * from shop.sales.gone") == (2003, "42S02")


# ---- streams

_NET = "select id, metadata$action, metadata$isupdate from s order by id, metadata$action"


def test_a_stream_shows_net_changes(admin: AccountSession) -> None:
    run(admin, "create stream s on table people")
    run(admin, "insert into people values (4, 'Di', '4', 'EU'), (5, 'Ed', '5', 'EU')")
    run(
        admin,
        "update people set name = 'X' where id in (1, 4)",
        "delete from people where id in (2, 5)",
    )
    assert rows(admin, _NET) == [
        (1, "DELETE", True),
        (1, "INSERT", True),
        (2, "DELETE", False),
        (4, "INSERT", False),
    ]


def test_both_sides_of_an_update_have_the_same_row_id(admin: AccountSession) -> None:
    run(admin, "create stream s on table people", "update people set name = 'X' where id = 1")
    assert rows(admin, "select count(*), count(distinct metadata$row_id) from s") == [(2, 1)]


def test_an_append_only_stream_keeps_rows_that_were_deleted_again(admin: AccountSession) -> None:
    run(admin, "create stream s on table people append_only = true")
    run(admin, "insert into people values (4, 'Di', '4', 'EU')", "delete from people where id = 4")
    run(admin, "update people set name = 'X' where id = 1")
    assert rows(admin, _NET) == [(4, "INSERT", False)]


def test_only_a_change_moves_the_offset(admin: AccountSession) -> None:
    run(admin, "create stream s on table people", "create table sink (id int)")
    run(admin, "insert into people values (4, 'Di', '4', 'EU')", "select * from s")
    assert rows(admin, "select system$stream_has_data('s')") == [("true",)]
    run(admin, "insert into sink select id from s")
    assert rows(admin, "select system$stream_has_data('s')") == [("false",)]
    assert rows(admin, "select * from s") == []


def test_a_rolled_back_change_gives_the_stream_its_rows_back(admin: AccountSession) -> None:
    run(admin, "create stream s on table people", "create table sink (id int)")
    run(admin, "insert into people values (4, 'Di', '4', 'EU')")
    run(admin, "begin", "insert into sink select id from s", "insert into sink select id from s")
    assert rows(admin, "select * from sink") == [(4,), (4,)]
    run(admin, "rollback")
    assert rows(admin, _NET) == [(4, "INSERT", False)]


def test_a_stream_shows_nothing_of_an_open_transaction(
    account: Account, admin: AccountSession
) -> None:
    run(admin, "create stream s on table people", "begin")
    run(admin, "insert into people values (4, 'Di', '4', 'EU')")
    assert rows(admin, _NET) == []
    run(admin, "commit")
    assert rows(admin, _NET) == [(4, "INSERT", False)]


def test_a_stream_misses_no_row_that_was_committed_after_it_was_read(
    account: Account, admin: AccountSession
) -> None:
    run(admin, "create stream s on table people", "create table sink (id int)")
    other = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "SHOP", "SALES")
    run(other, "begin", "insert into people values (4, 'Di', '4', 'EU')")
    run(admin, "insert into sink select id from s")
    run(other, "commit")
    assert rows(admin, _NET) == [(4, "INSERT", False)]


def test_a_stream_on_a_view_shows_what_the_view_gained(admin: AccountSession) -> None:
    run(admin, "create view eu as select id from people where region = 'EU'")
    run(admin, "create stream s on view eu")
    run(admin, "insert into people values (4, 'Di', '4', 'EU'), (5, 'Ed', '5', 'US')")
    run(admin, "delete from people where id = 1")
    assert rows(admin, _NET) == [(1, "DELETE", False), (4, "INSERT", False)]


def test_a_stream_whose_table_is_gone_says_so(admin: AccountSession) -> None:
    run(admin, "create table t (a int)", "create stream s on table t", "drop table t")
    assert refusal(admin, "select * from s") == (91901, "42601")


def test_a_stream_on_a_stage_is_unsupported(admin: AccountSession) -> None:
    assert refusal(admin, "create stream s on stage st") == (2, "0A000")


# ---- dynamic tables

_DYNAMIC = "create dynamic table d target_lag = '1 minute' warehouse = compute_wh as "


def test_a_dynamic_table_shows_the_data_of_its_last_refresh(admin: AccountSession) -> None:
    run(admin, _DYNAMIC + "select region, count(*) as n from people group by region")
    run(admin, "insert into people values (4, 'Di', '4', 'US')")
    assert rows(admin, "select * from d order by region") == [("EU", 2), ("US", 1)]
    run(admin, "alter dynamic table d refresh")
    assert rows(admin, "select * from d order by region") == [("EU", 2), ("US", 2)]
    history = "select state, refresh_trigger, refresh_action from table("
    history += "information_schema.dynamic_table_refresh_history(name => 'D'))"
    assert rows(admin, history) == [
        ("SUCCEEDED", "MANUAL", "FULL"),
        ("SUCCEEDED", "CREATION", "FULL"),
    ]


def test_a_refresh_refreshes_what_it_reads_first(admin: AccountSession) -> None:
    run(admin, _DYNAMIC + "select id from people")
    run(admin, _DYNAMIC.replace("table d", "table e") + "select count(*) as n from d")
    run(admin, "delete from people where id = 1", "alter dynamic table e refresh")
    assert rows(admin, "select n from e") == [(2,)]


def test_a_refresh_that_fails_is_in_the_history(admin: AccountSession) -> None:
    run(admin, "create table t (a string)", "insert into t values ('1')")
    run(admin, _DYNAMIC + "select a::int as n from t", "insert into t values ('x')")
    assert refusal(admin, "alter dynamic table d refresh") == (100038, "22018")
    history = "select state from table(information_schema.dynamic_table_refresh_history())"
    assert rows(admin, history) == [("FAILED",), ("SUCCEEDED",)]
    assert rows(admin, "select n from d") == [(1,)]


def test_rows_of_a_dynamic_table_are_not_changed_by_hand(admin: AccountSession) -> None:
    run(admin, _DYNAMIC + "select id from people")
    assert refusal(admin, "insert into d values (1)") == (2014, "42809")
    assert refusal(admin, "delete from d") == (2014, "42809")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("create dynamic table d warehouse = compute_wh as select 1 as a", (1420, "42601")),
        (_DYNAMIC.replace("1 minute", "5 seconds") + "select 1 as a", (1008, "22023")),
        (_DYNAMIC.replace(" as ", " scheduler = 'x' as ") + "select 1 as a", (1008, "22023")),
    ],
)
def test_a_dynamic_table_needs_what_snowflake_needs(
    admin: AccountSession, sql: str, expected: tuple[int, str]
) -> None:
    assert refusal(admin, sql) == expected


# ---- tasks and alerts

_TASKS = "select name, state from table(information_schema.task_history()) order by name"


def graph(admin: AccountSession) -> None:
    run(admin, "create table log (who string)")
    run(
        admin,
        "create task a warehouse = compute_wh schedule = '5 minutes' "
        "as insert into log values ('a')",
    )
    run(admin, "create task b warehouse = compute_wh after a as insert into log values ('b')")
    run(admin, "create task c warehouse = compute_wh after b as insert into log values ('c')")


def test_execute_task_runs_the_started_tasks_of_the_graph(admin: AccountSession) -> None:
    graph(admin)
    run(admin, "alter task b resume", "execute task a")
    assert rows(admin, "select who from log order by who") == [("a",), ("b",)]
    assert rows(admin, _TASKS) == [("A", "SUCCEEDED"), ("B", "SUCCEEDED")]


def test_a_failed_task_stops_what_follows_but_not_the_statement(admin: AccountSession) -> None:
    graph(admin)
    run(admin, "alter task b modify as insert into nowhere values (1)")
    run(admin, "select system$task_dependents_enable('a')", "execute task a")
    assert rows(admin, _TASKS) == [("A", "SUCCEEDED"), ("B", "FAILED")]
    errors = "select error_code from table(information_schema.task_history(error_only => true))"
    assert rows(admin, errors) == [("002003",)]


def test_a_condition_that_is_false_skips_the_task(admin: AccountSession) -> None:
    run(admin, "create table log (who string)", "create stream s on table people")
    run(
        admin,
        "create task t warehouse = compute_wh schedule = 'USING CRON 0 0 * * * UTC' "
        "when system$stream_has_data('s') as insert into log select name from s",
        "execute task t",
    )
    assert rows(admin, _TASKS) == [("T", "SKIPPED")]
    run(admin, "insert into people values (4, 'Di', '4', 'EU')", "execute task t")
    assert rows(admin, "select who from log") == [("Di",)]


def test_a_task_hands_its_result_to_the_next(admin: AccountSession) -> None:
    run(
        admin,
        "create table log (who string)",
        "create task a warehouse = compute_wh schedule = '1 minute' config = '{\"k\": \"v\"}' "
        "as begin call system$set_return_value('from a'); end",
        "create task b warehouse = compute_wh after a as insert into log select "
        "system$get_predecessor_return_value('A') || ' ' || system$get_task_graph_config('k')",
        "alter task b resume",
        "execute task a",
    )
    assert rows(admin, "select who from log") == [("from a v",)]


def test_a_graph_changes_only_while_its_root_is_suspended(admin: AccountSession) -> None:
    graph(admin)
    run(admin, "alter task a resume")
    assert refusal(admin, "alter task c remove after b") == (91089, "22023")
    run(admin, "alter task a suspend", "alter task c remove after b")
    dependents = "select name from table(information_schema.task_dependents(task_name => 'a'))"
    assert rows(admin, dependents) == [("A",), ("B",)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("create task t warehouse = compute_wh schedule = 'often' as select 1", (1008, "22023")),
        ("create task t error_integration = x as select 1", (2, "0A000")),
        ("alter task a add after c", (91089, "22023")),
        ("execute task b", (91089, "22023")),
        ("execute task a retry last", (91089, "22023")),
    ],
)
def test_tasks_that_cannot_be_are_refused(
    admin: AccountSession, sql: str, expected: tuple[int, str]
) -> None:
    graph(admin)
    assert refusal(admin, sql) == expected


def test_a_task_is_shown_as_it_is(admin: AccountSession) -> None:
    graph(admin)
    shown = admin.execute("show tasks like 'b'")
    names = [column.name for column in shown.columns]
    row = dict(zip(names, shown.rows[0], strict=True))
    wanted = ("name", "warehouse", "schedule", "predecessors", "state", "definition")
    assert [row[name] for name in wanted] == [
        "B",
        "COMPUTE_WH",
        None,
        '["SHOP.SALES.A"]',
        "suspended",
        "insert into log values ('b')",
    ]


def test_an_alert_acts_only_where_its_condition_finds_rows(admin: AccountSession) -> None:
    run(
        admin,
        "create table log (who string)",
        "create alert al warehouse = compute_wh schedule = '1 minute' "
        "if (exists (select 1 from people where id = 9)) then insert into log values ('nine')",
        "execute alert al",
    )
    assert rows(admin, "select * from log") == []
    run(admin, "insert into people values (9, 'Ni', '9', 'EU')", "execute alert al")
    assert rows(admin, "select * from log") == [("nine",)]
    history = "select state from table(information_schema.alert_history(alert_name => 'AL'))"
    assert rows(admin, history) == [("TRIGGERED",), ("CONDITION_FALSE",)]


def test_a_file_from_before_time_travel_still_opens(tmp_path: Path) -> None:
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN")
        run(session, "create database d", "create table t (a int)", "insert into t values (1)")
        for column in ("metadata$row", "metadata$since"):
            account.store.connection.execute(
                duck_sql.of(
                    'ALTER TABLE "D.PUBLIC"."T" DROP COLUMN {column}', column=duck_sql.name(column)
                )
            )
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN", None, "COMPUTE_WH", "D", "PUBLIC")
        changed = session.execute("update t set a = 2").query_id
        assert rows(session, "select a from t") == [(2,)]
        assert rows(session, f"select a from t before (statement => '{changed}')") == [(1,)]
