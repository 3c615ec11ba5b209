"""What is asked of an account before anybody approved anything: reads, and nothing else."""

from dataclasses import replace

import pytest

from skills_nb.model.skills import ProbeSpec
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive

ACTS = [
    "DELETE FROM PROD.CUSTOMER_DATA.ORDERS",
    "TRUNCATE TABLE PROD.CUSTOMER_DATA.ORDERS",
    "GRANT ROLE ACCOUNTADMIN TO ROLE PUBLIC",
    "EXECUTE IMMEDIATE 'CREATE DATABASE HARMED'",
    "EXECUTE IMMEDIATE 'SELECT 1'",
    "EXECUTE IMMEDIATE $$BEGIN DELETE FROM PROD.CUSTOMER_DATA.ORDERS; RETURN 1; END$$",
    "WITH x AS (SELECT 1 AS a) INSERT INTO PROD.CUSTOMER_DATA.ORDERS SELECT * FROM x",
    "WITH p AS PROCEDURE () RETURNS INT LANGUAGE SQL AS $$BEGIN RETURN 1; END$$ CALL p()",
    "CALL SYSTEM$CLASSIFY('PROD.CUSTOMER_DATA.ORDERS', {'auto_tag': true})",
    "CALL SYSTEM$CLASSIFY('PROD.CUSTOMER_DATA.ORDERS', null)",
    "COPY INTO @~/out FROM PROD.CUSTOMER_DATA.ORDERS",
    "PUT file:///etc/hostname @~",
    "GET @~ file:///tmp/harmed",
    "REMOVE @~",
    "SET X = 1",
    "USE ROLE PUBLIC",
    "ALTER SESSION SET QUERY_TAG = 'x'",
    "BEGIN TRANSACTION",
    "COMMIT",
    "ROLLBACK",
    "SELECT 1; DELETE FROM PROD.CUSTOMER_DATA.ORDERS",
    "SELECT 1; SELECT 2",
    "SELECT 1 INTO :x",
    "SELECT SYSTEM$WAIT(3600)",
    "SELECT * FROM TABLE(PROD.CUSTOMER_DATA.EMPTY_IT())",
    "SELECT PROD.CUSTOMER_DATA.REACH_OUT(1)",
    "SELECT IDENTIFIER('PROD.CUSTOMER_DATA.REACH_OUT')(1)",
    "SELECT SNOWFLAKE.CORTEX.COMPLETE('m', 'x')",
    "SELECT AI_COMPLETE('m', 'x')",
    "SELECT SYSTEM$CANCEL_ALL_QUERIES(1)",
    "SELECT SYSTEM$SEND_EMAIL('i', 'a@b.c', 's', 'b')",
    "SELECT SYSTEM$TASK_DEPENDENTS_ENABLE('PROD.CUSTOMER_DATA.T')",
    "SELECT SYSTEM$SOMETHING_NEW()",
    "SELECT S.NEXTVAL",
    "SELECT * FROM TABLE(GETNEXTVAL(S))",
    "SELECT * FROM TABLE(TO_QUERY('DELETE FROM PROD.CUSTOMER_DATA.ORDERS'))",
    "SELECT 1 ->> DELETE FROM PROD.CUSTOMER_DATA.ORDERS",
    "SHOW TABLES ->> CALL SYSTEM$WAIT(3600)",
    "EXPLAIN ANALYZE DELETE FROM PROD.CUSTOMER_DATA.ORDERS",
    "/* SELECT */ DELETE /* FROM x */ FROM PROD.CUSTOMER_DATA.ORDERS",
    "SELECT 1 /* /* */ ; DELETE FROM PROD.CUSTOMER_DATA.ORDERS -- */",
    "DELETE\u00a0FROM\u3000PROD.CUSTOMER_DATA.ORDERS",
    "DROP TABLE PROD.CUSTOMER_DATA.ORDERS",
    "{% if true %}DELETE FROM{% endif %} PROD.CUSTOMER_DATA.ORDERS",
]
READS = [
    "SHOW TABLES IN ACCOUNT",
    "DESCRIBE TABLE T",
    "LIST @s",
    "EXPLAIN USING TEXT DELETE FROM T",
    "WITH a AS (SELECT 1 AS x) SELECT x FROM a",
    "SELECT * FROM TABLE(RESULT_SCAN('x'))",
    "SELECT * FROM TABLE(DB.INFORMATION_SCHEMA.QUERY_HISTORY())",
    "SELECT SYSTEM$GET_TAG('a', 'b', 'table'), GET_DDL('table', 't'), HASH(1)",
    "SELECT 'DELETE FROM t; CALL p()' AS words -- DELETE FROM t",
    'SHOW TABLES ->> SELECT "name" FROM $1',
]
LOOK = step("1", "SELECT 1 AS ONE", checkpoint=checkpoint())


def driven(query, *, is_dry=False):
    """Start a playbook with this probe, which nothing depends on."""
    drive = Drive(playbook(LOOK, probes=(ProbeSpec("look", query, required=False),)))
    conductor = drive.conductor
    conductor.start(drive.goal, {}, thread_id=drive.id, dry_run=is_dry)
    return drive, conductor.advance(drive.id)


@pytest.mark.parametrize("is_dry", [False, True], ids=["run", "dry run"])
@pytest.mark.parametrize("query", ACTS)
def test_a_probe_that_is_not_provably_a_read_is_never_sent(query, is_dry):
    drive, state = driven(query, is_dry=is_dry)
    assert (drive.account.read, drive.account.ran) == ([], [])
    assert "not provably a read" in (state.failure or state.pause.present)


@pytest.mark.parametrize("query", READS)
def test_a_probe_that_reads_is_asked(query):
    drive, state = driven(query)
    assert drive.account.read[0] == (query, None)
    assert state.pause.at == "1"


@pytest.mark.parametrize("query", [q for q in ACTS[:-1] if q != "SELECT 1; SELECT 2"])
def test_a_verification_that_is_not_provably_a_read_keeps_the_playbook_from_starting(query):
    making = replace(LOOK, id="2", verify=query)
    drive = Drive(playbook(LOOK, making))
    assert drive.run().failure.startswith("SK422")
    assert (drive.account.read, drive.account.ran) == ([], [])
