"""What a text does can be told, or it is said why not; handlers are read where they can be."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.commands.wiring import shipped_library
from skills_nb.reading import open_library
from skills_nb.sql.classify import DynamicSqlError, prohibited_action
from skills_nb.sql.classify.procedure_handlers import sql_in
from skills_nb.sql.classify.prohibition import hidden_sql
from skills_nb.sql.classify.readability import unreadable
from skills_nb.sql.statements import split

ACTIONS = ("DROP DATABASE", "DROP SCHEMA", "GRANT OWNERSHIP", "ALTER ACCOUNT")
LOOK_ALIKE = "\N{CYRILLIC CAPITAL LETTER O}"
NOTHING = "\N{ZERO WIDTH SPACE}"

UNREADABLE = [
    f"DR{LOOK_ALIKE}P DATABASE x",
    f"DR{NOTHING}OP DATABASE x",
    "\N{FULLWIDTH LATIN CAPITAL LETTER D}ROP DATABASE x",
    'DROP "DATABASE" x',
    '"DROP" DATABASE x',
    "DROP {{ 'DATABASE' }} x",
    "{% if true %}SELECT 1{% endif %}",
    "SELECT {# nothing #} 1",
    "DROP &{kind} x",
    "!source wipe.sql",
    "snow sql -q 'SELECT 1'",
    "SELEC 1",
    "SELECT 1 FROM <table>",
    "CREATE TABLE t (a INT",
    "CREATE TABLE t a INT)",
    "CREATE TABLEE t (a INT)",
    "SELECT 'open",
    "SELECT 1 /* open",
    "DROP\x0bTABLE\x1ft",
    "DROP DATABASE",
]
READABLE = [
    "SELECT 1",
    "(SELECT 1) UNION ALL (SELECT 2)",
    "SELECT {'a': [1, 2]} AS pair, 'näive {{ text }}' AS \"ä\"",
    "SELECT * FROM t -- ünderstood\n WHERE a = 1",
    "BEGIN TRANSACTION; INSERT INTO t VALUES (1); COMMIT",
    "BEGIN LET n := 1; RETURN n; END",
    "WITH p AS PROCEDURE() RETURNS INT AS $$ BEGIN RETURN 1; END $$ CALL p()",
    "PUT file:///tmp/x.csv @s",
    "COPY INTO @s/out FROM t",
    "COPY FILES INTO @a FROM @b",
    "ALTER LISTING orders PUBLISH",
    "ALTER COMPUTE POOL p STOP ALL",
    "CREATE OR REPLACE SEMANTIC VIEW v TABLES (o AS db.s.o PRIMARY KEY (id))",
    "SHOW DATABASES ->> SELECT * FROM $1",
    "",
    "-- nothing but words",
]


@pytest.mark.parametrize("sql", UNREADABLE)
def test_what_cannot_be_told_is_said(sql):
    assert unreadable(sql) is not None


@pytest.mark.parametrize("sql", READABLE)
def test_what_can_be_told_is_let_through(sql):
    assert unreadable(sql) is None


@given(st.text(max_size=60))
def test_reading_is_total(sql):
    assert unreadable(sql) is None or isinstance(unreadable(sql), str)


def examples():
    for primitive in open_library(shipped_library()).primitives.values():
        blocks = primitive.sections["Examples"].split("```sql\n")[1:]
        yield from ((primitive.name, block.partition("```")[0]) for block in blocks)


def test_every_example_of_the_library_and_of_the_manual_can_be_told():
    manual = (Path(__file__).parent / "governance" / "manual.sql").read_text(encoding="utf-8")
    told = [*examples(), *(("manual", one.text) for one in split(manual))]
    assert [(where, why) for where, sql in told if (why := unreadable(sql))] == []


def python(code):
    return f"CREATE PROCEDURE p(s STRING) RETURNS STRING LANGUAGE PYTHON AS $$\n{code}\n$$"


def test_the_sql_of_a_python_handler_is_searched():
    sql = python("def main(session, s):\n    session.sql('drop schema s').collect()")
    assert prohibited_action(sql, ACTIONS) == "DROP SCHEMA"
    assert hidden_sql(sql) == ("drop schema s",)


def test_a_python_handler_that_shows_its_sql_is_let_through():
    sql = python(
        "from snowflake.snowpark.functions import col\n"
        "def main(session, s):\n"
        "    rows = session.table(s).filter(col('A') > 1)\n"
        "    session.sql('INSERT INTO log SELECT ?', params=[s]).collect()\n"
        "    return str(rows.count())"
    )
    assert prohibited_action(sql, ACTIONS) is None


@pytest.mark.parametrize(
    "body",
    [
        "session.sql(s)",
        "session.sql('DR' + 'OP SCHEMA x')",
        "session.sql(f'select {s}')",
        "session.sql(*[s])",
        "run = session.sql\n    run(s)",
        "getattr(session, 's' + 'ql')(s)",
        "eval(s)",
        "import subprocess",
        "import snowflake.core",
        "from snowflake.snowpark._internal import utils",
        "session._run_query(s)",
        "session.connection.cursor()",
        "match session:\n        case Session(sql=run):\n            run(s)",
        "not python at all (",
    ],
)
def test_a_python_handler_that_hides_what_it_sends_is_refused(body):
    sql = python(f"def main(session, s):\n    {body}")
    assert sql_in("PYTHON", sql.split("$$")[1]) is None
    with pytest.raises(DynamicSqlError):
        prohibited_action(sql, ACTIONS)


def test_a_handler_in_another_language_is_searched_by_its_words_and_else_refused():
    def handler(code):
        return f"CREATE PROCEDURE p() RETURNS STRING LANGUAGE JAVASCRIPT AS $$ {code} $$"

    says = handler('snowflake.execute({sqlText: "drop database x"})')
    assert prohibited_action(says, ACTIONS) == "DROP DATABASE"
    with pytest.raises(DynamicSqlError):
        prohibited_action(handler("snowflake.execute({sqlText: q})"), ACTIONS)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP DATABASE ROLE r",
        'DROP DATABASE ROLE IF EXISTS db."r"',
        'DROP DATABASE ROLE "r"',
        "CREATE OR REPLACE DATABASE ROLE db.r",
    ],
)
def test_a_database_role_is_no_database(sql):
    assert prohibited_action(sql, ACTIONS) is None


@pytest.mark.parametrize(
    "sql", ["DROP DATABASE ROLE", "DROP DATABASE role CASCADE", "DROP DATABASE role; SELECT 1"]
)
def test_a_database_may_be_called_role(sql):
    assert prohibited_action(sql, ACTIONS) == "DROP DATABASE"


def test_a_statement_that_a_procedure_is_handed_is_searched():
    assert prohibited_action("CALL run_it('grant ownership on table t to role r')", ACTIONS) == (
        "GRANT OWNERSHIP"
    )
    assert prohibited_action("CALL tell('we never drop database x')", ACTIONS) is None
