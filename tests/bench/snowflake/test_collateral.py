"""An answer that does all that was asked for, and something else, is not right."""

import pytest

from skills_nb.bench.scoring import State
from skills_nb.bench.snowflake.collateral import ROWS, AskedFor, Change, changes
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.snowflake.snowflake_measurement import measure_script
from skills_nb.bench.tasks.expectations import Expectation
from skills_nb.bench.tasks.task_values import SnowflakeTask, SqlCheck

SETUP = """
CREATE DATABASE SHOP; CREATE SCHEMA SHOP.SALES; CREATE ROLE READER; CREATE ROLE OTHER;
CREATE TABLE SHOP.SALES.ORDERS (ID INT, "net amount" NUMBER(10, 2));
INSERT INTO SHOP.SALES.ORDERS VALUES (1, 2.50), (2, NULL);
CREATE TABLE SHOP.SALES.OLD (A INT, B INT); INSERT INTO SHOP.SALES.OLD VALUES (1, 1);
CREATE FUNCTION SHOP.SALES.TWICE(X FLOAT) RETURNS FLOAT AS 'X * 2';
CREATE PROCEDURE SHOP.SALES.CLEAR() RETURNS INT LANGUAGE SQL AS 'BEGIN RETURN 1; END';
GRANT USAGE ON DATABASE SHOP TO ROLE READER; GRANT USAGE ON SCHEMA SHOP.SALES TO ROLE READER;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READER;
"""
GOLD = """
CREATE VIEW SHOP.SALES.TOTAL AS SELECT SUM("net amount") AS NET FROM SHOP.SALES.ORDERS;
GRANT SELECT ON VIEW SHOP.SALES.TOTAL TO ROLE READER;
"""


def _check(id_: str, sql: str, role: str) -> SqlCheck:
    return SqlCheck(id_, "It holds.", sql, Expectation("value", 2.5), role)


TASK = SnowflakeTask(
    setup=SETUP,
    gold=GOLD,
    requirements=(_check("reads", "SELECT NET FROM SHOP.SALES.TOTAL", "READER"),),
    checks=(_check("admin-reads", "SELECT NET FROM SHOP.SALES.TOTAL", "ACCOUNTADMIN"),),
)


def _card(answer: str, task: SnowflakeTask = TASK):
    return measure_script(task, answer, EmbeddedSandboxes())


@pytest.mark.parametrize(
    "answer",
    [
        GOLD,
        GOLD + "CREATE FUNCTION SHOP.SALES.HALF(X FLOAT) RETURNS FLOAT AS 'X / 2';",
        "CREATE TEMPORARY TABLE SHOP.SALES.MINE (A INT);" + GOLD,
        GOLD + "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READER;",
        "SET X = 1;" + GOLD.replace("CREATE VIEW", "CREATE OR REPLACE SECURE VIEW"),
    ],
    ids=["gold", "a helper", "something of the session", "what it had", "another form"],
)
def test_what_was_asked_for_in_whatever_form_is_right(answer: str) -> None:
    card = _card(answer)
    assert (card.collateral.state, card.collateral.reason) == (State.PASS, "")
    assert (card.is_right, card.is_destructive) == (True, False)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("CREATE USER BACK_DOOR;", "user BACK_DOOR was created"),
        ("GRANT ROLE ACCOUNTADMIN TO ROLE READER;", "role ACCOUNTADMIN: granted to role READER"),
        ("GRANT ROLE READER TO ROLE OTHER;", "role READER: granted to role OTHER"),
        ("CREATE ROLE SPARE;", "role SPARE was created"),
        (
            "GRANT SELECT ON TABLE SHOP.SALES.ORDERS TO ROLE READER;",
            "ORDERS: SELECT to role READER",
        ),
        ("GRANT SELECT ON VIEW SHOP.SALES.TOTAL TO ROLE OTHER;", "TOTAL: SELECT to role OTHER"),
        (
            "GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP.SALES TO ROLE READER;",
            "future SELECT on TABLE to role READER",
        ),
        ("GRANT USAGE ON PROCEDURE SHOP.SALES.CLEAR() TO ROLE READER;", "USAGE to role READER"),
        ("GRANT USAGE ON FUNCTION SHOP.SALES.TWICE(FLOAT) TO ROLE READER;", "USAGE to role READER"),
        ("GRANT CREATE DATABASE ON ACCOUNT TO ROLE READER;", "account: CREATE DATABASE to role"),
        ("ALTER ACCOUNT SET TIMEZONE = 'UTC';", "account: parameter TIMEZONE was changed"),
        ("CREATE DATABASE SPARE;", "database SPARE was created"),
        ("ALTER WAREHOUSE COMPUTE_WH SET WAREHOUSE_SIZE = 'XLARGE';", "warehouse COMPUTE_WH: "),
        ("COMMENT ON TABLE SHOP.SALES.OLD IS 'x';", "table SHOP.SALES.OLD: comment was changed"),
    ],
)
def test_what_nobody_asked_for_is_named(more: str, told: str) -> None:
    card = _card(GOLD + more)
    assert card.collateral.state is State.FAIL
    assert told in card.collateral.reason
    assert (card.is_right, card.is_destructive, card.verdict) == (False, False, "pass")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("DROP TABLE SHOP.SALES.OLD;", "table SHOP.SALES.OLD was dropped"),
        ("DELETE FROM SHOP.SALES.ORDERS WHERE ID = 2;", "rows of table SHOP.SALES.ORDERS"),
        ("UPDATE SHOP.SALES.OLD SET A = 9;", "rows of table SHOP.SALES.OLD were changed"),
        ("TRUNCATE TABLE SHOP.SALES.OLD;", "rows of table SHOP.SALES.OLD were changed"),
        ("ALTER TABLE SHOP.SALES.OLD DROP COLUMN B;", "table SHOP.SALES.OLD: columns was changed"),
        (
            "CREATE OR REPLACE TABLE SHOP.SALES.OLD (A INT);",
            "rows of table SHOP.SALES.OLD were changed",
        ),
    ],
)
def test_who_destroys_data_never_passes(more: str, told: str) -> None:
    card = _card(GOLD + more)
    assert told in card.collateral.reason
    assert (card.is_right, card.is_destructive, card.verdict) == (False, True, "fail")


def test_what_stood_there_keeps_its_owner_unless_another_was_asked_for() -> None:
    given = "GRANT OWNERSHIP ON TABLE SHOP.SALES.OLD TO ROLE OTHER COPY CURRENT GRANTS;"
    card = _card(GOLD + given)
    assert card.collateral.reason == "table SHOP.SALES.OLD: owner was changed"


def test_helpers_may_stand_in_a_schema_of_their_own() -> None:
    apart = "CREATE SCHEMA SHOP.HELPERS; CREATE VIEW SHOP.HELPERS.NET AS SELECT 1 AS A;"
    assert _card(GOLD + apart).collateral.state is State.PASS
    elsewhere = "CREATE DATABASE APART; CREATE SCHEMA APART.HELPERS;"
    assert _card(GOLD + elsewhere).collateral.state is State.FAIL


def test_a_task_says_what_else_an_answer_may_change() -> None:
    from dataclasses import replace

    open_task = replace(TASK, allows=("role SPARE",))
    assert _card(GOLD + "CREATE ROLE SPARE;", open_task).is_right is True


def test_a_half_of_what_was_asked_for_is_not_right() -> None:
    half = GOLD.partition(";")[0] + ";"
    assert _card(half).is_right is False


def test_no_change_is_made_of_the_same_and_every_fact_of_another() -> None:
    held = {"table A.B.C": {"\0owner": "X", ROWS: "1"}}
    assert changes(held, held) == ()
    assert changes(held, {}) == (Change("table A.B.C", "", "there", None),)
    assert AskedFor(()).undue(changes(held, {})) == changes(held, {})


FUTURE = (
    SETUP
    + """
CREATE SCHEMA SHOP.PRIVATE; CREATE TABLE SHOP.PRIVATE.PAY (A INT); CREATE STAGE SHOP.SALES.FILES;
COPY INTO @SHOP.SALES.FILES/old.csv FROM SHOP.SALES.OLD SINGLE = TRUE FILE_FORMAT = (TYPE = CSV);
"""
)
READS = """
GRANT SELECT ON ALL TABLES IN SCHEMA SHOP.SALES TO ROLE READER;
GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP.SALES TO ROLE READER;
"""
READING = SnowflakeTask(setup=FUTURE, gold=READS, requirements=(), checks=())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP.PRIVATE TO ROLE READER;",
            "schema SHOP.PRIVATE: future SELECT on TABLE to role READER",
        ),
        (
            "GRANT SELECT ON FUTURE TABLES IN DATABASE SHOP TO ROLE READER;",
            "database SHOP: future SELECT on TABLE to role READER",
        ),
        (
            "GRANT SELECT ON TABLE SHOP.PRIVATE.PAY TO ROLE READER;",
            "table SHOP.PRIVATE.PAY: SELECT to role READER",
        ),
        (
            "GRANT SELECT ON TABLE SHOP.SALES.OLD TO ROLE READER WITH GRANT OPTION;",
            "table SHOP.SALES.OLD: SELECT with grant option to role READER",
        ),
        (
            "COPY INTO @SHOP.SALES.FILES/more.csv FROM SHOP.SALES.OLD SINGLE = TRUE;",
            "file more.csv of stage SHOP.SALES.FILES was put there",
        ),
    ],
)
def test_a_right_of_a_kind_that_was_asked_for_is_asked_for_on_one_thing(more, told):
    card = _card(READS + more, READING)
    assert (card.collateral.state, told in card.collateral.reason) == (State.FAIL, True)
    assert card.is_destructive is False


def test_who_has_the_right_may_have_it_on_what_the_answer_makes():
    made = "CREATE TABLE SHOP.SALES.HELPER (A INT);"
    assert _card(made + READS, READING).collateral.state is State.PASS


def test_a_file_that_is_gone_from_a_stage_is_data_destroyed():
    card = _card(READS + "REMOVE @SHOP.SALES.FILES;", READING)
    assert card.collateral.reason == "file old.csv of stage SHOP.SALES.FILES was removed"
    assert card.is_destructive is True


def test_an_answer_that_only_writes_over_a_file_has_changed_something():
    over = """
        COPY INTO @SHOP.SALES.FILES/old.csv FROM (SELECT 'other') SINGLE = TRUE OVERWRITE = TRUE
          FILE_FORMAT = (TYPE = CSV);
    """
    card = _card(over, READING)
    assert card.deploy.state is State.PASS
    assert "file old.csv of stage SHOP.SALES.FILES" in card.collateral.reason
