"""Names in full: what stands before a name, and what stays as it was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import quote
from skills_nb.sql.objects import changes_of
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying import (
    QualifiedText,
    grounds_of,
    qualify,
    replayed,
    tables_of,
    why_not_replayed,
)

WRITTEN = {
    "DELETE FROM orders WHERE orders.id = 1": "DELETE FROM DB.S.orders WHERE orders.id = 1",
    'DELETE FROM "orders"': 'DELETE FROM DB.S."orders"',
    'DROP TABLE "a.b"': 'DROP TABLE DB.S."a.b"',
    'UPDATE "select" SET a = 1': 'UPDATE DB.S."select" SET a = 1',
    'TRUNCATE TABLE "Größe"': 'TRUNCATE TABLE DB.S."Größe"',
    "DELETE FROM other.orders": "DELETE FROM DB.other.orders",
    "DELETE FROM far..orders": "DELETE FROM far..orders",
    "DELETE FROM far.other.orders": "DELETE FROM far.other.orders",
    "INSERT INTO t SELECT a, q.NEXTVAL FROM u": (
        "INSERT INTO DB.S.t SELECT a, DB.S.q.NEXTVAL FROM DB.S.u"
    ),
    "MERGE INTO t USING (SELECT * FROM u) s ON t.a = s.a WHEN MATCHED THEN DELETE": (
        "MERGE INTO DB.S.t USING (SELECT * FROM DB.S.u) s ON t.a = s.a WHEN MATCHED THEN DELETE"
    ),
    "INSERT ALL INTO t VALUES (a) INTO v SELECT a FROM u": (
        "INSERT ALL INTO DB.S.t VALUES (a) INTO DB.S.v SELECT a FROM DB.S.u"
    ),
    "CREATE TABLE t (a INT REFERENCES q (a), b STRING WITH MASKING POLICY p WITH TAG (g = 'x'))": (
        "CREATE TABLE DB.S.t (a INT REFERENCES DB.S.q (a), "
        "b STRING WITH MASKING POLICY DB.S.p WITH TAG (DB.S.g = 'x'))"
    ),
    "CREATE TABLE t CLONE far.s.u": "CREATE TABLE DB.S.t CLONE far.s.u",
    "CREATE TABLE t LIKE u": "CREATE TABLE DB.S.t LIKE DB.S.u",
    "ALTER TABLE t RENAME TO u": "ALTER TABLE DB.S.t RENAME TO DB.S.u",
    "ALTER TABLE t SWAP WITH u": "ALTER TABLE DB.S.t SWAP WITH DB.S.u",
    "ALTER TABLE t MODIFY COLUMN a SET MASKING POLICY p": (
        "ALTER TABLE DB.S.t MODIFY COLUMN a SET MASKING POLICY DB.S.p"
    ),
    "ALTER TABLE t ADD ROW ACCESS POLICY p ON (a)": (
        "ALTER TABLE DB.S.t ADD ROW ACCESS POLICY DB.S.p ON (a)"
    ),
    "ALTER TABLE t SET TAG g = 'x', h = 'y'": (
        "ALTER TABLE DB.S.t SET TAG DB.S.g = 'x', DB.S.h = 'y'"
    ),
    "COMMENT ON COLUMN t.a IS 'x'": "COMMENT ON COLUMN DB.S.t.a IS 'x'",
    "CREATE STREAM s ON TABLE t": "CREATE STREAM DB.S.s ON TABLE DB.S.t",
    "CREATE TASK k AFTER a, b AS INSERT INTO t SELECT * FROM u": (
        "CREATE TASK DB.S.k AFTER DB.S.a, DB.S.b AS INSERT INTO DB.S.t SELECT * FROM DB.S.u"
    ),
    "CREATE DATABASE ROLE r": "CREATE DATABASE ROLE DB.r",
    "GRANT SELECT ON ALL TABLES IN SCHEMA other TO ROLE r": (
        "GRANT SELECT ON ALL TABLES IN SCHEMA DB.other TO ROLE r"
    ),
    "DROP FUNCTION f(INT, STRING)": "DROP FUNCTION DB.S.f(INT, STRING)",
    "COPY INTO t FROM @st/x FILE_FORMAT = (FORMAT_NAME = 'f')": (
        "COPY INTO DB.S.t FROM @DB.S.st/x FILE_FORMAT = (FORMAT_NAME = 'DB.S.F')"
    ),
    "COPY INTO t FROM '@st/x.csv'": "COPY INTO DB.S.t FROM '@DB.S.st/x.csv'",
    "COPY INTO @%t FROM t": "COPY INTO @DB.S.%t FROM DB.S.t",
    "COPY INTO @~/x FROM t": "COPY INTO @~/x FROM DB.S.t",
    'REMOVE @"My Stage"/x': 'REMOVE @DB.S."My Stage"/x',
    "EXECUTE IMMEDIATE 'DELETE FROM t WHERE a = ''x'''": (
        "EXECUTE IMMEDIATE 'DELETE FROM DB.S.t WHERE a = ''x'''"
    ),
    "EXECUTE IMMEDIATE $$DELETE FROM t$$": "EXECUTE IMMEDIATE $$DELETE FROM DB.S.t$$",
    "DELETE FROM IDENTIFIER('t')": "DELETE FROM IDENTIFIER('DB.S.T')",
    "DROP TABLE IDENTIFIER('t')": "DROP TABLE IDENTIFIER('DB.S.T')",
    "SELECT other.f(1)": "SELECT DB.other.f(1)",
    "SHOW TABLES ->> SELECT * FROM $1 JOIN t ON TRUE": (
        "SHOW TABLES ->> SELECT * FROM $1 JOIN DB.S.t ON TRUE"
    ),
    "-- orders\nDELETE FROM /* t */ t -- all": "-- orders\nDELETE FROM /* t */ DB.S.t -- all",
}


@pytest.mark.parametrize("sql", WRITTEN)
def test_names_get_the_database_and_schema_that_they_mean(sql):
    assert qualify(sql, "DB", "S") == QualifiedText(WRITTEN[sql], (), "DB", "S")


UNTOUCHED = [
    "CREATE ROLE r",
    "GRANT ROLE a TO ROLE b",
    "ALTER WAREHOUSE w SET WAREHOUSE_SIZE = XSMALL",
    "ALTER USER u SET NETWORK_POLICY = p",
    "DROP DATABASE d",
    "CREATE RESOURCE MONITOR m",
    "ALTER SESSION SET QUERY_TAG = 'x'",
    "USE ROLE r",
    "SET v = 1",
    "INSERT INTO DB.S.people VALUES ('@joe', 'FROM t')",
    "BEGIN TRANSACTION; COMMIT",
    "LIST @~",
    "CALL SYSTEM$WAIT(1)",
]


@pytest.mark.parametrize("sql", UNTOUCHED)
def test_what_no_schema_holds_stays_as_it_is(sql):
    assert qualify(sql, "DB", "S").sql.removeprefix("USE SCHEMA DB.S;\n") == sql


def test_what_a_with_defines_is_no_object():
    sql = 'WITH a AS (SELECT * FROM t), "b" AS (SELECT * FROM A) SELECT * FROM "b" JOIN B ON TRUE'
    assert qualify(sql, "DB", "S").sql == (
        'WITH a AS (SELECT * FROM DB.S.t), "b" AS (SELECT * FROM A) '
        'SELECT * FROM "b" JOIN DB.S.B ON TRUE'
    )


def test_a_with_names_its_own_parts_where_it_grows_and_the_table_where_it_does_not():
    grows = "WITH c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c) SELECT * FROM c"
    assert qualify(grows, "DB", "S").sql == grows
    hides = "WITH t AS (SELECT * FROM t) SELECT * FROM t"
    assert qualify(hides, "DB", "S").sql == "WITH t AS (SELECT * FROM DB.S.t) SELECT * FROM t"
    later = "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a"
    assert qualify(later, "DB", "S").sql == later.replace("FROM b", "FROM DB.S.b")


def test_the_body_of_an_object_is_looked_up_in_its_schema():
    assert qualify("CREATE VIEW other.v AS SELECT * FROM t", "DB", "S").sql == (
        "CREATE VIEW DB.other.v AS SELECT * FROM DB.OTHER.t"
    )
    policy = "CREATE ROW ACCESS POLICY p AS (x STRING) RETURNS BOOLEAN -> EXISTS (SELECT 1 FROM m)"
    assert qualify(policy, "DB", "S").sql == (
        "CREATE ROW ACCESS POLICY DB.S.p AS (x STRING) RETURNS BOOLEAN "
        "-> EXISTS (SELECT 1 FROM DB.S.m)"
    )


def test_a_procedure_with_its_callers_rights_keeps_its_body():
    made = (
        "CREATE PROCEDURE {}p() RETURNS STRING LANGUAGE SQL{} AS $$ BEGIN DELETE FROM {}t; END $$"
    )
    assert qualify(made.format("", "", ""), "DB", "S").sql == made.format("DB.S.", "", "DB.S.")
    callers = " EXECUTE AS CALLER"
    kept = qualify(made.format("", callers, ""), "DB", "S").sql
    assert kept == made.format("DB.S.", callers, "")


def test_use_and_what_it_stands_for_count_for_what_follows():
    sql = (
        'USE DATABASE far; DROP TABLE t; CREATE SCHEMA "x y"; DROP TABLE t; '
        "USE SCHEMA z; DROP TAG g"
    )
    assert qualify(sql, "DB", "S") == QualifiedText(
        'USE DATABASE far; DROP TABLE FAR.PUBLIC.t; CREATE SCHEMA FAR."x y"; '
        'DROP TABLE FAR."x y".t; USE SCHEMA FAR.z; DROP TAG FAR.Z.g',
        (),
        "FAR",
        "Z",
    )


UNSURE = [
    "BEGIN DELETE FROM DB.S.t; END",
    "CALL DB.S.p()",
    "EXECUTE IMMEDIATE $code",
    "INSERT INTO DB.S.t SELECT somebodys(a) FROM DB.S.u",
    "DELETE FROM IDENTIFIER($t)",
    "CREATE TABLE DB.S.t AS SELECT CURRENT_DATABASE() AS d",
    "INSERT INTO DB.S.t SELECT SYSTEM$TYPEOF('t')",
]


@pytest.mark.parametrize("sql", UNSURE)
def test_what_cannot_be_told_is_put_behind_its_schema_once(sql):
    pinned = f"USE SCHEMA DB.S;\n{sql}"
    assert qualify(sql, "DB", "S").sql == pinned
    assert qualify(pinned, "X", "Y").sql == pinned


def test_every_procedure_that_may_move_the_session_is_followed_by_its_schema_again():
    assert qualify("CALL DB.S.p(); CALL DB.S.q()", "DB", "S").sql == (
        "USE SCHEMA DB.S;\nCALL DB.S.p(); USE SCHEMA DB.S;\nCALL DB.S.q()"
    )


def test_what_cannot_be_parsed_is_put_behind_its_schema_or_told_where_there_is_none():
    odd = "INSERT INTO t SELECT * FROM u MATCH_RECOGNIZE (whatever)"
    assert qualify(odd, "DB", "S").sql == f"USE SCHEMA DB.S;\n{odd}"
    assert qualify(odd, "DB", None).lacking == ("T",)
    assert qualify(odd.replace("INTO t", "INTO d.s.t"), "DB", None).lacking == ()


def test_procedures_of_the_system_stand_in_no_schema():
    assert qualify("CALL SYSTEM$CLASSIFY('DB.S.T', NULL)", None, None).lacking == ()
    assert qualify("CALL CLASSIFY('DB.S.T', NULL)", None, None).lacking == ("CLASSIFY",)


def test_a_name_that_nothing_completes_is_told():
    assert qualify('DELETE FROM "My T"', "DB", None).lacking == ('"My T"',)
    assert qualify("DELETE FROM s.t", None, None).lacking == ("S.T",)
    assert qualify("DELETE FROM d.s.t; CREATE ROLE r", None, None).lacking == ()
    assert qualify("DROP DATABASE db; DELETE FROM t", "DB", "S").lacking == ("T",)


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).map(quote)
FORMS = [
    "DELETE FROM {0} WHERE EXISTS (SELECT 1 FROM {1})",
    "INSERT INTO {0} SELECT * FROM {1} AS x",
    "MERGE INTO {0} USING {1} AS x ON x.a = 1 WHEN MATCHED THEN DELETE",
    "CREATE TABLE {0} AS SELECT * FROM {1}",
    "CREATE VIEW {0} AS WITH c AS (SELECT * FROM {1}) SELECT * FROM c",
    "ALTER TABLE {0} SWAP WITH {1}",
    "CREATE STREAM {0} ON TABLE {1}",
    "ALTER TABLE {0} MODIFY COLUMN a SET MASKING POLICY {1}",
    "GRANT SELECT ON TABLE {0} TO ROLE {1}",
    "DROP SCHEMA {0}; CREATE SEQUENCE {1}",
]


def touched(sql, *place):
    return [(change.action, change.target) for change in changes_of(sql, *place)]


@given(form=st.sampled_from(FORMS), names=st.tuples(NAMES, NAMES), place=st.tuples(NAMES, NAMES))
def test_a_text_in_full_means_the_same_in_every_session(form, names, place):
    sql = form.format(*names)
    found = qualify(sql, "D b", 'S"s')
    assert found.lacking == ()
    assert qualify(found.sql, *place).sql == found.sql
    assert touched(found.sql, *place) == touched(sql, "D b", 'S"s')


@given(st.text(max_size=60))
def test_any_text_is_read_without_trouble(text):
    for sql in (text, f"DELETE FROM {text}", f"CREATE {text}", f"BEGIN {text}; END"):
        qualify(sql, "DB", "S")


HOME = Place("D", "S")
MOVED = {("D", "S", "T"): ("D", "X", "T")}


@pytest.mark.parametrize(
    ("sql", "again"),
    [
        ("SELECT T.a FROM t, s2.u -- all", "SELECT T.a FROM D.X.T, D.s2.u"),
        (
            "WITH w AS (SELECT * FROM d.s.t) SELECT * FROM w;",
            "WITH w AS (SELECT * FROM D.X.T) SELECT * FROM w",
        ),
        (
            'SELECT * FROM "T" AS t JOIN "t" USING (a)',
            'SELECT * FROM D.X.T AS t JOIN D.S."t" USING (a)',
        ),
        ("SELECT * FROM IDENTIFIER('T')", "SELECT * FROM IDENTIFIER('D.X.T')"),
        (
            "SELECT (SELECT MAX(a) FROM D..t) FROM S.T",
            "SELECT (SELECT MAX(a) FROM D..t) FROM D.X.T",
        ),
    ],
)
def test_a_query_runs_again_with_a_copy_in_the_place_of_its_table(sql, again):
    assert replayed(sql, HOME, MOVED) == again


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("WITH t AS (SELECT 1 AS a) SELECT * FROM t", "does not name D.S.T itself"),
        ("SELECT * FROM large", "does not name D.S.T itself"),
        ("SELECT d.s.t.a FROM t", "writes columns with the schema of their table"),
        ("SELECT * FROM t WHERE a = ?", "has bind variables"),
        ("SELECT * FROM t; DELETE FROM t", "holds 2 statements"),
        ("SELECT q.NEXTVAL FROM t", "may change the account"),
        ("SELECT own(a) FROM t", "calls OWN"),
        ("DELETE FROM t", "may change the account"),
        ("SHOW TABLES", "is no query"),
        ("SELECT * FROM t) UNION SELECT (1", "cannot be read"),
    ],
)
def test_what_cannot_run_again_is_refused(sql, reason):
    with pytest.raises(SqlError, match=reason.replace("(", r"\(")):
        replayed(sql, HOME, MOVED)


def test_a_copy_of_another_name_and_names_without_a_place_are_refused():
    with pytest.raises(SqlError, match="bears another name"):
        replayed("SELECT * FROM t", HOME, {("D", "S", "T"): ("D", "X", "T2")})
    with pytest.raises(SqlError, match="names T without database and schema"):
        tables_of("SELECT * FROM t, t AS u", Place(None, None))


def test_the_tables_of_a_query_are_listed_once_and_a_query_has_no_problem():
    sql = 'SELECT * FROM t, far.s."low", t AS again'
    assert tables_of(sql, HOME) == (("D", "S", "T"), ("FAR", "S", "low"))
    assert why_not_replayed(sql) is None


@pytest.mark.parametrize(
    ("sql", "rests_on"),
    [
        ("CREATE VIEW A.B.V AS SELECT * FROM A.B.T", ["A.B.T", "A.B.V"]),
        ("MERGE INTO A.B.C USING S ON C.X = S.X WHEN MATCHED THEN DELETE", ["A.B.S", "A.B.C"]),
        ("CREATE STREAM A.B.S ON TABLE A.B.T", ["A.B.T", "A.B.S"]),
        ("ALTER TABLE T MODIFY COLUMN X SET MASKING POLICY P", ["A.B.T"]),
        ("ALTER WAREHOUSE W SET AUTO_SUSPEND = 60", ["W"]),
        ("WITH X AS (SELECT 1 FROM A.B.T) SELECT * FROM X", []),
        ("GRANT ROLE R TO ROLE O", []),
    ],
)
def test_a_statement_rests_on_what_it_reads_and_changes(sql, rests_on):
    assert [ref.fqn for ref in grounds_of(sql, "A", "B")] == rests_on
