"""More plans that try to get past the guardrails in other manners, and more honest ones."""

import pytest

from tests.engine.test_guardrails import procedure, reason


def javascript(body):
    return procedure(body, "JAVASCRIPT")


def python(*lines):
    return procedure("\ndef main(session):\n    " + "\n    ".join(lines) + "\n", "PYTHON")


PROHIBITED = [
    "GRANT OWNERSHIP ON SCHEMA prod.s TO DATABASE ROLE prod.dr REVOKE CURRENT GRANTS",
    "GRANT OWNERSHIP ON DATABASE ROLE prod.dr TO ROLE intruder",
    "BEGIN GRANT OWNERSHIP ON TABLE t TO ROLE r; EXCEPTION WHEN OTHER THEN RETURN 'no'; END",
    "CREATE STREAMLIT a FROM '@s' MAIN_FILE = 'a.py'; GRANT OWNERSHIP ON STREAMLIT a TO ROLE r",
    "ALTER ACCOUNT RESET",
    "ALTER ACCOUNT other SET ENABLED = FALSE",
    "CREATE EVENT TABLE e; ALTER ACCOUNT SET EVENT_TABLE = e",
    "DROP DATABASE IF EXISTS IDENTIFIER('pr' || 'od')",
    "DROP SCHEMA IDENTIFIER(:name)",
    'DROP SCHEMA "a;b"."c--d"',
    "UNDROP DATABASE prod; DROP DATABASE prod",
    "CREATE OR REPLACE DATABASE prod FROM SHARE a.b",
    "CREATE OR REPLACE DATABASE prod AS REPLICA OF org.acc.prod",
    "CREATE OR REPLACE SCHEMA prod.s CLONE prod.s AT (OFFSET => -60)",
    "CREATE OR ALTER TASK t SCHEDULE = '1 MINUTE' AS DROP DATABASE prod",
    "CREATE OR REPLACE TASK t SCHEDULE = 'USING CRON 0 0 * * * UTC' "
    "WHEN SYSTEM$STREAM_HAS_DATA('s') AS BEGIN DROP SCHEMA s; END",
    "ALTER ALERT a MODIFY ACTION DROP DATABASE prod",
    "BEGIN REPEAT DROP SCHEMA s; UNTIL (TRUE) END REPEAT; END",
    "BEGIN LOOP DROP SCHEMA s; BREAK; END LOOP; END",
    "BEGIN CASE (1) WHEN 1 THEN DROP DATABASE prod; ELSE RETURN 1; END; END",
    "BEGIN IF (FALSE) THEN SELECT 1; ELSEIF (TRUE) THEN DROP DATABASE prod; END IF; END",
    "BEGIN BEGIN BEGIN DROP SCHEMA s; END; END; END",
    "DECLARE h PROCEDURE() RETURNS INT AS BEGIN DROP DATABASE prod; END; BEGIN CALL h(); END",
    "BEGIN ASYNC (DROP DATABASE prod); AWAIT ALL; END",
    r"EXECUTE IMMEDIATE '\x44\x52\x4f\x50 DATABASE prod'",
    "EXECUTE IMMEDIATE '/* $$ */ DROP SCHEMA s'",
    "EXPLAIN DROP DATABASE prod",
    "COPY INTO @elsewhere FROM t; DROP DATABASE prod",
    "CREATE TABLE t (a INT) COMMENT = 'x'; -- ;\nDROP DATABASE prod",
    "DROP\u2003DATABASE prod",
    "DROP\u3000DATABASE prod",
    "\ufeffDROP DATABASE prod",
    "ALTER SESSION SET MULTI_STATEMENT_COUNT = 0; SELECT 1;; ;DROP DATABASE prod;;",
    "CALL tidy('DROP ' || 'DATABASE prod')",
    "CALL tidy('DR' || 'OP' || ' SCHEMA prod.s', 1)",
    "CALL tidy('DROP SCHEMA ' || name)",
    "CALL IDENTIFIER('p')('DROP DATABASE prod')",
    "EXECUTE NOTEBOOK n('DROP DATABASE prod')",
    "CREATE PROCEDURE p(q STRING) RETURNS STRING LANGUAGE SQL AS "
    "$$ BEGIN EXECUTE IMMEDIATE 'SELECT 1'; END $$; CALL p('DROP DATABASE prod')",
    procedure("\ndef main(s):\n    s.sql('''\n  DROP\n  SCHEMA x''').collect()\n", "PYTHON"),
    python("session.catalog.drop_database('prod')"),
    python("session.catalog.dropDatabase('prod')"),
    python("s = session", "c = s.catalog", "c.drop_schema('x', database='prod')"),
    python("from snowflake.snowpark.catalog import Catalog", "Catalog.drop_schema(session, 'x')"),
    python("(session.catalog.  # only looks", " drop_schema)('x')"),
    python("session.catalog.\uff44rop_schema('x')"),
    python("[d('x') for d in [session.catalog.drop_schema]]"),
    python("run = lambda s: s.catalog.drop_database('x')", "run(session)"),
    python("import functools", "functools.partial(session.catalog.dropSchema, 'x')()"),
    javascript("snowflake.createStatement({sqlText: 'drop schema x'}).execute();"),
    javascript(r"snowflake.execute({sqlText: 'DROP\nSCHEMA x'});"),
]
UNPARSABLE = [
    "EXECUTE IMMEDIATE 'DROP' ' DATABASE prod'",
    "EXECUTE IMMEDIATE CHR(68) || 'ROP DATABASE prod'",
    "EXECUTE IMMEDIATE (SELECT 'DROP DATABASE prod')",
    "EXECUTE IMMEDIATE REVERSE('dorp ESABATAD PORD')",
    "EXECUTE IMMEDIATE TRY_HEX_DECODE_STRING('44524F50')",
    "BEGIN LET q STRING := 'DROP DATABASE prod'; EXECUTE IMMEDIATE :q; END",
    "DROP\x00DATABASE prod",
    "SELECT 1 -- \u202e;T ELBAT PORD",
    "SELECT 1 /* \u2066 */",
    "SELECT 'a\u200bb'",
    "BEGIN SELECT $$\u202e$$; END",
    python("getattr(session, 'sq' + 'l')('x')"),
    python("getattr(session.catalog, 'drop_' + 'database')('x')"),
    python("exec('x')"),
    python("eval('x')"),
    python("__import__('os').system('x')"),
    python("session.connection.cursor().execute('SELECT 1')"),
    python("session._conn.run_query('x')"),
    python("import subprocess"),
    python("open('/etc/passwd')"),
    python("session.sql(f'DR{1}')"),
    python("run = session.sql", "run('DR' + 'OP SCHEMA x')"),
    python("import operator", "operator.methodcaller('drop_database', 'x')(session.catalog)"),
    python("from snowflake.core import Root", "Root(session).databases['x'].drop()"),
    python("session.file.put('a', '@b')"),
    python("type(session).__dict__['sql'](session, 'x')"),
    javascript("snowflake.execute({sqlText: 'DR' + 'OP SCHEMA x'});"),
    javascript("snowflake.execute({sqlText: `DR${'OP'} SCHEMA x`});"),
    javascript("var f = snowflake.execute; f({sqlText: q});"),
    javascript("var s = snowflake; s.execute({sqlText: 'SELECT 1'});"),
    javascript("snowflake['exe' + 'cute']({sqlText: q});"),
    javascript("eval('snow' + 'flake.execute({sqlText: q})');"),
    javascript("[]['con' + 'structor']['con' + 'structor']('return 1')();"),
    javascript("var {['con' + 'structor']: f} = x; f('return 1')();"),
    javascript(r"snowflak\u0065.execute({sqlText: q});"),
    javascript(r"snowflake.execute({sqlText: '\x44ROP SCHEMA x'});"),
    javascript("snowflake.execute({sqlText: 'SELECT 1', sqlText: q});"),
    javascript("snowflake.execute(plan);"),
]
HONEST = [
    "SELECT 'Größe, 日本語, עברית, \U0001f469\u200d\U0001f4bb, \\u200b' -- הערה",
    'ALTER TABLE t RENAME COLUMN "a\u200b" TO a',
    'CREATE TABLE t (drop_date DATE, "DATABASE" STRING, account STRING)',
    "ALTER TABLE t DROP COLUMN schema_name",
    "CREATE DATABASE lab CLONE prod",
    "CREATE SCHEMA IF NOT EXISTS lab.work WITH MANAGED ACCESS",
    "GRANT SELECT ON FUTURE TABLES IN SCHEMA lab.work TO ROLE account_reader",
    "CREATE ROW ACCESS POLICY p AS (c STRING) RETURNS BOOLEAN -> "
    "EXISTS (SELECT 1 FROM m WHERE m.role = CURRENT_ROLE() AND m.c = c)",
    "CREATE STAGE s URL = 's3://bucket/path/' STORAGE_INTEGRATION = i FILE_FORMAT = (TYPE = JSON)",
    "CREATE PIPE p AUTO_INGEST = TRUE AS COPY INTO t FROM @s",
    "SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c) AS n FROM t QUALIFY n = 1",
    "SELECT f.value:name::STRING FROM t, LATERAL FLATTEN(INPUT => t.v:items) f",
    "CREATE FUNCTION g(x FLOAT) RETURNS TABLE (y FLOAT) AS $$ SELECT x * 2 $$",
    "CALL SYSTEM$CLASSIFY('lab.work.t', {'auto_tag': true})",
    "CALL SYSTEM$SEND_EMAIL('mail', 'a@example.com', 'Drop in ' || 'sales', 'database is fine')",
    "ALTER TASK t RESUME; EXECUTE TASK t",
    python("return session.table('t').drop('a').count()"),
    python("return len(session.catalog.list_tables(schema='work'))"),
    "CREATE SHARE s; GRANT USAGE ON DATABASE lab TO SHARE s",
    "BEGIN LET c CURSOR FOR SELECT a FROM t; FOR r IN c DO INSERT INTO u VALUES (r.a); END FOR; "
    "RETURN 'done'; END",
    "SHOW DATABASES LIKE 'drop%'; DESCRIBE SCHEMA lab.work",
    "CREATE EXTERNAL TABLE e (d DATE AS (value:c1::DATE)) LOCATION = @s "
    "FILE_FORMAT = (TYPE = PARQUET)",
    javascript(
        "var r = snowflake.execute({sqlText: 'SELECT COUNT(*) FROM t'}); r.next(); "
        "return r.getColumnValue(1);"
    ),
    javascript(
        'var s = snowflake.createStatement({sqlText: "INSERT INTO t VALUES (?)", binds: [1]});'
        " var a = [1, 2]; s.execute(); return a[0];"
    ),
]


@pytest.mark.parametrize("sql", PROHIBITED)
def test_what_is_prohibited_is_refused_in_other_manners_too(sql):
    assert reason("SELECT 1", sql) == "prohibited_action"


@pytest.mark.parametrize("sql", UNPARSABLE)
def test_what_is_made_at_run_time_is_refused_as_such(sql):
    assert reason(sql) == "unparsable"


@pytest.mark.parametrize("sql", HONEST)
def test_an_honest_plan_of_other_kinds_is_let_through(sql):
    assert reason(sql) is None
