"""The connector by itself, at its newest version: files, frames, batches, bytes, asynchronous."""

import tempfile
import time
from pathlib import Path

import pandas as pd
import snowflake.connector
from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report
from snowflake.connector.pandas_tools import write_pandas


def connected(**options):
    made = {
        "account": ACCOUNT,
        "user": USER,
        "password": PASSWORD,
        "host": HOST,
        "port": PORT,
        "protocol": "http",
        "role": ROLE,
        "warehouse": WAREHOUSE,
        **options,
    }
    return snowflake.connector.connect(**made)


with connected() as first:
    first.cursor().execute("create or replace database connector_checks")
connection = connected(database="CONNECTOR_CHECKS", schema="PUBLIC")
cursor = connection.cursor()


def staged():
    return sorted(row[0] for row in cursor.execute("list '@\"my stage\"'").fetchall())


@check
def files_are_put_skipped_overwritten_listed_and_fetched():
    cursor.execute('create or replace stage "my stage"')
    folder = Path(tempfile.mkdtemp())
    for name in ("a b.csv", "ü%.csv", "c.csv"):
        (folder / name).write_text("1,x\n2,y\n")
    put = f"put 'file://{folder}/*.csv' '@\"my stage\"/in dir/'"
    assert {row[6] for row in cursor.execute(put).fetchall()} == {"UPLOADED"}
    assert {row[6] for row in cursor.execute(put).fetchall()} == {"SKIPPED"}
    again = cursor.execute(f"{put} overwrite = true").fetchall()
    assert {row[6] for row in again} == {"UPLOADED"}
    cursor.execute(f"put 'file://{folder}/c.csv' '@\"my stage\"' auto_compress = false")
    names = ["c.csv", "in dir/a b.csv.gz", "in dir/c.csv.gz", "in dir/ü%.csv.gz"]
    assert staged() == sorted(f"my stage/{name}" for name in names)
    target = Path(tempfile.mkdtemp())
    got = cursor.execute(f"get '@\"my stage\"' 'file://{target}/'").fetchall()
    assert {row[2] for row in got} == {"DOWNLOADED"}
    assert (target / "c.csv").read_text() == "1,x\n2,y\n"
    cursor.execute("create or replace table loaded (a int, b string)")
    cursor.execute("copy into loaded from '@\"my stage\"/in dir/'")
    assert cursor.execute("select count(*), max(b) from loaded").fetchone() == (6, "y")


@check
def a_frame_is_written_and_read_back():
    frame = pd.DataFrame({"A": [1, 2], "b": ["x", None], "C": [0.1, 1 / 3]})
    done, _, rows, _ = write_pandas(
        connection, frame, "FRAMES", auto_create_table=True, overwrite=True
    )
    assert (done, rows) == (True, 2)
    found = cursor.execute("select * from frames order by A").fetch_pandas_all()
    assert list(found.columns) == ["A", "b", "C"]
    assert list(found["C"]) == [0.1, 1 / 3]


@check
def rows_are_bound_in_batches():
    cursor.execute("create or replace table batches (a int, b string, c binary)")
    with connected(database="CONNECTOR_CHECKS", schema="PUBLIC", paramstyle="qmark") as bound:
        sends = bound.cursor()
        sends.executemany(
            "insert into batches values (?, ?, ?)", [(1, "x", b"\xff"), (2, None, b"")]
        )
        many = [(number, str(number), b"\x01") for number in range(30_000)]
        begin = time.monotonic()
        sends.executemany("insert into batches values (?, ?, ?)", many)
        assert time.monotonic() - begin < 60
    found = cursor.execute("select count(*), count(b), max(c) from batches").fetchone()
    assert (found[0], found[1], bytes(found[2])) == (30_002, 30_001, b"\xff")


@check
def a_statement_is_described_before_it_is_bound():
    with connected(database="CONNECTOR_CHECKS", schema="PUBLIC", paramstyle="qmark") as bound:
        described = bound.cursor().describe("select a, b from batches where a = ?")
        assert [column.name for column in described] == ["A", "B"]


@check
def an_asynchronous_statement_is_asked_for_later():
    cursor.execute_async("select count(*) from table(generator(rowcount => 100000))")
    query_id = cursor.sfqid
    while connection.is_still_running(connection.get_query_status(query_id)):
        time.sleep(0.1)
    later = connection.cursor()
    later.get_results_from_sfqid(query_id)
    assert later.fetchone() == (100_000,)


report()
