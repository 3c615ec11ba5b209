"""What Snowpark writes is understood: data frames, decorators, temporary things."""

import datetime as dt
from collections.abc import Iterator

import pytest
from snowflake.snowpark import Row, Session
from snowflake.snowpark import functions as f
from snowflake.snowpark import types as t
from snowflake.snowpark.session import _get_active_sessions

import skills_nb


@pytest.fixture
def session() -> Iterator[Session]:
    made = skills_nb.connect(warehouse="COMPUTE_WH")
    made.sql("create database d").collect()
    yield made
    made.close()


def test_a_frame_is_appended_to_a_table_that_it_makes(session: Session) -> None:
    schema = t.StructType(
        [
            t.StructField("A", t.LongType()),
            t.StructField("D", t.DateType()),
            t.StructField("V", t.VariantType()),
        ]
    )
    frame = session.create_dataframe([(1, dt.date(2024, 1, 1), {"k": 1})], schema=schema)
    frame.write.mode("append").save_as_table("t", table_type="transient")
    frame.write.mode("append").save_as_table("t")
    assert (
        session.table("t").select("A", "D", f.col("V")["k"].cast("int").alias("K")).collect()
        == [Row(A=1, D=dt.date(2024, 1, 1), K=1)] * 2
    )


def test_values_are_bound(session: Session) -> None:
    assert session.sql("select ? as a, ? as b", params=[1, "x"]).collect() == [Row(A=1, B="x")]


def test_a_range_is_numbered(session: Session) -> None:
    assert session.range(1, 7, 2).collect() == [Row(ID=1), Row(ID=3), Row(ID=5)]


def test_a_frame_becomes_a_temporary_view_and_a_dynamic_table(session: Session) -> None:
    session.create_dataframe([(1,), (2,)], schema=["a"]).write.save_as_table("t")
    session.table("t").create_or_replace_temp_view("v")
    session.table("v").create_or_replace_dynamic_table("y", warehouse="COMPUTE_WH", lag="1 minute")
    assert session.table("v").count() == session.table("y").count() == 2


@pytest.mark.posix("processes of their own for handlers")
def test_functions_and_procedures_are_registered_and_called(session: Session) -> None:
    def add(x: int, y: int) -> int:
        return x + y

    def count(inner: Session, more: int) -> str:
        return str(inner.sql("select 1").count() + more)

    added = session.udf.register(
        add, return_type=t.IntegerType(), input_types=[t.IntegerType(), t.IntegerType()]
    )
    session.sproc.register(
        count,
        name="counted",
        return_type=t.StringType(),
        input_types=[t.IntegerType()],
        packages=["snowflake-snowpark-python"],
    )
    frame = session.create_dataframe([(2, 3)], schema=["a", "b"])
    assert frame.select(added("a", "b").alias("n")).collect() == [Row(N=5)]
    assert session.call("counted", 4) == "5"


@pytest.mark.posix("processes of their own for handlers")
def test_a_procedure_leaves_no_session_behind(session: Session) -> None:
    session.sproc.register(
        lambda inner: inner.sql("select 1").count(),
        name="one",
        return_type=t.IntegerType(),
        input_types=[],
        packages=["snowflake-snowpark-python"],
    )
    before = set(_get_active_sessions())
    assert session.call("one") == 1
    assert set(_get_active_sessions()) == before
