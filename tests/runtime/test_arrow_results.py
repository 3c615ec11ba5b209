"""Results as Arrow: what the connector's DataFrame calls give, in this process and over a port."""

import secrets
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback import connection, server

pytestmark = pytest.mark.slow
VALUES = """
select 1::number(10,2) as n, 12345678901234567890::number(38,0) as w, -5 as i, 1.5::float as f,
  'ü' as t, true as b, '2024-02-29'::date as d, '10:11:12.25'::time as m,
  '1969-12-31 23:59:59.123456'::timestamp_ntz as z,
  '2024-01-01 10:00:00.5 +0530'::timestamp_tz as y,
  '2024-01-01 10:00:00'::timestamp_ltz as l, to_binary('61') as x, parse_json('{"a":1}') as v,
  null as u, '9999-12-31'::timestamp_ntz as far, 0.001::number(38,10) as q,
  12345678901234567890.123456789::number(38,9) as e
union all select null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null
"""


@pytest.fixture(scope="module", params=["in this process", "over a port"])
def cursor(request: Any, tmp_path_factory: Any) -> Iterator[Any]:
    with Account.open() as account:
        wire = EmbeddedWire(account)
        place = {"user": "ADMIN", "role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH"}
        if request.param == "in this process":
            with mounted_connection.connect(wire, **place) as opened:
                yield opened.cursor()
            return
        serving = server.serve(wire, tmp_path_factory.mktemp("served"))
        with connection.connect(serving.address, **place) as opened:
            yield opened.cursor()
        serving.close()


def test_rows_are_the_same_as_from_json(cursor: Any) -> None:
    cursor.execute("alter session set timezone = 'Asia/Tokyo'")
    found = cursor.execute(VALUES).fetchall()
    form = "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT"
    assert cursor._query_result_format == "arrow"
    assert cursor.execute(VALUES, _statement_params={form: "JSON"}).fetchall() == found
    assert cursor._query_result_format == "json"
    cursor.execute(f"alter session set {form} = 'JSON'")
    assert cursor.execute(VALUES).fetchall() == found
    assert cursor._query_result_format == "json"
    cursor.execute(f"alter session unset {form}")
    assert found[0][:9] == (
        Decimal("1.00"), 12345678901234567890, -5, 1.5, "ü", True, date(2024, 2, 29),
        time(10, 11, 12, 250000), datetime(1969, 12, 31, 23, 59, 59, 123456),
    )  # fmt: skip
    assert found[1] == (None,) * 17


def test_a_whole_result_as_a_data_frame_and_as_a_table(cursor: Any) -> None:
    asked = "select column1 as a, column2 as b from values (1, 'x'), (300, null)"
    frame = cursor.execute(asked).fetch_pandas_all()
    assert (list(frame.columns), frame["A"].tolist(), frame["B"][0]) == (["A", "B"], [1, 300], "x")
    assert str(frame["A"].dtype) == "int16"
    table = cursor.execute(asked).fetch_arrow_all()
    assert table.to_pydict() == {"A": [1, 300], "B": ["x", None]}


def test_parts_of_a_result(cursor: Any) -> None:
    asked = "select seq4() as a from table(generator(rowcount => 150000))"
    cursor.execute(asked)
    assert sum(len(part) for part in cursor.fetch_pandas_batches()) == 150_000
    assert sum(len(part) for part in cursor.execute(asked).fetch_arrow_batches()) == 150_000
    batches = cursor.execute(asked).get_result_batches()
    assert sum(batch.to_pandas()["A"].sum() for batch in batches) == sum(range(150_000))
    assert sum(1 for batch in batches for _ in batch) == 150_000


def test_no_rows_keep_their_columns(cursor: Any) -> None:
    frame = cursor.execute("select 1 as a, 'x' as b where false").fetch_pandas_all()
    assert (list(frame.columns), len(frame)) == (["A", "B"], 0)
    table = cursor.execute("select 1 as a where false").fetch_arrow_all(force_return_table=True)
    assert (table.column_names, table.num_rows) == (["A"], 0)
    assert cursor.execute("select 1 as a where false").fetchall() == []


def test_an_unknown_form_is_refused(cursor: Any) -> None:
    from snowflake.connector.errors import ProgrammingError

    with pytest.raises(ProgrammingError, match="XML"):
        cursor.execute("alter session set python_connector_query_result_format = 'XML'")


def test_what_is_no_query_comes_as_before(cursor: Any) -> None:
    cursor.execute(f"create database d{secrets.token_hex(4)}")
    assert "successfully created" in cursor.fetchone()[0]
    assert cursor.execute("show databases").fetchall()


def test_snowpark_makes_a_data_frame() -> None:
    import skills_nb

    with skills_nb.connect() as session:
        frame = session.sql("select 1 as a, 2.5::float as b, '2024-01-01'::date as c").to_pandas()
        assert frame.values.tolist() == [[1, 2.5, date(2024, 1, 1)]]
        made = session.create_dataframe([[1, "x"], [2, None]], schema=["a", "b"])
        assert made.to_pandas()["A"].tolist() == [1, 2]
