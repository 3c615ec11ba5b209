"""Plans that try to get past the guardrails, with the reason they are refused by; honest ones."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.commands.wiring import shipped_library
from skills_nb.engine.guided.guardrails import objection
from skills_nb.model.events import PlannedStep
from skills_nb.reading import open_library
from skills_nb.sql.tokens import literal

LIBRARY = open_library(shipped_library())
CYRILLIC_O, CYRILLIC_A = "\N{CYRILLIC CAPITAL LETTER O}", "\N{CYRILLIC CAPITAL LETTER A}"
ZERO = "\N{ZERO WIDTH SPACE}"


def steps(*sqls, primitive="tables"):
    return [
        PlannedStep(step=str(n), action=f"Step {n}", primitive=primitive, sql=sql)
        for n, sql in enumerate(sqls, 1)
    ]


def reason(*sqls, **where):
    found = objection(steps(*sqls, **where), LIBRARY)
    return found.reason if found is not None else None


def procedure(body, language="SQL"):
    return f"CREATE PROCEDURE tidy() RETURNS STRING LANGUAGE {language} AS $$ {body} $$"


PROHIBITED = [
    "DROP DATABASE prod",
    "drop\n  database\tprod cascade",
    "Drop Database If Exists prod",
    'DROP DATABASE "prod"',
    "DROP DATABASE IDENTIFIER('prod')",
    "DROP DATABASE IDENTIFIER($name)",
    "DROP /* harmless */ DATABASE prod",
    "DROP -- nothing to see\nDATABASE prod",
    "DROP // nothing to see\nDATABASE prod",
    "DROP/**/DATABASE/**/prod",
    "-- a note\rDROP DATABASE prod",
    "/* /* */ DROP DATABASE prod -- */",
    "DROP\u00a0DATABASE prod",
    "SELECT 1; DROP DATABASE prod",
    "SELECT ';'; DROP DATABASE prod; SELECT ';'",
    r"SELECT 'a\''; DROP DATABASE prod; --'",
    "SELECT $$ ' $$; DROP DATABASE prod; SELECT $$ ' $$",
    'SELECT "a"";"; DROP DATABASE prod',
    "SHOW DATABASES ->> DROP DATABASE prod",
    "SELECT 1 ->> SELECT 2 ->> DROP SCHEMA prod.s",
    "DROP SCHEMA prod.sales",
    "DROP SCHEMA IF EXISTS sales RESTRICT",
    "CREATE OR REPLACE DATABASE prod",
    "CREATE OR REPLACE DATABASE prod CLONE dev",
    "CREATE OR REPLACE TRANSIENT DATABASE prod",
    "CREATE OR REPLACE SCHEMA prod.sales",
    "CREATE OR REPLACE TRANSIENT SCHEMA prod.sales",
    "CREATE /* or not */ OR REPLACE SCHEMA prod.sales",
    "BEGIN TRANSACTION; DROP SCHEMA prod.sales; COMMIT",
    "BEGIN DROP SCHEMA prod.sales; END",
    "DECLARE n INT; BEGIN IF (1 = 1) THEN DROP DATABASE prod; END IF; END",
    "BEGIN FOR r IN (SELECT 1) DO DROP SCHEMA prod.sales; END FOR; END",
    "BEGIN LET rs RESULTSET := (DROP DATABASE prod); RETURN TABLE(rs); END",
    "BEGIN SELECT 1; EXCEPTION WHEN OTHER THEN DROP DATABASE prod; END",
    "BEGIN EXECUTE IMMEDIATE :q; DROP DATABASE prod; END",
    "EXECUTE IMMEDIATE $q; DROP DATABASE prod",
    "EXECUTE IMMEDIATE 'DROP DATABASE prod'",
    "EXECUTE IMMEDIATE $$DROP DATABASE prod$$",
    "EXECUTE/**/IMMEDIATE 'DROP/**/DATABASE prod'",
    r"EXECUTE IMMEDIATE 'DROP \x44ATABASE prod'",
    r"EXECUTE IMMEDIATE '\u0044ROP DATABASE prod'",
    r"EXECUTE IMMEDIATE 'DROP\tDATABASE prod'",
    r"EXECUTE IMMEDIATE '\104ROP DATABASE prod'",
    "EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''DROP DATABASE prod'''",
    "EXECUTE IMMEDIATE $$ EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''DROP SCHEMA s''' $$",
    "EXECUTE IMMEDIATE $$ BEGIN EXECUTE IMMEDIATE 'DROP SCHEMA s'; END $$",
    "EXECUTE IMMEDIATE 'DROP DATABASE IDENTIFIER(?)' USING (name)",
    "BEGIN LET r RESULTSET := (EXECUTE IMMEDIATE 'DROP DATABASE prod'); END",
    procedure("BEGIN DROP DATABASE prod; END"),
    procedure("DROP SCHEMA prod.sales"),
    procedure("BEGIN EXECUTE IMMEDIATE 'ALTER ACCOUNT SET TIMEZONE = ''UTC'''; END"),
    "CREATE PROCEDURE p() RETURNS INT AS 'BEGIN DROP DATABASE prod; END'",
    "CREATE PROCEDURE p() RETURNS INT AS BEGIN DROP DATABASE prod; END",
    "CREATE OR REPLACE SECURE PROCEDURE p() RETURNS INT LANGUAGE SQL EXECUTE AS OWNER "
    "AS $$ BEGIN GRANT OWNERSHIP ON TABLE t TO ROLE r; END $$",
    procedure("snowflake.execute({sqlText: 'DROP DATABASE prod'})", "JAVASCRIPT"),
    procedure("var q = `drop   database prod`; snowflake.execute({sqlText: q})", "JAVASCRIPT"),
    procedure("\ndef main(s):\n    s.sql('drop database prod').collect()\n", "PYTHON"),
    procedure('\ndef main(s):\n    s.sql("grant ownership on table t to role r")\n', "PYTHON"),
    "WITH p AS PROCEDURE() RETURNS INT LANGUAGE SQL AS $$ DROP DATABASE prod $$ CALL p()",
    "CREATE TASK t SCHEDULE = '1 MINUTE' AS DROP DATABASE prod",
    "CREATE TASK t SCHEDULE = '1 MINUTE' AS BEGIN DROP SCHEMA s; END",
    "CREATE TASK t SCHEDULE = '1 MINUTE' AS EXECUTE IMMEDIATE $$ DROP SCHEMA s $$",
    "CREATE TASK t AFTER u AS CALL run_it('DROP DATABASE prod')",
    "ALTER TASK t MODIFY AS DROP DATABASE prod",
    "CREATE ALERT a SCHEDULE = '1 MINUTE' IF (EXISTS (SELECT 1)) THEN DROP DATABASE prod",
    "CREATE ALERT a IF (EXISTS (SELECT 1)) THEN BEGIN DROP SCHEMA s; END",
    "CALL run_it('DROP DATABASE prod')",
    "CALL run_it($$ BEGIN DROP DATABASE prod; END $$)",
    "GRANT OWNERSHIP ON DATABASE prod TO ROLE intruder",
    "GRANT OWNERSHIP ON ALL TABLES IN SCHEMA s TO ROLE intruder COPY CURRENT GRANTS",
    "GRANT OWNERSHIP ON FUTURE TABLES IN SCHEMA s TO ROLE intruder",
    "GRANT SELECT, OWNERSHIP ON TABLE t TO ROLE intruder",
    "GRANT /**/ OWNERSHIP ON ROLE r TO ROLE intruder",
    f"GRANT {'SELECT, ' * 500}OWNERSHIP ON TABLE t TO ROLE intruder",
    "CREATE FUNCTION f() RETURNS INT AS $$ DROP DATABASE prod $$",
    "USE ROLE ACCOUNTADMIN; GRANT OWNERSHIP ON TABLE t TO ROLE intruder",
    "ALTER ACCOUNT SET NETWORK_POLICY = open_to_all",
    "ALTER\nACCOUNT UNSET NETWORK_POLICY",
    "USE ROLE ACCOUNTADMIN; ALTER ACCOUNT SET TIMEZONE = 'UTC'",
    "ALTER ORGANIZATION ACCOUNT SET TIMEZONE = 'UTC'",
    "{% if true %}DROP DATABASE prod{% endif %}",
    "{{ text }}; DROP DATABASE prod",
]
UNPARSABLE = [
    "EXECUTE IMMEDIATE 'DROP ' || 'DATABASE prod'",
    "EXECUTE IMMEDIATE CONCAT('DROP', ' DATABASE prod')",
    "EXECUTE IMMEDIATE ('DROP DATABASE ' || name)",
    "EXECUTE IMMEDIATE REPLACE('DR0P DATABASE prod', '0', 'O')",
    "EXECUTE IMMEDIATE BASE64_DECODE_STRING('RFJPUCBEQVRBQkFTRSBwcm9k')",
    "EXECUTE IMMEDIATE $statement",
    "EXECUTE IMMEDIATE :statement",
    "EXECUTE IMMEDIATE FROM @scripts/tidy.sql",
    "SET q = 'DROP DATABASE prod'; EXECUTE IMMEDIATE $q",
    "DECLARE q STRING DEFAULT 'DROP DATABASE prod'; BEGIN EXECUTE IMMEDIATE :q; END",
    "BEGIN LET q := 'DROP ' || 'DATABASE prod'; EXECUTE IMMEDIATE q; END",
    "BEGIN FOR r IN (SELECT q FROM t) DO EXECUTE IMMEDIATE r.q; END FOR; END",
    "EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE $q'",
    "EXECUTE IMMEDIATE '{{ \"DROP\" }} DATABASE prod'",
    procedure("BEGIN EXECUTE IMMEDIATE :q; END"),
    procedure("snowflake.execute({sqlText: 'DROP ' + 'DATABASE prod'})", "JAVASCRIPT"),
    procedure("\ndef main(s):\n    s.sql('DROP ' + 'DATABASE prod')\n", "PYTHON"),
    procedure("\ndef main(s):\n    getattr(s, 'sql')('DROP ' + 'DATABASE prod')\n", "PYTHON"),
    procedure("class A { }", "JAVA"),
    "CREATE PROCEDURE p() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "IMPORTS = ('@s/tidy.py') HANDLER = 'tidy.main'",
    'GRANT "OWNERSHIP" ON TABLE t TO ROLE r',
    'ALTER "ACCOUNT" SET TIMEZONE = 1',
    'CREATE OR REPLACE "SCHEMA" s',
    "DR/**/OP DATABASE prod",
    "CREATE TASK t AS EXECUTE IMMEDIATE $q",
    f"DR{CYRILLIC_O}P DATABASE prod",
    f"DROP D{CYRILLIC_A}TABASE prod",
    f"DR{ZERO}OP DATABASE prod",
    f"DROP{ZERO}DATABASE prod",
    "\N{FULLWIDTH LATIN CAPITAL LETTER D}ROP DATABASE prod",
    f"EXECUTE IMMEDIATE 'DR{CYRILLIC_O}P DATABASE prod'",
    'DROP "DATABASE" prod',
    '"DROP" DATABASE prod',
    "DROP {{ 'DATABASE' }} prod",
    "DROP {# #} DATABASE prod",
    "{% set verb = 'DROP' %}{{ verb }} DATA",
    "SELECT {{ 7 * 7 }}",
    "DROP &kind prod",
    "!source tidy.sql",
    "snow sql -q 'DROP'",
    "DRXP DATABASE prod",
    "SELECT 'not closed",
    "SELECT 1 /* not closed",
    "CREATE TABLE t (a INT",
    "CREATE TABLE <name> (a INT)",
    "SELECT FROM WHERE",
]
HONEST = [
    "CREATE TABLE IF NOT EXISTS prod.sales.orders (id INT, note STRING DEFAULT 'DROP DATABASE')",
    "CREATE OR REPLACE VIEW v AS SELECT 'drop database prod' AS warning, \"drop schema\" FROM t",
    "COMMENT ON TABLE t IS 'Never DROP SCHEMA here; ALTER ACCOUNT neither'",
    "-- DROP DATABASE prod would be wrong\nSELECT 1",
    "/* GRANT OWNERSHIP is left to admins */ GRANT SELECT ON TABLE t TO ROLE r",
    "DROP DATABASE ROLE prod.reader",
    'DROP DATABASE ROLE IF EXISTS prod."reader"',
    "CREATE DATABASE IF NOT EXISTS lab; CREATE SCHEMA IF NOT EXISTS lab.work",
    "DROP TABLE IF EXISTS database_copy",
    "ALTER DATABASE lab SET DATA_RETENTION_TIME_IN_DAYS = 1",
    "ALTER SCHEMA lab.work SET TAG governance.cost = 'lab'",
    "GRANT USAGE ON DATABASE lab TO ROLE ownership",
    "GRANT CREATE TABLE, CREATE VIEW ON SCHEMA lab.work TO ROLE r",
    "GRANT APPLY MASKING POLICY ON ACCOUNT TO ROLE r",
    "SHOW GRANTS ON SCHEMA lab.work; SHOW PARAMETERS IN ACCOUNT",
    'SELECT t.drop, t."DATABASE" FROM t',
    "INSERT INTO log VALUES ('GRANT OWNERSHIP was asked for')",
    "EXECUTE IMMEDIATE 'CREATE TABLE t (a INT)'",
    "EXECUTE IMMEDIATE $$ BEGIN LET n := 1; RETURN n; END $$",
    "BEGIN TRANSACTION; UPDATE t SET a = 1; COMMIT",
    "BEGIN LET n INT := 0; FOR r IN (SELECT 1) DO n := n + 1; END FOR; RETURN n; END",
    "CREATE TASK t WAREHOUSE = wh SCHEDULE = '60 MINUTE' COMMENT = 'no drop database' "
    "AS INSERT INTO a SELECT * FROM b",
    "CREATE ALERT a WAREHOUSE = wh SCHEDULE = '1 MINUTE' IF (EXISTS (SELECT 1 FROM t)) "
    "THEN CALL SYSTEM$SEND_EMAIL('mail', 'a@example.com', 'Drop in sales', 'database is fine')",
    procedure("BEGIN DELETE FROM t WHERE d < CURRENT_DATE(); RETURN SQLROWCOUNT; END"),
    procedure(
        "\nimport pandas as pd\nfrom snowflake.snowpark.functions import col\n"
        "def main(session):\n    df = session.table('T').filter(col('A') > 1)\n"
        "    session.sql('TRUNCATE TABLE U').collect()\n    return str(df.count())\n",
        "PYTHON",
    ),
    "CREATE FUNCTION f(x STRING) RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "HANDLER = 'f' AS $$\ndef f(x):\n    return x + 'drop database'\n$$",
    "CREATE FUNCTION f(a INT) RETURNS INT LANGUAGE JAVA IMPORTS = ('@s/x.jar') HANDLER = 'X.f'",
    "CREATE FUNCTION f(a INT) RETURNS INT AS 'a + 1'",
    "CREATE MASKING POLICY p AS (v STRING) RETURNS STRING -> "
    "CASE WHEN IS_ROLE_IN_SESSION('PII') THEN v ELSE '***' END",
    "ALTER TABLE t MODIFY COLUMN a SET MASKING POLICY p",
    "CREATE OR REPLACE STREAM s ON TABLE t",
    "MERGE INTO a USING s ON a.id = s.id WHEN MATCHED AND s.METADATA$ACTION = 'DELETE' "
    "THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
    "COPY INTO t FROM @landing FILE_FORMAT = (TYPE = CSV) ON_ERROR = 'SKIP_FILE'",
    "COPY INTO @out/export FROM t FILE_FORMAT = (TYPE = PARQUET)",
    "CREATE DYNAMIC TABLE d TARGET_LAG = '1 hour' WAREHOUSE = wh AS SELECT 1 AS a",
    "USE ROLE SECURITYADMIN; CREATE ROLE r; GRANT ROLE r TO ROLE SYSADMIN",
    "ALTER USER jane SET DEFAULT_ROLE = r",
    "ALTER WAREHOUSE wh SET WAREHOUSE_SIZE = SMALL AUTO_SUSPEND = 60",
    "CREATE RESOURCE MONITOR m WITH CREDIT_QUOTA = 10 TRIGGERS ON 90 PERCENT DO SUSPEND",
    "SELECT * FROM IDENTIFIER($t); SET t = 'lab.work.orders'",
    "SELECT {'a': 1} AS o, [1, 2] AS l, 'brace {{ in a text }}' AS b",
    "SELECT 1 UNION ALL SELECT 2",
    'SHOW TABLES ->> SELECT "name" FROM $1',
    "ALTER LISTING orders PUBLISH",
    "ALTER COMPUTE POOL p SUSPEND",
    "CREATE OR REPLACE SEMANTIC VIEW v TABLES (o AS lab.work.orders PRIMARY KEY (id)) "
    "METRICS (o.n AS COUNT(o.id))",
    "UNDROP SCHEMA lab.work",
    "PUT file:///tmp/orders.csv @landing",
    "",
    "-- by hand: upload the files",
]


@pytest.mark.parametrize("sql", PROHIBITED)
def test_what_guided_mode_prohibits_is_refused_wherever_it_hides(sql):
    assert reason("SELECT 1", sql) == "prohibited_action"


@pytest.mark.parametrize("sql", UNPARSABLE)
def test_what_cannot_be_read_is_refused_as_such(sql):
    assert reason(sql, "SELECT 1") == "unparsable"


@pytest.mark.parametrize("sql", HONEST)
def test_an_honest_plan_is_let_through(sql):
    assert reason(sql) is None


def test_there_are_more_than_a_hundred_hostile_plans_and_forty_honest_ones():
    assert (len({*PROHIBITED, *UNPARSABLE}) > 100, len(set(HONEST)) > 40) == (True, True)


@pytest.mark.parametrize("primitive", [None, "", "  "])
def test_a_step_without_a_primitive_is_refused(primitive):
    found = objection(steps("SELECT 1", primitive=primitive), LIBRARY)
    assert (found.reason, found.message) == ("missing_primitive", "Step 1 names no primitive.")


@pytest.mark.parametrize(
    "primitive",
    ["no-such-thing", "playbooks/secure-sensitive-data", "routers/data-security", "Tables", "../x"],
)
def test_a_step_of_an_unknown_primitive_is_refused(primitive):
    found = objection(steps("SELECT 1", primitive=primitive), LIBRARY)
    assert found.reason == "unknown_primitive"
    assert f"'{primitive}'" in found.message


def test_a_primitive_may_be_named_with_its_type():
    assert reason("SELECT 1", primitive="primitives/tables") is None


def test_eight_steps_are_allowed_and_nine_are_a_risk_that_a_person_may_accept():
    assert reason(*["SELECT 1"] * 8) is None
    found = objection(steps(*["SELECT 1"] * 9), LIBRARY)
    assert (found.reason, found.message) == (
        "complexity_exceeded",
        "This goal requires 9 steps. Guided mode is limited to 8.",
    )
    assert objection(steps(*["SELECT 1"] * 9), LIBRARY, is_risk_accepted=True) is None


def test_accepting_the_length_accepts_nothing_else():
    long = steps(*["SELECT 1"] * 9, "DROP DATABASE prod")
    assert objection(long, LIBRARY, is_risk_accepted=True).reason == "prohibited_action"


def test_the_gravest_objection_is_told_first():
    worst = [
        *steps("SELEC 1", primitive=None),
        PlannedStep(step="2", action="x", primitive="nothing", sql="DROP SCHEMA s"),
    ]
    assert objection(worst, LIBRARY).reason == "prohibited_action"
    assert objection(worst[:1], LIBRARY).reason == "unparsable"


def test_the_library_says_what_is_prohibited_and_how_long_a_plan_may_be():
    meta = replace(LIBRARY.meta, guided_prohibited_actions=("DROP TABLE",), guided_max_steps=1)
    own = replace(LIBRARY, meta=meta)
    assert objection(steps("DROP TABLE t"), own).reason == "prohibited_action"
    assert objection(steps("DROP SCHEMA s"), own) is None
    assert objection(steps("SELECT 1", "SELECT 2"), own).reason == "complexity_exceeded"


SHORT = [sql for sql in PROHIBITED if "EXECUTE IMMEDIATE $q;" not in sql and "{" not in sql]


@given(st.sampled_from(SHORT), st.integers(1, 4))
def test_no_depth_of_execute_immediate_hides_an_action(sql, depth):
    for _ in range(depth):
        sql = f"EXECUTE IMMEDIATE {literal(sql)}"
    assert reason(sql) == "prohibited_action"


@given(st.sampled_from(SHORT), st.sampled_from(HONEST))
def test_nothing_beside_it_hides_an_action(hostile, honest):
    assert reason(f"{honest}\n;{hostile}") == "prohibited_action"
