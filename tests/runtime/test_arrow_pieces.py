"""Long results in pieces: what the connector reads one by one is the whole, whatever comes between.

Over the mounted connection and over a port, which serves the pieces as bytes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback import connection, server

pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.slow

ROWS = 140_000
NUMBERS = f"select seq4() as i from table(generator(rowcount => {ROWS}))"
ALL = f"""
select seq4() as i,
  iff(mod(i, 3) = 0, null, i - 70000) as n,
  (i * 0.25)::number(12,2) as q,
  iff(i = {ROWS - 1}, 12345678901234567890, i)::number(38,0) as w,
  iff(i = {ROWS - 1}, 12345678901234567890, i)::number(38,5) as wq,
  iff(mod(i, 7) = 0, null, i / 4)::float as f,
  iff(mod(i, 5) = 0, null, 'zeile ' || i) as t,
  mod(i, 2) = 0 as b,
  dateadd(day, mod(i, 900), '1969-06-01'::date) as d,
  timeadd(microsecond, i, '10:00:00'::time) as m,
  dateadd(microsecond, i - 70000, '1970-01-01'::timestamp_ntz) as z,
  dateadd(microsecond, i, '2024-01-01 10:00:00'::timestamp_ltz) as l,
  iff(mod(i, 4) = 0, null, dateadd(second, i, '2024-01-01 10:00:00 +0530'::timestamp_tz)) as y,
  iff(mod(i, 50000) = 0, object_construct('b', i, 'a', array_construct(1, 'x')), null) as v,
  null as u
from table(generator(rowcount => {ROWS}))
"""


@pytest.fixture(scope="module", params=["in this process", "over a port"])
def opened(request: Any, tmp_path_factory: Any) -> Iterator[Any]:
    with Account.open() as account:
        wire = EmbeddedWire(account)
        place = {"user": "ADMIN", "role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH"}
        if request.param == "in this process":
            with mounted_connection.connect(wire, **place) as made:
                yield made
            return
        serving = server.serve(wire, tmp_path_factory.mktemp("served"))
        with connection.connect(serving.address, **place) as made:
            yield made
        serving.close()


def test_the_pieces_together_are_the_whole_as_json_has_it(opened: Any) -> None:
    cursor = opened.cursor()
    cursor.execute("alter session set timezone = 'America/New_York'")
    found = cursor.execute(f"select * from ({ALL}) where mod(i, 28) = 3").fetchall()
    form = {"PYTHON_CONNECTOR_QUERY_RESULT_FORMAT": "JSON"}
    said = cursor.execute(f"select * from ({ALL}) where mod(i, 28) = 3", _statement_params=form)
    assert said._query_result_format == "json"
    assert found == said.fetchall()
    assert len(found) == ROWS // 28
    cursor.execute("alter session unset timezone")


def test_frames_tables_and_batches_agree(opened: Any) -> None:
    cursor = opened.cursor()
    table = cursor.execute(ALL).fetch_arrow_all()
    assert table.num_rows == ROWS
    parts = list(cursor.execute(ALL).fetch_arrow_batches())
    assert len(parts) > 1
    assert all(part.schema.equals(table.schema) for part in parts)
    frame = cursor.execute(ALL).fetch_pandas_all()
    again = pandas.concat(list(cursor.execute(ALL).fetch_pandas_batches()), ignore_index=True)
    pandas.testing.assert_frame_equal(frame, again)
    batches = cursor.execute(ALL).get_result_batches()
    assert sum(batch.rowcount for batch in batches) == ROWS
    assert [row for batch in batches[:2] for row in batch][:3] == cursor.execute(
        f"select * from ({ALL}) limit 3"
    ).fetchall()
    assert frame["I"].sum() == ROWS * (ROWS - 1) // 2
    assert (frame["N"].isna().sum(), frame["F"].isna().sum()) == (46_667, 20_000)


def test_every_piece_of_a_column_is_as_wide_as_its_widest(opened: Any) -> None:
    asked = f"select iff(i = {ROWS - 1}, 70000, 1) as n from ({NUMBERS})"
    kinds = {str(part["N"].dtype) for part in opened.cursor().execute(asked).fetch_pandas_batches()}
    assert kinds == {"int32"}


def test_a_result_is_read_while_the_session_goes_on(opened: Any) -> None:
    name = f"d{secrets.token_hex(4)}"
    cursor, other = opened.cursor(), opened.cursor()
    other.execute(f"create database {name}")
    other.execute(f"create table t as {ALL}")
    read = iter(cursor.execute("select i from t order by i"))
    first = [next(read)[0] for _ in range(2_000)]
    other.execute("update t set i = -1")
    assert other.execute("select count(*) from t where i = -1").fetchone() == (ROWS,)
    other.execute("drop table t")
    assert first + [row[0] for row in read] == list(range(ROWS))
    other.execute(f"drop database {name}")


def test_a_long_result_is_read_again(opened: Any) -> None:
    cursor = opened.cursor()
    cursor.execute(f"select i, t, q from ({ALL}) where i < 139000 order by i")
    again = f"select count(*), max(i), count(t), sum(q) from table(result_scan('{cursor.sfqid}'))"
    assert cursor.execute(again).fetchone() == (
        139_000, 138_999, 111_200, Decimal("2415107625.00"),
    )  # fmt: skip


def test_a_submitted_query_comes_in_pieces(opened: Any) -> None:
    cursor = opened.cursor()
    cursor.execute_async(f"select i from ({ALL})")
    cursor.get_results_from_sfqid(cursor.sfqid)
    assert cursor.fetch_pandas_all()["I"].sum() == ROWS * (ROWS - 1) // 2


def test_no_rows_have_their_columns_and_no_pieces(opened: Any) -> None:
    cursor = opened.cursor().execute(f"select * from ({ALL}) where i < 0")
    assert (len(cursor.get_result_batches()), cursor.fetchall()) == (1, [])
    frame = cursor.execute(f"select * from ({ALL}) where i < 0").fetch_pandas_all()
    assert (len(frame), len(frame.columns)) == (0, 15)


def test_what_fails_on_a_late_row_fails_with_its_number(opened: Any) -> None:
    from snowflake.connector.errors import ProgrammingError

    cursor = opened.cursor()
    late = f"select iff(i = {ROWS - 9}, 'x', i::varchar)::int from ({NUMBERS})"
    with pytest.raises(ProgrammingError, match="Numeric value 'x' is not recognized") as refused:
        cursor.execute(late)
    assert refused.value.errno == 100038
    assert cursor.execute("select 1").fetchone() == (1,)


def test_pieces_need_the_key_that_came_with_the_answer(opened: Any) -> None:
    from snowflake.connector.errors import Error

    cursor = opened.cursor().execute(f"select i from ({ALL})")
    batch = cursor.get_result_batches()[1]
    assert batch.to_arrow().num_rows == batch.rowcount
    batch._chunk_headers = {"Authorization": f'Snowflake Token="{opened.rest.token}"'}
    import snowflake.connector.result_batch as batches

    retries, batches.MAX_DOWNLOAD_RETRY = batches.MAX_DOWNLOAD_RETRY, 1
    try:
        with pytest.raises(Error):
            batch.to_arrow()
    finally:
        batches.MAX_DOWNLOAD_RETRY = retries


def test_small_parts_of_a_result_are_one(opened: Any) -> None:
    parts = " union all ".join(f"select {i} as i, 'part {i}' as t from {{}}" for i in range(6))
    asked = parts.format(*[f"({NUMBERS} limit 1)" for _ in range(6)])
    assert sorted(opened.cursor().execute(asked).fetchall()) == [(i, f"part {i}") for i in range(6)]
