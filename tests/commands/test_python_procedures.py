"""Procedures in Python: their handlers get a Snowpark session, governed like any other."""

from contextlib import closing

import pytest
from snowflake.snowpark.exceptions import SnowparkSQLException

import skills_nb
from skills_nb.embedded.confined import processes

pytestmark = pytest.mark.posix("processes of their own for handlers")

HEAD = "LANGUAGE PYTHON RUNTIME_VERSION = '3.11' PACKAGES = ('snowflake-snowpark-python')"


@pytest.fixture
def admin(snowflake_account):
    session = snowflake_account.connect(warehouse="COMPUTE_WH")
    for statement in (
        "CREATE DATABASE shop",
        "CREATE TABLE shop.public.orders (id INT, region STRING, amount INT)",
        "INSERT INTO shop.public.orders VALUES (1, 'EU', 5), (2, 'US', 7), (3, 'EU', 9)",
    ):
        session.sql(statement).collect()
    return session


def make(session, name, body, *, arguments="", returns="STRING", rights="OWNER"):
    session.sql(
        f"CREATE PROCEDURE shop.public.{name}({arguments}) RETURNS {returns} {HEAD} "
        f"HANDLER = 'run' EXECUTE AS {rights} AS $$\n{body}\n$$"
    ).collect()


def called(session, call):
    return session.sql(f"CALL shop.public.{call}").collect()[0][0]


def test_a_handler_works_with_frames_and_writes_tables(admin):
    body = (
        "from snowflake.snowpark.functions import col, sum as sum_\n"
        "def run(session, region):\n"
        "    chosen = session.table('shop.public.orders').filter(col('region') == region)\n"
        "    chosen.write.save_as_table('shop.public.chosen', mode='overwrite')\n"
        "    return chosen.agg(sum_('amount')).collect()[0][0]\n"
    )
    make(admin, "choose", body, arguments="region STRING", returns="INT")
    assert called(admin, "choose('EU')") == 14
    assert admin.table("shop.public.chosen").count() == 2


def test_what_a_handler_raises_is_told_and_its_statements_stand(admin):
    body = (
        "def run(session):\n"
        "    session.sql(\"INSERT INTO shop.public.orders VALUES (4, 'EU', 1)\").collect()\n"
        "    raise ValueError('enough')\n"
    )
    make(admin, "fail", body)
    with pytest.raises(SnowparkSQLException, match="ValueError: enough"):
        called(admin, "fail()")
    assert admin.table("shop.public.orders").count() == 4


def test_a_procedure_with_its_owners_rights_reads_what_its_caller_may_not(admin, snowflake_account):
    body = "def run(session):\n    return str(session.table('shop.public.orders').count())\n"
    make(admin, "as_owner", body)
    make(admin, "as_caller", body, rights="CALLER")
    for statement in (
        "CREATE ROLE clerk",
        "CREATE USER kim DEFAULT_ROLE = clerk",
        "GRANT ROLE clerk TO USER kim",
        "GRANT USAGE ON DATABASE shop TO ROLE clerk",
        "GRANT USAGE ON SCHEMA shop.public TO ROLE clerk",
        "GRANT USAGE ON WAREHOUSE compute_wh TO ROLE clerk",
        "GRANT USAGE ON ALL PROCEDURES IN SCHEMA shop.public TO ROLE clerk",
    ):
        admin.sql(statement).collect()
    kim = snowflake_account.connect("KIM", "CLERK", warehouse="COMPUTE_WH")
    assert called(kim, "as_owner()") == "3"
    with pytest.raises(SnowparkSQLException, match="does not exist or not authorized"):
        called(kim, "as_caller()")


def test_the_session_of_a_handler_is_not_ended_by_it(admin):
    make(admin, "close", "def run(session):\n    session.close()\n    return 'closed'\n")
    assert called(admin, "close()") == "closed"
    assert admin.table("shop.public.orders").count() == 3


@pytest.mark.parametrize("is_kept", [False, True])
def test_python_that_is_trusted_runs_wherever_it_is(tmp_path, monkeypatch, is_kept):
    monkeypatch.setattr(processes.Starter, "holds", property(lambda _: False))
    path = tmp_path / "account" if is_kept else None
    with closing(skills_nb.connect(path, trust_python=True)) as session:
        session.sql("CREATE DATABASE shop").collect()
        make(session, "runs", "def run(session):\n    return 'ran'\n")
        assert called(session, "runs()") == "ran"


def test_python_that_nobody_trusts_is_off_where_it_cannot_be_shut_in(monkeypatch):
    monkeypatch.setattr(processes.Starter, "holds", property(lambda _: False))
    with closing(skills_nb.connect()) as session:
        session.sql("CREATE DATABASE shop").collect()
        make(session, "runs", "def run(session):\n    return 'ran'\n")
        with pytest.raises(SnowparkSQLException, match=r"Python is off.*trust_python=True"):
            called(session, "runs()")


MOVES = {
    "a stream to a stage": (
        "import io\n"
        "session.file.put_stream(io.BytesIO(b'1,2'), '@shop.public.files/a.csv', "
        "auto_compress=False)\n"
        "return session.file.get_stream('@shop.public.files/a.csv').read().decode()",
        "1,2",
    ),
    "a file to a stage, twice": (
        "open('b.txt', 'w').write('b')\n"
        "put = lambda: session.file.put('b.txt', '@shop.public.files/in/it', auto_compress=False)\n"
        "return ' '.join(put()[0].status for _ in range(2))",
        "UPLOADED UPLOADED",
    ),
    "a file from a stage": (
        'session.sql("COPY INTO @shop.public.files/out.csv FROM (SELECT 7) SINGLE = TRUE '
        'FILE_FORMAT = (TYPE = CSV COMPRESSION = NONE)").collect()\n'
        "session.file.get('@shop.public.files/out.csv', 'here')\n"
        "return open('here/out.csv').read().strip()",
        "7",
    ),
    "a data frame to a table": (
        "import pandas\n"
        "frame = pandas.DataFrame({'A': [1, 2]})\n"
        "session.write_pandas(frame, 'FRAME', database='SHOP', schema='PUBLIC', "
        "auto_create_table=True)\n"
        "return str(session.table('shop.public.frame').count())",
        "2",
    ),
}


@pytest.mark.parametrize("what", MOVES)
def test_a_handler_moves_files(admin, what):
    admin.sql("CREATE STAGE shop.public.files").collect()
    body, answer = MOVES[what]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    make(admin, "moves", f"def run(session):\n{lines}")
    assert called(admin, "moves()") == answer


@pytest.mark.parametrize(
    "body",
    [
        "session.file.put('file:///etc/passwd', '@shop.public.files')",
        "session.sql('PUT file:///etc/passwd @shop.public.files').collect()",
        "session.file.get('@shop.public.files', 'file:///tmp')",
        "return open('/etc/passwd').read()",
        "import os\n    os.kill(os.getppid(), 9)",
        "import socket\n    socket.create_connection(('127.0.0.1', 80))",
    ],
)
def test_a_procedure_reaches_nothing_but_its_session(admin, body):
    admin.sql("CREATE STAGE shop.public.files").collect()
    admin.sql("COPY INTO @shop.public.files/a FROM (SELECT 7)").collect()
    make(admin, "reaches", f"def run(session):\n    {body}\n")
    with pytest.raises(SnowparkSQLException, match="Python Interpreter Error"):
        called(admin, "reaches()")
    assert admin.table("shop.public.orders").count() == 3


def test_a_handler_learns_no_folder_of_the_account(admin):
    admin.sql("CREATE STAGE shop.public.files").collect()
    body = (
        "def run(session):\n"
        "    cursor = session.connection.cursor()\n"
        "    told = cursor._execute_helper('PUT file:///x @shop.public.files')\n"
        "    return told['data']['stageInfo']['location'].rpartition('/')[2]\n"
    )
    make(admin, "asks", body)
    assert called(admin, "asks()") == "stage-1"
