"""What statements do to rows, and how to ask how many they are about."""

import pytest

from skills_nb.sql.objects import (
    ObjectRef,
    RowEffect,
    RowEffects,
    counting_query,
    row_effects_of,
    rows_probe_for,
)
from skills_nb.sql.objects.nondeterminism import chooses, is_left_to_chance, makes_chance

T, U = ObjectRef("table", ("DB", "S", "T")), ObjectRef("table", ("DB", "S", "u"))


def does(sql):
    return [(one.verb, one.target.fqn) for one in row_effects_of(sql, "DB", "S").effects]


@pytest.mark.parametrize(
    ("sql", "verb"),
    [
        ("INSERT INTO t VALUES (1)", "insert"),
        ("INSERT OVERWRITE INTO t SELECT 1", "overwrite"),
        ("COPY INTO t FROM @s", "load"),
        ("UPDATE t SET a = 1", "update"),
        ("DELETE FROM t USING u WHERE t.a = u.a", "delete"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", "merge"),
        ("TRUNCATE TABLE IF EXISTS t", "empty"),
        ("CREATE OR REPLACE TRANSIENT TABLE t (a INT)", "replace"),
        ("CREATE OR REPLACE TABLE t AS SELECT 1 AS a", "replace"),
        ("CREATE OR REPLACE TABLE t CLONE u", "replace"),
        ("DROP TABLE IF EXISTS t", "drop"),
        ("ALTER TABLE t DROP COLUMN a", "cut"),
        ("EXECUTE IMMEDIATE 'DELETE FROM t'", "delete"),
    ],
)
def test_a_statement_does_one_thing_to_one_table(sql, verb):
    assert row_effects_of(sql, "DB", "S") == RowEffects((RowEffect(verb, T),), database="DB")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t",
        "CREATE TABLE t (a INT)",
        "CREATE OR ALTER TABLE t (a INT)",
        "CREATE OR REPLACE VIEW t AS SELECT 1 AS a",
        "DROP VIEW t",
        "CREATE OR REPLACE TAG t",
        "CREATE SCHEMA t",
        "ALTER TABLE t SWAP",
        "USE ROLE r",
        "ALTER TABLE t RENAME TO x",
        "ALTER TABLE t ADD COLUMN b INT",
        "ALTER WAREHOUSE w SUSPEND",
        "COPY INTO @s FROM t",
        "GRANT SELECT ON TABLE t TO ROLE r",
        "CALL SYSTEM$CLASSIFY('t', NULL)",
        "DELETE FROM",
        "DROP",
        "it is no SQL",
        "'open",
    ],
)
def test_other_statements_do_nothing_to_rows(sql):
    effects = row_effects_of(sql, "DB", "S")
    assert (effects.effects, effects.runs_others) == ((), False)


def test_several_tables_are_told_in_their_order():
    assert does('INSERT ALL INTO t VALUES (a) INTO "u" VALUES (a) SELECT 1 AS a') == [
        ("insert", "DB.S.T"),
        ("insert", 'DB.S."u"'),
    ]
    assert row_effects_of('ALTER TABLE t SWAP WITH "u"', "DB", "S").effects == (
        RowEffect("swap", T, U.fqn),
        RowEffect("swap", U, T.fqn),
    )
    assert does("ALTER DYNAMIC TABLE t REFRESH") == [("refresh", "DB.S.T")]
    assert does("DROP SCHEMA s") == [("drop", "DB.S")]
    assert does("CREATE OR REPLACE DATABASE d") == [("replace", "D")]


@pytest.mark.parametrize(
    "sql",
    [
        "BEGIN DELETE FROM t; TRUNCATE t; END",
        "EXECUTE IMMEDIATE 'BEGIN DELETE FROM t; TRUNCATE t; END'",
        "DELETE FROM t ->> TRUNCATE TABLE t",
    ],
)
def test_the_answer_to_a_block_is_not_that_of_a_statement_inside(sql):
    effects = row_effects_of(sql, "DB", "S")
    assert [one.verb for one in effects.effects] == ["delete", "empty"]
    assert not effects.is_direct


@pytest.mark.parametrize(
    "sql",
    [
        "BEGIN DELETE FROM t; END",
        "EXECUTE IMMEDIATE 'BEGIN DELETE FROM t; END'",
        "DELETE FROM t; DROP",
    ],
)
def test_nor_is_it_where_the_block_holds_one_statement(sql):
    assert row_effects_of(sql, "DB", "S") == RowEffects(
        (RowEffect("delete", T),), False, False, "DB"
    )


def test_a_transaction_is_no_block():
    assert row_effects_of("BEGIN", "DB", "S").effects == ()


@pytest.mark.parametrize("sql", ["CALL x.y.p(1)", "EXECUTE TASK x.y.p", "EXECUTE ALERT x.y.p"])
def test_what_runs_other_code_says_so_and_where(sql):
    assert row_effects_of(sql, None, None) == RowEffects((), False, True, "X")


def test_text_nested_without_end_is_given_up():
    sql = "DELETE FROM t"
    for _ in range(12):
        sql = "EXECUTE IMMEDIATE '" + sql.replace("'", "''") + "'"
    effects = row_effects_of(sql, "DB", "S")
    assert (effects.effects, effects.is_direct) == ((), False)


def test_a_schema_is_asked_for_its_tables():
    assert rows_probe_for(ObjectRef("schema", ("DB", "s"))) == 'SHOW TABLES IN SCHEMA DB."s"'
    assert rows_probe_for(T) is None


@pytest.mark.parametrize(
    ("sql", "query"),
    [
        ('DELETE FROM "t" x WHERE x.a = 1;', '"t" x WHERE x.a = 1'),
        ("UPDATE t AS q SET a = (SELECT 1 WHERE 1 = 1) WHERE b > 1", "t AS q WHERE b > 1"),
        ("UPDATE t SET a = 1", "t"),
        ("INSERT INTO t (a) SELECT b FROM u WHERE b > 1", "(SELECT b FROM u WHERE b > 1)"),
    ],
)
def test_a_change_is_counted_in_its_own_words(sql, query):
    assert counting_query(sql) == f"SELECT COUNT(*) AS CHANGED_ROWS FROM {query}"


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM t USING u WHERE t.a = u.a",
        "UPDATE t SET a = u.a FROM u WHERE t.a = u.a",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO t SELECT s.NEXTVAL",
        "INSERT INTO t SELECT SYSTEM$WAIT(60)",
        "DELETE FROM t WHERE own_function(a)",
        "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
        "TRUNCATE TABLE t",
        "DELETE FROM t WHERE a = 'open",
        "",
    ],
)
def test_what_no_harmless_query_tells_is_not_asked(sql):
    assert counting_query(sql) is None


def test_chance_matters_where_it_decides_on_rows():
    assert is_left_to_chance("DELETE FROM t WHERE RANDOM() > 0")
    assert is_left_to_chance("INSERT INTO t SELECT a FROM u SAMPLE (10)")
    assert is_left_to_chance("EXECUTE IMMEDIATE 'DELETE FROM t WHERE RANDOM() > 0'")
    assert not is_left_to_chance("INSERT INTO t SELECT RANDOM() FROM u")
    assert makes_chance("INSERT INTO t SELECT RANDOM() FROM u")
    assert not makes_chance("DELETE FROM t WHERE a > 0")
    assert chooses("DELETE FROM t WHERE a > 0")
    assert not chooses("DELETE FROM t")
