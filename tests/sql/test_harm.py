"""What a statement deletes, drops, overwrites, opens or hands over is told, however it is said."""

import pytest

from skills_nb.sql.harm import harms_of, harms_when_called

# ---- critical, each in its words

TAKEN_OFF = {
    "ALTER TABLE T MODIFY COLUMN A UNSET MASKING POLICY": (
        "take the masking policy off column DB.S.T.A"
    ),
    "ALTER VIEW T ALTER COLUMN A UNSET PROJECTION POLICY": (
        "take the projection policy off column DB.S.T.A"
    ),
    "ALTER TABLE T MODIFY COLUMN A SET MASKING POLICY P FORCE": (
        "replace a policy of column DB.S.T.A"
    ),
    "ALTER TABLE T DROP ROW ACCESS POLICY P": "take the row access policy off table DB.S.T",
    "ALTER TABLE T DROP ALL ROW ACCESS POLICIES": ("take every row access policy off table DB.S.T"),
    "ALTER TABLE T UNSET AGGREGATION POLICY": "take the aggregation policy off table DB.S.T",
    "ALTER TABLE T UNSET JOIN POLICY": "take the join policy off table DB.S.T",
    "ALTER TABLE T UNSET TAG G": "take a tag off table DB.S.T",
    "ALTER TAG G UNSET MASKING POLICY P": "take masking policies off tag DB.S.G",
    "ALTER TAG G DROP ALLOWED_VALUES 'a'": "drop allowed values of tag DB.S.G",
    "ALTER VIEW V UNSET SECURE": "show everybody how view DB.S.V is made",
    "ALTER SCHEMA S DISABLE MANAGED ACCESS": "change who may grant on what is in schema DB.S",
}
OVERWRITTEN = {
    "ALTER MASKING POLICY P SET BODY -> V": "overwrite the body of masking policy DB.S.P",
    "ALTER ROW ACCESS POLICY P SET BODY -> TRUE": "overwrite the body of row access policy DB.S.P",
    "ALTER TASK T MODIFY WHEN FALSE": "overwrite the condition of task DB.S.T",
    "ALTER PROCEDURE P() EXECUTE AS OWNER": "change with whose rights procedure DB.S.P() runs",
    "ALTER TABLE T SET DATA_RETENTION_TIME_IN_DAYS /* 9 */ = 00": (
        "give up that table DB.S.T can be brought back"
    ),
    "ALTER TABLE T UNSET DATA_RETENTION_TIME_IN_DAYS": (
        "give up that table DB.S.T can be brought back"
    ),
    "WITH C AS (SELECT 1) DELETE FROM T": "change rows (WITH C AS (SELECT 1) DELETE FROM T)",
    "CREATE OR REPLACE SNOWFLAKE.ML.FORECAST F(A => 1)": (
        "replace something (CREATE OR REPLACE SNOWFLAKE.ML.FORECAST F(A => 1))"
    ),
    "ALTER VIEW V AS SELECT 1": (
        "change something in a way that is not known here (ALTER VIEW V AS SELECT 1)"
    ),
    "ALTER TABLE T DROP PRIMARY KEY": "change table DB.S.T in a way that is not known here",
}
GUARDS = {
    "ALTER USER U SET DISABLED = TRUE": "change how user U guards the account",
    "ALTER USER U SET RSA_PUBLIC_KEY = 'x'": "change how user U guards the account",
    "ALTER USER U RESET PASSWORD": (
        "change something in a way that is not known here (ALTER USER U RESET PASSWORD)"
    ),
    "ALTER NETWORK POLICY P SET ALLOWED_IP_LIST = ('0.0.0.0/0')": (
        "change how network policy P guards the account"
    ),
    "ALTER NETWORK RULE P SET VALUE_LIST = ('0.0.0.0/0')": (
        "change how network rule DB.S.P guards the account"
    ),
    "ALTER SECURITY INTEGRATION I SET ENABLED = FALSE": (
        "change how integration I guards the account"
    ),
    "ALTER PASSWORD POLICY P SET PASSWORD_MIN_LENGTH = 8": (
        "change how password policy DB.S.P guards the account"
    ),
    "ALTER SHARE H ADD ACCOUNTS = O.A": "change which accounts see share H",
    "ALTER SHARE H REMOVE ACCOUNTS = O.A": "change which accounts see share H",
    "ALTER WAREHOUSE W ABORT ALL QUERIES": "end all queries of warehouse W",
    "GRANT MANAGE GRANTS ON ACCOUNT TO ROLE R": (
        "grant MANAGE GRANTS on account ACCOUNT to ROLE R"
    ),
    "ALTER FAILOVER GROUP G PRIMARY": (
        "change something in a way that is not known here (ALTER FAILOVER GROUP G PRIMARY)"
    ),
    "DETACH X": "do something that is not known (DETACH X)",
}
FILES = {
    "COPY INTO T FROM @S PURGE=TRUE": (
        "remove the files that it loads (COPY INTO T FROM @S PURGE=TRUE)"
    ),
    "COPY INTO @S FROM T OVERWRITE = YES": (
        "overwrite files (COPY INTO @S FROM T OVERWRITE = YES)"
    ),
    "COPY INTO 's3://b/x' FROM T CREDENTIALS = (AWS_SECRET_KEY = 'k')": (
        "copy rows out of the account to 's3://b/x'"
    ),
    "PUT file:///tmp/x @S OVERWRITE = TRUE": (
        "overwrite files (PUT file:///tmp/x @S OVERWRITE = TRUE)"
    ),
    "GET @S file:///tmp": "write files on this computer (GET @S file:///tmp)",
    "RM @S": "remove files (RM @S)",
}
RUN = {
    'CALL "p q"(1)': 'call "p q", whose code is not shown',
    "SELECT SYSTEM$ABORT_SESSION(1)": "call SYSTEM$ABORT_SESSION, which may do more than read",
    "INSERT INTO T SELECT SYSTEM$CANCEL_QUERY('x')": (
        "call SYSTEM$CANCEL_QUERY, which may do more than read"
    ),
    "SELECT * FROM TABLE(P())": "call a function in FROM that may be a procedure",
    "INSERT INTO T SELECT * FROM TABLE(DB.S.P())": (
        "call a function in FROM that may be a procedure"
    ),
    "EXECUTE NOTEBOOK DB.S.N()": "run notebook DB.S.N, whose code is not shown",
}
LATER = {
    "CREATE TASK J SCHEDULE = '1 MINUTE' AS DELETE FROM T": "let task J delete rows of DB.S.T",
    "CREATE TASK J AS BEGIN INSERT INTO U SELECT 1; TRUNCATE TABLE T; END": (
        "let task J empty DB.S.T"
    ),
    "CREATE TASK J AS CALL P()": "let task J call P, whose code is not shown",
    "CREATE ALERT J IF (EXISTS (SELECT 1)) THEN DROP TABLE T": "let alert J drop table DB.S.T",
    "CREATE PIPE J AS COPY INTO T FROM @S PURGE = TRUE": (
        "let pipe J remove the files that it loads (COPY INTO T FROM @S PURGE = TRUE)"
    ),
}
IN_BLOCKS = {
    "BEGIN ALTER TABLE T MODIFY COLUMN A UNSET MASKING POLICY; END": (
        "take the masking policy off column DB.S.T.A"
    ),
    "BEGIN IF (TRUE) THEN INSERT OVERWRITE INTO T SELECT 1; END IF; END": "overwrite DB.S.T",
    "BEGIN EXECUTE TASK J; END": "run task J, whose code is not shown",
    "BEGIN COPY INTO T FROM @S PURGE = TRUE; END": (
        "remove the files that it loads (COPY INTO T FROM @S PURGE = TRUE)"
    ),
    "BEGIN FOR R IN C DO REVOKE ROLE SYSADMIN FROM USER U; END FOR; END": (
        "revoke role SYSADMIN from USER U"
    ),
    "BEGIN CALL P(); END": "run a block that holds CALL",
    "BEGIN LET R RESULTSET := (ALTER TABLE T SWAP WITH U); END": (
        "run a block that holds ALTER, SWAP"
    ),
    "BEGIN ASYNC (REVOKE ROLE A FROM USER U); END": "run a block that holds REVOKE",
    "DECLARE X INT; BEGIN EXECUTE IMMEDIATE :X; END": "run SQL that is made while it runs",
    "EXECUTE IMMEDIATE $$BEGIN ALTER ACCOUNT UNSET NETWORK_POLICY; END$$": (
        "change the account's own settings"
    ),
}
CRITICAL = {**TAKEN_OFF, **OVERWRITTEN, **GUARDS, **FILES, **RUN, **LATER, **IN_BLOCKS}


def words_of(sql, weight="critical"):
    return [harm.words for harm in harms_of(sql, "DB", "S") if harm.weight == weight]


@pytest.mark.parametrize(("sql", "words"), CRITICAL.items())
def test_what_nobody_lets_through_unasked_is_told_in_words(sql, words):
    assert words_of(sql) == [words]


@pytest.mark.parametrize("sql", ["ALTER TASK T MODIFY AS DELETE FROM U", "DROP TABLE A, B"])
def test_what_does_several_things_says_at_least_one(sql):
    assert words_of(sql)


# ---- watched, calm

WATCHED = {
    "ALTER WAREHOUSE W SUSPEND": "suspend warehouse W",
    "ALTER TASK T SUSPEND": "suspend task DB.S.T",
    "ALTER TASK T REMOVE AFTER U": "take a predecessor from task DB.S.T",
    "ALTER WAREHOUSE W UNSET RESOURCE_MONITOR": "reset settings of warehouse W",
    "BEGIN REVOKE SELECT ON TABLE T FROM ROLE R; END": "revoke SELECT on table DB.S.T from ROLE R",
}
CALM = [
    "SELECT 1",
    "SELECT * FROM TABLE(FLATTEN(INPUT => PARSE_JSON('[]')))",
    "SELECT SYSTEM$TYPEOF(1), NEXTVAL FROM T",
    "SHOW TABLES ->> SELECT * FROM $1",
    "EXPLAIN DELETE FROM T",
    "SET X = 1",
    "USE ROLE R",
    "ALTER SESSION SET QUERY_TAG = 'x'",
    "ALTER TABLE T ADD CONSTRAINT K PRIMARY KEY (A)",
    "ALTER TABLE T MODIFY COLUMN A SET MASKING POLICY P",
    "ALTER TABLE T ADD ROW ACCESS POLICY P ON (A)",
    "ALTER TABLE T SET TAG G = 'FORCE'",
    "ALTER TABLE T SET DATA_RETENTION_TIME_IN_DAYS = 9",
    "ALTER USER U SET DEFAULT_WAREHOUSE = W, COMMENT = 'PASSWORD'",
    "ALTER WAREHOUSE W SET WAREHOUSE_SIZE = SMALL",
    "ALTER TASK T RESUME",
    "ALTER DYNAMIC TABLE D REFRESH",
    "COPY INTO T FROM @S PURGE = FALSE",
    "COPY INTO @S FROM T",
    """COPY INTO '@"Opera.House"."it''s"."my files"/one.csv' FROM T""",
    "PUT file:///tmp/x @S",
    "CREATE TASK J AS INSERT INTO T SELECT 1",
    "CREATE PROCEDURE P() RETURNS INT AS 'BEGIN DELETE FROM T; RETURN 1; END'",
    "BEGIN INSERT INTO T VALUES (1); CREATE TABLE U (A INT); RETURN 1; END",
    "CREATE SNOWFLAKE.ML.FORECAST F(A => 1)",
    'INSERT INTO "DELETE" SELECT "DROP"."UPDATE" FROM "DROP"',
]


@pytest.mark.parametrize(("sql", "words"), WATCHED.items())
def test_what_can_be_set_back_is_watched(sql, words):
    assert (words_of(sql), words_of(sql, "watched")) == ([], [words])


@pytest.mark.parametrize("sql", CALM)
def test_what_looks_or_adds_is_let_through(sql):
    assert harms_of(sql, "DB", "S") == ()


# ---- what is called

CALLED = {
    "CREATE PROCEDURE P() RETURNS INT AS 'BEGIN DELETE FROM T; RETURN 1; END'": [
        "delete rows of DB.S.T"
    ],
    "CREATE PROCEDURE P() RETURNS INT AS 'BEGIN INSERT INTO T VALUES (1); END'": [],
    "CREATE PROCEDURE P() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "PACKAGES = ('snowflake-snowpark-python') HANDLER = 'f' AS "
    "'def f(s):\n  s.sql(\"DROP TABLE T\").collect()'": ["drop table DB.S.T"],
    "CREATE TASK J AS DELETE FROM T": ["delete rows of DB.S.T"],
}
NOT_READ = [
    "CREATE PROCEDURE P() RETURNS INT LANGUAGE JAVA HANDLER = 'f' AS 'class f {}'",
    "CREATE PROCEDURE P() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
    "PACKAGES = ('snowflake-snowpark-python') HANDLER = 'f' AS 'def f(s):\n  s.sql(f())'",
    *(
        "CREATE PROCEDURE P() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
        f"PACKAGES = ('snowflake-snowpark-python') HANDLER = 'f' AS $$def f(s):\n  {code}$$"
        for code in (
            's.table("T").delete()',
            's.table("T").update({"A": 1})',
            's.table("U").write.save_as_table("T", mode="overwrite")',
            's.call("Q")',
            "from snowflake.snowpark.functions import call_builtin",
            's.add_import("@s/x.py")',
        )
    ),
    "CREATE TABLE P (A INT)",
    "SELECT 1",
]


@pytest.mark.parametrize(("sql", "words"), CALLED.items())
def test_what_a_call_does_is_read_in_what_made_it(sql, words):
    assert [harm.words for harm in harms_when_called(sql, "DB", "S")] == words


@pytest.mark.parametrize("sql", NOT_READ)
def test_what_cannot_be_read_is_not_known(sql):
    assert harms_when_called(sql, "DB", "S") is None


@pytest.mark.parametrize(
    ("place", "is_harm"),
    [
        ("'@~/skills_nb_load/1/'", False),
        ("'@~/skills_nb_load/../mine/'", True),
        ("'@~/skills_nb_load'", True),
        ("'@~/mine/'", True),
        ("@~/skills_nb_load/1/", True),
        ("@S/'@~/skills_nb_load/1/'", True),
    ],
)
def test_only_copies_of_what_is_loaded_are_removed_unasked(place, is_harm):
    found = harms_of(f"COPY INTO T FROM {place} PURGE = TRUE", None, None)
    assert bool(found) is is_harm
