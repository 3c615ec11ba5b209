"""Parquet files whose columns are loaded at once: the same rows and refusals as one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

pyarrow: Any = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.slow

COLUMNS = {
    "I": (pyarrow.int64(), [1, None, -(2**63)], "NUMBER(38,0)"),
    "S": (pyarrow.int8(), [1, None, -128], "NUMBER(5,2)"),
    "Q": (pyarrow.decimal128(10, 2), [Decimal("1.25"), None, Decimal("-0.01")], "NUMBER(12,4)"),
    "F": (pyarrow.float64(), [1.5, None, -2.5e-300], "FLOAT"),
    "W": (pyarrow.float64(), [3.0, None, -4.0], "INT"),
    "R": (pyarrow.float64(), [1.005, None, -0.125], "NUMBER(10,2)"),
    "H": (pyarrow.float64(), [0.5, None, -1.5], "INT"),
    "T": (pyarrow.string(), ["ü", None, 'a"b'], "VARCHAR(3)"),
    "B": (pyarrow.bool_(), [True, None, False], "BOOLEAN"),
    "D": (pyarrow.date32(), [date(2024, 2, 29), None, date(1, 1, 1)], "DATE"),
    "M": (pyarrow.time64("us"), [time(1, 2, 3, 4), None, time(0)], "TIME"),
    "Z": (
        pyarrow.timestamp("ns"),
        [datetime(2024, 1, 1, 1, 2, 3, 456), None, datetime(1969, 12, 31)],
        "TIMESTAMP_NTZ",
    ),
    "L": (
        pyarrow.timestamp("us", "UTC"),
        [datetime(2024, 1, 1, 1, 2, 3, 456, UTC), None, datetime(1969, 12, 31, tzinfo=UTC)],
        "TIMESTAMP_LTZ",
    ),
    "X": (pyarrow.binary(), [b"\x00\xff", None, b""], "BINARY"),
    "U": (pyarrow.null(), [None, None, None], "VARCHAR"),
    "my column": (pyarrow.string(), ["x", "y", "z"], "VARCHAR"),
}
FORM = "(type = parquet, binary_as_text = false)"


@pytest.fixture
def session() -> Iterator[Any]:
    with Account.open() as account:
        made = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for text in ("create database d", "alter session set timezone = 'Asia/Tokyo'"):
            made.execute(text)
        made.execute("create stage s")
        made.execute("create file format f type = parquet binary_as_text = false")
        yield made


def _put(session: Any, folder: Path, columns: dict[str, Any], name: str = "a.parquet") -> None:
    place = folder / name
    parquet.write_table(pyarrow.table(columns), place)
    session.execute(f"put 'file://{place}' @s auto_compress = false overwrite = true")


LISTED = ", ".join(f'"{name}"' for name in COLUMNS)
BARE = ", ".join(f'$1:"{name}"' for name in COLUMNS)
CAST = ", ".join(f'$1:"{name}"::{kind}' for name, (_, _, kind) in COLUMNS.items())
SHAPE = ", ".join(f'"{name}" {kind}' for name, (_, _, kind) in COLUMNS.items())


@pytest.mark.parametrize("picked", [BARE, CAST])
def test_columns_at_once_are_what_a_query_over_the_file_inserts(
    session: Any, tmp_path: Path, picked: str
) -> None:
    _put(session, tmp_path, {n: pyarrow.array(v, k) for n, (k, v, _) in COLUMNS.items()})
    for table in ("at_once", "one_by_one"):
        session.execute(f"create table {table} ({SHAPE})")
    told = session.execute(
        f"copy into at_once ({LISTED}) from (select {picked} from @s) file_format = {FORM}"
    )
    session.execute(f"insert into one_by_one ({LISTED}) select {CAST} from @s (file_format => 'f')")
    assert told.rows[0][:6] == ("s/a.parquet", "LOADED", 3, 3, 1, 0)
    found = session.execute("select * from at_once").rows
    assert found == session.execute("select * from one_by_one").rows
    assert found[0][:7] == (
        1, Decimal("1.00"), Decimal("1.2500"), 1.5, 3, Decimal("1.01"), 1,
    )  # fmt: skip
    assert found[1] == (*[None] * 15, "y")


@pytest.mark.parametrize(
    ("values", "kind", "column", "errno"),
    [
        ([1, 1000], "int64", "NUMBER(3,0)", 100132),
        ([1.0, 1000.0], "float64", "NUMBER(3,0)", 100132),
        ([1.0, math.nan], "float64", "INT", 100038),
        (["abc", "abcd"], "string", "VARCHAR(3)", 100074),
        (["1", "x"], "string", "INT", 100038),
        ([1, None], "int64", "INT NOT NULL", 100072),
    ],
)
def test_what_does_not_fit_is_refused_as_one_by_one(
    session: Any, tmp_path: Path, values: list[Any], kind: str, column: str, errno: int
) -> None:
    _put(session, tmp_path, {"A": pyarrow.array(values, getattr(pyarrow, kind)())})
    session.execute(f"create table t (a {column})")
    with pytest.raises(SqlError) as refused:
        session.execute(f"copy into t from (select $1:A from @s) file_format = {FORM}")
    assert refused.value.errno == errno
    assert session.execute("select count(*) from t").rows == ((0,),)
    told = session.execute(
        f"copy into t from (select $1:A from @s) file_format = {FORM} on_error = continue"
    )
    assert (told.rows[0][1], told.rows[0][3]) == ("PARTIALLY_LOADED", 1)


def test_what_has_to_be_converted_is_converted(session: Any, tmp_path: Path) -> None:
    session.execute("create table t (a varchar, b timestamp_ntz(3), c variant, d number(4,1))")
    moments = pyarrow.array([datetime(2024, 1, 1, 0, 0, 0, 123456)])
    numbers = pyarrow.array([Decimal("1.25")], pyarrow.decimal128(10, 2))
    _put(session, tmp_path, {"A": pyarrow.array([1]), "B": moments, "D": numbers})
    session.execute(
        f"copy into t from (select $1:A, $1:B, $1, $1:D::number(10,2) from @s) file_format = {FORM}"
    )
    row = session.execute("select a, b, c:A::int, d from t").rows[0]
    assert row == ("1", datetime(2024, 1, 1, 0, 0, 0, 123000), 1, Decimal("1.3"))


def test_a_column_that_the_file_lacks_is_null_and_defaults_and_streams_work(
    session: Any, tmp_path: Path
) -> None:
    session.execute("create table t (a int, b int, c int default 7, d int identity)")
    session.execute("create stream changes on table t")
    _put(session, tmp_path, {"A": pyarrow.array([1, 2])})
    session.execute(f"copy into t (a, b) from (select $1:A, $1:NO from @s) file_format = {FORM}")
    session.execute(f"copy into t (a) from (select $1:A from @s) file_format = {FORM} force = true")
    assert session.execute("select * from t order by d").rows == (
        (1, None, 7, 1), (2, None, 7, 2), (1, None, 7, 3), (2, None, 7, 4),
    )  # fmt: skip
    assert session.execute("select count(*) from changes").rows == ((4,),)
    again = session.execute(f"copy into t (a) from (select $1:A from @s) file_format = {FORM}")
    assert again.rows == (("Copy executed with 0 files processed.",),)
